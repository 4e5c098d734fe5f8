"""How throughput scales with threads: points with intervals, the fitted law, what to use."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import override

import numpy as np
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
from app.work.scaling_series import ScalingPoint, Series, chosen, drawn
from core import show_rate, tr_word

_TICK_ROOM = 56
_THREAD_ROOM = 26
_REACH = 1.6
"""How far above the highest value an interval can reach before it is cut."""
_APART = 16
_DECIDED = "✓"
_BESIDE = 8.0
"""Pixels from a point to its check mark, and between those of two curves."""
_MARGINS = (26, 24)
"""Pixels for crosses and prices below 0, and for the recommendation above the last tick."""
_fit = from_zero(decimal_step, 1e-3)


@dataclass(frozen=True, kw_only=True)
class _Drawn:
    """Everything that the drawing needs."""

    series: tuple[Series, ...] = ()
    chosen: Series | None = None
    decided: frozenset[str] = frozenset()
    """Digests of the specs that are not measured any more."""
    hidden: frozenset[str] = frozenset()
    """Names of the series that are not drawn."""

    @property
    def visible(self) -> list[tuple[int, Series]]:
        """The series that are drawn, with the places of their colours."""
        return [(at, one) for at, one in enumerate(self.series) if one.name not in self.hidden]


class _Drawing(Drawing):
    """Draws the series, what to use, and what each step up costs."""

    def __init__(self) -> None:
        super().__init__()
        self._drawn = _Drawn()
        self._label = ""

    def put(self, drawn: _Drawn, theme: Theme, view: QRectF, label: str) -> None:
        self._drawn, self._label = drawn, label
        self.redraw(theme, view)

    @override
    def draw(self, p: QPainter, to: QTransform) -> None:
        self._paint_chosen(p, to)
        for rank, series in self._drawn.visible:
            self._paint_published(p, to, rank, series)
        for rank, series in self._drawn.visible:
            self._paint_series(p, to, rank, series)
        self._paint_prices(p, to)

    def _paint_chosen(self, p: QPainter, to: QTransform) -> None:
        best = self._drawn.chosen
        if best is None or best.recommended is None:
            return
        x = to.map(QPointF(math.log2(best.recommended), 0)).x()
        area = to.mapRect(self._view)
        p.setPen(QPen(QColor(self._theme.text), 1, Qt.PenStyle.DashLine))
        p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        width = p.fontMetrics().horizontalAdvance(self._label)
        left = x + 6 if x + 6 + width < area.right() else x - 6 - width
        where = QPointF(left, area.top() + p.fontMetrics().ascent() + 2)
        p.setPen(QColor(self._theme.text))
        p.drawText(where, self._label)

    def _paint_published(self, p: QPainter, to: QTransform, rank: int, series: Series) -> None:
        points = [to.map(QPointF(math.log2(n), value)) for n, value in series.published]
        self._line(p, points, QPen(QColor(self._colour(rank)), 1.2, Qt.PenStyle.DotLine))
        for point in points:
            self._marker(p, point, "ring", rank)

    def _paint_prices(self, p: QPainter, to: QTransform) -> None:
        """Draw what each step up costs in memory, between its ends, where there is room."""
        if self._drawn.chosen is None:
            return
        metrics = p.fontMetrics()
        base = to.mapRect(self._view).bottom() - metrics.descent() - 1
        p.setPen(QColor(self._theme.text))
        for price in self._drawn.chosen.prices:
            left, right = (to.map(QPointF(math.log2(n), 0)).x() for n in (price.start, price.end))
            short = price.told_memory
            for text in (self.tr("peak memory {}").format(short), short) if short else ():
                width = metrics.horizontalAdvance(text)
                if width <= right - left - _APART:
                    p.drawText(QPointF((left + right - width) / 2, base), text)
                    break

    def _paint_series(self, p: QPainter, to: QTransform, rank: int, series: Series) -> None:
        good = [place for place in series.places if not place.reason]
        threads, values = series.law
        if threads.size:
            ends = zip(np.log2(threads), values, strict=True)
            line = [QPointF(x, y) for x, y in ends]
        else:
            line = [QPointF(math.log2(place.threads), place.value) for place in good]
        colour = QColor(self._colour(rank))
        self._line(p, [to.map(point) for point in line], QPen(colour, 1.5))
        for place in series.places:
            x = math.log2(place.threads)
            if place.reason:
                self._failure(p, to.map(QPointF(x, 0)), rank, len(self._drawn.series))
                continue
            low, high = to.map(QPointF(x, place.low)), to.map(QPointF(x, place.high))
            self._interval(p, low, high, QPen(colour, 1.2))
            point = to.map(QPointF(x, place.value))
            self._point(p, point, rank)
            if place.setting in self._drawn.decided:
                # Those of several curves stand beside each other.
                p.setPen(colour)
                p.drawText(point + QPointF(_BESIDE * (rank + 1), -_BESIDE / 2), _DECIDED)


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
        self._all: tuple[Series, ...] = ()
        self._unit = ""
        self._drawing = self._draws(_Drawing())
        self._title = self.tr("Throughput by threads")
        self.setAccessibleName(self._title)
        self.set_theme(LIGHT)

    def show_series(self, series: Sequence[Series], unit: str) -> None:
        """Show a sweep over threads; `unit` is the name of an operation."""
        self._all, self._unit = tuple(series), unit
        kept = drawn(series)
        self._drawn = replace(self._drawn, series=kept, chosen=chosen(kept))
        self._unpoint()
        self._draw()

    def decide(self, settings: Collection[str]) -> None:
        """Mark the points of these specs, and no others, as not measured any more."""
        self._drawn = replace(self._drawn, decided=frozenset(settings))
        self._draw()

    def clear(self) -> None:
        """Show nothing."""
        self.show_series((), "")

    @override
    def summary(self) -> str:
        """What is shown, a line for each series."""
        if not self._all:
            return self.tr("Vary the threads to see how throughput scales.")
        return "\n".join(self._sentence(series) for series in self._all)

    def _sentence(self, series: Series) -> str:
        told = [
            f"{self._marked(place)}: {place.reason or show_rate(place.value, self._unit)}"
            for place in series.places
        ]
        name = f"{series.name}, " if series.name else ""
        sentences = [self.tr("by threads – {}").format("; ".join(told))]
        if series.recommended:
            use = self.tr("Use {}") if series.sure else self.tr("Perhaps {}")
            sentences.append(use.format(series.recommended))
        sentences += [price.sentence for price in series.prices]
        return name + " ".join(f"{sentence}." for sentence in sentences)

    def _marked(self, place: ScalingPoint) -> str:
        decided = place.setting in self._drawn.decided
        return f"{_DECIDED} {place.threads}" if decided else str(place.threads)

    def table(self) -> tuple[tuple[str, ...], ...]:
        """The same data as rows of texts, titles first."""
        data = self._data()
        return (data.titles, *map(data.row, range(len(data))))

    def figures(self) -> tuple[Figure, ...]:
        """The plot itself."""
        return (Figure(title=self._title, widget=self, summary=self.summary, data=self._data),)

    def _data(self) -> ScalingData:
        return ScalingData(self._all, self._unit, self._drawn.decided)

    @property
    @override
    def _counts(self) -> list[int]:
        return sorted({threads for series in self._drawn.series for threads in series.counts})

    @override
    def _draw(self) -> None:
        view = self.sheet.plotItem.vb
        counts = self._counts
        ticks = max(int(view.height() / _TICK_ROOM), 1)
        self._drawn = replace(self._drawn, hidden=self._hidden)
        scale = _fit(0.0, _top([series for _, series in self._drawn.visible]), ticks)
        across = powers_of_two(math.log2(counts[0]), math.log2(counts[-1])) if counts else UNKNOWN
        pixel = (scale.high - scale.low) / max(view.height() - sum(_MARGINS), 1)
        ends = (scale.low - _MARGINS[0] * pixel, scale.high + _MARGINS[1] * pixel)
        view.setRange(xRange=(across.low, across.high), yRange=ends, padding=0)
        self._values.put(scale.ticks, scale.step)
        self._across.put(_apart(counts, (across.high - across.low) / max(view.width(), 1)), 1.0)
        area = QRectF(QPointF(across.low, ends[0]), QPointF(across.high, ends[1]))
        best = self._drawn.chosen
        use = self.tr("use {}") if best and best.sure else self.tr("perhaps {}")
        label = use.format(best.recommended) if best else ""
        self._drawing.put(self._drawn, self._theme, area, label)
        self._tell()

    @override
    def _tell(self) -> None:
        at = self._at
        if at is None and (best := self._drawn.chosen):
            at = best.recommended
        entries = []
        if at is not None:
            noun = self.tr("thread") if at == 1 else self.tr("threads")
            entries.append(Entry(rank=None, marker="", name=noun, value=str(at)))
        for rank, series in enumerate(self._drawn.series):
            place = series.at(at) if at is not None else None
            value = show_rate(place.value) if place and not place.reason else NOTHING
            name = series.name or self._unit_name
            several, hidden = len(self._drawn.series) > 1, series.name in self._hidden
            entries.append(
                Entry(
                    rank=rank,
                    marker=marker_of(rank),
                    name=name,
                    value="" if hidden else value,
                    key=series.name if several else "",
                    hidden=hidden,
                )
            )
        if any(p.setting in self._drawn.decided for s in self._drawn.series for p in s.places):
            told = f"{_DECIDED} " + self.tr("decided: not measured any more")
            entries.append(Entry(rank=None, marker="", name=told, value=""))
        if slower := len(self._all) - len(self._drawn.series):
            more = self.tr("{} slower not drawn").format(slower)
            entries.append(Entry(rank=None, marker="", name=more, value=""))
        entries += self._published_entries(at)
        if self._drawn.chosen and at and (price := self._drawn.chosen.price_of(at)):
            name = self.tr("from {}").format(price.start)
            entries.append(Entry(rank=None, marker="", name=name, value=price.summary))
        self.readout.set_title(self._title if self._all else self.summary())
        self.readout.show_entries(entries)

    def _published_entries(self, at: int | None) -> list[Entry]:
        entries = []
        for rank, series in enumerate(self._drawn.series):
            if series.published:
                value = dict(series.published).get(at or 0)
                text = show_rate(value) if value else NOTHING
                name = f"{series.name} {self.tr('published')}".strip()
                entries.append(Entry(rank=rank, marker="ring", name=name, value=text))
        return entries

    @property
    def _unit_name(self) -> str:
        return f"{tr_word(f'{self._unit}s')}/s" if self._unit else ""

    @override
    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        self.menu_wanted.emit(None, event.globalPos())
        event.accept()


def _top(series: Sequence[Series]) -> float:
    """The highest visible value; wide intervals are cut, so that they do not flatten the curves."""
    good = [place for one in series for place in one.places if not place.reason]
    values = [place.value for place in good]
    values += [value for one in series for _, value in one.published]
    highest = max(values, default=-math.inf)
    return max(highest, min(max((p.high for p in good), default=highest), _REACH * highest))


def _apart(counts: Sequence[int], per_pixel: float) -> tuple[float, ...]:
    """Logarithms of the counts that have room for their text, powers of two before others."""
    kept: list[float] = []
    for threads in sorted(counts, key=lambda n: (n & (n - 1) != 0, n)):
        place = math.log2(threads)
        if all(abs(place - other) >= _THREAD_ROOM * per_pixel for other in kept):
            kept.append(place)
    return tuple(sorted(kept))
