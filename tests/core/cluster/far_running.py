"""Runs trials on the nodes of a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from running import Rig

from core.catalog.dataset import Dataset
from core.cluster.cluster_trial import ClusterTrial
from core.cluster.connection import Connection
from core.plan.schedule import Slot
from core.plan.spec import RunSpec
from core.result.result import Trial
from core.trial.cancel import Cancel
from core.trial.trial_events import MomentTaken, PhaseChanged, TrialEnded, TrialEvent

type Heed = Callable[[TrialEvent], None]


@dataclass
class Far:
    """Makes specs of the rigged workload, and runs them on a cluster."""

    connection: Connection
    data: Dataset

    def spec(self, **wishes: Any) -> RunSpec:
        return Rig(self.data).spec(**wishes)

    def run(
        self, spec: RunSpec, heed: Heed = lambda _: None, cancel: Cancel | None = None
    ) -> Trial:
        """The trial; `heed` gets every event before."""
        return self.fly(spec, heed, cancel)[1]

    def fly(
        self, spec: RunSpec, heed: Heed = lambda _: None, cancel: Cancel | None = None
    ) -> tuple[ClusterTrial, Trial]:
        """Also how it came about."""
        far = ClusterTrial(self.connection, Slot(0, 0, spec), "a-run", cancel or Cancel())
        trials = []
        for event in far.run():
            heed(event)
            if isinstance(event, TrialEnded):
                trials.append(event.trial)
        (trial,) = trials
        return far, trial


def once(stage: str, act: Callable[[], object]) -> Heed:
    """Does something when a trial is in that stage; when it measures, once that was seen."""
    done: list[bool] = []

    def heed(event: TrialEvent) -> None:
        measured = stage == "measuring" and isinstance(event, MomentTaken)
        told = isinstance(event, PhaseChanged) and event.phase == stage != "measuring"
        if (measured or told) and not done:
            done.append(True)
            act()

    return heed
