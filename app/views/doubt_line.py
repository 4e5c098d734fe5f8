"""The line of doubt below the verdict: how sure, what was compared, which run."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple, override

from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QAbstractButton

from app.style.labels import as_tip, sized
from app.style.theme import LIGHT, Theme

_TEXT = 13
_HEIGHT = 24
_SIGN = 16
_AFTER_SIGN = 7
_GAP = 20
_BARS = 3
_DOT = 11.5
"""From one dot of a row to the next."""
_LEAST = 60
"""Pixels below which a text that is cut says nothing."""
_STROKES: dict[str, tuple[tuple[tuple[float, float], ...], ...]] = {
    "check": (((3.5, 8.5), (6.5, 11.5), (12.5, 4.5)),),
    "cross": (((4, 4), (12, 12)), ((12, 4), (4, 12))),
    "warn": (
        ((8, 2.8), (14, 13), (2, 13), (8, 2.8)),
        ((8, 6.6), (8, 9.6)),
        ((8, 11.2), (8, 11.5)),
    ),
    "wait": (((8, 5), (8, 8.2), (10.2, 9.8)),),
    "down": (((4.5, 6.5), (8, 10), (11.5, 6.5)),),
}
"""Lines of a sign within its 16 × 16 pixels."""

type Sign = Literal["", "bars", "dots", "check", "cross", "warn", "dot", "ring", "wait"]


class Remark(NamedTuple):
    """One thing that the line says."""

    text: str
    sign: Sign = ""
    """What stands before it."""
    role: str = "ink2"
    """The colour of sign and text by its name in the theme."""
    bold: bool = False
    full: int = 0
    """How many of three bars, or of ten dots, are full."""
    tip: str = ""
    brief: str = ""
    """The text where there is little room; empty where there is no shorter one."""
    opens: Literal["", "runs", "trials"] = ""
    """What a click on it opens."""
    rank: int = 0
    """Where there is no room, the highest goes first; 0 stays."""


class Placed(NamedTuple):
    remark: Remark
    text: str
    """As much of it as has room."""
    area: QRect


class DoubtLine(QAbstractButton):
    """Always has the same place: what it says moves within it, and what opens is a part of it."""

    opened = Signal(str, QPoint)
    """What is to be opened (`Remark.opens`), and where on the screen that stands."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self._remarks: tuple[Remark, ...] = ()
        self._hit: Placed | None = None
        self._under: Placed | None = None
        """What opens and was pressed, and what is below the mouse."""
        self.setMouseTracking(True)
        self.setFixedHeight(_HEIGHT)
        self.clicked.connect(self._open)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    def say(self, remarks: Sequence[Remark]) -> None:
        """Show these remarks, in this order."""
        self._remarks = tuple(remarks)
        self.setAccessibleName(" · ".join(one.text for one in remarks))
        tip = "\n".join(f"{one.text}: {one.tip}" for one in remarks if one.tip)
        self.setAccessibleDescription(tip)
        self.setToolTip(as_tip(tip))
        opens = any(one.opens for one in remarks)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if opens else Qt.FocusPolicy.NoFocus)
        self.update()

    def texts(self) -> tuple[str, ...]:
        """What is in sight."""
        return tuple(one.text for one in self.places())

    def cut(self) -> tuple[str, ...]:
        """What has no room for all of it."""
        return tuple(one.remark.text for one in self.places() if one.text != one.remark.text)

    @override
    def sizeHint(self) -> QSize:
        return QSize(0, _HEIGHT)

    def _open(self) -> None:
        """What is below the mouse, or by a key the runs, or what else there is to open."""
        one, self._hit = self._hit or self._opening()[-1], None
        self.opened.emit(one.remark.opens, self.mapToGlobal(one.area.bottomLeft()))

    def _opening(self) -> list[Placed]:
        return [one for one in self.places() if one.remark.opens]

    def _at(self, place: QPoint) -> Placed | None:
        return next((one for one in self._opening() if one.area.contains(place)), None)

    def _font(self, *, bold: bool) -> QFont:
        return sized(self.font(), _TEXT, bold=bold)

    def _width(self, remark: Remark) -> int:
        metrics = QFontMetrics(self._font(bold=remark.bold))
        return self._beside(remark) + metrics.horizontalAdvance(remark.text)

    def _beside(self, remark: Remark) -> int:
        """Pixels for what stands beside the text."""
        return self._before(remark) + (_SIGN + 6 if remark.opens == "runs" else 0)

    def _before(self, remark: Remark) -> int:
        sign = round(10 * _DOT) if remark.sign == "dots" else _SIGN
        return sign + _AFTER_SIGN if remark.sign else 0

    def places(self) -> list[Placed]:
        """What has room, and where it stands."""
        shown = list(self._remarks)
        while self._surplus(shown) > 0 and any(one.rank for one in shown):
            shown.remove(max(reversed(shown), key=lambda one: one.rank))
        for at in sorted(range(len(shown)), key=lambda at: -self._width(shown[at])):
            if shown[at].brief and self._surplus(shown) > 0:
                shown[at] = shown[at]._replace(text=shown[at].brief, brief="")
        surplus = max(self._surplus(shown), 0)
        places, x = [], 0
        longest = max(shown, key=self._width, default=None)
        for one in shown:
            text, width = one.text, self._width(one)
            if surplus and one is longest:
                room = max(width - self._beside(one) - surplus, _LEAST)
                metrics = QFontMetrics(self._font(bold=one.bold))
                text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
                width = self._beside(one) + metrics.horizontalAdvance(text)
            places.append(Placed(one, text, QRect(x, 0, width, _HEIGHT)))
            x += width + _GAP
        return places

    def _surplus(self, remarks: Sequence[Remark]) -> int:
        return sum(self._width(one) + _GAP for one in remarks) - _GAP - self.width()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place in self.places():
            self._paint(painter, place)
        for one in self._opening()[-1:] if self.hasFocus() else ():
            painter.setPen(QPen(QColor(self._theme.roles["act"]), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(one.area.adjusted(-4, 1, 3, -1), 4, 4)
        painter.end()

    def _paint(self, painter: QPainter, place: Placed) -> None:
        remark, area = place.remark, place.area
        colour = QColor(self._theme.roles[remark.role])
        if remark.sign:
            self._paint_sign(painter, remark, QPointF(area.left(), (_HEIGHT - _SIGN) / 2))
        left = area.left() + self._before(remark)
        font = self._font(bold=remark.bold)
        font.setUnderline(place == self._under)
        painter.setFont(font)
        painter.setPen(colour)
        width = QFontMetrics(font).horizontalAdvance(place.text)
        line = QRect(left, 0, width + 1, _HEIGHT)
        painter.drawText(line, Qt.AlignmentFlag.AlignVCenter, place.text)
        if remark.opens == "runs":
            at = QPointF(area.right() - _SIGN + 1, (_HEIGHT - _SIGN) / 2)
            draw_sign(painter, "down", at, colour)

    def _paint_sign(self, painter: QPainter, remark: Remark, at: QPointF) -> None:
        full = QColor(self._theme.roles[remark.role])
        if remark.sign == "bars":
            draw_bars(painter, at + QPointF(0, 1), remark.full, remark.role, self._theme)
        elif remark.sign != "dots":
            draw_sign(painter, remark.sign, at, full)
        for dot in range(10 if remark.sign == "dots" else 0):
            painter.setPen(QPen(full, 1.5))
            painter.setBrush(full if dot < remark.full else Qt.BrushStyle.NoBrush)
            painter.drawEllipse(QPointF(at.x() + 6 + _DOT * dot, at.y() + 8), 3.5, 3.5)

    @override
    def hitButton(self, pos: QPoint) -> bool:
        self._hit = self._at(pos)
        return self._hit is not None

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._hover(self._at(event.position().toPoint()))

    @override
    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, place: Placed | None) -> None:
        shapes = Qt.CursorShape
        self._under = place
        self.setCursor(shapes.PointingHandCursor if place else shapes.ArrowCursor)
        self.update()


def draw_bars(painter: QPainter, at: QPointF, full: int, role: str, theme: Theme) -> None:
    """How sure: three rising bars of 16 × 14 pixels."""
    colour, edge = QColor(theme.roles[role]), QColor(theme.roles["edge"])
    outlined = theme.roles["rim"] != "transparent"  # there an edge is no fainter
    painter.setPen(edge if outlined else Qt.PenStyle.NoPen)
    hollow = Qt.BrushStyle.NoBrush if outlined else edge
    for bar in range(_BARS):
        painter.setBrush(colour if bar < full else hollow)
        place = QRectF(at.x() + 6 * bar, at.y() + 8 - 4 * bar, 4, 6 + 4 * bar)
        painter.drawRoundedRect(place, 1, 1)


def draw_sign(painter: QPainter, sign: str, at: QPointF, colour: QColor) -> None:
    """Draw a sign of 16 × 16 pixels."""
    pen = QPen(colour, 1.6)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)
    painter.setBrush(colour if sign == "dot" else Qt.BrushStyle.NoBrush)
    if sign in {"dot", "ring", "wait"}:
        radius = 5.5 if sign == "wait" else 3.6
        painter.drawEllipse(at + QPointF(8, 8), radius, radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for stroke in _STROKES.get(sign, ()):
        painter.drawPolyline(QPolygonF([at + QPointF(x, y) for x, y in stroke]))
