"""How long processes take until the first operation is told, and is no time of the trial's."""

import time
from pathlib import Path

from one_trial import one_trial

from core.catalog.local_datasets import find_dataset
from core.plan.schedule import Slot
from core.plan.specify import specify
from core.result.metrics import METRICS
from core.result.result import Trial
from core.trial.cancel import Cancel
from core.trial.live_trial import run_trial
from core.trial.trial_events import PhaseChanged, ReadingTaken, TrialEnded


def started(path: Path, opening: float, **load: object) -> tuple[Trial, float]:
    """A trial, and how long all of it took."""
    path.write_bytes(b"x" * 4096)
    chosen = {"opening": opening, "duration": 0.0, "warm_up": 0.0, **load}
    spec = specify("rigged_start:SlowStart", find_dataset("raw", path), chosen)
    began = time.monotonic()
    trial = one_trial(spec)
    return trial, time.monotonic() - began


def test_that_what_a_workload_prepares_is_start_up_and_not_measured(tmp_path: Path) -> None:
    trial, whole = started(tmp_path / "some.bin", 1.5)
    assert 1.5 <= trial.start_up <= whole
    assert trial.start_up == METRICS["start_up"].of(trial)
    assert trial.elapsed is not None
    assert trial.elapsed + trial.start_up <= whole


def test_that_the_last_of_several_processes_counts(tmp_path: Path) -> None:
    trial, whole = started(tmp_path / "some.bin", 0.5, processes=2)
    assert 0.5 <= trial.start_up <= whole


def test_that_a_trial_that_never_began_has_no_start_up(tmp_path: Path) -> None:
    trial, _ = started(tmp_path / "some.bin", 60.0, deadline=1.0)
    assert not trial.operations
    assert trial.start_up == 0
    assert METRICS["start_up"].of(trial) is None


def test_that_what_its_processes_use_is_seen_from_their_start(tmp_path: Path) -> None:
    path = tmp_path / "some.bin"
    path.write_bytes(b"x" * 4096)
    chosen = {"opening": 0.5, "duration": 0.3, "warm_up": 0.0}
    spec = specify("rigged_start:SlowStart", find_dataset("raw", path), chosen)
    events = list(run_trial(Slot(0, 0, spec), "a-run", Cancel()))
    phases = [event.phase if isinstance(event, PhaseChanged) else "" for event in events]
    measuring = phases.index("measuring")
    readings = [event.reading for event in events if isinstance(event, ReadingTaken)]
    assert not any(isinstance(event, ReadingTaken) for event in events[measuring:])
    assert len(readings) > 1
    assert readings[0].at < readings[-1].at
    assert all(one.rss > 0 for one in readings)
    assert readings[-1].cpu_user + readings[-1].cpu_system > 0
    (trial,) = (event.trial for event in events if isinstance(event, TrialEnded))
    assert trial.first is not None
    assert trial.first.at == 0
    assert all(one.operations for one in trial.moments), "they are no part of what was measured"
