"""Numbers: a slider with two handles on the parameter's scale, and a box to type and step in."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, override

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from app.setup.controls.control import Control
from app.setup.controls.range_slider import NumberScale, RangeSlider
from app.style.labels import restyle
from core import Axis, InvalidParameter, UsageError, show, tr_word, translated_by

if TYPE_CHECKING:
    from core import Integer, Real, Value

_BOX = 12
"""Digits that a box beside a slider has room for."""
_FRAME = 2
"""Digits that its frame takes."""


class NumberControl(Control):
    """Handles together are one number, apart a range; refused text stays for correction."""

    kind: Integer | Real

    def __init__(
        self, kind: Integer | Real, marks: tuple[int, ...] = (), *, single: bool = False
    ) -> None:
        """`single`: there is one number, never a range."""
        super().__init__(kind)
        self._box = NumberBox(kind, single=single)
        self.name(self._box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        self._slider: RangeSlider | None = None
        if NumberScale(kind).fits_a_slider:
            self._slider = RangeSlider(kind, marks, single=single)
            self._slider.moved.connect(partial(self._take_ends, self._slider))
            row.addWidget(self._slider, 1)
        else:
            row.addStretch(1)
            self._box.setFixedWidth(2 * self._box.width())
        row.addWidget(self._box)
        self._box.edited.connect(self._follow)
        self._box.edited.connect(self.changed)
        self.set_value(kind.default)

    @override
    def values(self) -> tuple[Value, ...]:
        return self._box.numbers

    @override
    def set_values(self, values: Sequence[Value]) -> None:
        self._box.show_numbers(values)
        self._follow()

    def _take_ends(self, slider: RangeSlider) -> None:
        self.set_values(Axis.between(self.kind, *slider.ends).values)
        self.changed.emit()

    def _follow(self) -> None:
        self.problem = self._box.problem
        if self._slider is not None and not self.problem:
            self._slider.show_ends(min(self._box.numbers), max(self._box.numbers))


class NumberBox(QLineEdit):
    """Reads numbers as the command line does: `128`, `1..16` or `1,2,4`, units included.

    The arrow keys step a single one.
    """

    edited = Signal()

    def __init__(self, kind: Integer | Real, *, single: bool = False) -> None:
        super().__init__()
        self.kind = kind
        self.numbers: tuple[int | float, ...] = (kind.default,)
        self.problem = ""
        self._single = single
        self._unit = tr_word(kind.unit) if kind.unit not in {"", "bytes", "seconds"} else ""
        self._of_zero = kind.of_zero.partition(",")[0] if single else ""
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        digit, word = map(self.fontMetrics().horizontalAdvance, ("0", self._of_zero))
        self.setFixedWidth(min(max(_BOX * digit, word + _FRAME * digit), 2 * _BOX * digit))
        self.textEdited.connect(self._read)
        self.editingFinished.connect(self._tidy)

    def show_numbers(self, values: Sequence[Value]) -> None:
        self.numbers, self.problem = tuple(map(self.kind.check, values)), ""
        self.setText(self._in_full())
        restyle(self, "wrong", False)

    def _read(self, text: str) -> None:
        text = "0" if text and text == self._of_zero else text.strip().removesuffix(self._unit)
        text = text.strip().replace("–", "..").replace(" .. ", "..")
        try:
            single = self._single
            values = (self.kind.parse(text),) if single else Axis.read(self.kind, text).values
            self.numbers, self.problem = tuple(map(self.kind.check, values)), ""
        except InvalidParameter as error:
            self.problem = f"{error.reason}{f' ({error.remedy})' if error.remedy else ''}"
        except UsageError as error:
            self.problem = str(error)
        restyle(self, "wrong", bool(self.problem))
        self.edited.emit()

    def _tidy(self) -> None:
        if not self.problem:
            self.setText(self._in_full())

    def _in_full(self) -> str:
        """What 0 means, or with its unit where that has room."""
        written = self._written()
        if self.numbers == (0,) and self._of_zero:
            return self._of_zero
        whole = f"{written} {self._unit}".rstrip()
        room = self.width() - _FRAME * self.fontMetrics().horizontalAdvance("0")
        fits = self.fontMetrics().horizontalAdvance(whole) <= room
        # The unit is in the plural, and what 0 means is said below.
        return whole if fits and self.numbers not in {(0,), (1,)} else written

    def _written(self) -> str:
        if len(self.numbers) > 1:
            written = Axis(self.kind.name, self.numbers).written(self.kind)
            return written.replace("..", " – ").replace(",", ", ")
        (value,) = self.numbers
        if self.kind.unit == "bytes":
            with translated_by(None):  # what can be typed here is what the command line takes
                text = show(value, "bytes")
            return text if self.kind.parse(text) == value else str(value)
        if isinstance(value, float):
            text = repr(value).removesuffix(".0")
            return f"{text} s" if self.kind.unit == "seconds" else text
        return str(value)

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        steps = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}.get(Qt.Key(event.key()), 0)
        if not steps:
            super().keyPressEvent(event)
        elif len(self.numbers) == 1:
            self.show_numbers((NumberScale(self.kind).stepped(self.numbers[0], steps),))
            self.edited.emit()
