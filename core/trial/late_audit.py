"""Audits what a trial has moved whose processes ended before they could do so themselves."""

from __future__ import annotations

from collections.abc import Iterator

from core.catalog import registry
from core.catalog.workload import Workload
from core.errors import SluiceError
from core.plan.spec import RunSpec
from core.result.outcome import Completed, Crashed, Failed, Outcome, TimedOut, describe
from core.trial.cancel import Cancel
from core.trial.counters import Block, Count
from core.trial.errand import Runner
from core.trial.messages import Doing, Done, Errand
from core.trial.placing import silence


class LateAudit:
    """One audit; afterwards `done` is what was found, or `why` says why nothing was."""

    def __init__(self, spec: RunSpec, mark: str, cancel: Cancel) -> None:
        self.done: Done | None = None
        self.why = ""
        errand = Errand(
            what="audit",
            workload=spec.workload,
            parameters=spec.parameters,
            dataset=spec.dataset,
            mark=mark,
        )
        self._runner = Runner(errand, cancel, stall=silence(spec))

    def run(self) -> Iterator[Doing]:
        """Look at what arrived; yields the progress."""
        yield from self._runner.run()
        if isinstance(self._runner.outcome, Completed):
            self.done = self._runner.done
        else:
            self.why = describe(self._runner.outcome)

    @property
    def note(self) -> str:
        """For a trial of which nobody knows what arrived."""
        return f"what arrived was not audited: {self.why}"


def can_be_audited(spec: RunSpec, outcome: Outcome | None) -> bool:
    """Whether a trial that ended so has left what its workload can look at without its job."""
    if not isinstance(outcome, Failed | Crashed | TimedOut):
        return False
    try:
        workload = registry.load_workload(spec.workload)
    except SluiceError:  # the trial itself says so
        return False
    return type(workload).remains is not Workload.remains


def count_in(block: Block, found: Done) -> None:
    """Count what was found in the block of a trial, none of whose processes is there any more."""
    words = block.slot(0)
    for complaint in found.complaints:
        words[Count.WRONG if complaint.wrong_data else Count.ERRORS] += complaint.count
    left = found.count
    for index in range(block.slots):
        slot = block.slot(index)
        verified = min(left, slot[Count.UNVERIFIED])
        slot[Count.UNVERIFIED] -= verified
        left -= verified
