"""Which columns are shown: chosen in a menu, kept in the settings."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import QMenu, QWidget

from core import Table


class ColumnMenu(QMenu):
    """A tick for every column of a table; at least one is always shown."""

    changed = Signal()

    def __init__(self, settings: QSettings, kind: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._place = f"table/{kind}/hidden"
        self._columns = Table(columns=(), rows=()).columns
        self.aboutToShow.connect(self._fill)

    @property
    def hidden(self) -> frozenset[str]:
        """Keys of the columns that are not shown."""
        kept = self._settings.value(self._place, None)
        return self._at_first if kept is None else frozenset(str(kept).split())

    @property
    def _at_first(self) -> frozenset[str]:
        return frozenset(column.key for column in self._columns if column.folded)

    def show_columns(self, table: Table) -> None:
        """Offer the columns of this table."""
        self._columns = table.columns

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
        first.triggered.connect(lambda: self._hide(self._at_first))

    def _choose(self, key: str, shown: bool) -> None:
        self._hide(self.hidden - {key} if shown else self.hidden | {key})

    def _hide(self, keys: Iterable[str]) -> None:
        self._settings.setValue(self._place, " ".join(sorted(keys)))
        self.changed.emit()
