"""The row above the table: what it shows, how it is filtered, and which columns there are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, override

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.style.labels import as_tip
from app.style.layouts import SharedRow, spaced
from core import Table


class ColumnMenu(QMenu):
    """A tick for every column of a table; at least one is always shown."""

    changed = Signal()

    def __init__(self, settings: QSettings, kind: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._settings = settings
        self._settings_key = f"table/{kind}/hidden"
        self._columns = Table(columns=(), rows=()).columns
        self.aboutToShow.connect(self._fill)

    @property
    def hidden(self) -> frozenset[str]:
        """Keys of the columns that are not shown."""
        keys = self._settings.value(self._settings_key, None)
        return self._folded_keys if keys is None else frozenset(str(keys).split())

    @property
    def _folded_keys(self) -> frozenset[str]:
        return frozenset(column.key for column in self._columns if column.folded)

    def show_columns(self, table: Table) -> None:
        self._columns = table.columns

    def _fill(self) -> None:
        self.clear()
        visible = [column for column in self._columns if column.key not in self.hidden]
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
        self._settings.setValue(self._settings_key, " ".join(sorted(keys)))
        self.changed.emit()


type Kind = Literal["results", "trials", "runs"]
KINDS: tuple[Kind, ...] = ("results", "trials", "runs")
_SPACING = 6
_FILTER_FRAME = 40
"""Pixels of the filter around its text: its frame, and the button that clears it."""


class TableHead(SharedRow):
    """The buttons and the filter above the table; without room the buttons say no counts."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: dict[Kind, str] = {
            "results": self.tr("Results"),
            "trials": self.tr("Trials"),
            "runs": self.tr("All runs"),
        }
        self._example = ""
        self._counts: dict[Kind, str] = dict.fromkeys(KINDS, "")
        self._make_kinds()
        self.filter = self._filter()
        self.menu_button = QPushButton(self.tr("Table"))
        self.menu_button.setToolTip(self.tr("Groups and columns of the table, and copies of it"))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = spaced(QHBoxLayout(self), _SPACING)
        for button in self.kinds.values():
            row.addWidget(button)
        row.addWidget(self.filter, 1)
        row.addWidget(self.menu_button)

    def _make_kinds(self) -> None:
        self.kinds: dict[Kind, QPushButton] = {kind: QPushButton() for kind in KINDS}
        group = QButtonGroup(self)
        helps = {
            "results": self.tr("A row for each configuration"),
            "trials": self.tr("A row for each trial"),
            "runs": self.tr("The results of every run of the session, and of sessions added to it"),
        }
        for kind, button in self.kinds.items():
            button.setCheckable(True)
            button.setToolTip(as_tip(helps[kind]))
            group.addButton(button)
        self.kinds["runs"].hide()

    def _filter(self) -> QLineEdit:
        line = QLineEdit()
        line.setClearButtonEnabled(True)
        line.setAccessibleName(self.tr("Filter of the table"))
        line.setToolTip(
            self.tr(
                "Rows that have all these words, and meet all conditions such as threads>4, "
                "p99<5ms, memory<1GiB or ending!=completed (Ctrl+F)"
            )
        )
        line.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        return line

    def offer_runs(self, offered: bool) -> None:
        """Have a button for the results of all runs, or none."""
        self.kinds["runs"].setVisible(offered)
        self._share()

    def show_example(self, example: str) -> None:
        """Say what a filter can be, in columns that there are."""
        if example != self._example:
            self._example = example
            self._share()

    def show_counts(self, counts: Mapping[Kind, str]) -> None:
        """Say how many rows there are of each kind; '' is not known."""
        self._counts = dict(counts)
        self._share()

    def enable(self, enabled: bool) -> None:
        """Enable the controls if there is anything to filter, to group or to copy."""
        for part in (self.filter, self.menu_button):
            part.setEnabled(enabled)

    @override
    def _share(self) -> None:
        """Show as much as there is room for."""
        short = self.tr("Filter")
        self._name_kinds(counted=True)
        if self._room < self._width_with(short):
            self._name_kinds(counted=False)
        whole = self.tr("Filter, such as: {}").format(self._example) if self._example else short
        self.filter.setPlaceholderText(whole if self._width_with(whole) <= self._room else short)

    def _name_kinds(self, *, counted: bool) -> None:
        for kind, button in self.kinds.items():
            parts = (self.titles[kind], self._counts[kind])
            whole = " · ".join(filter(None, parts))
            button.setText(whole if counted else self.titles[kind])
            button.setAccessibleName(whole)

    @property
    def _room(self) -> int:
        """Pixels for the filter."""
        beside = [one for one in (*self.kinds.values(), self.menu_button) if not one.isHidden()]
        return self.width() - sum(one.sizeHint().width() + _SPACING for one in beside)

    def _width_with(self, hint: str) -> int:
        return self.filter.fontMetrics().horizontalAdvance(hint) + _FILTER_FRAME
