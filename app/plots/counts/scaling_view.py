"""How throughput scales with threads: the plan, points whose intervals narrow, and the answer."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple, override

from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QTransform
from PySide6.QtWidgets import QWidget

from app.plots.base.axes import UNKNOWN, Ticks, decimal_step, from_zero
from app.plots.base.end_labels import Bracket, EndLabel, Labels, Ring
from app.plots.base.figure import Cell
from app.plots.counts.counts_plot import BORDER, CountsPlot, CurvesDrawing
from core import NOTHING, CurvesFigure, FigureCurve, tr_word, usable_cores

_TICK_ROOM = 56
_DECIDED = "✓"
_PLANNED, _TURN = 7.0, 11.0
"""Radii of rings: around nothing yet, and around the setting in turn."""
_THIN, _PALE = 0.35, 0.14
"""How strong the curves of a run are that goes on, and intervals of ten seconds ago."""
_EARLIER = 7
"""Pixels: how wide an interval of ten seconds ago is."""


@dataclass(frozen=True, kw_only=True)
class Growth:
    """What is known of settings while a run goes on, by the digests of their specs."""

    so_far: Mapping[str, float] = field(default_factory=dict)
    """Their figure before any trial of theirs has ended."""
    out: Collection[str] = ()
    """Those that are surely slower, or are not measured any more."""
    turn: str = ""
    """The one that is measured now."""
    earlier: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Their intervals of ten seconds ago."""


class _Point(NamedTuple):
    """A setting on its curve; a value of None is one that is not measured yet."""

    at: float
    setting: str
    value: float | None
    low: float
    high: float


class _AnswerDrawing(CurvesDrawing):
    """Draws the plan, what grows from it while it is measured, or the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.growth: Growth | None = None
        """None once nothing is measured any more."""

    @override
    def draw(self, p: QPainter, to: QTransform) -> None:
        growth, figure = self.growth, self._figure
        if is_planned(figure, growth):
            self._paint_plan(p, to)
        elif growth is None:
            super().draw(p, to)
        else:
            for rank, curve in figure.visible(self._hidden):
                self._paint_growing(p, to, rank, [*points_of(curve, growth)])

    def _paint_plan(self, p: QPainter, to: QTransform) -> None:
        """A ring for each setting, a row for each curve."""
        area = to.mapRect(self._view)
        for rank, curve in self._figure.visible(self._hidden):
            y = to.map(QPointF(0.0, row_of(rank, self._figure))).y()
            p.setPen(QColor(self._theme.grid))
            p.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
            p.setPen(QPen(QColor(self._theme.roles["act"]), 1.5))
            p.setBrush(QColor(self._theme.background))
            for at, _ in curve.cells:
                p.drawEllipse(QPointF(self._x(to, at), y), _PLANNED, _PLANNED)

    def _paint_growing(self, p: QPainter, to: QTransform, rank: int, points: list[_Point]) -> None:
        assert self.growth is not None
        colour, thin, pale = (QColor(self._colour(rank)) for _ in range(3))
        thin.setAlphaF(_THIN)
        pale.setAlphaF(_PALE)
        valued = [one for one in points if one.value is not None]
        self._line(p, [self._pixel(to, one, rank) for one in valued], QPen(thin, 1.5))
        for one in points:
            point, out = self._pixel(to, one, rank), one.setting in self.growth.out
            if (ends := self.growth.earlier.get(one.setting)) is not None and not out:
                self._whisker(p, to, point, ends, QPen(pale, _EARLIER))
            if one.value is not None and one.low < one.high:
                self._whisker(p, to, point, (one.low, one.high), QPen(thin if out else colour, 2))
            if one.value is not None:
                self._marker(p, point, rank, hollow=out)
            if one.setting == self.growth.turn:
                dots = QPen(QColor(self._theme.roles["act"]), 2)
                dots.setDashPattern([1.0, 1.9])
                p.setPen(dots)
                p.setBrush(Qt.BrushStyle.NoBrush)
                p.drawEllipse(point, _TURN, _TURN)

    def _pixel(self, to: QTransform, one: _Point, rank: int) -> QPointF:
        """Where a setting is; those of several curves stand side by side."""
        x = self._figure.position(one.at) + self._figure.aside(rank)
        if one.value is None:
            return QPointF(to.map(QPointF(x, 0.0)).x(), self._edge(to, one.at).y())
        return to.map(QPointF(x, one.value))

    def _whisker(
        self,
        p: QPainter,
        to: QTransform,
        point: QPointF,
        ends: tuple[float, float],
        pen: QPen,
    ) -> None:
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        p.setPen(pen)
        area = to.mapRect(self._view)
        low, high = (to.map(QPointF(0.0, end)).y() for end in ends)
        p.drawLine(
            QPointF(point.x(), min(low, area.bottom())), QPointF(point.x(), max(high, area.top()))
        )


def points_of(curve: FigureCurve, growth: Growth | None) -> Iterator[_Point]:
    """The settings of a curve in order, as far as they are known."""
    so_far = growth.so_far if growth is not None else {}
    places = {setting: at for at, setting in curve.cells}
    places |= {one.setting: one.at for one in curve.points}
    measured = {one.setting: one for one in curve.points if not one.failed}
    for setting, at in sorted(places.items(), key=lambda pair: pair[1]):
        if (one := measured.get(setting)) is not None:
            yield _Point(at, setting, one.value, one.low, one.high)
        else:
            value = so_far.get(setting)
            yield _Point(at, setting, value, value or 0.0, value or 0.0)


def is_planned(figure: CurvesFigure, growth: Growth | None) -> bool:
    """Whether nothing of it is known yet."""
    return not any(curve.points for curve in figure.curves) and not (growth and growth.so_far)


def row_of(rank: int, figure: CurvesFigure) -> float:
    """Where the row of a curve is before anything is known, on an axis from 0 to 1."""
    return 1.0 - (rank + 0.5) / len(figure.drawn)


class ScalingView(CountsPlot):
    """Throughput against threads. Hover, or use the arrow keys, for the values at one number."""

    _MARGINS = (16, 4)
    """For crosses at 0, and for marks at the last tick."""
    _ROOM, _LOW_ROOM = (48, 16), (32, 0)
    _drawing: _AnswerDrawing
    _unit = ""
    """The name of an operation."""
    _LEAST = 1e-3
    """Where the axis of values ends at least."""
    marked = False
    """Whether a dotted line stands at the advice, as in the plots beside it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._same: Collection[str] = ()
        self._cores = usable_cores()  # asks the kernel, which takes milliseconds
        super().__init__(_AnswerDrawing(), parent)
        self.setAccessibleName(self._title)

    @override
    def _value_text(self, value: float) -> str:
        return self._figure.metric.text(value).removesuffix("/s")

    @override
    def _scale(self, height: float) -> Ticks:
        curves = [curve for _, curve in self._figure.visible(self._hidden)]
        known = (one for curve in curves for one in points_of(curve, self._drawing.growth))
        top = max(self._figure.top(self._hidden), *(one.value or 0.0 for one in known), 0.0)
        if not top:  # nothing is known, or all have failed
            return UNKNOWN
        return from_zero(decimal_step, self._LEAST)(0.0, top, max(int(height / _TICK_ROOM), 1))

    def show_figure(
        self,
        figure: CurvesFigure,
        unit: str = "",
        same: Collection[str] = (),
        *,
        hatched: bool = False,
        growth: Growth | None = None,
    ) -> None:
        """Show a sweep over threads; `unit` is the name of an operation.

        `same`: the specs, by digest, that are not measurably different from the best.  `hatched`:
        whether it was measured beside other programs.  `growth`: while it is measured.
        """
        self._figure, self._unit, self._same = figure, unit, frozenset(same)
        self._drawing.hatched, self._drawing.growth = hatched, growth
        self.setAccessibleName(self._title)
        self._unpoint()
        self._draw()

    @property
    @override
    def _title(self) -> str:
        figure = self._figure
        return self.tr("{} by {}").format(tr_word(figure.metric.title), tr_word(figure.axis))

    @override
    def summary(self) -> str:
        if not self._figure.curves:
            return self.tr("Vary the threads to see how throughput scales.")
        return "\n".join(self._sentence(curve) for curve in self._figure.curves)

    def _sentence(self, curve: FigureCurve) -> str:
        metric, decided = self._figure.metric, self._out
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
            (at, self._figure.place_text(at)),
            self._told(curve, at),
            *map(self._rate, (one.found.low, one.found.high) if one else (None, None)),
            (price.memory, price.summary) if price else (None, NOTHING),
            self._rate(dict(curve.published).get(at)),
            (ending, ending),
        ]

    def _told(self, curve: FigureCurve, at: float) -> Cell:
        """The figure as the table says it."""
        metric, one = self._figure.metric, curve.at(at)
        if one is None or one.failed or not metric.has_scale:
            return self._rate(one.value if one else None)
        return one.value, metric.told_text(one.told, self._unit, whole=False)

    def _rate(self, value: float | None) -> Cell:
        if value is None or not math.isfinite(value):
            return None, NOTHING
        return value, self._figure.metric.text(value, self._unit)

    def _ending(self, curve: FigureCurve, at: float) -> str:
        if (one := curve.at(at)) is None:
            return tr_word("not measured")
        ending = one.reason or tr_word("completed")
        if one.setting in self._out:
            return f"{ending}, {tr_word('not measured any more')}"
        return ending

    @property
    def _out(self) -> Collection[str]:
        growth = self._drawing.growth
        return growth.out if growth is not None else ()

    @override
    def _heading(self) -> str:
        figure = self._figure
        if not figure.curves:
            return self.summary()
        if is_planned(figure, self._drawing.growth):
            return self.tr("what will be measured")
        parts = [self._measured]
        if more := len(figure.curves) - len(figure.drawn):
            parts.append(self.tr("{} not drawn").format(more))
        if self._drawing.growth is not None and self._at is None:
            parts.append(self.tr("filled: open, hollow: surely slower, dotted ring: in turn now"))
        if any(curve.published for curve in figure.drawn):
            parts.append(self.tr("dashed, hollow: published"))
        if self._at is not None:
            parts.append(figure.count_text(self._at))
            if (best := figure.chosen) and (price := best.price_of(self._at)):
                start = self.tr("from {}").format(price.start)
                parts.append(f"{start}: {price.summary}")
        return " · ".join(parts)

    @property
    def _measured(self) -> str:
        """What the axis of values counts."""
        metric = self._figure.metric
        if metric.key == "throughput" and self._unit:
            return self.tr("{} a second").format(tr_word(f"{self._unit}s"))
        return tr_word(metric.title)

    @override
    def _note(self, curve: FigureCurve, at: float) -> str:
        one = curve.at(at)
        here = self._figure.metric.text(one.value) if one and not one.failed else NOTHING
        published = dict(curve.published).get(at)
        return f"{here} ({self._figure.metric.text(published)})" if published else here

    @override
    def _end_of(self, curve: FigureCurve, rank: int) -> float:
        growth = self._drawing.growth
        if is_planned(self._figure, growth):
            return row_of(rank, self._figure)
        values = [one.value for one in points_of(curve, growth) if one.value]
        return values[-1] if values else super()._end_of(curve, rank)

    @override
    def _labels(self) -> Labels:
        figure, cores = self._figure, self._cores
        below = None
        if figure.axis == "threads" and cores in figure.places:
            below = figure.position(cores), self.tr("all cores")
        visible, labels = figure.visible(self._hidden), super()._labels()
        of_curves = [(one.line, one.published, one.quiet) for _, one in visible]
        if figure.border is not None:
            of_curves.append((figure.border.line, (), ()))
        lines = (line for several in of_curves for line in several)
        quiet = (
            EndLabel(
                name=self.tr("when quiet"), at=curve.quiet[-1][1], rank=rank + len(figure.drawn)
            )
            for rank, curve in visible
            if curve.quiet and self._drawing.growth is None
        )
        return replace(
            labels,
            ends=(*labels.ends, *quiet, *self._end_of_border()),
            corner=self._corner,
            advised=self._advised,
            axis=tr_word(figure.axis) if figure.curves else "",
            below=below,
            rings=tuple(self._rings()),
            bracket=self._bracket(),
            curves=tuple(tuple(map(self._point_of, line)) for line in lines),
        )

    @property
    def _bounded(self) -> bool:
        """Whether more than something was not to be had."""
        return self._figure.border is not None and self._drawing.growth is None

    @property
    def _corner(self) -> str:
        hatched = self._bounded and self._figure.unit == "rate"
        return self.tr("more than the store gives") if hatched else ""

    def _end_of_border(self) -> Iterator[EndLabel]:
        border = self._figure.border
        if border is not None and self._bounded and border.line:
            name = self.tr("leanest client")
            yield EndLabel(name=name, note=border.name, at=border.line[-1][1], rank=BORDER)

    @property
    def _advised(self) -> tuple[float, str] | None:
        best = self._figure.chosen if self.marked and self._drawing.growth is None else None
        if best is None or best.recommended is None:
            return None
        role = "warn" if self._drawing.hatched else "sure" if best.sure else "act"
        return self._figure.position(best.recommended), role

    def _point_of(self, pair: tuple[float, float]) -> QPointF:
        return QPointF(self._figure.position(pair[0]), pair[1])

    def _rings(self) -> Iterator[Ring]:
        """Around the setting to use, or the one that leads; and around the one when quiet."""
        best, figure = self._figure.chosen, self._figure
        one = best.at(best.recommended) if best and best.recommended is not None else None
        if best is None or one is None or one.failed or best.name in self._hidden:
            return
        x, growing = figure.position(one.at), self._drawing.growth is not None
        if growing:
            place = QPointF(x + figure.aside(figure.drawn.index(best)), one.value)
            yield Ring(place, "act", (self.tr("leading"),))
            return
        count, value = figure.count_text(one.at), figure.interval_text(one)
        if not self._drawing.hatched:
            yield Ring(QPointF(x, one.value), "sure" if best.sure else "act", (count, value))
            return
        yield Ring(QPointF(x, one.value), "warn", (self.tr("{}, for now").format(count), value))
        for at, quiet in best.quiet:
            if at == best.quiet_best:
                text = self.tr("{}, when quiet").format(figure.count_text(at))
                lines = (text, figure.metric.text(quiet))
                yield Ring(QPointF(figure.position(at), quiet), "warn", lines)

    def _bracket(self) -> Bracket | None:
        """Over the numbers that are not measurably different from the one to use."""
        best = self._figure.chosen
        provisional = self._drawing.hatched or self._drawing.growth is not None
        if best is None or best.recommended is None or provisional:
            return None
        points = sorted(best.points, key=lambda one: one.at)
        alike = [one.at == best.recommended or one.setting in self._same for one in points]
        # Only up to the first that differs.
        start = end = [one.at for one in points].index(best.recommended)
        while start and alike[start - 1]:
            start -= 1
        while alike[end + 1 : end + 2] == [True]:
            end += 1
        if start == end:
            return None
        left, right = (self._figure.position(points[at].at) for at in (start, end))
        return Bracket(left, right, self.tr("not measurably different"))
