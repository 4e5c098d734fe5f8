"""Cancelling ends a trial at once, whatever it is at, and keeps what was measured."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from rigged import CLOSED
from running import PATIENT, USUAL, Rig, Watch

from core.vocabulary import Cancelled, Event, Failed, MomentTaken, PhaseChanged, Trial


@dataclass(frozen=True)
class Stage:
    """At which event the cancelling is asked for, and what is true of the trial then."""

    stage: str
    wishes: dict[str, Any]
    reached: Callable[[Event], bool]
    kept: Callable[[Trial], bool]


def phase(name: str) -> Callable[[Event], bool]:
    return lambda event: isinstance(event, PhaseChanged) and event.phase == name


def worked(event: Event) -> bool:
    return isinstance(event, MomentTaken) and sum(event.moment.operations) > 0


class Stuck:
    """Whether, since the moment before, workers that had worked have not got on."""

    def __init__(self) -> None:
        self._before = 0

    def __call__(self, event: Event) -> bool:
        if not isinstance(event, MomentTaken):
            return False
        before, self._before = self._before, sum(event.moment.operations)
        return 0 < before == self._before


def nothing(trial: Trial) -> bool:
    return not trial.workers and not trial.moments


def counted(trial: Trial) -> bool:
    """Counted, but what was kept for verification is lost with the child."""
    return trial.operations > 0 and len(trial.notes) == 1 and trial.throughput is None


def verified(trial: Trial) -> bool:
    return trial.operations > 0 and not trial.notes and trial.counters["asked"] > 0


LONG: dict[str, Any] = {"pace": 0.001, "operations": 10**9}
STAGES = (
    Stage("starting", {}, phase("starting"), nothing),
    Stage("loading", {"act": "hang", "at": "open"}, phase("loading"), nothing),
    Stage("preparing", {"act": "hang", "at": "open"}, phase("preparing"), nothing),
    Stage("preparing", {"act": "hang-gil", "at": "open"}, phase("preparing"), nothing),
    Stage("preparing", {"act": "hang-deaf", "at": "open"}, phase("preparing"), nothing),
    Stage("warming up", LONG | {"warm_up": 60}, phase("warming up"), nothing),
    Stage("warming up", {"act": "hang", "at": "enter"}, phase("warming up"), nothing),
    Stage("warming the page cache", {"page_cache": "warm"}, phase("warming the page cache"), nothing),
    Stage("evicting the page cache", {"page_cache": "cold"}, phase("evicting the page cache"), nothing),
    Stage("measuring", LONG, worked, verified),
    Stage("measuring", LONG | {"processes": 2, "threads": 2}, worked, verified),
    Stage("measuring", LONG | {"act": "hang", "first": 20}, Stuck(), counted),
    Stage("measuring", LONG | {"act": "hang-gil", "first": 20}, Stuck(), counted),
    Stage("verifying", {"act": "hang", "at": "check"}, phase("verifying"), counted),
    Stage("closing", {"act": "hang", "at": "exit"}, phase("closing"), verified),
    Stage("closing", {"act": "hang-gil", "at": "close"}, phase("closing"), verified),
)  # fmt: skip


EACH_STAGE = pytest.mark.parametrize("case", STAGES, ids=lambda case: f"{case.stage}-{case.wishes}")


@EACH_STAGE
def test_that_cancelling_ends_any_stage_and_keeps_what_was_measured(rig: Rig, case: Stage) -> None:
    heeds = case.kept is verified and "act" not in case.wishes
    trial = Watch(rig.slot(**case.wishes), PATIENT if heeds else USUAL).until(case.reached)
    assert isinstance(trial.outcome, Cancelled)
    # A child that is just starting may have come further than was heard of it.
    assert trial.outcome.stage == case.stage or case.stage in ("starting", "loading")
    assert case.kept(trial)


@pytest.mark.benchmark
@EACH_STAGE
def test_that_cancelling_ends_any_stage_within_a_second(rig: Rig, case: Stage) -> None:
    watch = Watch(rig.slot(**case.wishes))
    assert case.kept(watch.until(case.reached))
    assert watch.seconds <= 1.0


def test_that_a_job_is_closed_when_its_trial_is_cancelled_before_the_clock(rig: Rig) -> None:
    Watch(rig.slot(**LONG, warm_up=60, signs=True)).until(phase("warming up"))
    Path(tempfile.gettempdir(), CLOSED).unlink()


@pytest.mark.parametrize("place", ["enter", "operation", "check", "exit"])
def test_that_a_job_is_closed_after_an_error(rig: Rig, place: str) -> None:
    trial = rig.run(act="raise-panic", at=place, signs=True)
    assert isinstance(trial.outcome, Failed)
    Path(tempfile.gettempdir(), CLOSED).unlink()
