"""Places the data of trials in its store, once in each run."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from core.catalog import registry
from core.catalog.workload import Workload
from core.errors import SluiceError
from core.language.units import Seconds
from core.plan.data_files import forget_files
from core.plan.spec import RunSpec
from core.result.outcome import Cancelled, Completed, Outcome
from core.trial.cancel import Cancel
from core.trial.errand import Runner
from core.trial.messages import Doing, Errand

type _Key = tuple[object, ...]


class Placing:
    """Places the data of one spec; afterwards `outcome` is how that ended, now or before."""

    def __init__(self, spec: RunSpec, run_id: str, cancel: Cancel) -> None:
        self.outcome: Outcome = Completed()
        self._spec = spec
        self._run_id = run_id
        self._cancel = cancel

    def run(self) -> Iterator[Doing]:
        """Place it unless this run has done so; yields the progress."""
        spec = self._spec
        if not _places(spec):
            return
        key = (spec.workload, *spec.parameters.items(), spec.dataset)
        known = _PLACED.of(self._run_id)
        if key not in known:
            yield Doing("placing")
            outcome = yield from self._place()
            forget_files()
            if not isinstance(outcome, Cancelled):
                known[key] = outcome
            self.outcome = outcome
            return
        self.outcome = known[key]

    def _place(self) -> Generator[Doing, None, Outcome]:
        spec = self._spec
        errand = Errand(
            what="place",
            workload=spec.workload,
            parameters=spec.parameters,
            dataset=spec.dataset,
        )
        runner = Runner(errand, self._cancel, stall=silence(spec))
        yield from runner.run()
        return runner.outcome


_SILENCE = 5
"""Stalls for which an errand may say nothing: that a single object is on its way is not seen."""


def silence(spec: RunSpec) -> Seconds:
    """How long an errand for a spec may say nothing."""
    return _SILENCE * spec.load.stall


def _places(spec: RunSpec) -> bool:
    try:
        workload = registry.load_workload(spec.workload)
    except SluiceError:  # the trial itself says so
        return False
    return type(workload).place is not Workload.place


class _Placed:
    """What the latest run has placed, with the outcome."""

    def __init__(self) -> None:
        self._run_id = ""
        self._outcomes: dict[_Key, Outcome] = {}

    def of(self, run_id: str) -> dict[_Key, Outcome]:
        """What that run has placed; another run places anew, which does little."""
        if run_id != self._run_id:
            self._run_id, self._outcomes = run_id, {}
        return self._outcomes


_PLACED = _Placed()
