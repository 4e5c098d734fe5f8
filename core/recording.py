"""Writes a run into its session while it goes on."""

from __future__ import annotations

from collections.abc import Iterator

from core.environment import describe_environment, describe_file_system
from core.events import Event, RunEnded, TrialEnded
from core.plan import Plan
from core.session import Session

_DISTRIBUTIONS = ("sluice", "msgspec", "numpy", "psutil")  # a workload's own are in each trial


def begun(session: Session, plan: Plan, command: str) -> int:
    """Record a run that is about to start, and where it runs; its id."""
    datasets = {spec.dataset.location: spec.dataset for spec in plan.specs}
    places = {
        location: describe_file_system(dataset.path)
        for location, dataset in datasets.items()
        if dataset.local
    }
    return session.begin_run(plan, describe_environment(_DISTRIBUTIONS), places, command)


def recorded(events: Iterator[Event], session: Session, run: int) -> Iterator[Event]:
    """The same events, each trial written before it is passed on; the run is closed with the last."""
    for event in events:
        if isinstance(event, TrialEnded):
            session.append(run, event.trial)
        elif isinstance(event, RunEnded):
            session.end_run(run, "cancelled" if event.cancelled else "completed")
        yield event
