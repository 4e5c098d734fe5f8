"""Runs rigged trials."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import msgspec
from patience import PATIENCE
from rigged import RiggedParameters

from core.measure import Cancel, Grace, run_trial
from core.vocabulary import (
    Dataset,
    Event,
    Load,
    Outcome,
    RunSpec,
    Slot,
    Trial,
    TrialEnded,
    build,
    values_of,
)

OPERATIONS = 200
LOAD = {
    "duration": 0,
    "operations": OPERATIONS,
    "warm_up": 0,
    "deadline": 5 * PATIENCE,
    "stall": PATIENCE,
}
USUAL = Grace()
PATIENT = Grace(requested=PATIENCE)
"""For children that heed what they are asked, however long the machine lets them wait."""


@dataclass
class Rig:
    """Makes slots of the rigged workload from both its parameters and the load's."""

    data: Dataset
    pace: float = 0.5
    """Seconds that a trial took here."""

    def spec(self, **wishes: Any) -> RunSpec:
        load = {name: wishes.pop(name) for name in list(wishes) if name in Load.__annotations__}
        return RunSpec(
            workload="rigged:Rigged",
            version=1,
            parameters=values_of(build(RiggedParameters, wishes)),
            load=build(Load, LOAD | load),
            dataset=self.data,
        )

    def slot(self, **wishes: Any) -> Slot:
        return Slot(0, 0, self.spec(**wishes))

    def run(self, *, grace: Grace = USUAL, **wishes: Any) -> Trial:
        return carried_out(self.slot(**wishes), grace)

    def run_into(
        self, limit: str, stage: str, grace: Grace = USUAL, *, first_limit: float = 0, **wishes: Any
    ) -> Trial:
        """Run into a limit of the load at a stage, with an ever longer one until it comes so far.

        How long children take until then is a matter of what else the machine does.
        """
        seconds = first_limit or max(3.0, 6 * self.pace)
        while True:
            trial = self.run(grace=grace, **wishes, **{limit: seconds})
            if getattr(trial.outcome, "stage", "") == stage or seconds > PATIENCE:
                return trial
            seconds *= 4


@dataclass
class Watch:
    """One trial while it runs, and how long it went on once it was cancelled."""

    slot: Slot
    grace: Grace = USUAL
    trial: Trial | None = None
    seconds: float = 0.0

    def until(self, reached: Any) -> Trial:
        """Cancel at the first event that has reached where it should."""
        cancel = Cancel()
        asked = 0.0
        events = run_trial(self.slot, "test", cancel, grace=self.grace)
        for event in events:
            if isinstance(event, TrialEnded):
                self.trial = event.trial
            elif not asked and reached(event):
                asked = time.monotonic()
                cancel.request()
        self.seconds = time.monotonic() - asked
        cancel.close()
        assert asked, "it was never reached"
        assert self.trial is not None
        return self.trial


def carried_out(slot: Slot, grace: Grace = USUAL) -> Trial:
    (trial,) = [event.trial for event in events_of(slot, grace) if isinstance(event, TrialEnded)]
    return trial


def events_of(slot: Slot, grace: Grace = USUAL) -> Iterator[Event]:
    cancel = Cancel()
    try:
        yield from run_trial(slot, "test", cancel, grace=grace)
    finally:
        cancel.close()


def bare(outcome: Outcome) -> Outcome:
    """The outcome without the texts that differ from machine to machine."""
    texts = {"trace", "last_words", "item"} & set(outcome.__struct_fields__)
    return msgspec.structs.replace(outcome, **dict.fromkeys(texts, ""))
