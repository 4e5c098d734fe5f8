"""The row above the table: what it shows, how it is filtered and grouped, columns, copies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, override

from PySide6.QtCore import QSettings, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QMenu,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from app.style.labels import as_tip
from app.style.layouts import SharedRow
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


type Kind = Literal["results", "trials", "runs"]
KINDS: tuple[Kind, ...] = ("results", "trials", "runs")
_SPACING = 6
_FILTER_FRAME = 40
"""Pixels of the filter around its text: its frame, and the button that clears it."""


class TableHead(SharedRow):
    """Cuts no text: where room is short, some controls go into a menu, and then counts go."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: dict[Kind, str] = {
            "results": self.tr("Results"),
            "trials": self.tr("Trials"),
            "runs": self.tr("All runs"),
        }
        self._counts: dict[Kind, str] = dict.fromkeys(KINDS, "")
        self._make_kinds()
        self._make_filter()
        self._make_rest()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(_SPACING)
        for button in self.kinds.values():
            row.addWidget(button)
        row.addWidget(self.filter, 1)
        for part in (*self._apart, self.more):
            row.addWidget(part)

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

    def _make_filter(self) -> None:
        self.filter = QLineEdit()
        self.filter.setClearButtonEnabled(True)
        self.filter.setAccessibleName(self.tr("Filter of the table"))
        self.filter.setToolTip(
            self.tr(
                "Rows that have all these words, and meet all conditions such as threads>4, "
                "p99<5ms, peak_rss<1GiB or ending!=completed (Ctrl+F)"
            )
        )
        self.filter.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def _make_rest(self) -> None:
        self.groups = QComboBox()
        self.groups.setAccessibleName(self.tr("Groups of the table"))
        self.groups.setToolTip(self.tr("Group rows that have the same value"))
        self.groups.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.columns = QPushButton(self.tr("Columns"))
        self.columns.setToolTip(self.tr("Which columns are shown"))
        self.copies = QPushButton(self.tr("Copy"))
        self.copies.setToolTip(self.tr("Selected rows, or all that are shown"))
        self._apart: tuple[QWidget, ...] = (self.groups, self.columns, self.copies)
        self.more = QPushButton(self.tr("Table"))
        self.more.setToolTip(self.tr("Groups and columns of the table, and copies of it"))
        menu = QMenu(self.more)
        self._groups_there = menu.addMenu(self.tr("Groups"))
        self._columns_there = menu.addAction(self.columns.text())
        self._copies_there = menu.addAction(self.copies.text())
        menu.aboutToShow.connect(self._fill_menu)
        self.more.setMenu(menu)
        self.more.hide()

    def _fill_menu(self) -> None:
        """What the controls do for which there is no room."""
        self._groups_there.clear()
        for place in range(self.groups.count()):
            title = self.groups.itemText(place).replace("&", "&&")
            action = self._groups_there.addAction(title)
            action.setCheckable(True)
            action.setChecked(place == self.groups.currentIndex())
            action.triggered.connect(lambda *_, place=place: self._group(place))
        self._columns_there.setMenu(self.columns.menu())
        self._copies_there.setMenu(self.copies.menu())

    def _group(self, place: int) -> None:
        self.groups.setCurrentIndex(place)
        self.groups.activated.emit(place)

    def offer_runs(self, offered: bool) -> None:
        """Have a button for the results of all runs, or none."""
        self.kinds["runs"].setVisible(offered)
        self._share()

    def offer_groups(self, offered: Sequence[tuple[str, str]]) -> bool:
        """Offer groups by these keys and their titles; whether they were others before."""
        places = range(self.groups.count())
        now = [(self.groups.itemData(at), self.groups.itemText(at)) for at in places]
        if now == list(offered):
            return False
        self.groups.clear()
        for key, title in offered:
            self.groups.addItem(title, key)
        self._share()
        return True

    def show_counts(self, counts: Mapping[Kind, str]) -> None:
        """Say how many rows there are of each kind; '' is not known."""
        self._counts = dict(counts)
        self._share()

    def enable(self, enabled: bool) -> None:
        """Whether there is anything to filter, to group or to copy."""
        for part in (self.filter, *self._apart, self.more):
            part.setEnabled(enabled)

    @override
    def _share(self) -> None:
        """Show as much as there is room for."""
        self._name_kinds(counted=True)
        apart = self._needed(*self._apart) <= self.width()
        if not apart and self._needed(self.more) > self.width():
            self._name_kinds(counted=False)
        for part in self._apart:
            part.setVisible(apart)
        self.more.setVisible(not apart)
        self._hint()

    def _name_kinds(self, *, counted: bool) -> None:
        for kind, button in self.kinds.items():
            parts = (self.titles[kind], self._counts[kind])
            told = " · ".join(filter(None, parts))
            button.setText(told if counted else self.titles[kind])
            button.setAccessibleName(told)

    def _needed(self, *rest: QWidget) -> int:
        """The width of the kinds, the narrowest filter, and these."""
        parts = [button for button in self.kinds.values() if not button.isHidden()]
        widths = [part.sizeHint().width() for part in (*parts, *rest)]
        return sum(widths) + self._room(self._short_hint) + _SPACING * len(widths)

    @property
    def _short_hint(self) -> str:
        return self.tr("Filter")

    def _room(self, hint: str) -> int:
        return self.filter.fontMetrics().horizontalAdvance(hint) + _FILTER_FRAME

    def _hint(self) -> None:
        """Say in the filter what can be written there, if it has room for that."""
        rest = self._apart if self.more.isHidden() else (self.more,)
        room = self.width() - self._needed(*rest) + self._room(self._short_hint)
        hint = self.tr("Filter, such as: lru threads>4 p99<5ms")
        self.filter.setPlaceholderText(hint if self._room(hint) <= room else self._short_hint)
