"""The trials of a run on their way from its events into the plots."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.plots.time.run_plots import RunPlots
    from core import (
        Event,
        RunProgress,
    )

type Drawing = Callable[[RunPlots], None]


class LiveTrials:
    """Has all trials drawn but those of bare files, which are only a reference for the answers.

    The bare files' throughput would flatten the curves of all readers.
    """

    def __init__(self, draw: Callable[[Drawing], None]) -> None:
        self._draw = draw
        self._left_out: set[str] = set()
        """Digests of specs."""
        self._drawn: set[int] = set()
        """Indexes of trials."""

    def clear(self) -> None:
        """No trial is measured."""
        self._drawn.clear()

    def draws(self, index: int) -> bool:
        """Whether the trial of that index has begun and is drawn."""
        return index in self._drawn

    def take(self, event: Event, watch: RunProgress) -> None:
        """Draw what has happened; `watch` knows the names of settings."""
        from core import (
            MomentTaken,
            RoundBegun,
            RunPlanned,
            TrialEnded,
            TrialStarted,
            without_bare_files,
        )

        match event:
            case RunPlanned(plan=plan):
                self._left_out = {spec.digest for spec in plan.specs}
                self._left_out -= {spec.digest for spec in without_bare_files(plan.specs)}
            case TrialStarted(index=index, spec=spec) if spec.digest not in self._left_out:
                self._drawn.add(index)
                name = watch.name_of(spec)
                self._draw(lambda plots: plots.begin_trial(index, name, spec.digest))
            case RoundBegun(trials=trials):
                drawn = [index for index in trials if index in self._drawn]
                self._draw(lambda plots: plots.begin_round(drawn))
            case MomentTaken(index=index, moment=moment) if index in self._drawn:
                self._draw(lambda plots: plots.add(index, moment))
            case TrialEnded(trial=trial) if trial.index in self._drawn:
                self._draw(lambda plots: plots.end_trial(trial))
            case _:
                pass
