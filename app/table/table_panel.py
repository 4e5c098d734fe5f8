"""The table with its controls: results or trials, filter, columns, copies."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from typing import TYPE_CHECKING, Literal

from msgspec.structs import replace
from PySide6.QtCore import QModelIndex, QSettings, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from app.style.labels import label, restyle
from app.style.layouts import spaced
from app.table.table_head import KINDS, ColumnMenu, Kind, TableHead
from app.table.table_rows import NO_ROWS, rows_of_results, rows_of_trials
from app.table.table_view import TableView
from core import Arrangement, Table, UsageError
from core import tr as sentence

if TYPE_CHECKING:
    from app.style.theme import Theme
    from app.table.table_rows import Rows
    from core import Shown


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
        self._columns = ColumnMenu(settings, self)
        self.head = TableHead(self._columns)
        self.filter = self.head.filter
        self.within = QPushButton()
        self.within.setToolTip(self.tr("Show all trials again (Esc in the plots)"))
        self._problem = label(part="problem", wraps=True)
        self._problem.setAccessibleName(self.tr("Why the filter cannot be read"))
        self._problem.hide()
        self._lay_out()
        self._connect()
        self.choose_kind("results")

    def _lay_out(self) -> None:
        column = spaced(QVBoxLayout(self), 4)
        column.addWidget(self.head)
        column.addWidget(self.within, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self._problem)
        column.addWidget(self.view, 1)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._show)
        self.within.clicked.connect(self.widened)
        self.head.rows.menu().aboutToShow.connect(self._offer_rows)
        self._columns.changed.connect(self._hide_columns)
        self.view.sort_wanted.connect(
            lambda key, descending: self._arrange(sort_by=key, descending=descending)
        )
        self.view.copy_wanted.connect(partial(self.copy, "markdown"))
        self.view.chosen.connect(self.chosen)
        self.view.chosen.connect(lambda _: self._tell_counts())
        self.view.left.connect(self._show)
        self.view.activated.connect(self._take_activated)

    # What is shown.

    def clear(self) -> None:
        self._every = dict.fromkeys(KINDS, NO_ROWS)
        self._trials, self._planned = None, 0
        self._within = None
        self._show()

    def count_runs(self, count: int) -> None:
        """Offer all runs where there are several."""
        self._runs = count
        if count < 2 and self._kind == "runs":
            self.choose_kind("results")

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
        self.view.setAccessibleName(self._titles[kind])
        self._show()
        self.runs_wanted.emit(kind == "runs")

    @property
    def _titles(self) -> dict[Kind, str]:
        return {
            "results": self.tr("Settings"),
            "trials": self.tr("Trials"),
            "runs": self.tr("Settings of all runs"),
        }

    def _offer_rows(self) -> None:
        """A kind of rows that there are none of is not offered."""
        menu = self.head.rows.menu()
        menu.clear()
        for kind, title in self._titles.items():
            action = menu.addAction(title, partial(self.choose_kind, kind))
            action.setCheckable(True)
            action.setChecked(kind == self._kind)
            action.setVisible(kind != "runs" or self._runs > 1)
        menu.addSeparator()
        menu.addAction(self.tr("Copy as &Markdown"), partial(self.copy, "markdown"))
        menu.addAction(self.tr("Copy as CS&V"), partial(self.copy, "csv"))

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
        self._columns.show_columns(self._kind, rows.table)
        self._hide_columns()
        places = self._arranged(rows)
        places = self._held(rows, places) if held else places
        self.view.show_rows(rows, places, self._why_empty(rows))
        self.filter.setEnabled(bool(self._whole.rows))
        self.head.show_example(rows.table.filter_example)
        self._tell_counts()

    def _held(self, rows: Rows, places: tuple[int, ...]) -> tuple[int, ...]:
        """The rows where they were; what comes is put below."""
        order = {key: at for at, key in enumerate(self.view.row_keys())}
        return tuple(sorted(places, key=lambda at: order.get(rows.rows[at].key, len(order))))

    def _arranged(self, rows: Rows) -> tuple[int, ...]:
        """The filtered rows; an unreadable condition is marked."""
        problem = ""
        places: tuple[int, ...] = ()
        text = self.filter.text()
        finished = text.rpartition(" ")[0]  # the last condition is perhaps being typed
        for condition in (text, finished, self._how.filter, ""):
            how = replace(self._how, filter=condition)
            try:
                places = how.of(rows.table)
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
        return places

    def _why_empty(self, rows: Rows) -> str:
        if self._kind == "runs" and not self._every["runs"].rows:
            return self.tr("Reading…")
        if rows.rows:
            return self.tr("No row matches the filter.")
        if self._whole.rows:
            return self.tr("Nothing was measured in the selected time.")
        return self.tr("No results yet")

    def _tell_counts(self) -> None:
        """Settings that have no row yet count as well."""
        whole = len(self._whole.rows)
        of = max(whole, self._planned) if self._kind == "results" else whole
        shown, selected = len(self.view.places), len(self.view.selected_places())
        self.head.show_rows(self._kind, shown, of, selected)

    def _take_activated(self, index: QModelIndex) -> None:
        row = self.view.row_at(index)
        if row.origin is not None:
            self.run_wanted.emit(row.origin)

    # How it is shown.

    def _arrange(self, **changes: object) -> None:
        self._how = replace(self._how, **changes)
        self._show()

    def _hide_columns(self) -> None:
        self.view.hide_columns(self._columns.hidden)
        self.head.columns.setText(self._columns.text())

    def look_for(self) -> None:
        """Type a filter."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.filter.selectAll()

    # Copies.

    def copy(self, form: Literal["markdown", "csv"]) -> None:
        """Put the selected rows, or all that are shown, on the clipboard: the shown columns."""
        from core import table_text

        rows = self.rows
        places = self.view.selected_places() or self.view.places
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
