"""What both processes of the stand-in share: settings, presigned URLs, and how they refuse.

The settings are a line of JSON, and the environment.  A presigned URL allows one request for a
while, in the form that S3 gives it; its signature is an HMAC of what it allows, and not AWS's,
which only S3 itself has to check.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

import msgspec

from core.catalog.declarations import choice, integer, real


class RequestRefused(Exception):
    """The request is answered with that status and reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def not_found(what: str) -> RequestRefused:
    return RequestRefused(404, f"{what} does not exist")


class StorageRefused(Exception):
    """The request is answered as S3 does, with that status and code."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message

    def body(self) -> bytes:
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<Error><Code>{self.code}</Code><Message>{self.message}</Message>"
            f"<RequestId>{secrets.token_hex(8).upper()}</RequestId></Error>"
        ).encode()


TOKEN = "SLUICE_SYNAPSE_TOKEN"
SIGNING_KEY = "SLUICE_SYNAPSE_SIGNING_KEY"
ACCESS_KEY = "SLUICE_SYNAPSE_ACCESS_KEY"
SECRET_KEY = "SLUICE_SYNAPSE_SECRET_KEY"


@dataclass(frozen=True, kw_only=True)
class SynapseParameters:
    """How far away, how busy and how unreliable the service seems to be; 0 = not at all."""

    store: str = choice(
        "disk",
        options={
            "disk": "A folder, by a storage of its own that can be slow and fail on purpose.",
            "s3": "The lab's S3, at presigned URLs of its own, as the real service has it.",
        },
        help="Where the bytes of files are kept.",
    )
    latency: float = real(
        0.0, low=0.0, high=60.0, unit="seconds", help="Added to every request, before its answer."
    )
    bandwidth: int = integer(
        0,
        low=0,
        high=10**12,
        unit="bytes",
        help="Bytes of files a second in each direction, of all transfers together; 0 = no limit.",
    )
    throttled: float = real(
        0.0,
        low=0.0,
        high=1.0,
        help="Share of the service's requests that are answered with 429 and Retry-After.",
    )
    failing: float = real(
        0.0, low=0.0, high=1.0, help="Share of all requests that are answered with 500."
    )
    unavailable: float = real(
        0.0, low=0.0, high=1.0, help="Share of all requests that are answered with 503."
    )
    dropped: float = real(
        0.0,
        low=0.0,
        high=1.0,
        help="Share of all requests whose connection is cut, those of files in the middle.",
    )
    stalled: float = real(
        0.0,
        low=0.0,
        high=1.0,
        help="Share of the requests of files that stop in the middle and never go on.",
    )
    retry_after: float = real(
        1.0, low=0.0, high=3600.0, unit="seconds", help="What 429 asks the client to wait."
    )
    expiry: float = real(
        900.0,
        low=1.0,
        high=604_800.0,
        unit="seconds",
        help="How long presigned URLs are valid; whole seconds.",
    )
    fault_seed: int = integer(
        1, low=0, high=2**31, help="Faults are drawn from it, so that they can be repeated."
    )


@dataclass(frozen=True, kw_only=True)
class Settings(SynapseParameters):
    """What goes wrong on purpose, and where both processes are."""

    folder: str
    """Where the bytes are kept, unless they are in an S3."""
    service_port: int
    storage_port: int
    endpoint: str = ""
    """Of the S3 that has the bytes, and the bucket there."""
    bucket: str = ""

    @property
    def token(self) -> str:
        return os.environ[TOKEN]

    @property
    def signing_key(self) -> str:
        return os.environ[SIGNING_KEY]

    @property
    def s3_keys(self) -> tuple[str, str]:
        return os.environ[ACCESS_KEY], os.environ[SECRET_KEY]

    @property
    def storage(self) -> str:
        """The beginning of presigned URLs."""
        return f"http://127.0.0.1:{self.storage_port}"


def read_settings(text: str) -> Settings:
    return msgspec.json.decode(text, type=Settings)


_FORM = "%Y%m%dT%H%M%SZ"


class Presigner:
    def __init__(self, key: str, base: str, expiry: float) -> None:
        """`base` stands before every path; `expiry` in seconds, at least 1."""
        self._key = key.encode()
        self._base = base
        self._expiry = max(1, int(expiry))

    def url(self, method: str, path: str, now: datetime | None = None) -> str:
        date = (now or datetime.now(UTC)).strftime(_FORM)
        expires = str(self._expiry)
        asked = {
            "X-Amz-Algorithm": "AWS4-HMAC-SHA256",
            "X-Amz-Date": date,
            "X-Amz-Expires": expires,
            "X-Amz-SignedHeaders": "host",
            "X-Amz-Signature": self._signature(method, path, date, expires),
        }
        return f"{self._base}{path}?{urlencode(asked)}"

    def check(
        self, method: str, path: str, query: Mapping[str, str], now: datetime | None = None
    ) -> None:
        """Raise StorageRefused, as S3 does, unless that request is allowed now."""
        date, expires = query.get("X-Amz-Date", ""), query.get("X-Amz-Expires", "")
        right = self._signature(method, path, date, expires)
        if not hmac.compare_digest(right, query.get("X-Amz-Signature", "")):
            raise StorageRefused(
                403,
                "SignatureDoesNotMatch",
                "The request signature we calculated does not match the signature you provided.",
            )
        end = datetime.strptime(date, _FORM).replace(tzinfo=UTC) + timedelta(seconds=int(expires))
        if (now or datetime.now(UTC)) >= end:
            raise expired()

    def _signature(self, method: str, path: str, date: str, expires: str) -> str:
        text = "\n".join((method, path, date, expires))
        return hmac.new(self._key, text.encode(), hashlib.sha256).hexdigest()


def expired() -> StorageRefused:
    """How S3 answers a presigned URL that was valid once."""
    return StorageRefused(403, "AccessDenied", "Request has expired")
