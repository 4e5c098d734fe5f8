"""Times on logarithmic axes: those of a study here and as published, or latencies by percentile."""

from __future__ import annotations

import math
from typing import override

from PySide6.QtWidgets import QWidget

from app.plots.base.axes import Ticks, decades
from app.plots.base.figure import Cell, Cells
from app.plots.base.readout import LegendEntry
from app.plots.counts.counts_plot import CountsPlot, CurvesDrawing
from app.style.theme import LIGHT
from core import NOTHING, CurvesFigure, FigureCurve, show, tr_word

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
        same = self._figure.title == chart.title
        self._figure = chart
        self.setAccessibleName(self._title)
        if not same:
            self._unpoint()
        self._draw()

    @override
    def summary(self) -> str:
        return "\n".join(map(self._sentence, self._figure.curves))

    def _sentence(self, curve: FigureCurve) -> str:
        both = self.tr("{at}: here {here}, published {published}")
        parts = []
        for place in sorted(curve.places):
            at, here, published = self._figure.place_text(place), *self._texts_at(curve, place)
            text = both.format(at=at, here=here, published=published)
            parts.append(text if curve.published else f"{at}: {here}")
        return f"{curve.name} – {'; '.join(parts)}."

    def _texts_at(self, curve: FigureCurve, at: float) -> tuple[str, str]:
        """What was measured here at that place, and what was published."""
        _, _, here, _, _, published, _ = self._row(curve, at)
        return here[1], published[1]

    @property
    def _repeats(self) -> bool:
        """Whether any of it was published."""
        return any(curve.published for curve in self._figure.curves)

    @override
    def _data(self) -> Cells:
        chart = self._figure
        titles = ("here", "from", "to", *(("published", "as charted") if self._repeats else ()))
        unit = " (B)" if chart.across == "sizes" else ""
        plain = ("curve", f"{chart.axis}{unit}", *(f"{one} (s)" for one in titles))
        places = [(curve, at) for curve in chart.curves for at in sorted(curve.places)]
        rows = [self._row(curve, at)[: len(plain)] for curve, at in places]
        return Cells(tuple(map(tr_word, ("curve", chart.axis, *titles))), plain, rows)

    def _row(self, curve: FigureCurve, at: float) -> tuple[Cell, ...]:
        """The place, what was measured there, and what was published, whether it was or not."""
        point = curve.at(at)
        found = (point.found.value, point.found.low, point.found.high) if point else (None,) * 3
        published = (dict(pairs).get(at) for pairs in (curve.published, curve.charted))
        seconds = (
            (one, NOTHING if one is None else show(one, "seconds")) for one in (*found, *published)
        )
        return (curve.name, curve.name), (at, self._figure.place_text(at)), *seconds

    @override
    def _entries(self) -> list[LegendEntry]:
        entries, figure, at = [], self._figure, self._at
        if at is not None:
            entries.append(LegendEntry(name=tr_word(figure.axis), value=figure.place_text(at)))
        for rank, curve in figure.visible():
            here, published = self._texts_at(curve, at) if at is not None else ("", "")
            value = f"{here} ({published})" if curve.published and at is not None else here
            entries.append(self._entry(rank, curve, curve.name, value))
        if self._repeats:
            hint = self.tr("dashed, hollow (in brackets): published")
            if any(curve.charted for curve in figure.curves):
                hint = self.tr("{}; dotted: as charted there").format(hint)
            entries.append(LegendEntry(name=hint))
        return entries
