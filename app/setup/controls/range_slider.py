"""A slider with a handle at each end of a range, on its parameter's scale."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QPointF, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy, QWidget

from app.style.labels import as_tip
from core import Integer, Real, tr_word

if TYPE_CHECKING:
    from core import Value

_WIDEST_LINEAR = 1000
"""On a longer linear scale, one pixel of a slider would stand for many values."""


@dataclass(frozen=True)
class NumberScale:
    """The scale of a parameter, linear or logarithmic, from 0 (its lowest) to 1 (its highest)."""

    kind: Integer | Real

    @property
    def fits_a_slider(self) -> bool:
        """Whether a slider can reach the values one by one, or wants to leave some out."""
        return self.kind.scale != "linear" or self.kind.high - self.kind.low <= _WIDEST_LINEAR

    def share_of(self, number: float) -> float:
        """How far along the scale a number is."""
        low, high = self._bend(self.kind.low), self._bend(self.kind.high)
        return (self._bend(number) - low) / (high - low) if high > low else 0.0

    def number_at(self, share: float) -> int | float:
        """The number there, rounded as a user would write it; sizes are powers of two."""
        low, high = self._bend(self.kind.low), self._bend(self.kind.high)
        bent = low + (high - low) * share
        number = self._rounded(bent if self.kind.scale == "linear" else 2.0**bent)
        # Within the range after it was rounded: three digits of a highest value may lie above it.
        number = min(max(number, self.kind.low), self.kind.high)
        return int(number) if isinstance(self.kind, Integer) else float(number)

    def _rounded(self, number: float) -> float:
        if not isinstance(self.kind, Integer):
            return float(f"{number:.3g}")
        if self.kind.unit == "bytes" and number >= 1:
            return 2.0 ** round(math.log2(number))
        return round(number)

    def stepped(self, number: int | float, steps: int) -> int | float:
        """The value that is `steps` steps away, within the range."""
        kind = self.kind
        if kind.unit == "bytes":
            number = number * 2**steps if steps > 0 else number // 2**-steps
        elif isinstance(kind, Real) and kind.high <= 10:
            number = round(number + steps / 10, 6)
        else:
            number += steps
        number = min(max(number, kind.low), kind.high)
        return int(number) if isinstance(kind, Integer) else float(number)

    def _bend(self, value: float) -> float:
        return value if self.kind.scale == "linear" else math.log2(value)


_HANDLE = 16
"""Pixels of a handle's side."""
_GROOVE = 4
_MARK = 5
_NARROWEST = 96
_MOST = 2**31 - 1
"""What Qt's sliders can hold."""


class RangeSlider(QWidget):
    """The handles never pass each other; each takes the focus and the arrow keys.

    A press beside a single value moves it there; a drag of its handle makes it a range.
    """

    moved = Signal()

    def __init__(
        self, kind: Integer | Real, marks: tuple[int, ...] = (), *, single: bool = False
    ) -> None:
        """`marks`: numbers that are marked, the cores here; `single`: there is one handle only."""
        super().__init__()
        self.scale = NumberScale(kind)
        self.ends: tuple[int | float, int | float] = (kind.low, kind.high)
        self._single = single
        self._marks = tuple(mark for mark in marks if kind.low <= mark <= kind.high)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        title = tr_word(kind.label)
        names = (self.tr("{}: from, slider"), self.tr("{}: to, slider"))
        self.handles = tuple(
            _Handle(self, name.format(title), partial(self._move, which))
            for which, name in enumerate(names[: 1 if single else 2])
        )
        self.tab_stops = self.handles
        hints = [] if single else [self.tr("Drag the handle to try a range of values")]
        if self._marks:
            marked = ", ".join(map(str, self._marks))
            hints.append(self.tr("▏marks {}, the cores here").format(marked))
        self.setToolTip(as_tip("\n".join(hints)))

    def show_ends(self, low: Value, high: Value) -> None:
        """Move the handles, without emitting `moved`."""
        kind = self.scale.kind
        self.ends = (kind.check(low), kind.check(high))
        self._place()

    def _move(self, which: int, to: int | float) -> None:
        low, high = self.ends
        if self._single:
            ends = (to, to)
        elif low == high:  # pulled apart to whichever side
            ends = (min(to, low), max(to, high))
        else:
            ends = (min(to, high), high) if which == 0 else (low, max(to, low))
        self._take(ends)

    def _take(self, ends: tuple[int | float, int | float]) -> None:
        if ends != self.ends:
            self.ends = ends
            self._place()
            self.moved.emit()

    def number_under(self, x: float) -> int | float:
        room = max(self.width() - _HANDLE, 1)
        return self.scale.number_at(min(max((x - _HANDLE / 2) / room, 0.0), 1.0))

    def _pixel_of(self, number: float) -> float:
        return _HANDLE / 2 + self.scale.share_of(number) * (self.width() - _HANDLE)

    def _place(self) -> None:
        for handle, number in zip(self.handles, self.ends, strict=False):
            handle.show_number(number)
            handle.move(round(self._pixel_of(number) - _HANDLE / 2), _MARK)
        self.update()

    @override
    def sizeHint(self) -> QSize:
        return QSize(_NARROWEST, _HANDLE + 2 * _MARK)  # its groove is in the middle

    @override
    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Bring the single value, or the nearer handle."""
        x = event.position().x()
        low, high = map(self._pixel_of, self.ends)
        which = int(abs(high - x) < abs(low - x))
        self.handles[which].setFocus(Qt.FocusReason.MouseFocusReason)
        if self.ends[0] == self.ends[1]:
            self._take((self.number_under(x),) * 2)
        else:
            self._move(which, self.number_under(x))

    @override
    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.ends[0] == self.ends[1]:
            self._take((self.number_under(event.position().x()),) * 2)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role, middle = QPalette.ColorRole, _MARK + _HANDLE / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self.palette().color(role.Midlight))
        top = middle - _GROOVE / 2
        painter.drawRoundedRect(QRectF(1, top, self.width() - 2, _GROOVE), 2, 2)
        low, high = map(self._pixel_of, self.ends)
        painter.setBrush(self.palette().color(role.Accent))
        painter.drawRoundedRect(QRectF(low, top, high - low, _GROOVE), 2, 2)
        painter.setPen(QPen(self.palette().color(role.PlaceholderText), 1))
        for mark in self._marks:
            x = round(self._pixel_of(mark)) + 0.5
            painter.drawLine(QPointF(x, _MARK + _HANDLE), QPointF(x, _HANDLE + 2 * _MARK))
        painter.end()


class _Handle(QAbstractSlider):
    """One end, which can be dragged, moved with the arrow keys, and set by a screen reader."""

    def __init__(self, slider: RangeSlider, name: str, move: Callable[[int | float], None]) -> None:
        super().__init__(slider)
        self._slider, self._move_to = slider, move
        self.number: int | float = slider.scale.kind.low
        kind = slider.scale.kind
        self.setRange(round(kind.low), min(round(kind.high), _MOST))
        self.valueChanged.connect(lambda value: self._move_to(kind.check(value)))
        self.resize(_HANDLE, _HANDLE)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(name)
        self.setCursor(Qt.CursorShape.SizeHorCursor)

    def show_number(self, number: int | float) -> None:
        text = self._slider.scale.kind.show(number)
        self.number = number
        with QSignalBlocker(self):
            self.setValue(min(round(number), _MOST))
        self.setAccessibleDescription(text)
        self.setToolTip(as_tip(text))

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # it scrolls the form

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

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, role = QPainter(self), QPalette.ColorRole
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        focused = self.hasFocus()
        edge, fill = (role.WindowText, role.Accent) if focused else (role.Accent, role.Base)
        painter.setPen(QPen(self.palette().color(edge), 2 if focused else 4))
        painter.setBrush(self.palette().color(fill))
        inside = 1 if focused else 2
        painter.drawEllipse(QRectF(inside, inside, _HANDLE - 2 * inside, _HANDLE - 2 * inside))
        painter.end()
