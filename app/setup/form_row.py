"""One parameter in the form: its label, its control, and a remark on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.setup.controls import control_for
from app.setup.controls.choices import ChipsControl
from app.style.labels import label, restyle
from core import Axis, Choice, Flag, tr_word

if TYPE_CHECKING:
    from core import Kind, Value

_LABEL = "Page cache mmm"
"""As wide as the longest label that has its control beside it."""
_NAMED = 2
"""So many choices have their names in a sentence; more are counted."""


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
            if len(values) > _NAMED:
                return self._counted(len(values))
            return " / ".join(tr_word(self.kind.plain(str(one))) for one in values)
        if isinstance(self.kind, Flag):
            return name
        written = Axis(self.kind.name, values).written(self.kind)
        written = written.replace("..", "–").replace(",", ", ")
        if len(values) == 1:
            return f"{name}: {written}"
        return f"{written} {tr_word(self.kind.name.replace('_', ' '))}"

    def _counted(self, count: int) -> str:
        several = {
            "cache": self.tr("{count} caches"),
            "reader": self.tr("{count} readers"),
            "store": self.tr("{count} stores"),
            "client": self.tr("{count} clients"),
            "language": self.tr("{count} languages"),
            "operation": self.tr("{count} operations"),
        }
        other = self.tr("{name}: {count}")
        name = tr_word(self.kind.label)
        return several.get(self.kind.name, other).format(name=name, count=count)

    def problem(self) -> str:
        """Why its values cannot be used, with its name; empty if they can."""
        wrong = self.control.problem
        return f"{tr_word(self.kind.label)}: {wrong}" if wrong else ""

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
