"""Writes a run into its session while it goes on."""

from __future__ import annotations

from collections.abc import Iterator

from core.events import Event, RunEnded, TrialEnded
from core.session import Session


def recorded(events: Iterator[Event], session: Session, run: int) -> Iterator[Event]:
    """The same events, each trial written before it is passed on; the run is closed with the last."""
    for event in events:
        if isinstance(event, TrialEnded):
            session.append(run, event.trial)
        elif isinstance(event, RunEnded):
            session.end_run(run, "cancelled" if event.cancelled else "completed")
        yield event
