"""The trials of a run on their way from its events into the plots."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.plots.time.run_plots import RunPlots
    from core import Event, RunProgress


def draw_events(plots: RunPlots, events: Sequence[Event], watch: RunProgress) -> None:
    """Draw what has happened; `watch` knows the names of settings, and which are drawn."""
    from core import MomentTaken, RoundBegun, RunPlanned, TrialEnded, TrialStarted

    for event in events:
        match event:
            case RunPlanned() if watch.kept:
                plots.go_on_from(watch.kept)
            case TrialStarted(index=index, spec=spec) if watch.counts(spec):
                plots.begin_trial(index, watch.name_of(spec), spec.digest)
            case RoundBegun(trials=trials):
                plots.begin_round(trials)
            case MomentTaken(index=index, moment=moment) if plots.has_begun(index):
                plots.add(index, moment)
            case TrialEnded(trial=trial) if plots.has_begun(trial.index):
                plots.end_trial(trial)
            case _:
                pass
    if plots.busy:  # what is new has waited for the tick of the run, and waits for no other
        plots.turn()
