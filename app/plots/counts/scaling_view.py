"""How throughput scales with threads: points with intervals, the fitted law, what to use."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
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
from app.plots.base.quantity import NOTHING
from app.plots.base.readout_layout import Entry
from app.plots.base.scales import UNKNOWN, decimal_step, from_zero, powers_of_two
from app.plots.counts.counts_plot import CountsPlot, Drawing
from app.plots.counts.scaling_data import ScalingData
from app.style.theme import LIGHT, Theme
from core import CurvesFigure, FigureCurve, FigurePoint, show_rate, tr_word

_TICK_ROOM = 56
_THREAD_ROOM = 26
_APART = 16
_DOT = 2.0
"""Pixels from the middle of a trial's dot to its edge."""
_DECIDED = "✓"
_BESIDE = 8.0
"""Pixels from a point to its check mark, and between those of two curves."""
_MARGINS = (26, 24)
"""Pixels for crosses and prices below 0, and for the recommendation above the last tick."""
_fit = from_zero(decimal_step, 1e-3)


@dataclass(frozen=True, kw_only=True)
class _Drawn:
    """Everything that the drawing needs."""

    figure: CurvesFigure = field(default_factory=CurvesFigure)
    decided: frozenset[str] = frozenset()
    """Digests of the specs that are not measured any more."""
    hidden: frozenset[str] = frozenset()
    """Names of the curves that are not drawn."""

    @property
    def visible(self) -> list[tuple[int, FigureCurve]]:
        """The curves that are drawn, with the places of their colours."""
        drawn = enumerate(self.figure.drawn)
        return [(rank, one) for rank, one in drawn if one.name not in self.hidden]


class _Drawing(Drawing):
    """Draws the curves, what to use, and what each step up costs."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn = _Drawn()

    def put(self, drawn: _Drawn, theme: Theme, view: QRectF) -> None:
        self._drawn = drawn
        self.redraw(theme, view)

    @override
    def draw(self, p: QPainter, to: QTransform) -> None:
        self._paint_chosen(p, to)
        for rank, curve in self._drawn.visible:
            self._paint_published(p, to, rank, curve)
        for rank, curve in self._drawn.visible:
            self._paint_curve(p, to, rank, curve)
        self._paint_prices(p, to)

    def _paint_chosen(self, p: QPainter, to: QTransform) -> None:
        best, label = self._drawn.figure.chosen, self._drawn.figure.advised
        if best is None or best.recommended is None:
            return
        x = to.map(QPointF(math.log2(best.recommended), 0)).x()
        area = to.mapRect(self._view)
        p.setPen(QPen(QColor(self._theme.text), 1, Qt.PenStyle.DashLine))
        p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        width = p.fontMetrics().horizontalAdvance(label)
        left = x + 6 if x + 6 + width < area.right() else x - 6 - width
        where = QPointF(left, area.top() + p.fontMetrics().ascent() + 2)
        p.setPen(QColor(self._theme.text))
        p.drawText(where, label)

    def _paint_published(self, p: QPainter, to: QTransform, rank: int, curve: FigureCurve) -> None:
        points = self._on(to, rank, curve.published)
        self._line(p, points, QPen(QColor(self._colour(rank)), 1.2, Qt.PenStyle.DotLine))
        for point in points:
            self._marker(p, point, "ring", rank)

    def _paint_prices(self, p: QPainter, to: QTransform) -> None:
        """Draw what each step up costs in memory, between its ends, where there is room."""
        best = self._drawn.figure.chosen
        if best is None:
            return
        metrics = p.fontMetrics()
        base = to.mapRect(self._view).bottom() - metrics.descent() - 1
        p.setPen(QColor(self._theme.text))
        for price in best.prices:
            left, right = (to.map(QPointF(math.log2(n), 0)).x() for n in (price.start, price.end))
            short = price.told_memory
            for text in (self.tr("peak memory {}").format(short), short) if short else ():
                width = metrics.horizontalAdvance(text)
                if width <= right - left - _APART:
                    p.drawText(QPointF((left + right - width) / 2, base), text)
                    break

    def _paint_curve(self, p: QPainter, to: QTransform, rank: int, curve: FigureCurve) -> None:
        colour = QColor(self._colour(rank))
        self._line(p, self._on(to, rank, curve.line), QPen(colour, 1.5))
        self._paint_trials(p, to, rank, curve)
        for one in curve.points:
            if one.failed:
                foot = to.map(QPointF(math.log2(one.at), 0))
                self._failure(p, foot, rank, len(self._drawn.figure.drawn))
                continue
            ends = [(one.at, value) for value in (one.low, one.value, one.high)]
            low, point, high = self._on(to, rank, ends)
            self._interval(p, low, high, QPen(colour, 1.2))
            self._point(p, point, rank)
            if one.setting in self._drawn.decided:
                # Those of several curves stand beside each other.
                p.setPen(colour)
                p.drawText(point + QPointF(_BESIDE * (rank + 1), -_BESIDE / 2), _DECIDED)

    def _paint_trials(self, p: QPainter, to: QTransform, rank: int, curve: FigureCurve) -> None:
        """Draw a small, pale dot for each trial."""
        pale = QColor(self._colour(rank))
        pale.setAlphaF(0.5)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(pale)
        trials = [
            (one.at, each) for one in curve.points if not one.failed for each in one.found.trials
        ]
        for point in self._on(to, rank, trials):
            p.drawEllipse(point, _DOT, _DOT)

    def _on(
        self, to: QTransform, rank: int, values: Iterable[tuple[float, float]]
    ) -> list[QPointF]:
        """Where values at places are, in pixels; curves stand a little beside each other."""
        aside = self._drawn.figure.aside(rank)
        return [to.map(QPointF(math.log2(at) + aside, value)) for at, value in values]


class ScalingView(CountsPlot):
    """Throughput against threads. Hover, or use the arrow keys, for the values at one number."""

    menu_wanted = Signal(object, QPoint)
    """None, for the whole; where on the screen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(
            UnitAxis("left", lambda value, _step: show_rate(value)),
            UnitAxis("bottom", lambda value, _step: f"{round(2**value)}"),
            parent,
        )
        self._drawn = _Drawn()
        self._unit = ""
        self._drawing = self._draws(_Drawing())
        self._title = self.tr("Throughput by threads")
        self.setAccessibleName(self._title)
        self.set_theme(LIGHT)

    def show_figure(self, figure: CurvesFigure, unit: str = "") -> None:
        """Show a sweep over threads; `unit` is the name of an operation."""
        self._unit = unit
        self._drawn = replace(self._drawn, figure=figure)
        self._unpoint()
        self._draw()

    @property
    def _figure(self) -> CurvesFigure:
        return self._drawn.figure

    def decide(self, settings: Collection[str]) -> None:
        """Mark the points of these specs, and no others, as not measured any more."""
        self._drawn = replace(self._drawn, decided=frozenset(settings))
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
            f"{self._marked(one)}: {one.reason or show_rate(one.value, self._unit)}"
            for one in curve.points
        ]
        name = f"{curve.name}, " if curve.name else ""
        sentences = [self.tr("by threads – {}").format("; ".join(told))]
        if curve.recommended:
            use = self.tr("Use {}") if curve.sure else self.tr("Perhaps {}")
            sentences.append(use.format(curve.recommended))
        sentences += [price.sentence for price in curve.prices]
        return name + " ".join(f"{sentence}." for sentence in sentences)

    def _marked(self, one: FigurePoint) -> str:
        decided = one.setting in self._drawn.decided
        return f"{_DECIDED} {one.at}" if decided else str(one.at)

    def table(self) -> tuple[tuple[str, ...], ...]:
        """The same data as rows of texts, titles first."""
        data = self._data()
        return (data.titles, *map(data.row, range(len(data))))

    def figures(self) -> tuple[Figure, ...]:
        """The plot itself."""
        return (Figure(title=self._title, widget=self, summary=self.summary, data=self._data),)

    def _data(self) -> ScalingData:
        return ScalingData(self._figure.curves, self._unit, self._drawn.decided)

    @property
    @override
    def _counts(self) -> list[int]:
        return self._figure.places

    @override
    def _draw(self) -> None:
        view = self.sheet.plotItem.vb
        counts = self._counts
        ticks = max(int(view.height() / _TICK_ROOM), 1)
        self._drawn = replace(self._drawn, hidden=self._hidden)
        scale = _fit(0.0, self._figure.top(self._hidden), ticks)
        across = powers_of_two(math.log2(counts[0]), math.log2(counts[-1])) if counts else UNKNOWN
        pixel = (scale.high - scale.low) / max(view.height() - sum(_MARGINS), 1)
        ends = (scale.low - _MARGINS[0] * pixel, scale.high + _MARGINS[1] * pixel)
        view.setRange(xRange=(across.low, across.high), yRange=ends, padding=0)
        self._values.put(scale.ticks, scale.step)
        self._across.put(_apart(counts, (across.high - across.low) / max(view.width(), 1)), 1.0)
        area = QRectF(QPointF(across.low, ends[0]), QPointF(across.high, ends[1]))
        self._drawing.put(self._drawn, self._theme, area)
        self._tell()

    @override
    def _tell(self) -> None:
        at = self._at
        if at is None and (best := self._figure.chosen):
            at = best.recommended
        entries = []
        if at is not None:
            noun = self.tr("thread") if at == 1 else self.tr("threads")
            entries.append(Entry(rank=None, marker="", name=noun, value=str(at)))
        drawn = self._figure.drawn
        for rank, curve in enumerate(drawn):
            one = curve.at(at) if at is not None else None
            value = show_rate(one.value) if one and not one.failed else NOTHING
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
        if any(one.setting in self._drawn.decided for curve in drawn for one in curve.points):
            told = f"{_DECIDED} " + self.tr("decided: not measured any more")
            entries.append(Entry(rank=None, marker="", name=told, value=""))
        if slower := len(self._figure.curves) - len(drawn):
            more = self.tr("{} slower not drawn").format(slower)
            entries.append(Entry(rank=None, marker="", name=more, value=""))
        entries += self._published_entries(at)
        if (best := self._figure.chosen) and at and (price := best.price_of(at)):
            name = self.tr("from {}").format(price.start)
            entries.append(Entry(rank=None, marker="", name=name, value=price.summary))
        self.readout.set_title(self._title if self._figure.curves else self.summary())
        self.readout.show_entries(entries)

    def _published_entries(self, at: int | None) -> list[Entry]:
        entries = []
        for rank, curve in enumerate(self._figure.drawn):
            if curve.published:
                value = dict(curve.published).get(at or 0)
                text = show_rate(value) if value else NOTHING
                name = f"{curve.name} {self.tr('published')}".strip()
                entries.append(Entry(rank=rank, marker="ring", name=name, value=text))
        return entries

    @property
    def _unit_name(self) -> str:
        return f"{tr_word(f'{self._unit}s')}/s" if self._unit else ""

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(None, event.globalPos())
        event.accept()


def _apart(counts: Sequence[int], per_pixel: float) -> tuple[float, ...]:
    """Logarithms of the counts that have room for their text, powers of two before others."""
    kept: list[float] = []
    for threads in sorted(counts, key=lambda n: (n & (n - 1) != 0, n)):
        place = math.log2(threads)
        if all(abs(place - other) >= _THREAD_ROOM * per_pixel for other in kept):
            kept.append(place)
    return tuple(sorted(kept))
