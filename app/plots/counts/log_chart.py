"""Times on logarithmic axes: those of a study here and as published, or latencies by percentile."""

from __future__ import annotations

import math
from typing import override

from PySide6.QtWidgets import QWidget

from app.plots.base.axes import Ticks, decades
from app.plots.base.readout import LegendEntry
from app.plots.counts.counts_plot import CountsPlot, CurvesDrawing
from app.style.theme import LIGHT
from core import NOTHING, CurvesFigure, FigureCurve, Value, show, tr_word

_TICK_ROOM = 40


class LogChart(CountsPlot):
    """Times by what was varied. Hover, or use the arrow keys, for the values at one place."""

    _MARGINS = (8, 8)
    """For points at the ends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(CurvesDrawing(), parent)
        self.set_theme(LIGHT)

    @override
    def _value_text(self, value: float) -> str:
        return show(10**value, "seconds")

    @override
    def _scale(self, height: float) -> Ticks:
        low, high = self._figure.reach(self._hidden)
        logs = (math.log10(low), math.log10(high)) if low <= high else (low, high)
        return decades(*logs, max(int(height / _TICK_ROOM), 2))

    @property
    @override
    def _title(self) -> str:
        return tr_word(self._figure.title)

    def show_chart(self, chart: CurvesFigure) -> None:
        """Show a plot."""
        same = self._figure.title == chart.title
        self._figure = chart
        self.setAccessibleName(self._title)
        if not same:
            self._unpoint()
        self._draw()

    @override
    def summary(self) -> str:
        """What is shown, a line for each curve."""
        return "\n".join(map(self._sentence, self._figure.curves))

    def _sentence(self, curve: FigureCurve) -> str:
        told = [
            self.tr("{at}: here {here}, published {published}").format(
                at=at, here=here, published=published
            )
            if curve.published
            else f"{at}: {here}"
            for at, here, published in self._data().of(curve)
        ]
        return f"{curve.name} – {'; '.join(told)}."

    @override
    def _data(self) -> LogData:
        return LogData(self._figure)

    @override
    def _entries(self) -> list[LegendEntry]:
        entries, figure, data = [], self._figure, self._data()
        at = None if self._at is None else figure.place_text(self._at)
        if at is not None:
            entries.append(LegendEntry(name=tr_word(figure.axis), value=at))
        for rank, curve in figure.visible():
            here, published = next(
                ((one, told) for place, one, told in data.of(curve) if place == at),
                (NOTHING, NOTHING),
            )
            told = f"{here} ({published})" if curve.published else here
            entries.append(self._entry(rank, curve, curve.name, told if at is not None else ""))
        if any(curve.published for curve in figure.curves):
            hint = self.tr("dashed, hollow (in brackets): published")
            if any(curve.charted for curve in figure.curves):
                hint = self.tr("{}; dotted: as charted there").format(hint)
            entries.append(LegendEntry(name=hint))
        return entries


class LogData:
    """A row for each point of each curve: what was measured here, and published where it was."""

    def __init__(self, chart: CurvesFigure) -> None:
        self._chart = chart
        self._rows = [(curve, at) for curve in chart.curves for at in sorted(curve.places)]
        titles = ["here", "from", "to"]
        if any(curve.published for curve in chart.curves):
            titles += ["published", "as charted"]
        self.titles = tuple(map(tr_word, ("curve", chart.axis, *titles)))
        unit = " (B)" if chart.across == "sizes" else ""
        self.plain_titles = ("curve", f"{chart.axis}{unit}", *(f"{one} (s)" for one in titles))

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, place: int) -> tuple[str, ...]:
        """The texts of one row."""
        name, _, *seconds = self.plain_row(place)
        told = (show(one, "seconds") if isinstance(one, float) else NOTHING for one in seconds)
        return (str(name), self._chart.place_text(self._rows[place][1]), *told)

    def plain_row(self, place: int) -> tuple[Value | None, ...]:
        """The values of one row; None where nothing is known."""
        curve, at = self._rows[place]
        point = curve.at(at)
        return (
            curve.name,
            at,
            *((point.found.value, point.found.low, point.found.high) if point else (None,) * 3),
            *(dict(told).get(at) for told in (curve.published, curve.charted)),
        )[: len(self.titles)]

    def of(self, curve: FigureCurve) -> list[tuple[str, str, str]]:
        """Place, what was measured there and what was published, for the points of one curve."""
        rows = [self.row(at) for at, (each, _) in enumerate(self._rows) if each is curve]
        return [(text[1], text[2], text[5] if curve.published else NOTHING) for text in rows]
