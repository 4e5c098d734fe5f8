"""Writes a run into its session while it goes on."""

from __future__ import annotations

import hashlib
import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from core.language import (
    NotWritten,
    SessionError,
    SessionExists,
    SessionNotKept,
    SluiceError,
    Unavailable,
    tr,
)
from core.measure import (
    cache_folder,
    lock_at_once,
    make_private,
    reason,
    remove_abandoned_runs,
    sessions_folder,
)
from core.run.run_time import RunTime
from core.run.session import Session
from core.run.session.plan_trust import keep_as_own, trust
from core.vocabulary import Prices, RunEnded, TrialEnded, TrialKept

if TYPE_CHECKING:
    from core.vocabulary import Environment, Event, FileSystem, Plan

_ALWAYS_USED = ("msgspec", "numpy", "psutil")  # each trial records what its child used besides


def recorded(events: Iterator[Event], session: Session, run: int) -> Iterator[Event]:
    """Passes on the events, and writes each trial first; the last event closes the run.

    Interim trials of settings in turns are written too, and not passed on.  Before the first
    event the remnants of killed runs are removed from this machine.

    Raises SessionError where another Sluice is measuring the same run.
    """
    remove_abandoned_runs()
    took = RunTime()
    prices = Prices.on_wire(session.run(run).plan.terms)
    with _alone_at(session, run):
        for event in _priced(_begun(events, session, run), prices):
            took.take(event)
            if isinstance(event, TrialKept):
                session.keep(run, event.trial)
                continue
            if isinstance(event, TrialEnded):
                session.append(run, event.trial)
            elif isinstance(event, RunEnded):
                session.end_run(run, "cancelled" if event.cancelled else "completed")
                took.keep()
            yield event


def _priced(events: Iterator[Event], prices: Mapping[str, float]) -> Iterator[Event]:
    """Passes on the events; each trial says what its user pays."""
    for event in events:
        if prices and isinstance(event, TrialEnded | TrialKept):
            trial = msgspec.structs.replace(event.trial, **prices)
            yield msgspec.structs.replace(event, trial=trial)
        else:
            yield event


def _begun(events: Iterator[Event], session: Session, run: int) -> Iterator[Event]:
    """Passes on the events; a run that fails before its first trial is not offered for resuming."""
    try:
        yield from events
    except SluiceError:
        with suppress(SessionError):
            if not session.run(run).trials:
                session.end_run(run, "cancelled")
        raise


def being_measured(session: Session, run: int) -> bool:
    """Whether a living Sluice is measuring that run now."""
    try:
        with _alone_at(session, run):
            return False
    except SessionError:
        return True


@contextmanager
def _alone_at(session: Session, run: int) -> Iterator[None]:
    """Hold the lock that marks a run as being measured; the kernel releases it at death."""
    digest = hashlib.blake2b(f"{session.path.resolve()} {run}".encode(), digest_size=8).hexdigest()
    mark = cache_folder() / "locks" / f"run-{digest}.lock"
    try:
        make_private(mark.parent)
        lock = lock_at_once(mark)
    except OSError:  # no mark can be written there, and the run matters more
        yield
        return
    if lock is None:
        raise SessionError(
            tr(
                "run {number} of {name} is being measured by another Sluice",
                number=run,
                name=session.path.name,
            )
        )
    with lock:
        try:
            yield
        finally:
            mark.unlink(missing_ok=True)


def session_for(plan: Plan, there: Session | Path | None = None) -> Session:
    """The session there, made if there is none, unless somebody else has begun it.

    Else a new one in the folder of sessions, named after the time and the plan.  Raises
    SessionError.
    """
    session = _opened_or_made(there, plan.title) if isinstance(there, Path) else there
    if session is not None:
        if session.own:
            return session
        if isinstance(there, Path):
            session.close()
    stem = f"{time.strftime('%Y-%m-%d %H.%M.%S')} {plan.study or plan.title}"
    made = _in_free_place(stem, lambda path: _created(path, plan.title))
    made.instead_of = session.path.name if session is not None else ""
    return made


def own_session(session: Session) -> Session:
    """The session itself, or a copy in the folder of sessions where somebody else has begun it.

    Raises SessionError.
    """
    if session.own:
        return session

    def copied(path: Path) -> Session:
        session.copy_to(path)
        return Session.open(path)

    made = _in_free_place(session.path.stem, copied)
    made.instead_of = session.path.name
    return made


def _in_free_place(stem: str, make: Callable[[Path], Session]) -> Session:
    folder = _folder_of_sessions()
    for number in itertools.count(1):
        name = stem if number == 1 else f"{stem} {number}"
        # Only making it shows whether the name is free: others choose theirs at this moment.
        with suppress(SessionExists):
            return make(folder / f"{name}.sluice")
    raise AssertionError("numbers do not end")


def _folder_of_sessions() -> Path:
    folder = sessions_folder()
    try:
        make_private(folder)
    except OSError as error:
        raise SessionNotKept(
            tr("the folder {path} cannot be made: {why}", path=folder, why=reason(error)),
            tr("set SLUICE_SESSIONS to a folder of your own, or name a file with --session"),
        ) from error
    return folder


def _opened_or_made(path: Path, title: str) -> Session:
    if not path.exists():
        with suppress(SessionExists):  # another process has just made it
            return _created(path, title)
    return Session.open(path)


def _created(path: Path, title: str) -> Session:
    session = Session.create(path, title=title)
    with suppress(NotWritten, Unavailable):  # before it has a run that others could judge it by
        keep_as_own(path)
    return session


def begin_recording(plan: Plan, session: Session, command: Sequence[str]) -> int:
    """Record the plan, the machine and the command that repeats it; returns the run's number.

    The run is trusted from now on, and resumes without a question.
    """
    number = session.begin_run(plan, *_surroundings(plan), command=command)
    with suppress(NotWritten, Unavailable):  # the user is asked when the run is resumed
        trust(session.run(number))
    return number


def _surroundings(plan: Plan) -> tuple[Environment, dict[str, FileSystem]]:
    """The machine, and the file system of every local dataset by location."""
    from core.measure import describe_environment, describe_file_system

    places = {spec.dataset.location: spec.dataset for spec in plan.specs}
    systems = {
        name: describe_file_system(dataset.path)
        for name, dataset in places.items()
        if dataset.local
    }
    return describe_environment(_ALWAYS_USED), systems
