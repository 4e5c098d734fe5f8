"""One plot of a published study: figures measured here over published ones, log-log."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple, override

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFontMetrics,
    QPainter,
    QPen,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from app.plots.base.figure import Figure
from app.plots.base.painting import marker_of, outline
from app.plots.base.plot_axes import UnitAxis
from app.plots.base.quantity import NOTHING
from app.plots.base.readout_layout import Entry
from app.plots.base.scales import UNKNOWN, decades, powers_of_two
from app.plots.counts.counts_plot import CountsPlot, Drawing
from app.plots.counts.study_data import StudyData
from app.style.theme import LIGHT, Theme
from core import Chart, ChartCurve, show_seconds, tr_word

_TICK_ROOM = 40
_GAP = 14
_MARGIN = 8
"""Pixels above the last tick and below the first, for points at the ends."""
_REACH = 1.0
"""Decades that an interval can reach from its value."""


class _Place(NamedTuple):
    """A point and perhaps its interval; base-2 logarithms across, base-10 logarithms up."""

    x: float
    y: float
    low: float
    high: float


def _places(at: Sequence[int], seconds: Sequence[float | None]) -> list[_Place]:
    found = zip(at, seconds, strict=True)
    return [
        _Place(math.log2(x), y, y, y) for x, y in ((x, math.log10(one)) for x, one in found if one)
    ]


def _measured(curve: ChartCurve) -> list[_Place]:
    found = []
    for at, point in zip(curve.at, curve.here, strict=True):
        if point is None or not point.value:
            continue
        ends = (point.low or point.value, point.value, point.high or point.value)
        low, y, high = map(math.log10, ends)
        # Wide intervals are cut, so that they do not press the curves together.
        found.append(_Place(math.log2(at), y, max(low, y - _REACH), min(high, y + _REACH)))
    return found


def _all_places(curve: ChartCurve) -> list[_Place]:
    charted = _places(curve.at, curve.charted) if curve.charted else []
    return [*_measured(curve), *_places(curve.at, curve.published), *charted]


class _Drawing(Drawing):
    """Draws the curves, those that were published hollow and dashed."""

    def __init__(self) -> None:
        super().__init__()
        self._curves: tuple[ChartCurve, ...] = ()
        self.hidden: frozenset[str] = frozenset()
        """Names of the curves that are not drawn."""

    def put(self, curves: tuple[ChartCurve, ...], theme: Theme, view: QRectF) -> None:
        self._curves = curves
        self.redraw(theme, view)

    @override
    def draw(self, p: QPainter, to: QTransform) -> None:
        for rank, curve in enumerate(self._curves):
            if curve.name in self.hidden:
                continue
            colour = QColor(self._colour(rank))
            if curve.charted:
                charted = _points(to, _places(curve.at, curve.charted))
                self._line(p, charted, QPen(colour, 1.2, Qt.PenStyle.DotLine))
            told = _points(to, _places(curve.at, curve.published))
            self._line(p, told, QPen(colour, 1.2, Qt.PenStyle.DashLine))
            self._hollow(p, told, rank)
            self._here(p, to, _measured(curve), rank)
            for at, point in zip(curve.at, curve.here, strict=True):
                if point is not None and not point.value:
                    # The view's top is the lowest value: its coordinates grow upwards.
                    foot = to.map(QPointF(math.log2(at), self._view.top()))
                    self._failure(p, foot, rank, len(self._curves))

    def _hollow(self, p: QPainter, points: list[QPointF], rank: int) -> None:
        p.setPen(QPen(QColor(self._colour(rank)), 1.4))
        p.setBrush(QColor(self._theme.background))
        for point in points:
            p.drawPath(outline(marker_of(rank)).translated(point))

    def _here(self, p: QPainter, to: QTransform, places: Sequence[_Place], rank: int) -> None:
        pen = QPen(QColor(self._colour(rank)), 1.6)
        points = _points(to, places)
        self._line(p, points, pen)
        for each, point in zip(places, points, strict=True):
            if each.low < each.high:
                low, high = (to.map(QPointF(each.x, y)) for y in (each.low, each.high))
                self._interval(p, low, high, pen)
            self._point(p, point, rank)


def _points(to: QTransform, places: Sequence[_Place]) -> list[QPointF]:
    """Where they are, in pixels."""
    return [to.map(QPointF(each.x, each.y)) for each in places]


class StudyChart(CountsPlot):
    """Seconds against a parameter. Hover, or use the arrow keys, for the values at one place."""

    menu_wanted = Signal(object, QPoint)
    """A menu for this plot (Figure); where on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            UnitAxis("left", lambda value, _step: show_seconds(10**value)),
            UnitAxis("bottom", lambda value, _step: self._told(round(2**value))),
            parent,
        )
        self._chart: Chart | None = None
        self._drawing = self._draws(_Drawing())
        self.set_theme(LIGHT)

    def show_chart(self, chart: Chart | None) -> None:
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

    def _sentence(self, curve: ChartCurve) -> str:
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
    def _curves(self) -> tuple[ChartCurve, ...]:
        return self._chart.curves if self._chart else ()

    @property
    def _axis(self) -> str:
        return tr_word(self._chart.axis) if self._chart else ""

    @property
    @override
    def _counts(self) -> list[int]:
        return sorted({at for curve in self._curves for at in curve.at})

    def _texts(self, curve: ChartCurve) -> list[tuple[int, str, str]]:
        return StudyData(self._chart).of(curve)

    def _told(self, at: int) -> str:
        return StudyData(self._chart).tick_text(at)

    @override
    def _draw(self) -> None:
        view = self.sheet.plotItem.vb
        counts = self._counts
        self._drawing.hidden = self._hidden
        drawn = [curve for curve in self._curves if curve.name not in self._hidden]
        places = [place for curve in drawn for place in _all_places(curve)]
        low = min((place.low for place in places), default=math.inf)
        high = max((place.high for place in places), default=-math.inf)
        up = decades(low, high, max(int(view.height() / _TICK_ROOM), 2))
        across = powers_of_two(math.log2(counts[0]), math.log2(counts[-1])) if counts else UNKNOWN
        room = _MARGIN * (up.high - up.low) / max(view.height() - 2 * _MARGIN, 1)
        ends = (up.low - room, up.high + room)
        view.setRange(xRange=(across.low, across.high), yRange=ends, padding=0)
        self._values.put(up.ticks, up.step)
        self._across.put(self._apart((across.high - across.low) / max(view.width(), 1)), 1.0)
        area = QRectF(QPointF(across.low, ends[0]), QPointF(across.high, ends[1]))
        self._drawing.put(self._curves, self._theme, area)
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
