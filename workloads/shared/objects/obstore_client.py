"""Objects in S3 and behind plain http by obstore, which is compiled: its calls leave Python's lock.

It makes an error of a body that is too short and of another range than was asked for.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, override
from urllib.parse import urlsplit, urlunsplit

import obstore
from obstore.exceptions import BaseError
from obstore.store import HTTPStore, S3Store

from workloads.shared.objects import ABSENT, CUT, CountTally, ObjectClient, Place, RequestFailed
from workloads.shared.objects.failures import ended_after, failure_of
from workloads.shared.objects.s3_login import s3_login
from workloads.shared.servers import CONNECTING, S3Access, code_of, status_of

FAILED = (BaseError, OSError, ValueError)


class ObstoreObjects(ObjectClient):
    """One store of obstore's for all threads, whose calls return when they are done."""

    def __init__(self, place: Place, tally: CountTally) -> None:
        super().__init__(tally)
        options: Any = {
            "allow_http": True,
            "timeout": timedelta(seconds=place.timeout),
            "connect_timeout": timedelta(seconds=min(CONNECTING, place.timeout)),
            "pool_max_idle_per_host": str(place.connections),
        }
        settings: Any = {"client_options": options, "retry_config": {"max_retries": 0}}
        self._store = opened_store(place, settings)

    @override
    def get(self, name: str) -> bytes | None:
        content = self.fetch(name)
        self.settle()
        return content

    @override
    def fetch(self, name: str) -> bytes | None:
        try:
            content = bytes(obstore.get(self._store, name).bytes())
        except FileNotFoundError as error:
            failure = self._counted(error)
            if code_of(failure) not in ABSENT:
                raise failure from None
            return None
        except FAILED as error:
            raise self._counted(error) from None
        next(self._successes)
        return content

    @override
    def get_range(self, name: str, first: int, length: int) -> bytes:
        try:
            content = bytes(obstore.get_range(self._store, name, start=first, length=length))
        except FAILED as error:
            raise self._counted(error) from None
        self.count()
        if len(content) != length:
            raise RequestFailed(ended_after(len(content), length), code=CUT)
        return content

    @override
    def size(self, name: str) -> int:
        try:
            size = int(obstore.head(self._store, name)["size"])
        except FAILED as error:
            raise self._counted(error) from None
        self.count()
        return size

    @override
    def put(self, name: str, value: bytes) -> None:
        try:
            obstore.put(self._store, name, bytes(value), use_multipart=False)
        except FAILED as error:
            raise self._counted(error) from None
        self.count()

    def _counted(self, error: Exception) -> RequestFailed:
        failure = failure_of(error)
        self.count(status_of(failure))
        return failure


def opened_store(place: Place, settings: Mapping[str, Any], folder: str = "") -> Any:
    """A store of obstore's at a place, or at a folder in it; raises SluiceError."""
    if place.s3 is None:
        return HTTPStore.from_url(f"{place.url}{folder}".rstrip("/"), **settings)  # it adds one
    return s3_store(place.s3, {**settings, "prefix": folder})


def repeating_store(place: Place, folder: str) -> Any:
    """One that makes further attempts by itself; raises SluiceError."""
    options: Any = {"allow_http": True, "timeout": timedelta(seconds=place.timeout)}
    retries: Any = {"retry_timeout": timedelta(seconds=place.repeating)}
    return opened_store(place, {"client_options": options, "retry_config": retries}, folder)


def s3_store(access: S3Access, settings: Mapping[str, Any]) -> Any:
    """Credentials are given as a function, or a token of the environment would join them."""
    login, endpoint = s3_login(access), access.address.endpoint
    if endpoint and not access.path_style:  # obstore wants the bucket in the endpoint, too
        parts = urlsplit(endpoint)
        host = f"{access.address.bucket}.{parts.netloc}"
        endpoint = urlunsplit(parts._replace(netloc=host))
    config: Any = {
        "region": login.region,
        "virtual_hosted_style_request": not access.path_style,
        **({"endpoint": endpoint} if endpoint else {}),
    }
    credentials: Any = {
        "access_key_id": login.key,
        "secret_access_key": login.secret,
        "token": login.token,
        "expires_at": None,
    }
    bucket = access.address.bucket
    return S3Store(bucket, config=config, credential_provider=lambda: credentials, **settings)
