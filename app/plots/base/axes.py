"""Axes with our own units: round ends and ticks of the right kind, and texts from `core`.

Ends are round too, so that axes move rarely during a run; no prefixes are pyqtgraph's.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping
from typing import NamedTuple, override

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QPicture, QStaticText, QTransform

from app.style.theme import Theme

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0)
_MINUTES = (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440)
_CLOCK = _SECONDS + tuple(60.0 * minutes for minutes in _MINUTES)


class Ticks(NamedTuple):
    """Ends of an axis and its ticks, in the axis' own coordinates."""

    low: float
    high: float
    step: float
    ticks: tuple[float, ...]


UNKNOWN = Ticks(0.0, 1.0, 1.0, ())
"""Where there is nothing to show."""
_ONE_TWO_FIVE = (0.0, math.log10(2), math.log10(5))

type Fit = Callable[[float, float, int], Ticks]
"""A scale around the lowest and highest value, with roughly at most that many ticks."""


def decimal_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20 … (times powers of ten) that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= least * (1 - 1e-9))


def binary_step(least: float) -> float:
    """The smallest power of two that is not below `least`."""
    return 2.0 ** math.ceil(math.log2(least) - 1e-9)


def clock_step(least: float) -> float:
    """The smallest step of a clock's face that is not below `least`; whole days above."""
    days = math.ceil(least / 86_400)
    return next((step for step in _CLOCK if step >= least), 86_400.0 * days)


def multiples(low: float, high: float, step: float) -> tuple[float, ...]:
    """Every multiple of the step from low to high."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(step * n for n in range(first, last + 1))


def from_zero(step_of: Callable[[float], float], least: float) -> Fit:
    """Scales that begin at 0 and end at the first tick above the highest value and `least`."""

    def fit(_low: float, high: float, ticks: int) -> Ticks:
        if not math.isfinite(high):
            return UNKNOWN
        top = max(high, least)
        step = step_of(top / max(ticks, 1))
        top = step * math.ceil(top / step * (1 - 1e-9))
        return Ticks(0.0, top, step, multiples(0.0, top, step))

    return fit


def decades(low: float, high: float, ticks: int) -> Ticks:
    """A logarithmic scale; values, ends and ticks are base-10 logarithms.

    Ends are 1, 2 or 5 times a power of ten.  So are ticks where there is room; otherwise they are
    whole decades.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return UNKNOWN
    first, last = math.floor(low), math.ceil(high)
    steps = [power + within for power in range(first, last + 1) for within in _ONE_TWO_FIVE]
    bottom = max(step for step in steps if step <= low + 1e-9)
    top = min(step for step in [*steps, last + 1.0] if step >= max(high, bottom + 0.3) - 1e-9)
    within = tuple(step for step in steps if bottom <= step <= top)
    if len(within) > ticks + 1:
        every = max(1, math.ceil((last - first) / max(ticks, 1)))
        whole = multiples(math.ceil(bottom), math.floor(top), every)
        within = whole if len(whole) > 1 else (bottom, *whole, top)
    return Ticks(bottom, top, 1.0, tuple(dict.fromkeys(within)))


_FITS: Mapping[str, Fit] = {
    "seconds": from_zero(decimal_step, 1e-6),
    "bytes": from_zero(lambda least: binary_step(max(least, 4096.0)), 4096.0),
    "count": from_zero(lambda least: max(decimal_step(least), 1.0), 4.0),
    "share": from_zero(lambda least: 0.25 if 0.2 < least <= 0.25 else decimal_step(least), 0.05),
}
"""By units."""


def axis_of(unit: str, *, logarithmic: bool) -> Fit:
    """The scale for values of that unit, or for their base-10 logarithms."""
    return decades if logarithmic else _FITS.get(unit, from_zero(decimal_step, 1.0))


_GROWING = (
    *(5.0, 10.0, 15.0, 20.0, 30.0, 45.0),
    *(60.0 * minutes for minutes in (1, 1.5, 2, 3, 4, 5, 7.5, 10, 15, 20, 30, 45)),
    *(3600.0 * hours for hours in (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 21)),
    *(86_400.0 * days for days in range(1, 1000)),
)
"""Seconds at which a growing axis may end."""


def growing_end(end: float) -> float:
    """A round time a little after `end`, so that a growing axis moves in steps."""
    return _GROWING[bisect_left(_GROWING, end)]


_GAP = 6
_OVERHANG = 10
_LEADING = 2


class _AxisDrawing(NamedTuple):
    """An axis that is ready to be drawn."""

    pen: QPen
    lines: list[QLineF]
    texts: list[tuple[QPointF, QStaticText]]


class UnitAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """Shows the ticks it is given, with the texts that `show` makes of them."""

    def __init__(
        self, orientation: str, show: Callable[[float, float], str], widest: str = "1,000 MiB"
    ) -> None:
        """`widest`: a text that has room from the start, so that few plots ever move."""
        super().__init__(orientation, maxTickLength=0)
        self._show, self._widest = show, widest
        self._ticks: tuple[float, ...] = ()
        self._step = 1.0
        self._room = 0
        self.picture: QPicture | None = None
        self._drawing: _AxisDrawing | None = None
        self.enableAutoSIPrefix(False)
        self.setStyle(autoExpandTextSpace=False, hideOverlappingLabels=False, tickTextOffset=_GAP)
        if orientation == "left":
            self.setGrid(255)

    def put(self, ticks: tuple[float, ...], step: float) -> None:
        """Place the ticks; `step` decides how exact their texts are."""
        if (ticks, step) != (self._ticks, self._step):
            self._ticks, self._step = ticks, step
            self._make_room()
            self.picture = None
            self.update()

    def texts(self) -> list[str]:
        return self.tickStrings(list(self._ticks), 1.0, self._step)

    def placed(self) -> list[tuple[str, QRectF]]:
        """The texts as they were drawn last, and where, in the axis's own pixels."""
        drawn = self._drawing.texts if self._drawing is not None else []
        return [(text.text(), _ink(place, text)) for place, text in drawn]

    def paint_with(self, theme: Theme, font: QFont) -> None:
        self.setTickFont(font)
        self.setTextPen(theme.muted)
        self.setTickPen(theme.grid)
        self.setPen(theme.grid)
        self._room = 0
        self._make_room()
        if self.orientation != "left" and self.style["showValues"]:
            self.setHeight(QFontMetrics(font).height() + _GAP)

    def _make_room(self) -> None:
        """Be as wide as the widest text so far: pyqtgraph leaves out texts that do not fit."""
        if self.orientation == "left":
            metrics = QFontMetrics(self.style["tickFont"] or QFont())
            widths = map(metrics.horizontalAdvance, [*self.texts(), self._widest])
            if (widest := max(widths)) > self._room:
                self._room = widest
                self.setWidth(widest + _GAP + 2)

    @override
    def paint(self, p: QPainter, opt: object, widget: object) -> None:
        # pyqtgraph plays a QPicture, which lays every text out anew: milliseconds for each axis.
        # It drops the picture wherever something has changed, and so says when to begin anew.
        if self.picture is None or self._drawing is None:
            self._drawing = self._lay_out(p)
            self.picture = QPicture()
        grid, lines, texts = self._drawing
        p.setRenderHint(QPainter.RenderHint.Antialiasing, False)
        p.setPen(grid)
        p.drawLines(lines)
        p.setPen(self.textPen())
        p.setFont(self.style["tickFont"])
        for place, text in texts:
            p.drawStaticText(place, text)

    def _lay_out(self, p: QPainter) -> _AxisDrawing:
        font = self.style["tickFont"]
        p.save()
        specs = self.generateDrawSpecs(p)
        p.restore()
        if specs is None:
            return _AxisDrawing(self.pen(), [], [])
        (pen, *_), ticks, texts = specs
        upright = self.orientation == "left"
        lines = [QLineF(one, two) for _, one, two in ticks] if upright else []
        placed = []
        for rect, _, text in texts:
            still = QStaticText(text)
            still.setTextFormat(Qt.TextFormat.PlainText)
            still.prepare(QTransform(), font)
            area = QRectF(QPointF(), still.size())
            area.moveCenter(rect.center())
            if upright:
                area.moveRight(rect.right())
            placed.append((area.topLeft(), still))
        return _AxisDrawing(pen, lines, _apart(placed) if upright else placed)

    @override
    def tickValues(
        self, minVal: float, maxVal: float, size: float
    ) -> list[tuple[float, list[float]]]:
        return [(self._step, list(self._ticks))]

    @override
    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        # Trailing zeros matter in a measurement but not on an axis.
        return [re.sub(r"\.0+(?= )", "", self._show(value, spacing)) for value in values]

    @override
    def boundingRect(self) -> QRectF:
        # Texts at the ends reach beyond the axis, and pyqtgraph leaves out what does not fit.
        right, below = (0, _OVERHANG) if self.orientation == "left" else (_OVERHANG, 0)
        rect: QRectF = super().boundingRect()
        return rect.adjusted(-right, -below, right, below)


def _apart(placed: list[tuple[QPointF, QStaticText]]) -> list[tuple[QPointF, QStaticText]]:
    """Without texts that would lie over others: of all, the first and the last are kept."""
    texts: list[tuple[QPointF, QStaticText]] = []
    for place, text in (*placed[:1], *placed[:0:-1]):
        area = _ink(place, text)
        if not any(area.intersects(_ink(other, one)) for other, one in texts):
            texts.append((place, text))
    return texts


def _ink(place: QPointF, text: QStaticText) -> QRectF:
    """Where letters are, without the room above and below them."""
    return QRectF(place, text.size()).adjusted(0, _LEADING, 0, -_LEADING)
