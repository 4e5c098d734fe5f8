"""Waiting while the connection to Cassandra is full.

Where the server takes in less than the client has to send, the driver refuses further requests as
`ConnectionBusy` instead of waiting for the socket, and none of them has left this machine.  They
are made again after a pause, for as long as a request may take.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

from cassandra.cluster import NoHostAvailable
from cassandra.connection import ConnectionBusy

_FIRST_PAUSE, _LONGEST_PAUSE = 0.001, 0.05
"""Seconds; each pause is twice as long as the one before."""

type CassandraAnswer = Any
"""The driver's: `success`, and `result_or_exc`."""


def is_full(error: object) -> bool:
    """Whether a request failed at full connections alone."""
    if not isinstance(error, NoHostAvailable):
        return False
    causes = error.errors.values()
    return bool(causes) and all(isinstance(cause, ConnectionBusy) for cause in causes)


def _sleep(seconds: float) -> None:
    threading.Event().wait(seconds)


class Patience:
    """The pauses of one call, which last so many seconds in all."""

    def __init__(self, seconds: float, sleep: Callable[[float], object] = _sleep) -> None:
        self._left = seconds
        self._pause = _FIRST_PAUSE
        self._sleep = sleep

    def wait(self) -> bool:
        """Pause; False, and no pause, where the time is up."""
        if self._pause > self._left:
            return False
        self._left -= self._pause
        self._sleep(self._pause)
        self._pause = min(2 * self._pause, _LONGEST_PAUSE)
        return True


def one_answer(ask: Callable[[], CassandraAnswer], patience: Patience) -> CassandraAnswer:
    """What the request answers; raises what it raises."""
    while True:
        try:
            return ask()
        except NoHostAvailable as error:
            if not is_full(error) or not patience.wait():
                raise


def all_answers(
    ask: Callable[[Sequence[tuple[Any, ...]]], Sequence[CassandraAnswer]],
    arguments: Sequence[tuple[Any, ...]],
    patience: Patience,
) -> Sequence[CassandraAnswer]:
    """The answers to many requests in order; raises the first failure of them.

    `ask` makes several requests and raises nothing.  Those that found the connection full are
    asked again.
    """
    answers = list(ask(arguments))
    while waiting := [
        place
        for place, answer in enumerate(answers)
        if not answer.success and is_full(answer.result_or_exc)
    ]:
        if not patience.wait():
            break
        again = ask([arguments[place] for place in waiting])
        for place, answer in zip(waiting, again, strict=True):
            answers[place] = answer
    for answer in answers:
        if not answer.success:
            raise answer.result_or_exc
    return answers
