"""The trials of a run on their way from its events into the plots and figures."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.plots.time.run_plots import RunPlots
    from app.views.running_trial import CurrentFigures
    from core import (
        Event,
        RunProgress,
    )

type Drawing = Callable[[RunPlots], None]


class LiveTrials:
    """Has all trials shown but those of bare files, which are only a reference for the answers.

    The bare files' throughput would flatten the curves of all readers.
    """

    def __init__(
        self,
        draw: Callable[[Drawing], None],
        figures: CurrentFigures,
        decide: Callable[[tuple[str, ...]], None],
    ) -> None:
        self._draw, self._figures, self._decide = draw, figures, decide
        self._left_out: set[str] = set()
        """Digests of specs."""
        self._drawn: set[int] = set()
        """Indexes of trials."""

    def clear(self) -> None:
        """No trial is measured."""
        self._drawn.clear()

    def take(self, event: Event, watch: RunProgress) -> None:
        """Show what has happened; `watch` knows the names of settings."""
        from core import (
            Decided,
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
                self._figures.begin(index, name)
            case RoundBegun(trials=trials):
                drawn = [index for index in trials if index in self._drawn]
                self._draw(lambda plots: plots.begin_round(drawn))
            case MomentTaken(index=index, moment=moment) if index in self._drawn:
                self._draw(lambda plots: plots.add(index, moment))
                self._figures.add(index, moment)
            case TrialEnded(trial=trial) if trial.index in self._drawn:
                self._draw(lambda plots: plots.end_trial(trial))
                self._figures.end(trial.index)
            case Decided(specs=specs):
                self._decide(specs)
            case _:
                pass
