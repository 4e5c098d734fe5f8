"""How Ctrl+C, SIGTERM and a closed pipe end a run: what was measured is kept."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.cli.progress_output import ProgressOutput
    from core.execution.events import Event
    from core.trial.cancel import Cancel


@dataclass
class _Asked:
    """Whether the run was asked to end, and by which signal."""

    cancel: Cancel
    by: int = 0


@contextmanager
def asked_by_signal() -> Iterator[_Asked]:
    """Ctrl+C or SIGTERM asks the engine to end; the engine keeps what was measured."""
    from core.trial.cancel import Cancel

    asked = _Asked(Cancel())

    def ask(number: int, frame: object) -> None:
        asked.by = asked.by or number
        asked.cancel.request()

    before = {number: signal.signal(number, ask) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        asked.cancel.close()


def follow(events: Iterator[Event], shown: ProgressOutput, asked: _Asked) -> None:
    """Show all events; raises BrokenPipeError at the end if their reader has left."""
    left: BrokenPipeError | None = None
    for event in events:
        try:
            if left is None:
                shown.show(event)
        except BrokenPipeError as error:  # `| head` has seen enough
            left = error
            asked.cancel.request()
    if left is not None:
        raise left
