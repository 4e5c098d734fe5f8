"""A client of S3 through boto3 that repeats requests as the parameters say.

The client counts what S3 refuses while it happens: `503`, `429`, `retries`, and in the mode
`exponential`, where the waiting is done here, `backoff seconds`.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from threading import Event
from typing import Any

from workloads.shared.s3_access import S3Access, S3Address, S3Repeats, s3_client, status_of
from workloads.tiles.stores.store import Opening

_REFUSALS = ("503", "429")
_PASSING = frozenset({429, 500, 502, 503, 504})
"""Statuses after which the same request may succeed."""
_LONGEST_WAIT = 20.0  # seconds, as in botocore's own modes


class Client:
    """A boto3 client that repeats requests as the parameters say; for many threads."""

    def __init__(self, opening: Opening, address: S3Address) -> None:
        self._tally = opening.tally
        self._asked = asked = opening.parameters
        self._own = asked["retry_mode"] == "exponential"
        self._attempts = _whole(asked["attempts"])
        self._never = Event()
        self._passing = _passing_errors()
        access = S3Access(
            address=address,
            access_key=str(asked["access_key"]),
            secret_key=str(asked["secret_key"]),
            region=str(asked["region"]),
            path_style=bool(asked["path_style"]),
        )
        repeats = S3Repeats(
            attempts=1 if self._own else self._attempts,
            connections=_whole(asked["pool_size"]) or opening.threads,
            mode="standard" if self._own else str(asked["retry_mode"]),
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
                if not _may_pass(error):
                    raise
            self._tally("retries", 1)
            self._wait(attempt)
        return request()

    def _wait(self, attempt: int) -> None:
        """A random time up to the base, which doubles with every attempt ("full jitter")."""
        base = float(str(self._asked["backoff_base"]))
        seconds = random.uniform(0, min(base * 2 ** (attempt - 1), _LONGEST_WAIT))
        self._never.wait(seconds)
        self._tally("backoff seconds", seconds)

    def _count(self, **told: Any) -> None:
        """Called by botocore after every attempt; to return nothing leaves the decision to it."""
        if told["attempts"] > 1:
            self._tally("retries", 1)
        answer = told.get("response")
        if answer is not None and (status := str(answer[0].status_code)) in _REFUSALS:
            self._tally(status, 1)

    def close(self) -> None:
        """Close the connections."""
        self.s3.close()


def _whole(value: object) -> int:
    return int(str(value))


def _passing_errors() -> tuple[type[Exception], ...]:
    from botocore import exceptions

    return (
        exceptions.ClientError,
        exceptions.ConnectionError,
        exceptions.HTTPClientError,
        exceptions.IncompleteReadError,
    )


def _may_pass(error: Exception) -> bool:
    """Whether the same request may succeed later; one without an answer always may."""
    status = status_of(error)
    return not status or status in _PASSING
