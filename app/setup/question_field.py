"""One field of the question: what was chosen, and what is known of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, override

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from app.style.labels import as_tip
from app.style.theme import LIGHT, points

if TYPE_CHECKING:
    from app.style.theme import Theme

HIGH = 48
_TWO_LINES = 42
"""Pixels of height that two lines need."""
_RADIUS, _PAD, _SMALL_PAD, _NARROW = 10, 16, 12, 120
"""Pixels beside the texts, and the width of a field in which they are fewer."""
_OPENING = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down}
_CONTROL = Qt.KeyboardModifier.ControlModifier


class FieldText(NamedTuple):
    """What a field says."""

    value: str
    detail: str = ""
    wrong: bool = False
    empty: bool = False
    """Whether nothing was chosen yet, and the value says what to do."""


class QuestionField(QAbstractButton):
    """What was chosen, with what is known of it above; a press opens where it is changed."""

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._text = FieldText("")
        self._above = ""
        self._theme = LIGHT
        self.first = False
        """Whether no line parts it from a field before it."""
        self.setCheckable(True)
        self.setAccessibleName(title)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

    def say(self, text: FieldText) -> None:
        """Show this from now on."""
        if text != self._text:
            self._text = text
            whole = "\n".join(filter(None, (text.value, text.detail)))
            self.setToolTip(as_tip(f"{self._title}: {whole}"))
            self.setAccessibleDescription(whole)
            self.update()

    def say_above(self, above: str) -> None:
        """Show this above what was chosen; empty = what is known of that again."""
        if above != self._above:
            self._above = above
            self.update()

    def texts(self) -> tuple[str, str]:
        """What stands above, and what was chosen, both unabridged."""
        known = " · ".join(filter(None, (self._title, self._text.detail)))
        return self._above or known, self._text.value

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(120, HIGH)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in _OPENING and not event.modifiers() & _CONTROL:  # which measures
            self.click()
        else:
            super().keyPressEvent(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        colours, text, area = self._theme.roles, self._text, QRectF(self.rect())
        value = self._text.value
        with QPainter(self) as p:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            self._paint_ground(p, area)
            side = _SMALL_PAD if self.width() < _NARROW else _PAD
            room = self.width() - 2 * side
            small, large = _font(self.font(), "small"), _font(self.font(), "plain", bold=True)
            large.setWeight(QFont.Weight.Normal if text.empty else QFont.Weight.DemiBold)
            above = self._above_within(QFontMetrics(small), room)
            lines = [
                (small, 7.0, above, "bad" if text.wrong else "ink3"),
                (large, 23.0, value, "ink3" if text.empty else "ink"),
            ]
            if self.height() < _TWO_LINES:
                only = self._above or value  # the time left counts more than all of it
                lines = [(large, (self.height() - 18) / 2, only, lines[1][3])]
            for font, top, what, colour in lines:
                metrics = QFontMetrics(font)
                p.setFont(font)
                p.setPen(QColor(colours["bad" if text.wrong and len(lines) == 1 else colour]))
                line = metrics.elidedText(what, Qt.TextElideMode.ElideRight, room)
                p.drawText(QRectF(side, top, room + 1, 18), Qt.AlignmentFlag.AlignVCenter, line)

    def _above_within(self, metrics: QFontMetrics, room: int) -> str:
        """What stands above, as far as it has room; of a reason, what helps against it."""
        above, _ = self.texts()
        detail = self._text.detail
        remedy = detail[detail.rfind(" (") + 2 : -1] if detail.endswith(")") else detail
        texts = [above, detail, remedy]
        if not self._text.wrong or self._above:  # what is said last is left out first
            parts = above.split(" · ")
            texts = [" · ".join(parts[:count]) for count in range(len(parts), 0, -1)]
        return next((one for one in texts if metrics.horizontalAdvance(one) <= room), texts[-1])

    def _paint_ground(self, p: QPainter, area: QRectF) -> None:
        colours = self._theme.roles
        ground = ""
        if self._text.wrong:
            ground = "bad-tint"
        elif self.isChecked() or self.underMouse():
            ground = "hover"
        if ground:
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(QColor(colours[ground]))
            p.drawRoundedRect(area, _RADIUS, _RADIUS)
        elif not self.first:
            p.fillRect(QRectF(0, 12, 1, area.height() - 24), QColor(colours["edge"]))
        if self.hasFocus():
            p.setBrush(Qt.BrushStyle.NoBrush)
            p.setPen(QPen(QColor(colours["act"]), 2))
            p.drawRoundedRect(area.adjusted(1, 1, -1, -1), _RADIUS, _RADIUS)


def _font(base: QFont, size: str, *, bold: bool = False) -> QFont:
    font = QFont(base)
    font.setPointSizeF(points(size))
    font.setWeight(QFont.Weight.DemiBold if bold else QFont.Weight.Normal)
    return font
