"""The ending of trials as a small badge: a symbol, a word and a colour, most important first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QObject, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPalette, QPen
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from app.style.theme import LIGHT
from app.table.table_model import STATE_ROLE
from core import tr_word

if TYPE_CHECKING:
    from app.style.theme import Theme
    from app.table.table_model import Index

_SYMBOLS: Mapping[str, str] = {
    "completed": "✓",
    "wrong data": "≠",
    "crashed": "✕",
    "failed": "✕",
    "timed out": "◷",
    "errors": "!",
    "nothing done": "○",
    "shortened": "◧",
    "cancelled": "■",
    "not measured": "–",
}
_BAD = frozenset({"wrong data", "crashed", "failed", "timed out", "errors", "nothing done"})
BADGE_PAD = 7
"""Pixels between the ends of a badge and its text."""
ROW_AIR = 5
"""Pixels by which a row is higher than its text."""
_GAP = 8


def badge_text(state: str) -> str:
    """The text of the badge."""
    return f"{_SYMBOLS[state]} {tr_word(state)}"


def beyond(ending: str, state: str) -> str:
    """What an ending says beyond its state, such as `while measuring: SIGSEGV`."""
    return ending.removeprefix(tr_word(state)).lstrip(" ,:")


class BadgeDelegate(QStyledItemDelegate):
    """Paints a badge for the state of a row, and beside it the rest of its ending."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._theme = LIGHT

    def set_theme(self, theme: Theme) -> None:
        """Take colours."""
        self._theme = theme

    @override
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: Index,
    ) -> None:
        state = index.data(STATE_ROLE)
        if state is None:
            super().paint(painter, option, index)
            return
        self.initStyleOption(option, index)
        ending, option.text = option.text, ""
        style = option.widget.style()
        style.drawControl(QStyle.ControlElement.CE_ItemViewItem, option, painter, option.widget)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(option.font)
        area = QRectF(option.rect).adjusted(4, 0, -4, 0)
        painter.setClipRect(area)
        end = self._paint_badge(painter, area, state, option.fontMetrics)
        rest = area.adjusted(end - area.left() + _GAP, 0, 0, 0)
        self._paint_rest(painter, rest, option, beyond(ending, state))
        painter.restore()

    def _paint_badge(
        self, painter: QPainter, area: QRectF, state: str, metrics: QFontMetrics
    ) -> float:
        """Paint it at the left end of the area; where it ends."""
        text = badge_text(state)
        height = min(metrics.height() + 2.0, area.height() - 2)
        box = QRectF(0, 0, metrics.horizontalAdvance(text) + 2 * BADGE_PAD, height)
        box.moveCenter(QPointF(area.left() + box.width() / 2 + 0.5, area.center().y() + 0.5))
        ink, ground = self._colours(state)
        painter.setPen(QPen(QColor(ink), 1))
        painter.setBrush(QColor(ground))
        painter.drawRoundedRect(box, height / 2, height / 2)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)
        return box.right()

    def _colours(self, state: str) -> tuple[str, str]:
        roles = self._theme.roles
        if state in _BAD:
            return roles["alarm"], roles["alarm-panel"]
        if state == "completed":
            return roles["good"], roles["good-panel"]
        return roles["muted"], roles["panel"]

    def _paint_rest(
        self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem, text: str
    ) -> None:
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        role = QPalette.ColorRole.HighlightedText if chosen else QPalette.ColorRole.Text
        painter.setPen(option.palette.color(role))
        room = max(int(area.width()), 0)
        shown = option.fontMetrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)

    @override
    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        size = super().sizeHint(option, index)
        size.setHeight(option.fontMetrics.height() + ROW_AIR)
        state = index.data(STATE_ROLE)
        if state is None:
            return size
        self.initStyleOption(option, index)
        width = option.fontMetrics.horizontalAdvance(badge_text(state)) + 2 * BADGE_PAD + 10
        if rest := beyond(option.text, state):
            width += _GAP + option.fontMetrics.horizontalAdvance(rest)
        return QSize(width, size.height())
