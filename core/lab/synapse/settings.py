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
class Settings:
    """Where both processes are, and what goes wrong on purpose (`SynapseParameters`)."""

    folder: str
    """Where the bytes are kept, unless they are in an S3."""
    service_port: int
    storage_port: int
    store: str = "disk"
    endpoint: str = ""
    """Of the S3 that has the bytes, and the bucket there."""
    bucket: str = ""
    latency: float = 0.0
    bandwidth: int = 0
    throttled: float = 0.0
    failing: float = 0.0
    unavailable: float = 0.0
    dropped: float = 0.0
    stalled: float = 0.0
    retry_after: float = 1.0
    expiry: float = 900.0
    fault_seed: int = 1

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
    """Makes presigned URLs and judges them."""

    def __init__(self, key: str, base: str, expiry: float) -> None:
        """`base` stands before every path; `expiry` in seconds, at least 1."""
        self._key = key.encode()
        self._base = base
        self._expiry = max(1, int(expiry))

    def url(self, method: str, path: str, now: datetime | None = None) -> str:
        """A URL that allows that request from now on."""
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
