"""One plot of a published study: figures measured here over published ones, log-log."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import override

from PySide6.QtWidgets import QWidget

from app.plots.base.axes import Ticks, decades
from app.plots.base.painting import marker_of
from app.plots.base.readout import LegendEntry
from app.plots.counts.counts_plot import CountsPlot, CurvesDrawing
from app.style.theme import LIGHT
from core import NOTHING, CurvesFigure, FigureCurve, Value, show, tr_word

_TICK_ROOM = 40


class StudyChart(CountsPlot):
    """Seconds against a parameter. Hover, or use the arrow keys, for the values at one place."""

    _MARGINS = (8, 8)
    """For points at the ends."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(CurvesDrawing(), parent)
        self.set_theme(LIGHT)

    @override
    def _value_text(self, value: float) -> str:
        return show(10**value, "seconds")

    @override
    def _place_text(self, place: float) -> str:
        sizes = self._figure.across == "sizes"
        return show(place, "bytes").replace(".0 ", " ") if sizes else show(place, "")

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
                at=self._place_text(at), here=here, published=published
            )
            for at, here, published in self._data().of(curve)
        ]
        return f"{curve.name} – {'; '.join(told)}."

    @override
    def _data(self) -> StudyData:
        return StudyData(self._figure, self._place_text)

    @override
    def _entries(self) -> list[LegendEntry]:
        entries, figure, data = [], self._figure, self._data()
        if self._at is not None:
            axis, told = tr_word(figure.axis), self._place_text(self._at)
            entries.append(LegendEntry(rank=None, marker="", name=axis, value=told))
        for rank, curve in enumerate(figure.curves):
            here, published = next(
                ((one, told) for at, one, told in data.of(curve) if at == self._at),
                (NOTHING, NOTHING),
            )
            hidden = curve.name in self._hidden
            value = f"{here} ({published})" if self._at is not None and not hidden else ""
            entries.append(
                LegendEntry(
                    rank=rank,
                    marker=marker_of(rank),
                    name=curve.name,
                    value=value,
                    key=curve.name if len(figure.curves) > 1 else "",
                    hidden=hidden,
                )
            )
        if figure.curves:
            hint = self.tr("dashed, hollow (in brackets): published")
            if any(curve.charted for curve in figure.curves):
                hint = self.tr("{}; dotted: as charted there").format(hint)
            entries.append(LegendEntry(rank=None, marker="", name=hint, value=""))
        return entries


class StudyData:
    """A row for each point of each curve: what was measured here and what was published."""

    def __init__(self, chart: CurvesFigure, place_text: Callable[[float], str]) -> None:
        self._rows = [(curve, at) for curve in chart.curves for at in sorted(curve.places)]
        self._place_text = place_text
        self.titles = (
            tr_word("curve"),
            tr_word(chart.axis),
            tr_word("here"),
            tr_word("from"),
            tr_word("to"),
            tr_word("published"),
            tr_word("as charted"),
        )
        unit = " (B)" if chart.across == "sizes" else ""
        times = ("here (s)", "from (s)", "to (s)", "published (s)", "as charted (s)")
        self.plain_titles = ("curve", f"{chart.axis}{unit}", *times)

    def __len__(self) -> int:
        return len(self._rows)

    def row(self, place: int) -> tuple[str, ...]:
        """The texts of one row."""
        name, at, *seconds = self.plain_row(place)
        told = (show(one, "seconds") if isinstance(one, float) else NOTHING for one in seconds)
        return (str(name), self._place_text(int(at or 0)), *told)

    def plain_row(self, place: int) -> tuple[Value | None, ...]:
        """The values of one row; None where nothing is known."""
        curve, at = self._rows[place]
        point = curve.at(at)
        return (
            curve.name,
            at,
            *((point.found.value, point.found.low, point.found.high) if point else (None,) * 3),
            dict(curve.published).get(at),
            dict(curve.charted).get(at),
        )

    def of(self, curve: FigureCurve) -> list[tuple[float, str, str]]:
        """Place, what was measured there and what was published, for the points of one curve."""
        rows = [(at, self.row(row)) for row, (each, at) in enumerate(self._rows) if each is curve]
        return [(at, text[2], text[5]) for at, text in rows]
