"""Tiles as objects in an S3 bucket: `prefix/layer/key`, one for each tile, through boto3.

The client counts while it happens: `requests`, each attempt that goes over the wire, `refusals`,
what S3 refuses of them with 503 or 429, `retries`, and in the mode `exponential`, where the waiting
is done here, `backoff seconds`.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from functools import partial
from threading import Event
from typing import Any, override

from workloads.shared.servers import (
    PASSING,
    S3Access,
    S3Address,
    S3Repeats,
    code_of,
    counts_of_attempt,
    delete_objects,
    end_uploads,
    explained,
    remedy_of,
    remove_objects,
    s3_address,
    s3_client,
    status_of,
)
from workloads.tiles.stores.store import Opening, Store, key_of

_LONGEST_WAIT = 20.0  # seconds, as in botocore's own modes


class RepeatingClient:
    """A boto3 client that repeats requests as the parameters say; for many threads."""

    def __init__(self, opening: Opening, address: S3Address) -> None:
        self._tally = opening.tally
        self._base = opening.parameters.backoff_base
        mode = opening.parameters.retry_mode
        self._own = mode == "exponential"
        self._attempts = opening.parameters.attempts
        self._never = Event()
        self._passing = _passing_errors()
        access = S3Access(
            address=address,
            access_key=opening.parameters.access_key,
            secret_key=opening.parameters.secret_key,
            region=opening.parameters.region,
            path_style=opening.parameters.path_style,
        )
        repeats = S3Repeats(
            attempts=1 if self._own else self._attempts,
            connections=opening.parameters.pool_size or opening.threads,
            mode="standard" if self._own else mode,
        )
        self.s3: Any = s3_client(access, repeats)
        self.s3.meta.events.register("needs-retry.s3", self._count)

    def perform[Answer](self, request: Callable[[], Answer], attempts: int = 0) -> Answer:
        """The answer to a request, repeated while it fails in passing; raises botocore's errors."""
        most = (attempts or self._attempts) if self._own else 1
        for attempt in range(1, most):
            try:
                return request()
            except self._passing as error:
                if status_of(error) not in (0, *PASSING):  # without an answer it is 0
                    raise
            self._tally("retries", 1)
            # "Full jitter": a random time up to the base, which doubles with every attempt.
            wait = random.uniform(0, min(self._base * 2 ** (attempt - 1), _LONGEST_WAIT))
            self._never.wait(wait)
            self._tally("backoff seconds", wait)
        return request()

    def _count(self, attempts: int, response: Any = None, **_: Any) -> None:
        """Called by botocore after every attempt; to return nothing leaves the decision to it."""
        for name in counts_of_attempt(attempts, response):
            self._tally(name, 1)

    def close(self) -> None:
        self.s3.close()


def _passing_errors() -> tuple[type[Exception], ...]:
    from botocore import exceptions

    return (
        exceptions.ClientError,
        exceptions.ConnectionError,
        exceptions.HTTPClientError,
        exceptions.IncompleteReadError,
    )


_MANIFEST = "manifest"
_ABSENT = "NoSuchKey"


class S3Store(Store):
    """One request for each tile: S3 has no form for several, so a batch is one after the other."""

    def __init__(self, opening: Opening) -> None:
        from botocore.exceptions import BotoCoreError, ClientError

        self.failures = (BotoCoreError, ClientError)
        self._absent: type[Any] = ClientError
        self._place = s3_address(opening.address)
        self._client = RepeatingClient(opening, self._place)
        self._s3 = self._client.s3
        self._bucket = self._place.bucket
        self._prefix = f"{self._place.prefix}{opening.layer}/"
        try:
            self._require_answer()
        except self.failures as error:
            self._client.close()
            raise explained(error, self._place) from error

    def _require_answer(self) -> None:
        """Have what stands in the way of every request said before the clock, at once.

        A refusal in passing stands in the way of none.
        """
        try:
            self._fetch(_MANIFEST, attempts=1)
        except self.failures as error:
            if status_of(error) not in PASSING:
                raise
            self._fetch(_MANIFEST)

    @override
    def remedy(self, error: Exception) -> str:
        return remedy_of(error)

    @override
    def get(self, key: int) -> bytes | None:
        return self._fetch(str(key))

    def _fetch(self, name: str, attempts: int = 0) -> bytes | None:
        try:
            return self._client.perform(lambda: self._read(name), attempts)
        except self._absent as error:
            if code_of(error) == _ABSENT:
                return None
            raise

    def _read(self, name: str) -> bytes:
        answer = self._s3.get_object(Bucket=self._bucket, Key=self._prefix + name)
        # Within the attempt: a connection can break in the middle of an object.
        content: bytes = answer["Body"].read()
        return content

    @override
    def keys(self) -> Iterable[int]:
        more: dict[str, str] = {}
        while True:
            request = {"Bucket": self._bucket, "Prefix": self._prefix, **more}
            page = self._client.perform(partial(self._s3.list_objects_v2, **request))
            names = (one["Key"].removeprefix(self._prefix) for one in page.get("Contents", ()))
            yield from (key_of(name) for name in names if name not in ("", _MANIFEST))
            if not page.get("IsTruncated"):
                return
            more = {"ContinuationToken": page["NextContinuationToken"]}

    @override
    def put(self, key: int, value: bytes) -> None:
        self._write(str(key), value)

    def _write(self, name: str, value: bytes) -> None:
        self._client.perform(
            lambda: self._s3.put_object(Bucket=self._bucket, Key=self._prefix + name, Body=value)
        )

    @override
    def manifest(self) -> bytes | None:
        return self._fetch(_MANIFEST)

    @override
    def set_manifest(self, value: bytes) -> None:
        self._write(_MANIFEST, value)

    @override
    def remove(self) -> int:
        # The manifest first: of a layer that is half removed, nobody may think it is complete.
        s3, bucket, perform = self._s3, self._bucket, self._client.perform
        whole = self.manifest() is not None
        if whole:
            delete_objects(s3, bucket, [self._prefix + _MANIFEST], perform)
        end_uploads(s3, bucket, self._prefix, perform)
        return whole + remove_objects(s3, bucket, self._prefix, perform)

    @override
    def close(self) -> None:
        self._client.close()
