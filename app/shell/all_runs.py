"""Joins the table of all runs to the window's session, and to sessions shown beside it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, Signal

from app.table.table_rows import NO_ROWS, rows_of_runs
from app.work.question import Question

if TYPE_CHECKING:
    from app.table.table_panel import TablePanel
    from app.work.session_actions import SessionActions
    from app.work.shown_run import Measuring
    from core import Origin, RunsBeside


class AllRuns(QObject):
    """Reads runs only while the table of all runs is looked at; else it counts them."""

    failed = Signal(str, str)
    """What was being done, and why it failed."""
    changed = Signal()
    """The sessions beside the window's own are others."""

    def __init__(
        self, pool: QThreadPool, desk: SessionActions, measuring: Measuring, table: TablePanel
    ) -> None:
        super().__init__(table)
        self._desk, self._measuring, self._table = desk, measuring, table
        self._whole = self._dropped = False
        self._read: RunsBeside | None = None
        """What was read last, and need not be read again."""
        self.added: list[Path] = []
        """Sessions that are shown beside each other, in this order."""
        self._reading = Question(pool, self)
        self._reading.answered.connect(self._show)
        self._reading.refused.connect(partial(self.failed.emit, self.tr("Reading the runs")))
        desk.renamed.connect(lambda _: self.look())
        measuring.summed_up.connect(lambda _: self.look() if self._whole else None)
        measuring.ended.connect(lambda _: self.look())
        table.runs_wanted.connect(self._want)
        table.run_wanted.connect(self._show_run)

    def drop(self) -> None:
        """The window closes: read no more, though it lets its session go."""
        self._dropped = True
        self._reading.drop()

    def add(self, path: Path) -> None:
        """Show a session's runs beside those of the window's own session."""
        held = self._desk.place
        for one in (held, path):
            if one is not None and not any(_same(one, other) for other in self.added):
                self.added.append(one)
        self.changed.emit()
        self._table.choose_kind("runs")

    def forget(self) -> None:
        """Show only the window's own session."""
        if self.added:
            self.added.clear()
            self.look()
            self.changed.emit()
        self._read = None

    def look(self) -> None:
        """Bring the table up to date, or how many runs there are."""
        if self._dropped:
            return
        paths, before, whole = self.sessions(), self._read, self._whole
        self._reading.ask(lambda _: _runs_of(paths, before, whole=whole))

    def sessions(self) -> list[Path]:
        """The window's own session, and those that are shown beside it."""
        held, paths = self._desk.place, list(self.added)
        if held is not None and not any(_same(held, one) for one in paths):
            paths.insert(0, held)
        return paths

    def _want(self, wanted: bool) -> None:
        self._whole = wanted
        if wanted:
            self.look()

    def _show(self, found: RunsBeside) -> None:
        self._read = found
        for path, why in found.faults.items():
            if path in self.added:
                self.added.remove(path)
                self.failed.emit(self.tr("Adding the session"), why)
                self.changed.emit()
        if found.table is not None:
            self._table.show_runs(rows_of_runs(found.table, found.runs, self._here()))
        elif not self._whole:
            self._table.show_runs(NO_ROWS)
        self._table.count_runs(found.count)

    def _here(self) -> Origin | None:
        """The run that the window shows."""
        from core import Origin

        now = self._measuring.now
        return None if now is None else Origin(now.session.path, now.run.id)

    def _show_run(self, origin: Origin) -> None:
        if not self._measuring.running:
            self._desk.open(origin.session, origin.run)


def _runs_of(paths: Sequence[Path], before: RunsBeside | None, *, whole: bool) -> RunsBeside:
    from core import RunsBeside  # on the pool's thread

    return RunsBeside.of(paths, before, whole=whole)


def _same(one: Path, other: Path) -> bool:
    return one.absolute() == other.absolute()
