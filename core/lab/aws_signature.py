"""AWS's signature, version 4, for requests without a body and a query.

Enough to ask whether a server of S3 serves, without boto3, which core does not know.
"""

from __future__ import annotations

import hashlib
import hmac
from datetime import UTC, datetime

REGION = "us-east-1"
"""That of the lab's S3."""
_NO_BODY = hashlib.sha256(b"").hexdigest()
_SIGNED = "host;x-amz-content-sha256;x-amz-date"


def signed_headers(
    method: str, host: str, path: str, access_key: str, secret_key: str
) -> dict[str, str]:
    """The headers of a request that is signed now; `path` is quoted already.

    Source: AWS General Reference, "Create a signed AWS API request".
    """
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
    scope = f"{moment[:8]}/{REGION}/s3/aws4_request"
    request = "\n".join(
        [
            method,
            path,
            "",
            f"host:{host}",
            f"x-amz-content-sha256:{_NO_BODY}",
            f"x-amz-date:{moment}",
            "",
            _SIGNED,
            _NO_BODY,
        ]
    )
    digest = hashlib.sha256(request.encode()).hexdigest()
    key = f"AWS4{secret_key}".encode()
    for part in scope.split("/"):
        key = _mac(key, part)
    signature = _mac(key, f"AWS4-HMAC-SHA256\n{moment}\n{scope}\n{digest}").hex()
    return {
        "Host": host,
        "x-amz-content-sha256": _NO_BODY,
        "x-amz-date": moment,
        "Authorization": f"AWS4-HMAC-SHA256 Credential={access_key}/{scope}, "
        f"SignedHeaders={_SIGNED}, Signature={signature}",
    }


def _mac(key: bytes, text: str) -> bytes:
    return hmac.new(key, text.encode(), hashlib.sha256).digest()
