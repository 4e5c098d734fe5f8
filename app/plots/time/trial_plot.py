"""One metric over the time of one trial."""

from __future__ import annotations

from collections.abc import Sequence

from app.plots.time.emphasis import Emphasised
from app.plots.time.time_plot import Panel
from app.plots.time.timeline import Span
from app.plots.time.trace import Trace
from core import Moment, TimePlot


class TrialPlot(Panel):
    """The compared column alone, from the first moment to the last."""

    def __init__(self, metric: str) -> None:
        plots = TimePlot.all()
        place = next(at for at, plot in enumerate(plots) if metric in plot.metrics)
        super().__init__(plots[place], sum(len(each.columns) for each in plots[:place]))
        self._moments: Sequence[Moment] = ()
        self.sheet.resized.connect(self._redraw)

    def show_moments(self, moments: Sequence[Moment]) -> None:
        self._moments = moments
        trace = Trace(columns=sum(len(plot.columns) for plot in TimePlot.all()))
        if moments:
            times, values = TimePlot.values(moments, None)
            trace.add(times.tolist(), values)
        self.follow({"": trace}, (self.plot.compared,), Emphasised({}, ()))
        self.show_values(None)
        self._redraw()

    def _redraw(self) -> None:
        if self._moments:
            self.draw(Span(min(self._moments[0].at, 0.0), max(self._moments[-1].at, 0.001)))
