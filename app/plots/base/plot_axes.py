"""Axes with our own units: ticks from `scales`, texts from `core`, no prefixes of pyqtgraph's."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple, override

import pyqtgraph as pg
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen, QPicture, QStaticText, QTransform

from app.style.theme import Theme

_GAP = 6
_OVERHANG = 10
_LEADING = 2


class _Drawing(NamedTuple):
    """An axis that is ready to be drawn."""

    pen: QPen
    lines: list[QLineF]
    texts: list[tuple[QPointF, QStaticText]]


class UnitAxis(pg.AxisItem):  # type: ignore[misc] # pyqtgraph has no types
    """Shows the ticks it is given, with the texts that `show` makes of them."""

    def __init__(self, orientation: str, show: Callable[[float, float], str]) -> None:
        super().__init__(orientation, maxTickLength=0)
        self._show = show
        self._ticks: tuple[float, ...] = ()
        self._step = 1.0
        self._room = 0
        self.picture: QPicture | None = None
        self._drawing: _Drawing | None = None
        self.enableAutoSIPrefix(False)
        self.setStyle(autoExpandTextSpace=False, hideOverlappingLabels=False, tickTextOffset=_GAP)
        self.setGrid(255)

    def put(self, ticks: tuple[float, ...], step: float) -> None:
        """Place the ticks; `step` decides how exact their texts are."""
        if (ticks, step) != (self._ticks, self._step):
            self._ticks, self._step = ticks, step
            self._make_room()
            self._forget()

    def texts(self) -> list[str]:
        """The texts of the ticks."""
        return self.tickStrings(list(self._ticks), 1.0, self._step)

    def placed(self) -> list[tuple[str, QRectF]]:
        """The texts as they were drawn last, and where, in the axis's own pixels."""
        drawn = self._drawing.texts if self._drawing is not None else []
        return [(text.text(), _ink(place, text)) for place, text in drawn]

    def paint_with(self, theme: Theme, font: QFont) -> None:
        """Take colours and font."""
        self.setTickFont(font)
        self.setTextPen(theme.muted)
        self.setTickPen(theme.grid)
        self.setPen(theme.grid)
        self._room = 0
        self._make_room()
        if self.orientation != "left" and self.style["showValues"]:
            self.setHeight(QFontMetrics(font).height() + _GAP)

    def _make_room(self) -> None:
        """Be as wide as the widest text so far, because pyqtgraph leaves out texts that do not fit.

        That of `1,000 MiB` has room from the start, so that few plots ever move.
        """
        if self.orientation == "left":
            metrics = QFontMetrics(self.style["tickFont"] or QFont())
            widths = map(metrics.horizontalAdvance, [*self.texts(), "1,000 MiB"])
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

    def _lay_out(self, p: QPainter) -> _Drawing:
        font = self.style["tickFont"]
        p.save()
        specs = self.generateDrawSpecs(p)
        p.restore()
        if specs is None:
            return _Drawing(self.pen(), [], [])
        (pen, begin, end), ticks, texts = specs
        lines = [QLineF(begin, end), *(QLineF(one, two) for _, one, two in ticks)]
        placed = []
        for rect, _, text in texts:
            still = QStaticText(text)
            still.setTextFormat(Qt.TextFormat.PlainText)
            still.prepare(QTransform(), font)
            size = still.size()
            centred = QPointF(
                rect.right() - size.width()
                if self.orientation == "left"
                else rect.center().x() - size.width() / 2,
                rect.center().y() - size.height() / 2,
            )
            placed.append((centred, still))
        return _Drawing(pen, lines, _apart(placed) if self.orientation == "left" else placed)

    def _forget(self) -> None:
        self.picture = None
        self.update()

    @override
    def tickValues(
        self,
        minVal: float,
        maxVal: float,
        size: float,
    ) -> list[tuple[float, list[float]]]:
        return [(self._step, list(self._ticks))]

    @override
    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        return [_trimmed(self._show(value, spacing)) for value in values]

    @override
    def boundingRect(self) -> QRectF:
        # Texts at the ends reach beyond the axis, and pyqtgraph leaves out what does not fit.
        beside = (0, _OVERHANG) if self.orientation == "left" else (_OVERHANG, 0)
        rect: QRectF = super().boundingRect()
        return rect.adjusted(-beside[0], -beside[1], *beside)


def _apart(placed: list[tuple[QPointF, QStaticText]]) -> list[tuple[QPointF, QStaticText]]:
    """Without texts that would lie over others: of all, the first and the last are kept."""
    kept: list[tuple[QPointF, QStaticText]] = []
    for place, text in (*placed[:1], *placed[:0:-1]):
        area = _ink(place, text)
        if not any(area.intersects(_ink(other, one)) for other, one in kept):
            kept.append((place, text))
    return kept


def _ink(place: QPointF, text: QStaticText) -> QRectF:
    """Where letters are, without the room above and below them."""
    return QRectF(place, text.size()).adjusted(0, _LEADING, 0, -_LEADING)


def _trimmed(text: str) -> str:
    """Without trailing zeros, which matter in a measurement but not on an axis."""
    return re.sub(r"\.0+(?= )", "", text)
