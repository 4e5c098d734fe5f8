"""Tiles as objects in an S3 bucket: `prefix/layer/key`, one for each tile.

The client counts while it happens: `requests`, each attempt that goes over the wire, `refusals`,
what S3 refuses of them with 503 or 429, `retries`, and in the mode `exponential`, where the
waiting is done here, `backoff seconds`.  Lists and removals, which are not
measured, are boto3's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, override

from core import SluiceError
from workloads.shared.objects import Place
from workloads.shared.objects.boto3_client import Boto3Objects
from workloads.shared.servers import (
    S3Access,
    delete_objects,
    end_uploads,
    explained,
    remove_objects,
    s3_address,
)
from workloads.tiles.stores.object_store import MANIFEST, ObjectStore
from workloads.tiles.stores.store import Opening, key_of


def s3_place(opening: Opening) -> Place:
    """How the bucket of an address is reached; raises InvalidParameter."""
    parameters = opening.parameters
    own = parameters.retry_mode == "exponential"
    return Place(
        s3=S3Access.by(parameters, s3_address(opening.address)),
        connections=parameters.pool_size or opening.threads,
        attempts=1 if own else parameters.attempts,
        mode="standard" if own else parameters.retry_mode,
        timeout=parameters.timeout,
    )


class S3Store(ObjectStore):
    """A layer in a bucket."""

    def __init__(self, opening: Opening) -> None:
        self._address = s3_address(opening.address)
        self._place = s3_place(opening)
        super().__init__(opening, self._place, "s3", f"{self._address.prefix}{opening.layer}/")

    @override
    def refused(self, error: Exception) -> SluiceError:
        return explained(error, self._address)

    @contextmanager
    def _boto3(self) -> Iterator[tuple[Any, Callable[[Callable[[], Any]], Any]]]:
        """Its client and what carries out a request, repeated as the parameters say."""
        own = isinstance(self.objects, Boto3Objects)
        objects: Any = self.objects if own else Boto3Objects(self._place, self._tally)
        try:
            ask, failures = objects.ask, objects.failures
            yield objects.s3, lambda request: self.repeats.perform(partial(ask, request), failures)
        finally:
            if not own:
                objects.close()

    @override
    def keys(self) -> Iterable[int]:
        more: dict[str, str] = {}
        with self._boto3() as (s3, perform):
            while True:
                request = {"Bucket": self._address.bucket, "Prefix": self.prefix, **more}
                page = perform(partial(s3.list_objects_v2, **request))
                names = (one["Key"].removeprefix(self.prefix) for one in page.get("Contents", ()))
                yield from (key_of(name) for name in names if name not in ("", MANIFEST))
                if not page.get("IsTruncated"):
                    return
                more = {"ContinuationToken": page["NextContinuationToken"]}

    @override
    def remove(self) -> int:
        # The manifest first: of a layer that is half removed, nobody may think it is complete.
        bucket = self._address.bucket
        whole = self.manifest() is not None
        with self._boto3() as (s3, perform):
            if whole:
                delete_objects(s3, bucket, [self.prefix + MANIFEST], perform)
            perform(partial(end_uploads, s3, bucket, self.prefix))
            return whole + remove_objects(s3, bucket, self.prefix, perform)
