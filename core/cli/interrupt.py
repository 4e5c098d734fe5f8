"""How Ctrl+C, SIGTERM, SIGHUP and a closed pipe end a run: what was measured is kept."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.cli.terminal import reader_left
from core.host.end_signals import code_after, end_signals

if TYPE_CHECKING:
    from core.execution.events import Consumer, Event
    from core.execution.progress import RunProgress
    from core.trial.cancel import Cancel


@dataclass
class _Asked:
    """Whether the run was asked to end, and by which signal."""

    cancel: Cancel
    by: int = 0

    @property
    def code(self) -> int:
        """The exit code; only if a signal asked."""
        return code_after(self.by)


@contextmanager
def asked_by_signal() -> Iterator[_Asked]:
    """Ctrl+C, SIGTERM or SIGHUP asks the engine to end; the engine keeps what was measured."""
    from core.trial.cancel import Cancel

    asked = _Asked(Cancel())

    def ask(number: int, frame: object) -> None:
        asked.by = asked.by or number
        asked.cancel.request()

    before = {number: signal.signal(number, ask) for number in end_signals()}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        asked.cancel.close()


def follow(events: Iterator[Event], run: RunProgress, consumer: Consumer, asked: _Asked) -> None:
    """Hand all events to the run's model and then to the consumer.

    A reader who leaves, as `| head` does, ends the run, as SIGPIPE ends other programs; what was
    measured is kept.  Output that cannot be written ends nothing: the session keeps everything.
    """
    for event in events:
        run.take(event)
        consumer(event)
        if reader_left():
            asked.by = asked.by or signal.SIGPIPE
            asked.cancel.request()
