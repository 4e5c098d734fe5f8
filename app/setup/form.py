"""The parameter form, made from declarations: a row for each parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QGridLayout, QLabel, QVBoxLayout, QWidget

from app.setup.controls import control_for
from app.setup.controls.axis_editor import axis_for
from app.style.label_widget import label, restyle
from app.style.tip import as_tip
from core import Axis, Choice, Flag, Integer, InvalidParameter, Real, tr_word

if TYPE_CHECKING:
    from app.setup.controls.axis_editor import AxisEditor
    from core import Kind, Value

_LABEL, _CONTROL, _VARY = range(3)


class ParameterForm(QWidget):
    """Holds the values, the axes and what is wrong with either."""

    changed = Signal()

    def __init__(
        self, kinds: Sequence[Kind], values: Mapping[str, Value], marks: Mapping[str, int]
    ) -> None:
        super().__init__()
        self._rows = {
            kind.name: FormRow(kind, values.get(kind.name), marks.get(kind.name)) for kind in kinds
        }
        self._sweeping = False
        self._moot: frozenset[str] = frozenset()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        for row in self._rows.values():
            column.addWidget(row)
            row.changed.connect(self._take)
        self._show_rows()

    def set_sweeping(self, sweeping: bool) -> None:
        """Offer axes, or hide them; the form keeps what was chosen."""
        self._sweeping = sweeping
        self._show_rows()

    def hide_moot(self, names: frozenset[str]) -> None:
        """Hide the parameters of these names, which mean nothing with the values of others."""
        if names != self._moot:
            self._moot = names
            self._show_rows()

    def stand_in(self, said: Mapping[str, str]) -> None:
        """Show texts in place of the controls of these parameters, while they are not varied."""
        for name, row in self._rows.items():
            row.stand_in(said.get(name, ""))
        self._show_rows()

    def fill(self, values: Mapping[str, Value]) -> None:
        """Show values, as far as they belong to this form, without emitting `changed`."""
        for name, value in values.items():
            if name in self._rows:
                self._rows[name].control.set_value(value)
        self._show_rows()

    def row(self, name: str) -> FormRow | None:
        """The row of that parameter, if the form has it."""
        return self._rows.get(name)

    def rows(self) -> tuple[FormRow, ...]:
        """A row for each parameter, in their order."""
        return tuple(self._rows.values())

    def values(self) -> dict[str, Value]:
        """The values of all parameters that have an effect."""
        return {
            name: row.control.value() for name, row in self._rows.items() if self._applies(row.kind)
        }

    def everything(self) -> dict[str, Value]:
        """The values of all parameters, also those without effect, for another form."""
        return {name: row.control.value() for name, row in self._rows.items()}

    def state(self) -> dict[str, Any]:
        """The user's choices by parameter, as JSON values."""
        return {name: row.state() for name, row in self._rows.items()}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what `state` returned, without emitting `changed`."""
        for name, kept in state.items():
            if name in self._rows:
                self._rows[name].restore(kept)
        self._show_rows()

    def axes(self) -> tuple[Axis, ...]:
        """The ticked parameters and their values."""
        return tuple(
            Axis(name, row.axis.values())
            for name, row in self._rows.items()
            if self._varies(row) and row.axis is not None and row.axis.values()
        )

    def problem(self) -> str:
        """The first problem, with the parameter's name; empty if there is none."""
        for row in self._rows.values():
            if self._applies(row.kind) and (reason := row.problem(varied=self._varies(row))):
                return f"{tr_word(row.kind.label)}: {reason}"
        return ""

    def _varies(self, row: FormRow) -> bool:
        return self._sweeping and row.vary.isChecked() and self._applies(row.kind)

    def _applies(self, kind: Kind) -> bool:
        """Whether a parameter has an effect with the others' values, somewhere along the axes."""
        return kind.name not in self._moot and all(
            any(value in allowed for value in self._possible(name))
            for name, allowed in kind.only_when.items()
        )

    def _possible(self, name: str) -> tuple[Value, ...]:
        row = self._rows[name]
        if self._sweeping and row.vary.isChecked() and row.axis is not None:
            return row.axis.values()
        return (row.control.value(),)

    def _take(self) -> None:
        self._show_rows()
        self.changed.emit()

    def _show_rows(self) -> None:
        for row in self._rows.values():
            if (shown := self._applies(row.kind)) is row.isHidden():
                row.setVisible(shown)
            row.offer_axis(self._sweeping)


class FormRow(QWidget):
    """One parameter: label, control, the tick that makes it an axis, and a remark."""

    changed = Signal()

    def __init__(self, kind: Kind, value: Value | None, mark: int | None) -> None:
        super().__init__()
        self.kind = kind
        self._marks = (mark,) if mark else ()
        self.control = control_for(kind, self._marks)
        if value is not None:
            self.control.set_value(value)
        self.axis: AxisEditor | None = None
        self._offered: tuple[bool, bool, bool] | None = None
        self._label = QLabel(tr_word(kind.label))
        self._label.setBuddy(self.control)
        self._label.setToolTip(tr_word(kind.help))
        self._label.setMinimumWidth(self.fontMetrics().horizontalAdvance("Page cache size "))
        self.vary = QCheckBox()
        self.vary.setToolTip(as_tip(self.tr("Vary {} along the sweep").format(tr_word(kind.label))))
        self.vary.setAccessibleName(self.tr("Vary {}").format(tr_word(kind.label)))
        self._instead = label(part="muted", wraps=True)
        self._instead.hide()
        self._remark = QLabel()
        self._remark.setWordWrap(True)
        self._remark.hide()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setVerticalSpacing(2)
        self._grid.setColumnStretch(_CONTROL, 1)
        self._grid.addWidget(self._label, 0, _LABEL)
        self._grid.addWidget(self.control, 0, _CONTROL)
        self._grid.addWidget(self._instead, 0, _CONTROL)
        self._grid.addWidget(self.vary, 0, _VARY)
        self._grid.addWidget(self._remark, 2, _CONTROL, 1, 2)
        self.control.changed.connect(self._take)
        self.vary.toggled.connect(self._toggle)
        self._say()

    def state(self) -> dict[str, Any]:
        """The value, whether it is varied, and its axis."""
        axis = self.axis.state() if self.axis is not None else None
        return {"value": self.control.value(), "vary": self.vary.isChecked(), "axis": axis}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore what `state` returned; a value that is no longer allowed changes nothing."""
        with suppress(InvalidParameter):
            self.control.set_value(state["value"])
        self.blockSignals(True)
        if state["axis"] is not None:
            self._make_axis()
            if self.axis is not None:
                with suppress(InvalidParameter):
                    self.axis.restore(state["axis"])
        self.vary.setChecked(bool(state["vary"]))
        self.blockSignals(False)

    def problem(self, *, varied: bool) -> str:
        """What is wrong with the value, or with the axis if the parameter is varied."""
        if varied and self.axis is not None:
            return self.axis.problem()
        return "" if self._instead.text() else self.control.problem

    def stand_in(self, said: str) -> None:
        """Show a text instead of the control while its value does not count; empty: the control."""
        self._instead.setText(said)

    def put_below(self, widget: QWidget) -> None:
        """Show a widget below the row, from now on."""
        if widget.parent() is not self:
            self._grid.addWidget(widget, 3, _CONTROL)
            widget.show()  # now, not when the event loop does it

    def offer_axis(self, offered: bool) -> None:
        """Show the tick if the parameter has values to step along."""
        varied = offered and self.vary.isChecked()
        asked = not self._instead.text()
        if self._offered != (offered, varied, asked):
            self._offered = (offered, varied, asked)
            self.vary.setVisible(offered and axis_possible(self.kind))
            self.control.setVisible(asked and not varied)
            self._instead.setVisible(not asked and not varied)
            if self.axis is not None:
                self.axis.setVisible(varied)
        self._say()

    def _toggle(self, varied: bool) -> None:
        if varied:
            self._make_axis()
        self._take()

    def _make_axis(self) -> None:
        if self.axis is None:
            self.axis = axis_for(self.kind, self.control.value(), self._marks)
            if self.axis is not None:
                self.axis.hide()
                self._grid.addWidget(self.axis, 1, _CONTROL)
                self.axis.changed.connect(self._take)

    def _take(self) -> None:
        self._say()
        self.changed.emit()

    def _say(self) -> None:
        varied = self.axis is not None and self.axis.isVisibleTo(self)
        problem = self.problem(varied=varied)
        asked = not varied and not self._instead.text()
        text = problem or (self.control.explain() if asked else "")
        if self._remark.text() == text:
            return
        self._remark.setText(text)
        self._remark.setVisible(bool(text))
        restyle(self._remark, "part", "problem" if problem else "muted")


def axis_possible(kind: Kind) -> bool:
    """Whether the parameter has values to step along."""
    return isinstance(kind, Choice | Flag | Integer | Real)
