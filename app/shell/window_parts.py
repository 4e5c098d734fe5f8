"""The widgets of the window and where they stand, and the session and run that they show.

What joins them is elsewhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import QSettings, QThreadPool
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from app.setup.question_line import QuestionLine
from app.setup.setup_panel import SetupPanel
from app.shell.bars import CommandLine, RunBar, TopBar
from app.shell.before_start import PreflightStrip
from app.shell.start_page import StartPage
from app.style import dialogs
from app.style.layouts import side_of, spaced
from app.table.table_panel import TablePanel
from app.views.answer_card import AnswerCard
from app.views.tabs import RunViews
from app.work.held_session import HeldSession
from app.work.shown_run import Measuring
from core import LocalServers, usable_cores

if TYPE_CHECKING:
    from app.views.run_rows import Found
    from app.views.sessions_page import SessionsPage
    from app.views.studies_page import StudiesPage
    from core import Listed

_THREADS = 6
"""More than cores: most of them wait for a child, a server or a file."""
_GAP = 8


class WindowParts(QWidget):
    """The bar above, then a page of a few: the question in a line, the verdict and the views."""

    def __init__(self, settings: QSettings, servers: LocalServers | None) -> None:
        super().__init__()
        # The first child is the first to go, and waits for its threads while those who ask live.
        self.pool = QThreadPool(self, maxThreadCount=_THREADS)
        self.measuring = Measuring(self.pool, self)
        self.held = HeldSession(self.pool, settings, self)
        self.top = TopBar()
        self.bar = RunBar()
        self.setup = SetupPanel(self.pool, settings, int(usable_cores()), servers)
        self.start_button = QPushButton()
        self.start_button.setProperty("part", "start")
        self.cancel_button = QPushButton(self.tr("■ Stop"))
        self.cancel_button.setProperty("part", "stop")
        self.cancel_button.setAccessibleName(self.tr("Stop"))
        self.cancel_button.setToolTip(self.tr("End the run and keep what was measured (Esc)"))
        self.preflight_strip = PreflightStrip()
        answers: dict[Listed, Found] = {}
        """Of runs that are listed, so that each is read once."""
        self.start = StartPage(self.pool, answers)
        self.views = RunViews(self.pool)
        self.verdict = AnswerCard()
        self.results = TablePanel(settings)
        self.command = CommandLine()
        self._lay_out()

    def say(self, what: str) -> None:
        """Say in the bar what goes on, or what was done."""
        self.top.message.say(what)

    def complain(self, doing: str, why: str) -> None:
        """Say in a dialog what could not be done, and why."""
        dialogs.complain(self, doing, why)

    def _lay_out(self) -> None:
        self.line = QuestionLine(self.setup, self.start_button, self.cancel_button)
        self.line.settings_wanted.connect(self._show_settings)
        self.setup.put_below(self.preflight_strip)
        self.views.answer_page.put_beside(self.setup)
        self.views.add_table(self.results)
        self.question = QWidget()
        self.question.setObjectName("question")
        page = spaced(QVBoxLayout(self.question), 0)
        self._beside = [spaced(QVBoxLayout(), 0) for _ in range(2)]
        above, below = self._beside
        above.addWidget(self.line)
        below.addWidget(self.views, 1)
        page.addLayout(above)
        page.addSpacing(_GAP)
        page.addWidget(self.bar)
        page.addWidget(self.verdict)
        page.addLayout(below, 1)
        page.addSpacing(_GAP)
        page.addWidget(self.command)
        self.pages = QStackedWidget()
        for each in (self.start, self.question):
            self.pages.addWidget(each)
        whole = spaced(QVBoxLayout(self), 0)
        whole.addWidget(self.top)
        whole.addWidget(self.pages, 1)

    def ask(self, *, asks: bool) -> None:
        """Have the settings stand open, because nothing answers yet, or not."""
        self.line.stand_open(stand=asks)
        self.views.answer_page.ask(asks=asks)

    def _show_settings(self) -> None:
        self.views.setCurrentIndex(0)
        self.setup.focus_settings()

    def look_for(self) -> None:
        """Type a filter of the table."""
        self.views.setCurrentWidget(self.results)
        self.results.look_for()

    def show_list(self, page: SessionsPage | StudiesPage) -> None:
        """Show a page that is made once it is asked for."""
        if self.pages.indexOf(page) < 0:
            self.pages.addWidget(page)
        self.pages.setCurrentWidget(page)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side = side_of(self.width())
        for column in self._beside:
            column.setContentsMargins(side, 0, side, 0)
        for part in (self.top, self.line, self.command):
            part.fit(self.width())
