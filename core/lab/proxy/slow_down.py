"""How S3 answers a request above its rate."""

from __future__ import annotations

import secrets

_SLOW_DOWN = (
    '<?xml version="1.0" encoding="UTF-8"?>\n'
    "<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message>"
    "<RequestId>{request}</RequestId></Error>"
)


def slow_down(method: bytes, *, close: bool) -> bytes:
    """The response of S3 to a request above its rate."""
    request = secrets.token_hex(8).upper()
    body = _SLOW_DOWN.format(request=request).encode()
    head = (
        "HTTP/1.1 503 Slow Down\r\n"
        f"x-amz-request-id: {request}\r\n"
        "Content-Type: application/xml\r\n"
        f"Content-Length: {len(body)}\r\n"
        f"{'Connection: close' if close else 'Connection: keep-alive'}\r\n\r\n"
    ).encode()
    return head if method == b"HEAD" else head + body
