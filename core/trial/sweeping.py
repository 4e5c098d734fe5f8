"""Removes what a trial has left outside this machine, and says where that fails."""

from __future__ import annotations

from collections.abc import Iterator

from core.host.processes.supervisor import end_stamped
from core.host.program import command_text
from core.language.units import Seconds
from core.result.outcome import Completed, describe
from core.trial.cancel import Cancel
from core.trial.errand import Runner
from core.trial.ledger import Leftover, claimed, leftovers
from core.trial.messages import Doing, Errand


class Sweeping:
    """Sweeps one leftover; afterwards `why` says why it could not, and `count` what was removed."""

    def __init__(self, leftover: Leftover, cancel: Cancel, stall: Seconds) -> None:
        """It may take `stall` without a word of progress."""
        self.why = ""
        self.count = 0
        self._leftover = leftover
        errand = Errand(
            what="sweep",
            workload=leftover.workload,
            parameters=leftover.parameters,
            mark=leftover.mark,
        )
        self._runner = Runner(errand, cancel, stall=stall)

    def run(self) -> Iterator[Doing]:
        """Sweep it; yields the progress."""
        yield from self._runner.run()
        self.count = self._runner.done.count
        outcome = self._runner.outcome
        self.why = "" if isinstance(outcome, Completed) else describe(outcome)

    @property
    def note(self) -> str:
        """For a trial whose leftovers are still there."""
        where = f" in {self._leftover.address}" if self._leftover.address else ""
        return (
            f"what it has left{where} was not removed, {self.why}; "
            f"`{command_text('leftovers', '--sweep')}` removes it"
        )


class Swept:
    """What came of sweeping one leftover; `why` is empty where nothing is left."""

    def __init__(self, leftover: Leftover, count: int, why: str) -> None:
        self.leftover = leftover
        self.count = count
        self.why = why


def sweep_leftovers(cancel: Cancel, *, stall: Seconds) -> Iterator[Doing | Swept]:
    """Remove what dead runs have left, one after the other; yields the progress and what came."""
    for leftover in leftovers():
        if cancel.requested:
            return
        with claimed(leftover.mark) as removal:
            if not removal.mine:
                continue
            end_stamped(f"/{leftover.mark}-")  # a client that outlived it may still write there
            sweeping = Sweeping(leftover, cancel, stall)
            yield from sweeping.run()
            removal.done = not sweeping.why
        yield Swept(leftover, sweeping.count, sweeping.why)
