"""What is written into a session can be read again, whatever a trial holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest

from core.run import Session
from core.vocabulary import MachineNoise, Moment, Trial

SPEC = building.spec(threads=2)
PLAN = building.plan([SPEC], repeats=2)
TRIALS = [building.trial(SPEC, index=slot.index) for slot in PLAN.slots()]


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    with Session.create(tmp_path / "x.sluice") as session:
        yield session


def begin(session: Session) -> int:
    return session.begin_run(PLAN, building.environment(), {}, ("sluice", "measure"))


BEYOND: dict[str, Any] = {
    "noise": MachineNoise(seconds=1.0, cores=2, throttles=-1),
    "counters": {"hits": 1e31},
    "verification": float("nan"),
    "unit": "x" * 1001,
    "histogram": b"rubbish",
    "latency_map": b"rubbish",
    "moments": [building.trial(SPEC).moments[0], Moment.before_clock(building.reading(1e31))],
}
"""Parts of a trial that no session holds."""


@pytest.mark.parametrize("name", BEYOND)
def test_that_a_part_that_cannot_be_read_again_costs_no_other_part_and_no_other_trial(
    session: Session, name: str
) -> None:
    run = begin(session)
    first, second = TRIALS
    session.append(run, first)
    session.append(run, msgspec.structs.replace(second, **{name: BEYOND[name]}))
    kept, other = session.trials(run)
    assert kept == first
    assert other.throughput == second.throughput
    assert other.notes[0].startswith(f"{name} cannot be kept: ")
    without: dict[str, Any] = {name: getattr(other, name), "notes": other.notes}
    assert other == msgspec.structs.replace(second, **without)


@pytest.mark.parametrize(
    "giant",
    [
        building.trial(SPEC, bound_cores=tuple(range(128)) * 1024),
        building.trial(
            SPEC,
            workers=tuple(
                msgspec.structs.replace(one, cpu=2**62) for one in building.trial(SPEC).workers
            ),
        ),
    ],
    ids=["bound to 131,072 cores", "CPU time of three centuries"],
)
def test_that_trials_of_giants_come_back_with_all_they_held(session: Session, giant: Trial) -> None:
    run = begin(session)
    session.append(run, giant)
    assert session.trials(run) == (giant,)


def test_that_more_of_a_kind_than_a_session_holds_is_cut_and_counted(session: Session) -> None:
    run = begin(session)
    many = [str(number) for number in range(10_001)]
    several: dict[str, Any] = {
        "notes": tuple(many),
        "complaints": tuple(map(building.complaint, many)),
        "counters": dict.fromkeys(many, 1.0),
        "versions": dict.fromkeys(many, "1"),
    }
    trial = building.trial(SPEC, **several)
    session.append(run, trial)
    (kept,) = session.trials(run)
    assert kept.throughput == trial.throughput
    for name, whole in several.items():
        part = getattr(kept, name)
        assert 9000 < len(part) <= 10_000
        assert set(part) <= {*whole, *kept.notes}
        assert any(note.endswith(f" more {name}") for note in kept.notes)


def test_that_workers_that_no_run_has_leave_a_readable_session(session: Session) -> None:
    run = begin(session)
    first, second = TRIALS
    session.append(run, first)
    ended = [msgspec.structs.replace(one, started=10**12, ended=1) for one in second.workers]
    session.append(run, msgspec.structs.replace(second, workers=tuple(ended)))
    kept, other = session.trials(run)
    assert kept == first
    assert other.throughput is None
    assert other.notes == ("workers cannot be kept: a worker ended before it started",)
