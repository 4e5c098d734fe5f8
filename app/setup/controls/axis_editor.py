"""The values that a parameter takes along an axis of a sweep."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, override

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QSpinBox, QVBoxLayout, QWidget

from app.setup.controls.numbers import NumberBox
from app.setup.controls.range_slider import RangeSlider
from app.setup.controls.scale import Scale
from core import Axis, Choice, Flag, Integer, InvalidParameter, Real, tr_word

if TYPE_CHECKING:
    from core import Kind, Value

_MOST_STEPS = 64
_USUAL_STEPS = 4


class AxisEditor(QWidget):
    """Shows and holds the values of an axis; an axis without values is a problem."""

    changed = Signal()

    def values(self) -> tuple[Value, ...]:
        """The values in their order; empty if they cannot be used."""
        raise NotImplementedError

    def state(self) -> list[Any]:
        """What was chosen, as JSON values."""
        raise NotImplementedError

    def restore(self, state: Sequence[Any]) -> None:
        """Restore what `state` returned, without emitting `changed`; raises InvalidParameter."""
        raise NotImplementedError

    def problem(self) -> str:
        """Why there are no values."""
        return "" if self.values() else self.tr("choose at least one value")


class NumberAxis(AxisEditor):
    """From, to, and the number of steps; a slider with two handles moves both ends."""

    def __init__(self, kind: Integer | Real, start: Value, marks: tuple[int, ...] = ()) -> None:
        super().__init__()
        self._kind = kind
        self._low, self._high, self._steps = NumberBox(kind), NumberBox(kind), QSpinBox()
        self._shown = QLabel()
        self._shown.setWordWrap(True)
        self._shown.setProperty("part", "muted")
        self._steps.setRange(1, _MOST_STEPS)
        self._steps.setValue(_USUAL_STEPS)
        self._low.show_number(kind.check(start))
        top = float(start) * 2 ** (_USUAL_STEPS - 1) or float(_USUAL_STEPS - 1)
        self._high.show_number(kind.check(kind.default.__class__(min(top, kind.high))))
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        for place, (title, box) in enumerate(
            (
                (self.tr("from"), self._low),
                (self.tr("to"), self._high),
                (self.tr("steps"), self._steps),
            )
        ):
            label = QLabel(title)
            label.setProperty("part", "muted")
            box.setAccessibleName(f"{tr_word(kind.label)}: {title}")
            box.setMinimumWidth(50)
            label.setBuddy(box)
            grid.addWidget(label, 0, place)
            grid.addWidget(box, 1, place)
        self._slider = RangeSlider(kind, marks) if Scale(kind).fits_a_slider else None
        if self._slider is not None:
            grid.addWidget(self._slider, 2, 0, 1, 3)
            self._slider.moved.connect(self._take_slider)
        grid.addWidget(self._shown, 3, 0, 1, 3)
        self._low.edited.connect(self._tell)
        self._high.edited.connect(self._tell)
        self._steps.valueChanged.connect(self._tell)
        self._show()

    @override
    def values(self) -> tuple[Value, ...]:
        if self._low.problem or self._high.problem or self._low.number > self._high.number:
            return ()
        low, high, steps = self._low.number, self._high.number, self._steps.value()
        return Axis.spaced(self._kind, low, high, steps).values

    @override
    def state(self) -> list[Any]:
        return [self._low.number, self._high.number, self._steps.value()]

    @override
    def restore(self, state: Sequence[Any]) -> None:
        if len(state) != 3 or not isinstance(state[2], int) or not 1 <= state[2] <= _MOST_STEPS:
            raise InvalidParameter(self._kind.name, "what is kept is no axis")
        low, high, steps = state
        self._low.show_number(low)
        self._high.show_number(high)
        self._steps.blockSignals(True)
        self._steps.setValue(steps)
        self._steps.blockSignals(False)
        self._show()

    @override
    def problem(self) -> str:
        if self._low.problem or self._high.problem:
            return self._low.problem or self._high.problem
        return "" if self._low.number <= self._high.number else self.tr("‘from’ is above ‘to’")

    def _tell(self) -> None:
        self._show()
        self.changed.emit()

    def _take_slider(self) -> None:
        assert self._slider is not None
        low, high = self._slider.ends
        self._low.show_number(low)
        self._high.show_number(high)
        self._tell()

    def _show(self) -> None:
        if self._slider is not None and not self.problem():
            self._slider.show_ends(self._low.number, self._high.number)
        self._shown.setText(" · ".join(map(self._kind.show, self.values())))


class OptionsAxis(AxisEditor):
    """Any of a few values, ticked."""

    def __init__(self, kind: Choice | Flag, start: Value) -> None:
        super().__init__()
        options: dict[str, tuple[Value, str]] = (
            {value: (value, option.help) for value, option in kind.options.items()}
            if isinstance(kind, Choice)
            else {kind.show(value): (value, kind.help) for value in (False, True)}
        )
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        self._boxes: list[tuple[QCheckBox, Value]] = []
        for shown, (value, help_text) in options.items():
            box = QCheckBox(shown)
            box.setAccessibleName(f"{tr_word(kind.label)}: {shown}")
            box.setToolTip(tr_word(help_text))
            box.setChecked(value == start or isinstance(kind, Flag))
            box.toggled.connect(lambda _: self.changed.emit())
            column.addWidget(box)
            self._boxes.append((box, value))

    @override
    def values(self) -> tuple[Value, ...]:
        return tuple(value for box, value in self._boxes if box.isChecked())

    @override
    def state(self) -> list[Any]:
        return list(self.values())

    @override
    def restore(self, state: Sequence[Any]) -> None:
        for box, value in self._boxes:
            box.blockSignals(True)
            box.setChecked(value in state)
            box.blockSignals(False)


def axis_for(kind: Kind, start: Value, marks: tuple[int, ...] = ()) -> AxisEditor | None:
    """The editor of a parameter's axis; None for texts, which have no values to step along.

    `marks` are values that its slider marks.
    """
    match kind:
        case Integer() | Real():
            return NumberAxis(kind, start, marks)
        case Choice() | Flag():
            return OptionsAxis(kind, start)
        case _:
            return None
