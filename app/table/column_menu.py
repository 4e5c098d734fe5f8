"""Which columns are shown: chosen in a menu, kept in the settings."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import QMenu, QWidget

from core import Column

_AT_FIRST = {
    "results": frozenset({"harness"}),
    "runs": frozenset({"harness"}),
    "trials": frozenset(
        {
            "started",
            "p999",
            "dataset_fds",
            "anonymous",
            "file_backed",
            "cores_used",
            "others",
            "harness",
        }
    ),
}
"""Columns that are hidden at first, by the kind of table."""


class ColumnMenu(QMenu):
    """A tick for every column of a table; at least one is always shown."""

    changed = Signal()

    def __init__(self, settings: QSettings, kind: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._kind = kind
        self._columns: tuple[Column, ...] = ()
        self.hidden = frozenset(self._kept())
        """Keys of the columns that are not shown."""
        self.aboutToShow.connect(self._fill)

    def _kept(self) -> Iterable[str]:
        kept = self._settings.value(self._place, None)
        return str(kept).split() if kept is not None else _AT_FIRST[self._kind]

    @property
    def _place(self) -> str:
        return f"table/{self._kind}/hidden"

    def show_columns(self, columns: tuple[Column, ...]) -> None:
        """Offer these columns."""
        self._columns = columns

    def _fill(self) -> None:
        self.clear()
        shown = [column for column in self._columns if column.key not in self.hidden]
        for column in self._columns:
            action = self.addAction(column.title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(column in shown)
            action.setEnabled(shown != [column])
            action.toggled.connect(lambda shown, key=column.key: self._choose(key, shown))
        self.addSeparator()
        every = self.addAction(self.tr("Show all"))
        every.triggered.connect(lambda: self._hide(()))
        first = self.addAction(self.tr("Default columns"))
        first.triggered.connect(lambda: self._hide(_AT_FIRST[self._kind]))

    def _choose(self, key: str, shown: bool) -> None:
        self._hide(self.hidden - {key} if shown else self.hidden | {key})

    def _hide(self, keys: Iterable[str]) -> None:
        self.hidden = frozenset(keys)
        self._settings.setValue(self._place, " ".join(sorted(self.hidden)))
        self.changed.emit()
