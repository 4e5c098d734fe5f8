"""The widgets of the window and where they stand, and the session and run that they show.

What joins them is elsewhere.
"""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QByteArray, QEvent, QSettings, Qt, QThreadPool
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QPushButton,
    QSplitter,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from app.setup.setup_panel import FORM_SIDES, SetupPanel
from app.shell.bars import CommandLine, TopBar
from app.shell.before_start import PreflightStrip
from app.shell.start_page import StartPage
from app.style import dialogs
from app.style.layouts import spaced
from app.table.table_panel import TablePanel
from app.views.answer_card import AnswerCard
from app.views.tabs import RunViews
from app.views.tiles import Evidence
from app.work.held_session import HeldSession
from app.work.shown_run import Measuring
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
        self.measuring = Measuring(self.pool, self)
        self.held = HeldSession(self.pool, settings, self)
        self.top = TopBar()
        self.strip = self.top.strip
        self.setup = SetupPanel(self.pool, settings, int(usable_cores()), servers)
        self.start_button = QPushButton()
        self.start_button.setProperty("part", "start")
        self.cancel_button = QPushButton(self.tr("■ Stop, keep what was measured"))
        self.cancel_button.setProperty("part", "stop")
        self.cancel_button.setAccessibleName(self.tr("Stop"))
        self.cancel_button.setToolTip(self.tr("End the run and keep what was measured (Esc)"))
        self.preflight_strip = PreflightStrip()
        self.start = StartPage()
        self.views = RunViews(self.pool)
        self.verdict = AnswerCard()
        self.results = TablePanel(settings)
        self.command = CommandLine()
        self._folds = False
        self._lay_out()

    def say(self, what: str) -> None:
        """Say in the bar what goes on, or what was done."""
        self.strip.finish(what, 0.0)

    def complain(self, doing: str, why: str) -> None:
        """Say in a dialog what could not be done, and why."""
        dialogs.complain(self, doing, why)

    def _lay_out(self) -> None:
        self.panes = Panes(Evidence(self.views), self.results)
        # One place for both, so that nothing moves where the hand is.
        self.start_or_stop = QStackedWidget()
        self.start_or_stop.addWidget(self.start_button)
        self.start_or_stop.addWidget(self.cancel_button)
        self.start_or_stop.setFixedHeight(36)
        self._below = QVBoxLayout()
        self._below.setContentsMargins(FORM_SIDES)
        self._below.addWidget(self.preflight_strip)
        self._below.addWidget(self.start_or_stop)
        self.form = QWidget()
        left = QVBoxLayout(self.form)
        left.setContentsMargins(0, 0, 0, _GAP)
        left.addWidget(self.setup, 1)
        left.addLayout(self._below)
        right = spaced(QVBoxLayout(), _GAP, _GAP, _GAP, 16, _GAP)
        right.addWidget(self.verdict)
        right.addWidget(self.panes, 1)
        row = spaced(QHBoxLayout(), 0)
        row.addWidget(self.form)
        row.addLayout(right, 1)
        self.question = QWidget()
        page = spaced(QVBoxLayout(self.question), 0)
        page.addLayout(row, 1)
        page.addWidget(self.command)
        self.pages = QStackedWidget()
        for each in (self.start, self.question):
            self.pages.addWidget(each)
        whole = spaced(QVBoxLayout(self), 0)
        whole.addWidget(self.top)
        whole.addWidget(self.pages, 1)
        self.command.change.clicked.connect(lambda: self.fold(folded=False))

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
            width = self.start_or_stop.sizeHint().width()
            self.start_or_stop.setMaximumWidth(width if folded else _ANY)
            if folded:
                self.command.put_first(self.start_or_stop)
            else:
                self._below.addWidget(self.start_or_stop)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_width()


_MOST = 0.45
"""The table's largest share of the height."""
_HANDLE = 12


class Panes(QSplitter):
    """Plots above their table, which is one of the tabs in a low window.

    The table gets what its rows need and the plots what it leaves, until the user moves the line.
    """

    def __init__(self, plots: Evidence, table: TablePanel) -> None:
        super().__init__(Qt.Orientation.Vertical)
        self.state: QByteArray | None = None
        """The line's place as the user set it; None if it was never moved."""
        self._racing = False
        self._plots, self._tabs, self._table = plots, plots.views, table
        self.addWidget(plots)
        self.addWidget(table)
        self.setChildrenCollapsible(False)
        self.setHandleWidth(_HANDLE)
        self.splitterMoved.connect(self._keep)
        table.grown.connect(self.settle)
        self.setStretchFactor(0, 3)
        self.setStretchFactor(1, 2)

    def _keep(self, *_: int) -> None:
        self.state = self.saveState()

    def restore(self, state: object) -> None:
        self.state = None
        if isinstance(state, QByteArray) and self.restoreState(state):
            self.state = state

    def leave_room(self, *, racing: bool) -> None:
        """While a run is watched live, the race says what the table would."""
        self._racing = racing
        self.settle()

    def look_for(self) -> None:
        """Type a filter of the table."""
        if (at := self._tabs.indexOf(self._table)) >= 0:
            self._tabs.setCurrentIndex(at)
        self._table.look_for()

    @property
    def _room(self) -> int:
        """Pixels for the table where curves are as low as they can be."""
        return self.height() - _HANDLE - self._plots.least_height

    def settle(self) -> None:
        """Share the height again, because rows may have changed."""
        self._place_table()
        if self.count() < 2:
            return
        self._table.setHidden(self._racing)
        if self.state is None and not self._racing:
            whole = sum(self.sizes())
            height = min(self._table.needed_height, self._room, round(_MOST * whole))
            self.setSizes([whole - height, height])

    def _place_table(self) -> None:
        """Put it below the plots if both have room there, and else into a tab."""
        beside = self._room >= self._table.least_height
        if beside is (self.count() > 1):
            return
        if not beside:
            self._tabs.addTab(self._table, self.tr("Table"))
            return
        self._tabs.removeTab(self._tabs.indexOf(self._table))
        self.addWidget(self._table)
        self._table.show()
        if self.state is not None:
            self.restoreState(self.state)

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in {QEvent.Type.Resize, QEvent.Type.LayoutRequest}:
            self.settle()
        return done
