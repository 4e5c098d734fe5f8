"""What is done once in each run before its trials: data is placed, references are made."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from dataclasses import replace

from msgspec import structs

from core.catalog import registry
from core.catalog.parameters import build
from core.catalog.workload import Workload
from core.errors import SluiceError
from core.language.units import Seconds
from core.plan.data_files import forget_files
from core.plan.schedule import Slot, subject_of
from core.plan.spec import RunSpec
from core.result.outcome import Cancelled, Completed, Outcome
from core.trial.cancel import Cancel
from core.trial.errand import Runner
from core.trial.messages import Doing, Errand

type _Key = tuple[object, ...]


class Placing:
    """Places the data of one spec, and makes what its results are held against.

    Afterwards `outcome` is how that ended, now or before.
    """

    def __init__(self, slot: Slot, run_id: str, cancel: Cancel) -> None:
        self.outcome: Outcome = Completed()
        self._slot = slot
        self._spec = slot.spec
        self._run_id = run_id
        self._cancel = cancel

    def run(self) -> Iterator[Doing]:
        """Do it unless this run has done so; yields the progress."""
        errands = self._errands()
        if not errands:
            return
        key = subject_of(self._spec)
        known = _PLACED.of(self._run_id)
        if key not in known:
            for errand in errands:
                yield Doing(errand.stage)
                runner = Runner(errand, self._cancel, stall=silence(self._spec))
                yield from runner.run()
                self.outcome = runner.outcome
                if not isinstance(self.outcome, Completed):
                    break
            forget_files()
            if not isinstance(self.outcome, Cancelled):
                known[key] = self.outcome
            return
        self.outcome = known[key]

    def _errands(self) -> list[Errand]:
        spec, found = self._spec, list[Errand]()
        try:
            workload = registry.load_workload(spec.workload)
            refers = workload.refers(build(workload.parameters, spec.parameters))
        except SluiceError:  # the trial itself says so
            return []
        about = Errand(
            what="place", workload=spec.workload, parameters=spec.parameters, dataset=spec.dataset
        )
        if type(workload).place is not Workload.place:
            found.append(about)
        if refers:
            threads = self._slot.fewest or spec.load.threads
            load = replace(spec.load, threads=threads, processes=1)
            mark = f"{self._run_id}-{self._slot.index}-{secrets.token_hex(2)}"
            found.append(
                structs.replace(about, what="refer", load=load, run_id=self._run_id, mark=mark)
            )
        return found


_SILENCE = 5
"""Stalls for which an errand may say nothing: that a single object is on its way is not seen."""


def silence(spec: RunSpec) -> Seconds:
    """How long an errand for a spec may say nothing."""
    return _SILENCE * spec.load.stall


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
