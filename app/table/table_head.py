"""The row above the table: its filter, which rows it has, and which columns."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QSizePolicy, QWidget

from app.style.labels import as_tip
from app.style.layouts import spaced
from app.style.menus import Menu
from core import Table
from core import tr as sentence

type Kind = Literal["results", "trials", "runs"]
KINDS: tuple[Kind, ...] = ("results", "trials", "runs")
_WIDEST = 392
"""Pixels of the filter."""


class ColumnMenu(Menu):
    """A tick for every column of a table; at least one is always shown."""

    changed = Signal()

    def __init__(self, settings: QSettings, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings, self._kind = settings, ""
        self._columns = Table(columns=(), rows=()).columns
        self.aboutToShow.connect(self._fill)

    @property
    def hidden(self) -> frozenset[str]:
        """Keys of the columns that are not shown."""
        keys = self._settings.value(self._key, None)
        return self._folded_keys if keys is None else frozenset(str(keys).split())

    @property
    def _key(self) -> str:
        return f"table/{self._kind}/hidden"

    @property
    def _folded_keys(self) -> frozenset[str]:
        return frozenset(column.key for column in self._columns if column.folded)

    def show_columns(self, kind: Kind, table: Table) -> None:
        self._kind, self._columns = kind, table.columns

    def text(self) -> str:
        """How many are shown: `12 of 19 columns`."""
        hidden = self.hidden
        shown = sum(one.key not in hidden for one in self._columns)
        return self.tr("{} of {} columns").format(shown, len(self._columns))

    def _fill(self) -> None:
        self.clear()
        hidden = self.hidden
        visible = [column for column in self._columns if column.key not in hidden]
        for column in self._columns:
            action = self.addAction(column.title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(column in visible)
            action.setEnabled(visible != [column])
            action.toggled.connect(lambda _, key=column.key: self._hide(self.hidden ^ {key}))
        self.addSeparator()
        every = self.addAction(self.tr("Show all"))
        every.triggered.connect(lambda: self._hide(()))
        first = self.addAction(self.tr("Default columns"))
        first.triggered.connect(lambda: self._hide(self._folded_keys))

    def _hide(self, keys: Iterable[str]) -> None:
        self._settings.setValue(self._key, " ".join(sorted(keys)))
        self.changed.emit()


class TableHead(QWidget):
    """A filter, then two buttons that say what is shown, and open the choice of it."""

    def __init__(self, columns: ColumnMenu) -> None:
        super().__init__()
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.setMaximumWidth(_WIDEST)
        self.filter.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.filter.setAccessibleName(self.tr("Filter of the table"))
        self.filter.setToolTip(
            self.tr(
                "Rows that have all these words, and meet all conditions such as threads>4, "
                "p99<5ms, memory<1GiB or ending!=completed (Ctrl+F)"
            )
        )
        self.rows = self._button(self.tr("Rows of the table, and copies of them"))
        self.rows.setMenu(Menu(self.rows))
        self.columns = self._button(self.tr("Columns of the table"))
        self.columns.setMenu(columns)
        row = spaced(QHBoxLayout(self), 12)
        row.addWidget(self.filter, 1000)
        row.addWidget(self.rows)
        row.addStretch(1)
        row.addWidget(self.columns)

    def _button(self, tip: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("part", "open")
        button.setToolTip(as_tip(tip))
        return button

    def show_example(self, example: str) -> None:
        """Say what a filter can be, in columns that there are."""
        text = self.tr("Filter, such as: {}").format(example) if example else self.tr("Filter")
        self.filter.setPlaceholderText(text)

    def show_rows(self, kind: Kind, shown: int, of: int, selected: int) -> None:
        """Say how many rows of that kind are shown and selected, of those that there will be."""
        counts = {
            "results": sentence("1 setting", "{count} settings", count=of),
            "trials": sentence("1 trial", "{count:,} trials", count=of),
            "runs": sentence("1 row of all runs", "{count:,} rows of all runs", count=of),
        }
        text = counts[kind]
        text = text if shown == of else self.tr("{} of {}").format(shown, text)
        self.rows.setText(self.tr("{}, {} selected").format(text, selected) if selected else text)
