"""URLs that allow one request for a while, in the form that S3 gives them.

The signature is an HMAC of what it allows; it is not AWS's, which only S3 itself has to check.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from urllib.parse import urlencode

from core.lab.synapse.error_answers import StorageRefused

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
