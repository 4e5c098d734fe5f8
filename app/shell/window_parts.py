"""The widgets of the window, and where they stand; what joins them is elsewhere."""

from __future__ import annotations

from PySide6.QtCore import QSettings, QThreadPool
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.setup.command_line import CommandLine
from app.setup.setup_panel import SetupPanel
from app.shell.first_steps import FirstSteps
from app.shell.panes import Panes, ResultsColumn, Sides
from app.shell.preflight_strip import PreflightStrip
from app.table.table_panel import TablePanel
from app.views.answer_card import AnswerCard
from app.views.evidence import Evidence
from app.views.running_trial import PhaseStrip
from app.views.tabs import RunViews
from core import LocalServers, usable_cores

_THREADS = 6
"""More than cores: most of them wait for a child, a server or a file."""


class WindowParts(QWidget):
    """Start and the phase above, the form at the left, card, views and table beside it."""

    def __init__(self, settings: QSettings, servers: LocalServers | None) -> None:
        super().__init__()
        # The first child is the first to go, and waits for its threads while those who ask live.
        self.pool = QThreadPool(self, maxThreadCount=_THREADS)
        self.setup = SetupPanel(self.pool, settings, int(usable_cores()), servers)
        self.start_button = QPushButton(self.tr("▶ Start"))
        self.start_button.setProperty("part", "start")
        self.start_button.setAccessibleName(self.tr("Start"))
        self.cancel_button = QPushButton(self.tr("■ Cancel"))
        self.cancel_button.setAccessibleName(self.tr("Cancel"))
        self.cancel_button.setToolTip(self.tr("End the run and keep what was measured (Esc)"))
        self.strip = PhaseStrip()
        self.before = PreflightStrip()
        self.first_steps = FirstSteps()
        self.views = RunViews(self.pool)
        self.verdict = AnswerCard()
        self.results = TablePanel(settings)
        self.command = CommandLine()
        self._lay_out()

    def _lay_out(self) -> None:
        self.panes = Panes(Evidence(self.views), self.results)
        right = ResultsColumn(self.first_steps, self.verdict, self.panes)
        self.sides = Sides(self.setup, right)
        self.setup.setMinimumWidth(320)
        top = QHBoxLayout()
        top.addWidget(self.start_button)
        top.addWidget(self.cancel_button)
        top.addWidget(self.strip, 1)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(10, 8, 10, 8)
        whole.addLayout(top)
        whole.addWidget(self.before)
        whole.addWidget(self.sides, 1)
        whole.addWidget(self.command)
