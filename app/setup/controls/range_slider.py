"""A slider with two handles: the lowest and the highest value along an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.setup.controls.scale import Scale
from app.style.tip import as_tip
from core import tr_word

if TYPE_CHECKING:
    from core import Integer, Real, Value

_HANDLE = 16
"""Pixels of a handle's side; as large as the handle of the other sliders."""
_GROOVE = 6
_GAP = 3
_NARROWEST = 160


class RangeSlider(QWidget):
    """The handles never pass each other; each takes the focus and the arrow keys."""

    moved = Signal()

    def __init__(self, kind: Integer | Real, marks: tuple[int, ...] = ()) -> None:
        """`marks`: numbers that are marked and named, the cores here."""
        super().__init__()
        self.scale = Scale(kind)
        self.ends: tuple[int | float, int | float] = (kind.low, kind.high)
        self._marks = tuple(mark for mark in marks if kind.low <= mark <= kind.high)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        title = tr_word(kind.label)
        self.handles = (
            _Handle(self, self.tr("{}: from, slider").format(title), lambda to: self._move(to, 0)),
            _Handle(self, self.tr("{}: to, slider").format(title), lambda to: self._move(to, 1)),
        )
        self.tab_stops = self.handles
        if self._marks:
            told = ", ".join(map(str, self._marks))
            self.setToolTip(as_tip(self.tr("▏marks {}, the cores here").format(told)))

    def show_ends(self, low: Value, high: Value) -> None:
        """Move the handles, without emitting `moved`."""
        kind = self.scale.kind
        self.ends = (kind.check(low), kind.check(high))
        self._place()

    def _move(self, to: int | float, which: int) -> None:
        low, high = self.ends
        ends = (min(to, high), high) if which == 0 else (low, max(to, low))
        if ends != self.ends:
            self.ends = ends
            self._place()
            self.moved.emit()

    def number_under(self, x: float) -> int | float:
        """The number at that pixel."""
        room = max(self.width() - _HANDLE, 1)
        return self.scale.number_at(min(max((x - _HANDLE / 2) / room, 0.0), 1.0))

    def _pixel_of(self, number: float) -> float:
        return _HANDLE / 2 + self.scale.share_of(number) * (self.width() - _HANDLE)

    def _place(self) -> None:
        for handle, number in zip(self.handles, self.ends, strict=True):
            handle.number = number
            handle.move(round(self._pixel_of(number) - _HANDLE / 2), 0)
            # A plain widget has no value of its own for those who cannot see it.
            handle.setAccessibleDescription(self.scale.kind.show(number))
            handle.setToolTip(as_tip(self.scale.kind.show(number)))
        self.update()

    @override
    def sizeHint(self) -> QSize:
        words = self.fontMetrics().height() + _GAP if self._marks else 0
        return QSize(_NARROWEST, _HANDLE + words)

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the nearer handle."""
        x = event.position().x()
        near = [abs(self._pixel_of(end) - x) for end in self.ends]
        # Where both are at one place, the side of the press says which is meant.
        which = int(near[1] < near[0] or (near[0] == near[1] and x > self._pixel_of(self.ends[1])))
        self.handles[which].setFocus(Qt.FocusReason.MouseFocusReason)
        self._move(self.number_under(x), which)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role, middle = QPalette.ColorRole, _HANDLE / 2
        painter.setPen(QPen(self.palette().color(role.Mid), 1))
        painter.setBrush(self.palette().color(role.AlternateBase))
        whole = QRectF(1, middle - _GROOVE / 2, self.width() - 2, _GROOVE)
        painter.drawRoundedRect(whole, 3, 3)
        low, high = map(self._pixel_of, self.ends)
        painter.setBrush(self.palette().color(role.Highlight))
        painter.drawRoundedRect(QRectF(low, middle - _GROOVE / 2, high - low, _GROOVE), 3, 3)
        painter.setPen(QPen(self.palette().color(role.WindowText), 2))
        for mark in self._marks:
            x = self._pixel_of(mark)
            painter.drawLine(QPointF(x, _HANDLE - 3), QPointF(x, _HANDLE + 2))
            word = self.tr("cores: {}").format(mark)
            width = self.fontMetrics().horizontalAdvance(word)
            left = min(max(x - width / 2, 0.0), max(self.width() - width, 0.0))
            baseline = _HANDLE + _GAP + self.fontMetrics().ascent()
            painter.drawText(QPointF(left, baseline), word)
        painter.end()


class _Handle(QWidget):
    """One end, which can be dragged, and moved with the arrow keys."""

    def __init__(self, slider: RangeSlider, name: str, move: Callable[[int | float], None]) -> None:
        super().__init__(slider)
        self._slider, self._move_to = slider, move
        self.number: int | float = slider.scale.kind.low
        self.resize(_HANDLE, _HANDLE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.SizeHorCursor)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()  # it takes the focus, and stays where it is until it is dragged

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._move_to(self._slider.number_under(self.mapToParent(event.position()).x()))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, scale = Qt.Key, self._slider.scale
        steps = {key.Key_Right: 1, key.Key_Up: 1, key.Key_Left: -1, key.Key_Down: -1}
        ends = {key.Key_Home: scale.kind.low, key.Key_End: scale.kind.high}
        if event.key() in steps:
            self._move_to(scale.stepped(self.number, steps[key(event.key())]))
        elif event.key() in ends:
            self._move_to(ends[key(event.key())])
        else:
            super().keyPressEvent(event)

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.raise_()
        self.update()

    @override
    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, role = QPainter(self), QPalette.ColorRole
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.hasFocus()
        edge, fill = (role.WindowText, role.Highlight) if focused else (role.Highlight, role.Base)
        painter.setPen(QPen(self.palette().color(edge), 2))
        painter.setBrush(self.palette().color(fill))
        painter.drawEllipse(QRectF(1, 1, _HANDLE - 2, _HANDLE - 2))
        painter.end()
