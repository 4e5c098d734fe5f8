"""Writes a run into its session while it goes on."""

from __future__ import annotations

import itertools
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from core.events import Event, RunEnded, TrialEnded
from core.plan import Plan
from core.session import Session

if TYPE_CHECKING:
    from core.environment import Environment, FileSystem

_ALWAYS_USED = ("msgspec", "numpy", "psutil")  # each trial records what its child used besides


def recorded(events: Iterator[Event], session: Session, run: int) -> Iterator[Event]:
    """The same events, each trial written before it is passed on; the run is closed with the last."""
    for event in events:
        if isinstance(event, TrialEnded):
            session.append(run, event.trial)
        elif isinstance(event, RunEnded):
            session.end_run(run, "cancelled" if event.cancelled else "completed")
        yield event


def session_for(plan: Plan, path: Path | None = None) -> Session:
    """The session at the path, made where there is none; without a path a new one in the folder
    of sessions, named after the time and the plan.  Raises SessionError.
    """
    from core.places import sessions_folder

    if path is not None:
        return Session.open(path) if path.exists() else Session.create(path, title=plan.title)
    folder = sessions_folder()
    folder.mkdir(parents=True, exist_ok=True)
    stem = f"{time.strftime('%Y-%m-%d %H.%M.%S')} {plan.study or plan.title}"
    names = itertools.chain([stem], (f"{stem} {number}" for number in itertools.count(2)))
    free = next(place for name in names if not (place := folder / f"{name}.sluice").exists())
    return Session.create(free, title=plan.title)


def begin_recording(plan: Plan, session: Session, command: Sequence[str]) -> int:
    """Write down the plan, the machine and the command that repeats it; the run's number."""
    return session.begin_run(plan, *_surroundings(plan), command=command)


def _surroundings(plan: Plan) -> tuple[Environment, dict[str, FileSystem]]:
    """The machine, and the file system of every local dataset by location."""
    from core.environment import describe_environment, describe_file_system

    places = {spec.dataset.location: spec.dataset for spec in plan.specs}
    systems = {
        name: describe_file_system(dataset.path)
        for name, dataset in places.items()
        if dataset.local
    }
    return describe_environment(_ALWAYS_USED), systems
