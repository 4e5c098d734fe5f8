"""A line of text, a place, or the place of a secret."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtWidgets import QHBoxLayout, QLineEdit

from app.setup.controls.control import Control, mark_wrong
from core import InvalidParameter, Location, Secret

if TYPE_CHECKING:
    from core import Text, Value


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
        self._edit.textEdited.connect(self._take)

    @override
    def values(self) -> tuple[Value, ...]:
        return (self._value,)

    @override
    def set_values(self, values: Sequence[Value]) -> None:
        self._edit.setText(str(values[0]))
        self._read(str(values[0]))

    def _take(self, text: str) -> None:
        self._read(text)
        self.changed.emit()

    def _read(self, text: str) -> None:
        try:
            self._value, self.problem = str(self.kind.parse(text)), ""
        except InvalidParameter as error:
            self.problem = f"{error.reason}{f' ({error.remedy})' if error.remedy else ''}"
        mark_wrong(self._edit, wrong=bool(self.problem))
