"""What the form knows of every control."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core import tr_word

if TYPE_CHECKING:
    from core import Kind, Value


class Control(QWidget):
    """Shows one parameter: one value is fixed, several are tried against each other."""

    changed = Signal()

    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self.kind = kind
        self.problem = ""
        """Why what is shown cannot be used; empty if it can."""

    def values(self) -> tuple[Value, ...]:
        """The last usable values, at least one."""
        raise NotImplementedError

    def set_values(self, values: Sequence[Value]) -> None:
        """Show values, without emitting `changed`; raises InvalidParameter."""
        raise NotImplementedError

    def value(self) -> Value:
        """The first value."""
        return self.values()[0]

    def set_value(self, value: Value) -> None:
        """Show one value, without emitting `changed`; raises InvalidParameter."""
        self.set_values((value,))

    def name(self, widget: QWidget) -> None:
        """Give the widget that takes the focus the parameter's name and help."""
        widget.setAccessibleName(tr_word(self.kind.label))
        widget.setAccessibleDescription(tr_word(self.kind.help))
        widget.setToolTip(tr_word(self.kind.help))
        self.setFocusProxy(widget)


def mark_wrong(widget: QWidget, *, wrong: bool) -> None:
    """Let the style sheet show whether the widget's content is wrong."""
    if widget.property("wrong") != wrong:
        widget.setProperty("wrong", wrong)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
