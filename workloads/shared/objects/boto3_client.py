"""Objects in S3 by boto3: one request for each, by the thread that asks."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, override

from workloads.shared.objects import (
    NO_SUCH_KEY,
    CountTally,
    ObjectClient,
    Place,
    RequestFailed,
    require_range,
)
from workloads.shared.objects.failures import failure_of
from workloads.shared.servers import code_of, count_attempts, s3_client


class Boto3Objects(ObjectClient):
    """One client of boto3 for all threads."""

    def __init__(self, place: Place, tally: CountTally) -> None:
        from botocore import exceptions

        super().__init__(tally)
        self._errors = (exceptions.BotoCoreError, exceptions.ClientError)
        assert place.s3 is not None
        self._bucket = place.s3.address.bucket
        self.s3: Any = s3_client(place.s3, place)
        count_attempts(self.s3, tally)

    def ask[Answer](self, request: Callable[[], Answer]) -> Answer:
        """The answer to a request of its client; raises RequestFailed."""
        try:
            return request()
        except self._errors as error:
            raise failure_of(error) from error

    def _read(self, name: str, **asked: str) -> tuple[Any, bytes]:
        # The body, too: a connection can break in the middle of an object.
        answer = self.ask(partial(self.s3.get_object, Bucket=self._bucket, Key=name, **asked))
        return answer, self.ask(answer["Body"].read)

    @override
    def get(self, name: str) -> bytes | None:
        try:
            return self._read(name)[1]
        except RequestFailed as error:
            # A 404 in other words comes from a server of something else.
            if code_of(error) == NO_SUCH_KEY:
                return None
            raise

    @override
    def get_range(self, name: str, first: int, length: int) -> bytes:
        """boto3 takes a whole object, or another range, for the one that was asked for."""
        asked_range = f"bytes={first}-{first + length - 1}"
        answer, content = self._read(name, Range=asked_range)
        require_range(
            answer["ResponseMetadata"]["HTTPStatusCode"],
            answer.get("ContentRange", ""),
            (first, length),
            len(content),
        )
        return content

    @override
    def size(self, name: str) -> int:
        head = self.ask(partial(self.s3.head_object, Bucket=self._bucket, Key=name))
        return int(head["ContentLength"])

    @override
    def put(self, name: str, value: bytes) -> None:
        self.ask(partial(self.s3.put_object, Bucket=self._bucket, Key=name, Body=value))

    @override
    def close(self) -> None:
        self.s3.close()
