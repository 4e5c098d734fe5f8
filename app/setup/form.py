"""The parameter form, made from declarations: a row for each parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QVBoxLayout, QWidget

from app.setup.controls import control_for
from app.setup.controls.choices import ChipsControl
from app.style.labels import label, restyle
from app.style.layouts import spaced
from core import Axis, Choice, Flag, InvalidParameter, tr_word

if TYPE_CHECKING:
    from core import Kind, Value

type Values = Mapping[str, Sequence[Value]]
"""By parameter one value, or those that are tried against each other."""

_LABEL = "Page cache  "
"""The longest label that has its control beside it."""


class ParameterForm(QWidget):
    """Holds the values, what varies, and what is wrong with either."""

    changed = Signal()

    def __init__(
        self, kinds: Sequence[Kind], values: Mapping[str, Value], marks: Mapping[str, int]
    ) -> None:
        super().__init__()
        self._rows = {
            kind.name: FormRow(kind, values.get(kind.name), marks.get(kind.name)) for kind in kinds
        }
        self._irrelevant: frozenset[str] = frozenset()
        self._searched: tuple[str, ...] = ()
        self._others: Values = {}
        column = spaced(QVBoxLayout(self), 8)
        for row in self._rows.values():
            column.addWidget(row)
            row.changed.connect(self._show_rows)
            row.changed.connect(self.changed)
        self._show_rows()

    def hide_irrelevant(self, names: frozenset[str]) -> None:
        """Hide the parameters of these names, which mean nothing with the values of others."""
        if names != self._irrelevant:
            self._irrelevant = names
            self._show_rows()

    def know_others(self, others: Values) -> None:
        """Take the values in other forms, which can leave parameters of this one without effect."""
        if others != self._others:
            self._others = others
            self._show_rows()

    def look_for(self, words: str) -> None:
        """Show only rows whose name or help has these words; all if empty."""
        self._searched = tuple(words.lower().split())
        self._show_rows()

    def fill(self, values: Mapping[str, Value]) -> None:
        """Show values, as far as they belong to this form, without emitting `changed`."""
        for name, value in values.items():
            if name in self._rows:
                self._rows[name].control.set_value(value)
        self._show_rows()

    def row(self, name: str) -> FormRow | None:
        return self._rows.get(name)

    def rows(self) -> tuple[FormRow, ...]:
        return tuple(self._rows.values())

    def values(self) -> dict[str, Value]:
        """The first value of each parameter that has an effect."""
        return {
            name: row.control.value() for name, row in self._rows.items() if self._applies(row.kind)
        }

    def axes(self) -> tuple[Axis, ...]:
        """The parameters of which several values are tried."""
        return tuple(
            Axis(name, values)
            for name, row in self._rows.items()
            if len(values := row.control.values()) > 1 and self._applies(row.kind)
        )

    def state(self) -> dict[str, list[Value]]:
        """All values by parameter, also of those without effect."""
        return {name: list(row.control.values()) for name, row in self._rows.items()}

    def restore(self, state: Values) -> None:
        """Restore what `state` returned, without emitting `changed`."""
        for name, values in state.items():
            if name in self._rows and values:
                with suppress(InvalidParameter):  # it is no longer allowed
                    self._rows[name].control.set_values(values)
        self._show_rows()

    def problem(self) -> str:
        """The first problem, with the parameter's name; empty if there is none."""
        for row in self._rows.values():
            if self._applies(row.kind) and row.control.problem:
                return f"{tr_word(row.kind.label)}: {row.control.problem}"
        return ""

    def _applies(self, kind: Kind) -> bool:
        """Whether a parameter has an effect with any of the others' values."""
        return kind.name not in self._irrelevant and all(
            any(value in allowed for value in self._possible(name))
            for name, allowed in kind.only_when.items()
        )

    def _possible(self, name: str) -> Sequence[Value]:
        row = self._rows.get(name)
        return row.control.values() if row is not None else self._others.get(name, ())

    def _show_rows(self) -> None:
        for row in self._rows.values():
            visible = self._applies(row.kind) and row.says(self._searched)
            if visible is row.isHidden():
                row.setVisible(visible)
            row.say()


class FormRow(QWidget):
    """One parameter: label, control, and a remark on it; chips stand below their label."""

    changed = Signal()

    def __init__(self, kind: Kind, value: Value | None, mark: int | None) -> None:
        super().__init__()
        self.kind = kind
        self.control = control_for(kind, (mark,) if mark else ())
        if value is not None:
            self.control.set_value(value)
        below = isinstance(self.control, ChipsControl)
        title = label(tr_word(kind.label), "heading" if below else "")
        title.setBuddy(self.control)
        title.setToolTip(tr_word(kind.help))
        if not below:
            title.setFixedWidth(self.fontMetrics().horizontalAdvance(_LABEL))
            title.setWordWrap(True)
        self._remark = QLabel()
        self._remark.setWordWrap(True)
        self._remark.hide()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(4)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(title, 0, 0, Qt.AlignmentFlag.AlignVCenter)
        if below:
            self._grid.addWidget(self.control, 1, 0, 1, 2)
        else:
            self._grid.addWidget(self.control, 0, 1)
        self._grid.addWidget(self._remark, 2, 0, 1, 2)
        self.control.changed.connect(self.changed)
        self.say()

    def text(self) -> str:
        """Its values in a few words, such as `1–8 threads`."""
        values, name = self.control.values(), tr_word(self.kind.label)
        if isinstance(self.kind, Choice):
            return " / ".join(tr_word(self.kind.plain(str(one))) for one in values)
        if isinstance(self.kind, Flag):
            return name
        written = Axis(self.kind.name, values).written(self.kind)
        written = written.replace("..", "–").replace(",", ", ")
        if len(values) == 1:
            return f"{name}: {written}"
        return f"{written} {tr_word(self.kind.name.replace('_', ' '))}"

    def says(self, words: Sequence[str]) -> bool:
        """Whether its name or help has all these words."""
        text = f"{tr_word(self.kind.label)} {self.kind.name} {tr_word(self.kind.help)}".lower()
        return all(word in text for word in words)

    def put_below(self, widget: QWidget) -> None:
        """Show a widget below the row, from now on."""
        if widget.parent() is not self:
            self._grid.addWidget(widget, 3, 0, 1, 2)
            widget.show()  # now, not when the event loop does it

    def say(self) -> None:
        """Show what is wrong with the values, or what 0 means."""
        problem = self.control.problem
        text = problem or (self.kind.of_zero if self.control.values() == (0,) else "")
        if self._remark.text() != text:
            self._remark.setText(text)
            self._remark.setVisible(bool(text))
            restyle(self._remark, "part", "problem" if problem else "small")
