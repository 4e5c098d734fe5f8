"""How throughput scales with threads: points with intervals, the fitted law, what to use."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import override

from PySide6.QtCore import QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QPainter,
    QPen,
    QTransform,
)
from PySide6.QtWidgets import QWidget

from app.plots.base.figure import Figure
from app.plots.base.painting import marker_of
from app.plots.base.plot_axes import UnitAxis
from app.plots.base.readout_layout import Entry
from app.plots.base.scales import UNKNOWN, decimal_step, from_zero, powers_of_two
from app.plots.counts.counts_plot import CountsPlot, CurvesDrawing
from app.plots.counts.scaling_data import ScalingData
from app.style.theme import LIGHT
from core import (
    NOTHING,
    CurvesFigure,
    FigureCurve,
    tr_word,
    usable_cores,
)
from core import (
    tr as sentence,
)

_TICK_ROOM = 56
_THREAD_ROOM = 26
_DECIDED = "✓"
_BESIDE = 8.0
"""Pixels from a point to its check mark, and between those of two curves."""
_RING = 9.0
_LOW = 240
"""Pixels below which the price of a step is told only to those who ask."""
_TINT = 22
"""Of 255."""
_MARGINS = (16, 26)
"""Pixels for crosses below 0, and above the last tick for what is no different."""
_fit = from_zero(decimal_step, 1e-3)


class _Drawing(CurvesDrawing):
    """Draws the curves, which setting to use, what is no different from it, and the cores."""

    def __init__(self) -> None:
        super().__init__()
        self.decided: frozenset[str] = frozenset()
        """Digests of the specs that are not measured any more."""
        self.same: frozenset[str] = frozenset()
        """Digests of the specs that are not measurably different from the best."""
        self.cores = 0.0
        """Those of the machine; 0 where the axis does not count threads."""

    @override
    def draw(self, p: QPainter, to: QTransform) -> None:
        self._paint_same(p, to)
        self._paint_cores(p, to)
        super().draw(p, to)
        self._paint_chosen(p, to)
        for rank, curve in self._figure.visible(self._hidden):
            decided = [
                one for one in curve.points if one.setting in self.decided and not one.failed
            ]
            p.setPen(QColor(self._colour(rank)))
            for point in self._on(to, [(one.at, one.value) for one in decided]):
                # Those of several curves stand beside each other.
                p.drawText(point + QPointF(_BESIDE * (rank + 1), -_BESIDE / 2), _DECIDED)

    def _paint_same(self, p: QPainter, to: QTransform) -> None:
        """Tint the numbers that are not measurably different from the one to use."""
        best = self._figure.chosen
        if best is None or best.recommended is None:
            return
        places = [one.at for one in best.points if one.setting in self.same]
        ends = [math.log2(at) for at in (*places, best.recommended)]
        left, right = (to.map(QPointF(end, 0)).x() for end in (min(ends), max(ends)))
        if not places:
            return
        area = to.mapRect(self._view)
        tint = QColor(self._theme.roles["good"])
        tint.setAlpha(_TINT)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(tint)
        tinted = QRectF(left, area.top(), right - left, area.height())
        p.drawRoundedRect(tinted, 6, 6)
        p.setPen(QColor(self._theme.roles["good"]))
        for text in (self.tr("not measurably different"), self.tr("no different")):
            width = p.fontMetrics().horizontalAdvance(text)
            if width <= tinted.width() - _BESIDE or text == self.tr("no different"):
                base = area.top() + p.fontMetrics().ascent() + 2
                p.drawText(QPointF(tinted.center().x() - width / 2, base), text)
                break

    def _paint_cores(self, p: QPainter, to: QTransform) -> None:
        if not self.cores:
            return
        area = to.mapRect(self._view)
        x = to.map(QPointF(math.log2(self.cores), 0)).x()
        if not area.left() <= x <= area.right():
            return
        p.setPen(QPen(QColor(self._theme.muted), 1, Qt.PenStyle.DotLine))
        p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        text = sentence("1 core", "{count:g} cores", count=self.cores)
        width = p.fontMetrics().horizontalAdvance(text)
        left = x - 4 - width if x - 4 - width > area.left() else x + 4
        p.drawText(QPointF(left, area.bottom() - p.fontMetrics().descent() - 1), text)

    def _paint_chosen(self, p: QPainter, to: QTransform) -> None:
        """Put a ring around the point of the setting to use."""
        for rank, curve in self._figure.visible(self._hidden):
            one = curve.at(curve.recommended) if curve.recommended is not None else None
            if one is None or one.failed:
                continue
            (point,) = self._on(to, [(one.at, one.value)])
            p.setPen(QPen(QColor(self._colour(rank)), 2.5))
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.drawEllipse(point, _RING, _RING)
            label = self._figure.advised
            p.setPen(QColor(self._theme.text))
            area = to.mapRect(self._view)
            width = p.fontMetrics().horizontalAdvance(label)
            left = point.x() + _RING + 4
            if left + width > area.right():
                left = point.x() - _RING - 4 - width
            p.drawText(QPointF(left, point.y() - _RING), label)


class ScalingView(CountsPlot):
    """Throughput against threads. Hover, or use the arrow keys, for the values at one number."""

    menu_wanted = Signal(object, QPoint)
    """None, for the whole; where on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            UnitAxis("left", lambda value, _step: self._figure.metric.text(value)),
            UnitAxis("bottom", lambda value, _step: f"{round(2**value)}"),
            parent,
        )
        self._figure = CurvesFigure()
        self._unit = ""
        self._drawing = self._draws(_Drawing())
        self.setAccessibleName(self._title)
        self.set_theme(LIGHT)

    def show_figure(
        self,
        figure: CurvesFigure,
        unit: str = "",
        same: Collection[str] = (),
        *,
        hatched: bool = False,
    ) -> None:
        """Show a sweep over threads; `unit` is the name of an operation.

        `same`: the specs, by digest, that are not measurably different from the best.  `hatched`:
        whether it was measured beside other programs.
        """
        self._figure, self._unit = figure, unit
        self._drawing.same, self._drawing.hatched = frozenset(same), hatched
        self._drawing.cores = usable_cores() if figure.axis == "threads" else 0.0
        self.setAccessibleName(self._title)
        self._unpoint()
        self._draw()

    @property
    def _title(self) -> str:
        figure = self._figure
        return self.tr("{} by {}").format(tr_word(figure.metric.title), tr_word(figure.axis))

    def decide(self, settings: Collection[str]) -> None:
        """Mark the points of these specs, and no others, as not measured any more."""
        self._drawing.decided = frozenset(settings)
        self._draw()

    def clear(self) -> None:
        """Show nothing."""
        self.show_figure(CurvesFigure())

    @override
    def summary(self) -> str:
        """What is shown, a line for each curve."""
        if not self._figure.curves:
            return self.tr("Vary the threads to see how throughput scales.")
        return "\n".join(self._sentence(curve) for curve in self._figure.curves)

    def _sentence(self, curve: FigureCurve) -> str:
        told = [
            f"{self._marked(one.at, one.setting)}: "
            f"{one.reason or self._figure.metric.text(one.value, self._unit)}"
            for one in curve.points
        ]
        name = f"{curve.name}, " if curve.name else ""
        sentences = [self.tr("by {} – {}").format(tr_word(self._figure.axis), "; ".join(told))]
        if curve.recommended:
            use = self.tr("Use {}") if curve.sure else self.tr("Leading: {}")
            sentences.append(use.format(curve.recommended))
        sentences += [price.sentence for price in curve.prices]
        return name + " ".join(f"{sentence}." for sentence in sentences)

    def _marked(self, at: float, setting: str) -> str:
        return f"{_DECIDED} {at}" if setting in self._drawing.decided else str(at)

    def table(self) -> tuple[tuple[str, ...], ...]:
        """The same data as rows of texts, titles first."""
        data = self._data()
        return (data.titles, *map(data.row, range(len(data))))

    def figures(self) -> tuple[Figure, ...]:
        """The plot itself."""
        return (Figure(title=self._title, widget=self, summary=self.summary, data=self._data),)

    def _data(self) -> ScalingData:
        return ScalingData(self._figure, self._unit, self._drawing.decided)

    @property
    @override
    def _counts(self) -> list[float]:
        return self._figure.places

    @override
    def _draw(self) -> None:
        view = self.sheet.plotItem.vb
        counts = self._counts
        ticks = max(int(view.height() / _TICK_ROOM), 1)
        scale = _fit(0.0, self._figure.top(self._hidden), ticks)
        across = powers_of_two(math.log2(counts[0]), math.log2(counts[-1])) if counts else UNKNOWN
        pixel = (scale.high - scale.low) / max(view.height() - sum(_MARGINS), 1)
        ends = (scale.low - _MARGINS[0] * pixel, scale.high + _MARGINS[1] * pixel)
        view.setRange(xRange=(across.low, across.high), yRange=ends, padding=0)
        self._values.put(scale.ticks, scale.step)
        self._across.put(_apart(counts, (across.high - across.low) / max(view.width(), 1)), 1.0)
        area = QRectF(QPointF(across.low, ends[0]), QPointF(across.high, ends[1]))
        self._drawing.put(self._figure, self._hidden, self._theme, area)
        self._tell()

    @override
    def _tell(self) -> None:
        at = self._at
        if at is None and (best := self._figure.chosen):
            at = best.recommended
        entries = []
        if at is not None:
            entries.append(
                Entry(rank=None, marker="", name=tr_word(self._figure.axis), value=f"{at:g}")
            )
        figure = self._figure
        drawn = figure.drawn
        for rank, curve in enumerate(drawn):
            one = curve.at(at) if at is not None else None
            value = figure.metric.text(one.value) if one and not one.failed else NOTHING
            name = curve.name or self._unit_name
            several, hidden = len(drawn) > 1, curve.name in self._hidden
            entries.append(
                Entry(
                    rank=rank,
                    marker=marker_of(rank),
                    name=name,
                    value="" if hidden else value,
                    key=curve.name if several else "",
                    hidden=hidden,
                )
            )
        if any(one.setting in self._drawing.decided for curve in drawn for one in curve.points):
            told = f"{_DECIDED} " + self.tr("not measured any more")
            entries.append(Entry(rank=None, marker="", name=told, value=""))
        if left := len(self._figure.curves) - len(drawn):
            more = self.tr("{} not drawn").format(left)
            entries.append(Entry(rank=None, marker="", name=more, value=""))
        entries += self._published_entries(at)
        roomy = self._at is not None or self.height() >= _LOW
        if roomy and (best := self._figure.chosen) and at and (price := best.price_of(at)):
            name = self.tr("from {}").format(price.start)
            entries.append(Entry(rank=None, marker="", name=name, value=price.summary))
        self.readout.set_title(self._title if self._figure.curves else self.summary())
        self.readout.show_entries(entries)

    def _published_entries(self, at: float | None) -> list[Entry]:
        entries = []
        for rank, curve in enumerate(self._figure.drawn):
            if curve.published:
                value = dict(curve.published).get(at or 0)
                text = self._figure.metric.text(value) if value else NOTHING
                name = f"{curve.name} {self.tr('published')}".strip()
                entries.append(Entry(rank=rank, marker="ring", name=name, value=text))
        return entries

    @property
    def _unit_name(self) -> str:
        metric = self._figure.metric
        if metric.unit != "rate":
            return tr_word(metric.name)
        return f"{tr_word(f'{self._unit}s')}/s" if self._unit else ""

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(None, event.globalPos())
        event.accept()


def _apart(counts: Sequence[float], per_pixel: float) -> tuple[float, ...]:
    """Logarithms of the counts that have room for their text, powers of two before others."""
    kept: list[float] = []
    for threads in sorted(counts, key=lambda n: (not math.log2(n).is_integer(), n)):
        place = math.log2(threads)
        if all(abs(place - other) >= _THREAD_ROOM * per_pixel for other in kept):
            kept.append(place)
    return tuple(sorted(kept))
