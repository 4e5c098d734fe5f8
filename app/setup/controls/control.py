"""The base of all controls, and those for a line of text, a place, or the place of a secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from app.style.labels import restyle
from core import InvalidParameter, Location, Secret, tr_word

if TYPE_CHECKING:
    from core import Kind, Text, Value


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


class TextControl(Control):
    """A line edit; refused text stays for correction, with the reason."""

    kind: Text | Location | Secret

    def __init__(self, kind: Text | Location | Secret) -> None:
        super().__init__(kind)
        self._value: str = kind.default
        self._edit = QLineEdit()
        match kind:
            case Secret():
                self._edit.setPlaceholderText(
                    self.tr("env:NAME, keyring:SERVICE/USER or lab:SERVER/NAME")
                )
            case Location():
                self._edit.setPlaceholderText(self.tr("path or URL"))
            case _:
                self._edit.setPlaceholderText(self.tr("none"))
        self.name(self._edit)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._edit, 1)
        self.set_value(kind.default)
        self._edit.textEdited.connect(self._read)
        self._edit.textEdited.connect(self.changed)

    @override
    def values(self) -> tuple[Value, ...]:
        return (self._value,)

    @override
    def set_values(self, values: Sequence[Value]) -> None:
        self._edit.setText(str(values[0]))
        self._edit.setCursorPosition(0)
        self._read(str(values[0]))

    def _read(self, text: str) -> None:
        try:
            self._value, self.problem = str(self.kind.parse(text)), ""
        except InvalidParameter as error:
            self.problem = f"{error.reason}{f' ({error.remedy})' if error.remedy else ''}"
        restyle(self._edit, "wrong", bool(self.problem))
