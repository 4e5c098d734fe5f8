"""A run that somebody else measures is seen through its session, until it ends or is abandoned."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import building
import pytest

from core.cli.unfinished_command import last_run, watched
from core.errors import RunAbandoned, SessionError
from core.execution.events import Event, RunEnded, RunPlanned
from core.execution.recording import _alone_at
from core.plan.schedule import Plan
from core.session import Session
from core.trial.trial_events import TrialEnded, TrialStarted

PLAN: Plan = building.plan([building.spec(threads=threads) for threads in (1, 2)], repeats=2)


@pytest.fixture
def session(tmp_path: Path) -> Iterator[Session]:
    """With a run that has begun."""
    with Session.create(tmp_path / "far.sluice") as made:
        made.begin_run(PLAN, building.environment(), {}, ("sluice",))
        yield made


def measure(session: Session, *places: int) -> None:
    for slot in (PLAN.slots()[place] for place in places):
        session.append(1, building.trial(slot.spec, index=slot.index, rate=100.0))


def seen(session: Session, *then: Callable[[], object]) -> list[Event]:
    """The events, while at each look one thing more happens."""
    steps = iter(then)
    return list(watched(session.path, 1, 1.0, lambda _: next(steps)()))


def kinds(events: list[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


def test_that_trials_are_told_as_they_come_and_once_each(session: Session) -> None:
    measure(session, 0)
    with _alone_at(session, 1):
        events = seen(
            session,
            lambda: measure(session, 1, 2),
            lambda: None,
            lambda: measure(session, 3),
            lambda: session.end_run(1, "completed"),
        )
    assert kinds(events) == ["RunPlanned", *["TrialStarted", "TrialEnded"] * 4, "RunEnded"]
    assert [one.trial.index for one in events if isinstance(one, TrialEnded)] == [0, 1, 2, 3]
    started = [one.spec.load.threads for one in events if isinstance(one, TrialStarted)]
    assert started == [slot.spec.load.threads for slot in PLAN.slots()]
    assert isinstance(events[0], RunPlanned)
    assert events[0].trials == 4
    assert events[-1] == RunEnded(trials=4, of=4, cancelled=False)


def test_that_a_run_that_was_over_is_told_at_once(session: Session) -> None:
    measure(session, 0, 1)
    session.end_run(1, "cancelled")
    events = seen(session)
    assert events[-1] == RunEnded(trials=2, of=4, cancelled=True)


def test_that_a_run_that_was_killed_is_told_with_what_it_had(session: Session) -> None:
    measure(session, 0)
    told: list[Event] = []
    with pytest.raises(RunAbandoned, match="nobody measures it"):
        told.extend(watched(session.path, 1, 1.0, lambda _: None))
    events = watched(session.path, 1, 1.0, lambda _: None)
    assert kinds([next(events) for _ in range(3)]) == ["RunPlanned", "TrialStarted", "TrialEnded"]


def test_that_a_session_without_a_run_says_so(tmp_path: Path) -> None:
    Session.create(tmp_path / "empty.sluice").close()
    with pytest.raises(SessionError, match="no run yet"):
        last_run(tmp_path / "empty.sluice")
