"""The table with its controls: results or trials, filter, groups, columns, copies."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QPoint, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.style.labels import label, restyle
from app.style.layouts import spaced
from app.style.menus import Menu
from app.table.table_head import KINDS, ColumnMenu, Kind, TableHead
from app.table.table_rows import NO_ROWS, rows_of_results, rows_of_trials
from app.table.table_view import TableView
from core import Arrangement, Table, UsageError
from core import tr as sentence

if TYPE_CHECKING:
    from app.style.theme import Theme
    from app.table.table_rows import Rows
    from core import Group, Shown


class TablePanel(QWidget):
    """Results or trials of one run, or results of all runs; decides only which are visible."""

    chosen = Signal(object)
    """The selected rows (a tuple of Row)."""
    widened = Signal()
    """The user wants all trials again, not only those of the selected time."""
    runs_wanted = Signal(bool)
    """Whether all runs are looked at."""
    run_wanted = Signal(object)
    """The run of an activated row is to be shown (Origin)."""

    def __init__(self, settings: QSettings) -> None:
        super().__init__()
        self._every: dict[Kind, Rows] = dict.fromkeys(KINDS, NO_ROWS)
        self._kind: Kind = "results"
        self._trials: Shown | None = None
        """Whose trials have rows where somebody looks at them: there can be thousands."""
        self._planned = self._runs = 0
        self._how = Arrangement()
        self._within: frozenset[int] | None = None
        self.view = TableView()
        self._menus = {kind: ColumnMenu(settings, kind, self) for kind in KINDS}
        self._make_head()
        self._lay_out()
        self._connect()
        self.choose_kind("results")

    def _make_head(self) -> None:
        self.head = TableHead()
        self.kinds, self.filter = self.head.kinds, self.head.filter
        for kind, button in self.kinds.items():
            button.clicked.connect(partial(self.choose_kind, kind))
        menu = Menu(self.head.menu_button)
        self._groups = menu.submenu(self.tr("&Groups"))
        self._columns = menu.addAction(self.tr("&Columns"))
        menu.addSeparator()
        menu.addAction(self.tr("Copy as &Markdown"), partial(self.copy, "markdown"))
        menu.addAction(self.tr("Copy as CS&V"), partial(self.copy, "csv"))
        self.head.menu_button.setMenu(menu)
        self.within = QPushButton()
        self.within.setToolTip(self.tr("Show all trials again (Esc in the plots)"))
        self._problem = label(part="problem", wraps=True)
        self._problem.setAccessibleName(self.tr("Why the filter cannot be read"))
        self._problem.hide()

    def _lay_out(self) -> None:
        column = spaced(QVBoxLayout(self), 4)
        column.addWidget(self.head)
        column.addWidget(self.within, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._problem)
        column.addWidget(self.view, 1)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._show)
        self.within.clicked.connect(self.widened)
        self._groups.aboutToShow.connect(self._offer_groups)
        self.view.sort_wanted.connect(
            lambda key, descending: self._arrange(sort_by=key, descending=descending)
        )
        self.view.copy_wanted.connect(partial(self.copy, "markdown"))
        self.view.columns_wanted.connect(self._offer_columns)
        self.view.chosen.connect(self.chosen)
        self.view.left.connect(self._show)
        self.view.activated.connect(self._take_activated)
        for menu in self._menus.values():
            menu.changed.connect(self._hide_columns)

    # What is shown.

    def clear(self) -> None:
        self._every = dict.fromkeys(KINDS, NO_ROWS)
        self._trials, self._planned = None, 0
        self._within = None
        self._show()

    def count_runs(self, count: int) -> None:
        """Offer all runs where there are several."""
        self._runs = count
        self.head.offer_runs(count > 1)
        if count < 2 and self._kind == "runs":
            self.choose_kind("results")
        self._tell_counts()

    def show_runs(self, rows: Rows) -> None:
        """Show the results of all runs, where they are looked at."""
        self._every["runs"] = rows
        if self._kind == "runs":
            self._show()

    def show_results(self, shown: Shown) -> None:
        """Show the results of the trials so far."""
        self._every["results"] = rows_of_results(shown.table, shown.in_table, shown.standings)
        self._every.pop("trials", None)
        self._trials, self._planned = shown, shown.planned
        self._show(held=self.view.has_mouse)

    def decide(self, settings: Collection[str]) -> None:
        self.view.decide(settings)

    def show_within(self, reach: str, trials: Collection[int]) -> None:
        """Show only rows of the trials of these indexes, which are in that piece of time."""
        self._within = frozenset(trials)
        text = sentence("1 trial", "{count:,} trials", count=len(self._within))
        self.within.setText(self.tr("✕  Only {reach} · {trials}").format(reach=reach, trials=text))
        self._show()

    def show_all(self) -> None:
        self._within = None
        self._show()

    def choose_kind(self, kind: Kind, *_: object) -> None:
        """Show results, trials or all runs."""
        self._kind = kind
        if kind == "runs" and not self._how.group_by:
            self._how = replace(self._how, group_by="run")
        self.kinds[kind].setChecked(True)
        self.view.setAccessibleName(self.head.titles[kind])
        self._columns.setMenu(self._menus[kind])
        self._show()
        self.runs_wanted.emit(kind == "runs")

    def set_theme(self, theme: Theme) -> None:
        self.view.set_theme(theme)

    @property
    def rows(self) -> Rows:
        """The rows before filtering."""
        return self._whole.having(self._within)

    @property
    def _whole(self) -> Rows:
        """All rows of the kind that is looked at."""
        if self._kind == "trials" and self._kind not in self._every and self._trials is not None:
            results = self._trials
            self._every[self._kind] = rows_of_trials(results.trial_table, results.trials)
        return self._every[self._kind]

    def _show(self, *_: object, held: bool = False) -> None:
        """`held`: the rows stay where they are."""
        rows = self.rows
        self.within.setVisible(self._within is not None)
        self._tell_counts()
        self._menus[self._kind].show_columns(rows.table)
        self._hide_columns()
        groups = self._arranged(rows)
        groups = self._held(rows, groups) if held else groups
        titles = {column.key: column.title for column in rows.table.columns}
        grouped_by = titles.get(self._how.group_by, "")
        self.view.show_rows(rows, groups, grouped_by, self._why_empty(rows))
        self.head.enable(bool(self._whole.rows))
        self.head.show_example(rows.table.filter_example)

    def _held(self, rows: Rows, groups: tuple[Group, ...]) -> tuple[Group, ...]:
        """The groups with their rows where they were; what comes is put below."""
        order = {key: at for at, key in enumerate(self.view.row_keys())}

        def place(row: int) -> int:
            return order.get(rows.rows[row].key, len(order))

        return tuple(replace(one, rows=tuple(sorted(one.rows, key=place))) for one in groups)

    def _arranged(self, rows: Rows) -> tuple[Group, ...]:
        """The filtered rows; an unreadable condition is marked."""
        problem = ""
        groups: tuple[Group, ...] = ()
        text = self.filter.text()
        finished = text.rpartition(" ")[0]  # the last condition is perhaps being typed
        for condition in (text, finished, self._how.filter, ""):
            how = replace(self._how, filter=condition)
            try:
                groups = how.of(rows.table)
            except UsageError as error:
                problem = problem or str(error)
            else:
                self._how = how
                break
        problem = problem if rows.rows else ""
        restyle(self.filter, "wrong", "true" if problem else "false")
        self.filter.setAccessibleDescription(problem)
        self._problem.setText(problem)
        self._problem.setVisible(bool(problem))
        return groups

    def _why_empty(self, rows: Rows) -> str:
        if self._kind == "runs" and not self._every["runs"].rows:
            return self.tr("Reading…")
        if rows.rows:
            return self.tr("No row matches the filter.")
        if self._whole.rows:
            return self.tr("Nothing was measured in the selected time.")
        return self.tr("No results yet")

    def _tell_counts(self) -> None:
        results = len(self._every["results"].rows)
        trials = len(self._trials.trials) if self._trials is not None else 0
        of = self.tr("{} of {}").format(results, self._planned)
        counts: dict[Kind, str] = {
            "results": of if self._planned else "",
            "trials": str(trials) if trials else "",
            "runs": str(self._runs),
        }
        self.head.show_counts(counts)

    def _offer_groups(self) -> None:
        """Parameters, and how rows ended."""
        offered = {"": self.tr("No groups")} | {
            column.key: self.tr("By {}").format(column.title)
            for column in self.rows.table.columns
            if column.parameter or column.key == "ending"
        }
        now = self._how.group_by if self._how.group_by in offered else ""
        self._groups.clear()
        for key, title in offered.items():
            action = self._groups.addAction(title.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(key == now)
            action.triggered.connect(lambda _, key=key: self._arrange(group_by=key))

    def _take_activated(self, index: QModelIndex) -> None:
        row = self.view.row_at(index)
        if row is not None and row.origin is not None:
            self.run_wanted.emit(row.origin)

    # How it is shown.

    def _arrange(self, **changes: object) -> None:
        self._how = replace(self._how, **changes)
        self._show()

    def _offer_columns(self, where: QPoint) -> None:
        self._menus[self._kind].popup(where)

    def _hide_columns(self) -> None:
        self.view.hide_columns(self._menus[self._kind].hidden)

    def look_for(self) -> None:
        """Type a filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    # Copies.

    def copy(self, form: Literal["markdown", "csv"]) -> None:
        """Put the selected rows, or all that are shown, on the clipboard: the shown columns."""
        from core import table_text

        rows = self.rows
        places = self.view.selected_places() or self.view.places()
        if not places:
            return
        keys = self.view.shown_columns()
        columns = [at for at, column in enumerate(rows.table.columns) if column.key in keys]
        table = Table(
            columns=tuple(rows.table.columns[at] for at in columns),
            rows=tuple(tuple(rows.table.rows[row][at] for at in columns) for row in places),
        )
        results = tuple({rows.rows[row].key: rows.rows[row].result for row in places}.values())
        QGuiApplication.clipboard().setText(table_text(table, form, results))
