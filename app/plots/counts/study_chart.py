"""One plot of a published study: figures measured here over published ones, log-log."""

from __future__ import annotations

import math
from typing import override

from PySide6.QtCore import QPoint, QPointF, QRectF, Signal
from PySide6.QtGui import (
    QContextMenuEvent,
    QFontMetrics,
)
from PySide6.QtWidgets import QWidget

from app.plots.base.figure import Figure
from app.plots.base.painting import marker_of
from app.plots.base.plot_axes import UnitAxis
from app.plots.base.readout_layout import Entry
from app.plots.base.scales import UNKNOWN, decades, powers_of_two
from app.plots.counts.counts_plot import CountsPlot, CurvesDrawing
from app.plots.counts.study_data import StudyData
from app.style.theme import LIGHT
from core import NOTHING, CurvesFigure, FigureCurve, show, tr_word

_TICK_ROOM = 40
_GAP = 14
_MARGIN = 8
"""Pixels above the last tick and below the first, for points at the ends."""


class StudyChart(CountsPlot):
    """Seconds against a parameter. Hover, or use the arrow keys, for the values at one place."""

    menu_wanted = Signal(object, QPoint)
    """A menu for this plot (Figure); where on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            UnitAxis("left", lambda value, _step: show(10**value, "seconds")),
            UnitAxis("bottom", lambda value, _step: self._told(round(2**value))),
            parent,
        )
        self._chart: CurvesFigure | None = None
        self._drawing = self._draws(CurvesDrawing())
        self.set_theme(LIGHT)

    def show_chart(self, chart: CurvesFigure | None) -> None:
        """Show a plot, or none."""
        same = self._chart is not None and chart is not None and self._chart.title == chart.title
        self._chart = chart
        title = tr_word(chart.title) if chart else ""
        self.setAccessibleName(title)
        self.readout.set_title(title)
        if not same:
            self._unpoint()
        self._draw()

    @override
    def summary(self) -> str:
        """What is shown, a line for each curve."""
        if self._chart is None:
            return self.tr("This study has no figure.")
        return "\n".join(self._sentence(curve) for curve in self._curves)

    def _sentence(self, curve: FigureCurve) -> str:
        told = [
            self.tr("{at}: here {here}, published {published}").format(
                at=self._told(at), here=here, published=published
            )
            for at, here, published in self._texts(curve)
        ]
        return f"{curve.name} – {'; '.join(told)}."

    def table(self) -> tuple[tuple[str, ...], ...]:
        """The same data as rows of texts, titles first."""
        data = StudyData(self._chart)
        return (data.titles, *map(data.row, range(len(data))))

    def figure(self) -> Figure:
        """The plot itself."""
        return Figure(
            title=tr_word(self._chart.title) if self._chart else "",
            widget=self,
            summary=self.summary,
            data=lambda: StudyData(self._chart),
        )

    @property
    def _curves(self) -> tuple[FigureCurve, ...]:
        return self._chart.curves if self._chart else ()

    @property
    def _axis(self) -> str:
        return tr_word(self._chart.axis) if self._chart else ""

    @property
    @override
    def _counts(self) -> list[int]:
        return self._chart.places if self._chart else []

    def _texts(self, curve: FigureCurve) -> list[tuple[int, str, str]]:
        return StudyData(self._chart).of(curve)

    def _told(self, at: int) -> str:
        return StudyData(self._chart).tick_text(at)

    @override
    def _draw(self) -> None:
        view = self.sheet.plotItem.vb
        counts = self._counts
        chart = self._chart or CurvesFigure(logarithmic=True)
        low, high = chart.reach(self._hidden)
        logs = (math.log10(low), math.log10(high)) if low <= high else (low, high)
        up = decades(*logs, max(int(view.height() / _TICK_ROOM), 2))
        across = powers_of_two(math.log2(counts[0]), math.log2(counts[-1])) if counts else UNKNOWN
        room = _MARGIN * (up.high - up.low) / max(view.height() - 2 * _MARGIN, 1)
        ends = (up.low - room, up.high + room)
        view.setRange(xRange=(across.low, across.high), yRange=ends, padding=0)
        self._values.put(up.ticks, up.step)
        self._across.put(self._apart((across.high - across.low) / max(view.width(), 1)), 1.0)
        area = QRectF(QPointF(across.low, ends[0]), QPointF(across.high, ends[1]))
        self._drawing.put(chart, self._hidden, self._theme, area)
        self._tell()

    def _apart(self, per_pixel: float) -> tuple[float, ...]:
        """Logarithms of the places that have room for their texts, the first one first."""
        metrics = QFontMetrics(self.font())
        kept: list[float] = []
        free = -math.inf
        for at in self._counts:
            half = (metrics.horizontalAdvance(self._told(at)) + _GAP) / 2 * per_pixel
            if math.log2(at) - half >= free:
                kept.append(math.log2(at))
                free = kept[-1] + half
        return tuple(kept)

    @override
    def _tell(self) -> None:
        entries = []
        if self._at is not None:
            told = self._told(self._at)
            entries.append(Entry(rank=None, marker="", name=self._axis, value=told))
        for rank, curve in enumerate(self._curves):
            here, published = next(
                ((one, told) for at, one, told in self._texts(curve) if at == self._at),
                (NOTHING, NOTHING),
            )
            hidden = curve.name in self._hidden
            value = f"{here} ({published})" if self._at is not None and not hidden else ""
            entries.append(
                Entry(
                    rank=rank,
                    marker=marker_of(rank),
                    name=curve.name,
                    value=value,
                    key=curve.name if len(self._curves) > 1 else "",
                    hidden=hidden,
                )
            )
        if self._curves:
            hint = self.tr("dashed, hollow (in brackets): published")
            if any(curve.charted for curve in self._curves):
                hint = self.tr("{}; dotted: as charted there").format(hint)
            entries.append(Entry(rank=None, marker="", name=hint, value=""))
        self.readout.show_entries(entries)

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(self.figure(), event.globalPos())
