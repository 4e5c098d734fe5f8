"""What the form knows of every control."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from core import tr_word

if TYPE_CHECKING:
    from core import Kind, Value


class Control(QWidget):
    """Shows one parameter; holds a value and, if the typed text is not one, the reason."""

    changed = Signal()

    def __init__(self, kind: Kind) -> None:
        super().__init__()
        self.kind = kind
        self.problem = ""
        """Why the shown value cannot be used; empty if it can."""

    def value(self) -> Value:
        """The last usable value."""
        raise NotImplementedError

    def set_value(self, value: Value) -> None:
        """Show a value, without emitting `changed`."""
        raise NotImplementedError

    def explain(self) -> str:
        """One sentence that explains the current value; can be empty."""
        return ""

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
