"""Published studies: those that can be repeated, and one as reproduced here."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from app.plots.base.figure import Figure
from app.plots.counts.log_chart import LogChart
from app.style.labels import as_tip, label
from app.style.layouts import spaced
from app.style.theme import LIGHT, Theme
from app.table.cell_delegate import ROW_AIR
from core import Reproduction, one_line, tr_word

if TYPE_CHECKING:
    from core import CurvesFigure

type Rows = tuple[tuple[str, ...], ...]

_WIDEST = {2: 110, 3: 170}
"""Pixels of what stands beside a claim, by column; longer texts are wrapped."""


class TextTable(QTableWidget):
    """A table to read; Ctrl+C copies the selected rows, or all, with tabs between the cells."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._rows: Rows = ((),)
        """The titles first."""
        self.setAccessibleName(name)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setAlternatingRowColors(True)
        self.setShowGrid(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        self.verticalHeader().setDefaultSectionSize(self.fontMetrics().height() + ROW_AIR)

    def show_rows(self, titles: tuple[str, ...], rows: Rows, right: range = range(0)) -> None:
        """Show these; columns named by index in `right` are figures."""
        self._rows = (titles, *rows)
        self.setColumnCount(len(titles))
        self.setRowCount(len(rows))
        sides = Qt.AlignmentFlag
        for at, row in enumerate(self._rows, start=-1):
            for column, text in enumerate(row):
                item = QTableWidgetItem(one_line(text))
                side = sides.AlignRight if column in right else sides.AlignLeft
                item.setTextAlignment(side | sides.AlignVCenter)
                if at < 0:
                    self.setHorizontalHeaderItem(column, item)
                else:
                    item.setToolTip(as_tip(item.text()))
                    self.setItem(at, column, item)

    def show_claims(self, titles: tuple[str, ...], rows: Rows) -> None:
        """Show claims, in the second column, which has all the room that others do not need."""
        self.show_rows(titles, rows)
        header = self.horizontalHeader()
        header.setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        for column, widest in _WIDEST.items():
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            wide = max(self.sizeHintForColumn(column), header.sectionSizeHint(column))
            header.resizeSection(column, min(wide, widest))
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def rows(self) -> Rows:
        return self._rows[1:]

    def copy(self) -> None:
        """Put the selected rows, or all, on the clipboard."""
        chosen = sorted(index.row() for index in self.selectionModel().selectedRows())
        rows = [self.rows()[row] for row in chosen] or self.rows()
        lines = ("\t".join(row) for row in (self._rows[0], *rows))
        QGuiApplication.clipboard().setText("\n".join(lines))

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        else:
            super().keyPressEvent(event)


class StudyView(QTabWidget):
    """The claims with their judgements, published figures beside those here, and every plot."""

    menu_wanted = Signal(object, QPoint)
    """A menu for one plot (Figure); where on the screen."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = LIGHT
        self.charts: list[LogChart] = []
        self.claims = TextTable(self.tr("Claims of the study"))
        self.claims.setWordWrap(True)
        self.board = TextTable(self.tr("Published figures and those measured here"))
        self.board.setWordWrap(False)
        self.source = label(part="muted", wraps=True)
        self.source.setContentsMargins(6, 2, 6, 2)
        self._page = page = QWidget()
        column = spaced(QVBoxLayout(page), 2)
        column.addWidget(self.source)
        column.addWidget(self.board, 1)
        self.addTab(self.claims, self.tr("Claims"))
        self.addTab(page, self.tr("Published and here"))
        self.setDocumentMode(True)
        for named in (self, self.tabBar()):
            named.setAccessibleName(self.tr("Parts of the study"))

    def show_study(self, reproduction: Reproduction) -> None:
        study, board = reproduction.study, reproduction.board
        self.claims.show_claims(
            (
                self.tr("Judgement"),
                self.tr("Claim"),
                self.tr("Published"),
                self.tr("Here"),
                self.tr("Size"),
            ),
            tuple(one.row for one in reproduction.judged),
        )
        self.board.show_rows(board.titles, board.rows, range(1, len(board.titles) - 1))
        self.board.resizeColumnsToContents()
        self.board.horizontalHeader().setStretchLastSection(True)
        self.source.setText(
            "; ".join(reproduction.remarks)
            if study.programs
            else self.tr("Published: {source}; {machine}. × is the ratio to “{baseline}”.").format(
                source=study.source, machine=tr_word(study.machine), baseline=study.baseline
            )
        )
        self.setTabVisible(self.indexOf(self.claims), not study.programs)
        place = self.indexOf(self._page)
        self.setTabText(
            place, self.tr("Programs here") if study.programs else self.tr("Published and here")
        )
        self._show_charts(reproduction.charts)

    def _show_charts(self, charts: Sequence[CurvesFigure]) -> None:
        while len(self.charts) > len(charts):
            extra = self.charts.pop()
            self.removeTab(self.indexOf(extra))
            extra.deleteLater()
        while len(self.charts) < len(charts):
            view = LogChart()
            view.set_theme(self._theme)
            view.menu_wanted.connect(self.menu_wanted)
            self.charts.append(view)
            self.addTab(view, "")
        several = self.tr("Figure {}") if len(charts) > 1 else self.tr("Figure")
        for number, (view, chart) in enumerate(zip(self.charts, charts, strict=True), 1):
            view.show_chart(chart)
            place = self.indexOf(view)
            self.setTabText(place, several.format(number))
            self.setTabToolTip(place, tr_word(chart.title))

    def figures(self) -> tuple[Figure, ...]:
        """The visible plot; none where a table is visible."""
        return tuple(chart.figure() for chart in self.charts if chart is self.currentWidget())

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for chart in self.charts:
            chart.set_theme(theme)

    def summary(self) -> str:
        """The judged claims or, of a study of programs, its answers: a line for each."""
        if not self.isTabVisible(self.indexOf(self.claims)):
            return "\n".join(": ".join(row[:3]) for row in self.board.rows())
        return "\n".join(": ".join((row[0], row[1])) for row in self.claims.rows())
