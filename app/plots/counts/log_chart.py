"""Times on logarithmic axes: those of a study here and as published, or latencies by percentile."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import override

from PySide6.QtWidgets import QWidget

from app.plots.base.axes import Ticks, decades
from app.plots.base.end_labels import Labels
from app.plots.base.figure import Cell
from app.plots.counts.counts_plot import CountsPlot, CurvesDrawing
from core import NOTHING, CurvesFigure, FigureCurve, show, tr_word

_TICK_ROOM = 40


class LogChart(CountsPlot):
    """Times by what was varied. Hover, or use the arrow keys, for the values at one place."""

    _MARGINS = (8, 8)
    """For points at the ends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(CurvesDrawing(), parent)

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
            at, here, published = self._figure.place_text(place), *_texts(curve, place)
            text = both.format(at=at, here=here, published=published)
            parts.append(text if curve.published else f"{at}: {here}")
        return f"{curve.name} – {'; '.join(parts)}."

    @property
    def _repeats(self) -> bool:
        """Whether any of it was published."""
        return any(curve.published for curve in self._figure.curves)

    @override
    def _columns(self) -> list[tuple[str, str]]:
        axis, unit = self._figure.axis, " (B)" if self._figure.across == "sizes" else ""
        titles = ("here", "from", "to", *(("published", "as charted") if self._repeats else ()))
        times = ((tr_word(one), f"{one} (s)") for one in titles)
        return [(tr_word("curve"), "curve"), (tr_word(axis), f"{axis}{unit}"), *times]

    @override
    def _row(self, curve: FigureCurve, at: float) -> list[Cell]:
        point = curve.at(at)
        times: list[float | None] = [None] * 3
        if point is not None:
            times = [point.found.value, point.found.low, point.found.high]
        if self._repeats:
            times += [dict(pairs).get(at) for pairs in (curve.published, curve.charted)]
        place = self._figure.place_text(at)
        return [(curve.name, curve.name), (at, place), *((one, _text(one)) for one in times)]

    @override
    def _heading(self) -> str:
        figure, parts = self._figure, []
        if self._at is not None:
            parts.append(f"{tr_word(figure.axis)} {figure.place_text(self._at)}")
        if self._repeats:
            hint = self.tr("dashed, hollow (in brackets): published")
            if any(curve.charted for curve in figure.curves):
                hint = self.tr("{}; dotted: as charted there").format(hint)
            parts.append(hint)
        return " · ".join(parts)

    @override
    def _labels(self) -> Labels:
        return replace(super()._labels(), title=self._title)

    @override
    def _note(self, curve: FigureCurve, at: float) -> str:
        here, published = _texts(curve, at)
        return f"{here} ({published})" if curve.published else here


def _texts(curve: FigureCurve, at: float) -> tuple[str, str]:
    """The texts of what was measured here at that place, and of what was published."""
    point = curve.at(at)
    return _text(point.found.value if point else None), _text(dict(curve.published).get(at))


def _text(seconds: float | None) -> str:
    return NOTHING if seconds is None else show(seconds, "seconds")
