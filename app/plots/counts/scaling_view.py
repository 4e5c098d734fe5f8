"""How throughput scales with threads: points with intervals, and which number to use."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import override

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform
from PySide6.QtWidgets import QWidget

from app.plots.base.axes import Ticks, decimal_step, from_zero
from app.plots.base.figure import Cell
from app.plots.base.readout import LegendEntry
from app.plots.counts.counts_plot import CountsPlot, CurvesDrawing
from core import NOTHING, CurvesFigure, FigureCurve, tr_word, usable_cores
from core import tr as sentence

_TICK_ROOM = 56
_DECIDED = "✓"
_BESIDE = 8.0
"""Pixels from a point to its check mark, and between those of two curves."""
_RING = 9.0
_LOW = 240
"""Pixels below which the price of a step is shown only to those who point at it."""
_TINT = 22
"""Of 255."""
_fit = from_zero(decimal_step, 1e-3)


class _AnswerDrawing(CurvesDrawing):
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
            good = [one for one in curve.points if not one.failed]
            decided = [(one.at, one.value) for one in good if one.setting in self.decided]
            p.setPen(QColor(self._colour(rank)))
            for point in self._on(to, decided):
                # Those of several curves stand beside each other.
                p.drawText(point + QPointF(_BESIDE * (rank + 1), -_BESIDE / 2), _DECIDED)

    def _paint_same(self, p: QPainter, to: QTransform) -> None:
        """Tint the numbers that are not measurably different from the one to use."""
        best = self._figure.chosen
        if best is None or best.recommended is None:
            return
        places = [one.at for one in best.points if one.setting in self.same]
        if not places:
            return
        ends = [self._x(to, at) for at in (*places, best.recommended)]
        area = to.mapRect(self._view)
        area.setLeft(min(ends))
        area.setRight(max(ends))
        tint = QColor(self._theme.roles["good"])
        tint.setAlpha(_TINT)
        p.setPen(Qt.PenStyle.NoPen)
        p.setBrush(tint)
        p.drawRoundedRect(area, 6, 6)
        p.setPen(QColor(self._theme.roles["good"]))
        width, text = p.fontMetrics().horizontalAdvance, self.tr("not measurably different")
        if width(text) > area.width() - _BESIDE:
            text = self.tr("alike")
        base = area.top() + p.fontMetrics().ascent() + 2
        p.drawText(QPointF(area.center().x() - width(text) / 2, base), text)

    def _paint_cores(self, p: QPainter, to: QTransform) -> None:
        if not self.cores:
            return
        area = to.mapRect(self._view)
        x = self._x(to, self.cores)
        if not area.left() <= x <= area.right():
            return
        p.setPen(QPen(QColor(self._theme.muted), 1, Qt.PenStyle.DotLine))
        p.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()))
        text = sentence("1 core", "{count:g} cores", count=self.cores)
        start = x - 4 - p.fontMetrics().horizontalAdvance(text)
        start = start if start > area.left() else x + 4
        p.drawText(QPointF(start, area.bottom() - p.fontMetrics().descent() - 1), text)

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
            width = p.fontMetrics().horizontalAdvance(label)
            start = point.x() + _RING + 4
            if start + width > to.mapRect(self._view).right():
                start = point.x() - _RING - 4 - width
            p.drawText(QPointF(start, point.y() - _RING), label)


class ScalingView(CountsPlot):
    """Throughput against threads. Hover, or use the arrow keys, for the values at one number."""

    _MARGINS = (16, 26)
    """For crosses below 0, and for what is no different above the last tick."""
    _drawing: _AnswerDrawing
    _unit = ""
    """The name of an operation."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(_AnswerDrawing(), parent)
        self.setAccessibleName(self._title)

    @override
    def _value_text(self, value: float) -> str:
        return self._figure.metric.text(value)

    @override
    def _scale(self, height: float) -> Ticks:
        return _fit(0.0, self._figure.top(self._hidden), max(int(height / _TICK_ROOM), 1))

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
    @override
    def _title(self) -> str:
        figure = self._figure
        return self.tr("{} by {}").format(tr_word(figure.metric.title), tr_word(figure.axis))

    def decide(self, settings: Collection[str]) -> None:
        self._drawing.decided = frozenset(settings)
        self._draw()

    @override
    def summary(self) -> str:
        if not self._figure.curves:
            return self.tr("Vary the threads to see how throughput scales.")
        return "\n".join(self._sentence(curve) for curve in self._figure.curves)

    def _sentence(self, curve: FigureCurve) -> str:
        metric, decided = self._figure.metric, self._drawing.decided
        parts = [
            f"{f'{_DECIDED} ' if one.setting in decided else ''}{one.at}: "
            f"{one.reason or metric.text(one.value, self._unit)}"
            for one in curve.points
        ]
        name = f"{curve.name}, " if curve.name else ""
        sentences = [self.tr("by {} – {}").format(tr_word(self._figure.axis), "; ".join(parts))]
        if curve.recommended:
            use = self.tr("Use {}") if curve.sure else self.tr("Leading: {}")
            sentences.append(use.format(curve.recommended))
        sentences += [price.sentence for price in curve.prices]
        return name + " ".join(f"{sentence}." for sentence in sentences)

    @override
    def _columns(self) -> list[tuple[str, str]]:
        axis, measured = self._figure.axis, self._figure.metric.name
        unit = "1/s" if self._figure.unit == "rate" else "s"
        return [
            (tr_word("series"), "series"),
            (tr_word(axis), axis),
            (tr_word(measured), f"{measured} ({unit})"),
            (tr_word("from"), f"from ({unit})"),
            (tr_word("to"), f"to ({unit})"),
            (tr_word("price of the step"), "memory of the step (B)"),
            (tr_word("published"), f"published ({unit})"),
            (tr_word("ending"), "ending"),
        ]

    @override
    def _row(self, curve: FigureCurve, at: float) -> list[Cell]:
        one, price, ending = curve.at(at), curve.price_of(at), self._ending(curve, at)
        return [
            (curve.name, curve.name),
            (at, str(at)),
            *map(self._rate, (one.value, one.low, one.high) if one else (None,) * 3),
            (price.memory, price.summary) if price else (None, NOTHING),
            self._rate(dict(curve.published).get(at)),
            (ending, ending),
        ]

    def _rate(self, value: float | None) -> Cell:
        if value is None or not math.isfinite(value):
            return None, NOTHING
        return value, self._figure.metric.text(value, self._unit)

    def _ending(self, curve: FigureCurve, at: float) -> str:
        if (one := curve.at(at)) is None:
            return tr_word("not measured")
        ending = one.reason or tr_word("completed")
        if one.setting in self._drawing.decided:
            return f"{ending}, {tr_word('not measured any more')}"
        return ending

    @override
    def _entries(self) -> list[LegendEntry]:
        at, figure, drawn = self._at, self._figure, self._figure.drawn
        if at is None and (best := figure.chosen):
            at = best.recommended
        entries = self._place_entries(at)
        for rank, curve in enumerate(drawn):
            one = curve.at(at) if at is not None else None
            value = figure.metric.text(one.value) if one and not one.failed else NOTHING
            entries.append(self._entry(rank, curve, curve.name or self._unit_name, value))
        if any(one.setting in self._drawing.decided for curve in drawn for one in curve.points):
            entries.append(LegendEntry(name=f"{_DECIDED} " + self.tr("not measured any more")))
        if more := len(figure.curves) - len(drawn):
            entries.append(LegendEntry(name=self.tr("{} not drawn").format(more)))
        entries += self._published_entries(at)
        roomy = self._at is not None or self.height() >= _LOW
        if roomy and (best := figure.chosen) and at and (price := best.price_of(at)):
            name = self.tr("from {}").format(price.start)
            entries.append(LegendEntry(name=name, value=price.summary))
        return entries

    def _published_entries(self, at: float | None) -> list[LegendEntry]:
        entries = []
        for rank, curve in enumerate(self._figure.drawn):
            if curve.published:
                value = dict(curve.published).get(at or 0)
                text = self._figure.metric.text(value) if value else NOTHING
                name = f"{curve.name} {self.tr('published')}".strip()
                entries.append(LegendEntry(rank=rank, marker="ring", name=name, value=text))
        return entries

    @property
    def _unit_name(self) -> str:
        metric = self._figure.metric
        if metric.unit != "rate":
            return tr_word(metric.name)
        return f"{tr_word(f'{self._unit}s')}/s" if self._unit else ""
