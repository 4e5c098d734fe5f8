"""Errands: what a workload does outside trials, in a child process of its own.

It places data in a store before trials, looks at what arrived of trials whose processes died, and
removes from there what trials have left.  The parent
watches it as it watches a trial: it can crash, hang and be cancelled, and all of that are values.
"""

from __future__ import annotations

import math
import selectors
import time
from collections.abc import Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

from core.host.processes.supervisor import Supervisor
from core.language.sanitise import remembered, safe
from core.language.units import Seconds
from core.result.outcome import Cancelled, Completed, Failed, Outcome, TimedOut, crash_from
from core.trial.child_process import Process
from core.trial.counters import Block
from core.trial.messages import Doing, Done, Errand

if TYPE_CHECKING:
    from core.trial.cancel import Cancel

AFTER_CANCEL: Seconds = 10.0
"""How long after a request to cancel what is outside may still be removed, in all."""
_TICK: Seconds = 0.1


class Runner:
    """Runs one errand; afterwards `outcome` says how it ended, and `done` what it returned."""

    def __init__(self, errand: Errand, cancel: Cancel, *, stall: Seconds) -> None:
        """It may take `stall` without a word of progress."""
        self.outcome: Outcome = Cancelled(stage=errand.stage)
        self.done = Done(0)
        self._errand = errand
        self._cancel = cancel
        self._stall = stall
        self._grace = AFTER_CANCEL if errand.what == "sweep" else 0.0

    def run(self) -> Iterator[Doing]:
        """Run it to its end, whatever it is; yields its progress."""
        block = Block.create(1)
        with ExitStack() as held:
            held.callback(block.close)
            try:
                supervisor = held.enter_context(Supervisor())
                process = Process.start(supervisor, block.fd)
            except OSError as error:
                self.outcome = Failed(
                    stage=self._errand.stage, error=type(error).__name__, message=str(error)
                )
                return
            held.callback(process.close)
            process.tell(self._errand)
            yield from self._watch(process)

    def _watch(self, process: Process) -> Iterator[Doing]:
        moved = time.monotonic()
        with selectors.PollSelector() as selector:
            selector.register(process.hear, selectors.EVENT_READ)
            while True:
                selector.select(_TICK)
                words = process.listen()
                if words:
                    moved = time.monotonic()
                yield from (word for word in words if isinstance(word, Doing))
                ended = self._ended(process) or self._late(moved)
                yield from (word for word in process.late_words() if isinstance(word, Doing))
                if ended is not None:
                    # Not everything that can be told comes through the child's own messages.
                    self.outcome = safe(ended, remembered())
                    return

    def _ended(self, process: Process) -> Outcome | None:
        if process.gone() or process.broke or process.finished:
            if process.broke is not None:
                told = process.broke
                return Failed(
                    stage=self._errand.stage,
                    error=told.error,
                    message=told.message,
                    trace=told.trace,
                )
            if process.done is not None and process.finished:
                self.done = process.done
                return Completed()
            process.child.wait(math.inf)
            return crash_from(process.child.code or 0, self._errand.stage, process.last_words(), "")
        return None

    def _late(self, moved: float) -> Outcome | None:
        now = time.monotonic()
        if self._cancel.requested and now - self._cancel.since >= self._grace:
            return Cancelled(stage=self._errand.stage)
        if now - moved > self._stall:
            return TimedOut(stage=self._errand.stage, limit=self._stall, stalled=True)
        return None
