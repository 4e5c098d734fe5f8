"""The widgets of the window, and where they stand; what joins them is elsewhere."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QSettings, QThreadPool
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.setup.command_line import CommandLine
from app.setup.setup_panel import FORM_SIDES, SetupPanel
from app.shell.panes import Panes
from app.shell.preflight_strip import PreflightStrip
from app.shell.run_rail import RunRail
from app.shell.start_page import StartPage
from app.shell.top_bar import TopBar
from app.table.table_panel import TablePanel
from app.views.answer_card import AnswerCard
from app.views.tabs import RunViews
from app.views.tiles import Evidence
from core import LocalServers, usable_cores

_THREADS = 6
"""More than cores: most of them wait for a child, a server or a file."""
_GAP = 12
_ANY = 16_777_215
"""What Qt takes for any width."""
_NARROW = 1100
"""Pixels of a window in which form and answer do not stand beside each other."""


class WindowParts(QWidget):
    """The bar above, then a page of a few: the question with its runs, form, verdict and views."""

    def __init__(self, settings: QSettings, servers: LocalServers | None) -> None:
        super().__init__()
        # The first child is the first to go, and waits for its threads while those who ask live.
        self.pool = QThreadPool(self, maxThreadCount=_THREADS)
        self.top = TopBar()
        self.strip = self.top.strip
        self.rail = RunRail()
        self.setup = SetupPanel(self.pool, settings, int(usable_cores()), servers)
        self.start_button = QPushButton()
        self.start_button.setProperty("part", "start")
        self.cancel_button = QPushButton(self.tr("■ Stop, keep what was measured"))
        self.cancel_button.setProperty("part", "stop")
        self.cancel_button.setAccessibleName(self.tr("Stop"))
        self.cancel_button.setToolTip(self.tr("End the run and keep what was measured (Esc)"))
        self.before = PreflightStrip()
        self.start = StartPage()
        self.views = RunViews(self.pool)
        self.verdict = AnswerCard()
        self.results = TablePanel(settings)
        self.command = CommandLine()
        self._folds = False
        self._lay_out()

    def _lay_out(self) -> None:
        self.panes = Panes(Evidence(self.views), self.results)
        # One place for both, so that nothing moves where the hand is.
        self.start_or_stop = QStackedWidget()
        self.start_or_stop.addWidget(self.start_button)
        self.start_or_stop.addWidget(self.cancel_button)
        self.start_or_stop.setFixedHeight(36)
        self.form = QWidget()
        self.form.setLayout(self._left())
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.rail)
        row.addWidget(self.form)
        row.addLayout(self._right(), 1)
        self.question = QWidget()
        page = _column(self.question)
        page.addLayout(row, 1)
        page.addWidget(self.command)
        self.pages = QStackedWidget()
        for each in (self.start, self.question):
            self.pages.addWidget(each)
        whole = _column(self)
        whole.addWidget(self.top)
        whole.addWidget(self.pages, 1)
        self.command.change.clicked.connect(lambda: self.fold(folded=False))

    def _left(self) -> QVBoxLayout:
        left = QVBoxLayout()
        left.setContentsMargins(0, 0, 0, _GAP)
        left.addWidget(self.setup, 1)
        self._below = QVBoxLayout()
        self._below.setContentsMargins(*FORM_SIDES)
        self._below.addWidget(self.before)
        self._below.addWidget(self.start_or_stop)
        left.addLayout(self._below)
        return left

    def _right(self) -> QVBoxLayout:
        right = QVBoxLayout()
        right.setContentsMargins(_GAP, _GAP, 16, _GAP)
        right.setSpacing(_GAP)
        right.addWidget(self.verdict)
        right.addWidget(self.panes, 1)
        return right

    def show_list(self, page: QWidget) -> None:
        """Show a page that is made once it is asked for."""
        if self.pages.indexOf(page) < 0:
            self.pages.addWidget(page)
        self.pages.setCurrentWidget(page)

    def fold(self, *, folded: bool) -> None:
        """Leave a narrow window to the answer: the line at the foot says what the form asks."""
        self._folds = folded
        self._fit_width()

    def _fit_width(self) -> None:
        folded = self._folds and self.width() < _NARROW
        if folded is not self.form.isHidden():
            self.form.setHidden(folded)
            self.command.change.setVisible(folded)
            needed = self.start_or_stop.sizeHint().width()
            self.start_or_stop.setMaximumWidth(needed if folded else _ANY)
            if folded:
                self.command.put_first(self.start_or_stop)
            else:
                self._below.addWidget(self.start_or_stop)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()


def _column(widget: QWidget) -> QVBoxLayout:
    column = QVBoxLayout(widget)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(0)
    return column
