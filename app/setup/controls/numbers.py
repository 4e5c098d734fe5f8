"""A number: a slider on the parameter's scale, and a box to type and step in."""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import QPointF, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent, QPen, QValidator, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QHBoxLayout,
    QSlider,
    QStyle,
    QStyleOptionSlider,
)

from app.setup.controls.control import Control, mark_wrong
from app.setup.controls.scale import Scale
from app.style.tip import as_tip
from core import InvalidParameter, show, translated_by

if TYPE_CHECKING:
    from core import Integer, Real, Value

_POSITIONS = 1000


class NumberControl(Control):
    """A number within its range; refused text stays for correction, with the reason."""

    def __init__(self, kind: Integer | Real, marks: tuple[int, ...] = ()) -> None:
        super().__init__(kind)
        self._box = NumberBox(kind)
        self.name(self._box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self._slider: ScaleSlider | None = None
        if Scale(kind).fits_a_slider:
            self._slider = ScaleSlider(kind, marks)
            self._slider.moved.connect(self._take_slider)
            row.addWidget(self._slider, 1)
        row.addWidget(self._box, 0 if self._slider else 1)
        self._box.edited.connect(self._take_box)
        self.set_value(kind.default)

    @override
    def value(self) -> Value:
        return self._box.number

    @override
    def set_value(self, value: Value) -> None:
        self._box.show_number(value)
        self._follow()

    def _take_slider(self, value: Value) -> None:
        self._box.show_number(value)
        self._follow()
        self.changed.emit()

    def _take_box(self) -> None:
        self._follow()
        self.changed.emit()

    def _follow(self) -> None:
        self.problem = self._box.problem
        if self._slider is not None and not self.problem:
            self._slider.show_number(self._box.number)


class NumberBox(QAbstractSpinBox):
    """Reads a number as the command line does, units included; the arrow keys step by one."""

    edited = Signal()

    def __init__(self, kind: Integer | Real) -> None:
        super().__init__()
        self.kind = kind
        self.number: int | float = kind.default
        self.problem = ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * 12)
        self.lineEdit().textEdited.connect(self._read)
        self.editingFinished.connect(self._tidy)

    def show_number(self, value: Value) -> None:
        """Show a value within the range."""
        checked = self.kind.check(value)
        self.number, self.problem = checked, ""
        self.lineEdit().setText(self._written(checked))
        mark_wrong(self, wrong=False)

    def _read(self, text: str) -> None:
        try:
            self.number, self.problem = self.kind.parse(text.strip()), ""
        except InvalidParameter as error:
            self.problem = error.reason
        mark_wrong(self, wrong=bool(self.problem))
        self.edited.emit()

    def _tidy(self) -> None:
        if not self.problem:
            self.lineEdit().setText(self._written(self.number))

    def _written(self, value: int | float) -> str:
        if self.kind.unit == "bytes":
            with translated_by(None):  # what can be typed here is what the command line takes
                shown = show(value, "bytes")
            return shown if self.kind.parse(shown) == value else str(value)
        if isinstance(value, float):
            text = repr(value).removesuffix(".0")
            return f"{text} s" if self.kind.unit == "seconds" else text
        return str(value)

    @override
    def stepBy(self, steps: int) -> None:
        self.show_number(Scale(self.kind).stepped(self.number, steps))
        self.edited.emit()

    @override
    def stepEnabled(self) -> QAbstractSpinBox.StepEnabledFlag:
        flags = QAbstractSpinBox.StepEnabledFlag
        return flags.StepUpEnabled | flags.StepDownEnabled

    @override
    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        # Users can type wrong text: it is marked, with the reason, instead of being swallowed.
        return QValidator.State.Acceptable, text, position

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        # Scrolling a form must not change the numbers under the pointer.
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ScaleSlider(QSlider):
    """A slider on a linear or logarithmic scale; the arrow keys step by one value."""

    moved = Signal(object)

    def __init__(self, kind: Integer | Real, marks: tuple[int, ...] = ()) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._kind, self._scale = kind, Scale(kind)
        self._marks = tuple(mark for mark in marks if kind.low <= mark <= kind.high)
        self._number: int | float = kind.default
        self.setRange(0, _POSITIONS)
        self.setMinimumWidth(80)
        self.setAccessibleName(self.tr("{} slider").format(kind.label))
        self.setAccessibleDescription(kind.help)
        told = self.tr(" ▏marks {}, the cores here").format(", ".join(map(str, self._marks)))
        self.setToolTip(as_tip(kind.help + (told if self._marks else "")))
        self.valueChanged.connect(self._say)

    def show_number(self, value: Value) -> None:
        """Move to a value, without emitting `moved`."""
        self._number = self._kind.check(value)
        self.blockSignals(True)
        self.setValue(self._place_of(float(value)))
        self.blockSignals(False)

    def _say(self, place: int) -> None:
        self._number = self._scale.number_at(place / _POSITIONS)
        self.moved.emit(self._number)

    def _place_of(self, value: float) -> int:
        return round(self._scale.share_of(value) * _POSITIONS)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key
        steps = {key.Key_Right: 1, key.Key_Up: 1, key.Key_Left: -1, key.Key_Down: -1}
        if event.key() in steps:
            self.show_number(self._scale.stepped(self._number, steps[Qt.Key(event.key())]))
            self.moved.emit(self._number)
        else:
            super().keyPressEvent(event)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._marks:
            return
        painter = QPainter(self)
        painter.setPen(QPen(self.palette().text().color(), 2))
        for mark in self._marks:
            x = self._pixel_of(self._place_of(mark))
            painter.drawLine(QPointF(x, self.height() - 4), QPointF(x, self.height()))

    def _pixel_of(self, place: int) -> int:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        parts = QStyle.ComplexControl.CC_Slider
        groove = self._part(option, parts, QStyle.SubControl.SC_SliderGroove)
        handle = self._part(option, parts, QStyle.SubControl.SC_SliderHandle)
        room = groove.width() - handle.width()
        along = QStyle.sliderPositionFromValue(0, _POSITIONS, place, room)
        return groove.x() + handle.width() // 2 + along

    def _part(
        self, option: QStyleOptionSlider, parts: QStyle.ComplexControl, part: QStyle.SubControl
    ) -> QRect:
        return self.style().subControlRect(parts, option, part, self)
