"""How the service and its storage say no."""

from __future__ import annotations

import secrets


class Refused(Exception):
    """The request is answered with that status and reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


def not_found(what: str) -> Refused:
    """There is no such thing."""
    return Refused(404, f"{what} does not exist")


class StorageRefused(Exception):
    """The request is answered as S3 does, with that status and code."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code
        self.message = message

    def body(self) -> bytes:
        """The XML of the answer."""
        return (
            '<?xml version="1.0" encoding="UTF-8"?>\n'
            f"<Error><Code>{self.code}</Code><Message>{self.message}</Message>"
            f"<RequestId>{secrets.token_hex(8).upper()}</RequestId></Error>"
        ).encode()
