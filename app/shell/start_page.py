"""The first page: type or drop what to ask about, choose a question, or go on with a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import Qt, QThreadPool, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

import core
from app.style import dialogs
from app.style.labels import label, restyle
from app.style.layouts import NARROW, side_of, spaced
from app.style.menus import Menu
from app.style.theme import Theme
from app.views.run_rows import RunList
from app.work.question import Question
from core import Request, UsageError, sessions_folder, tr_word, workloads

if TYPE_CHECKING:
    from app.views.run_rows import Found
    from core import Listed

_WIDTH, _BESIDE, _GAP = 1088, 384, 64
"""Pixels of the page and of its right column, which is underneath in a narrow window."""
_COLUMNS, _RUNS, _ROW = 3, 5, 98
_EXAMPLES = ("samtools sort -@ {threads}", "zstd -T{threads}")


class StartPage(QScrollArea):
    """Every way into a question, each one press away."""

    place_wanted = Signal(object)
    """A file or folder to ask about (Path)."""
    asked = Signal(object)
    """What was typed, where that is no place (Request)."""
    sample_wanted = Signal()
    work_wanted = Signal(str)
    """The name of a workload."""
    run_wanted = Signal(object, int)
    """A session (Path) and the number of a run in it."""
    page_wanted = Signal(str)
    guide_wanted = Signal()

    def __init__(self, pool: QThreadPool, answers: dict[Listed, Found]) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Start"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._hint = self.tr("Drop a file, a folder or a link anywhere in this window, or type.")
        self.why = label(self._hint, "reason", wraps=True)
        """What can be done, or why what was typed cannot be asked."""
        self.field = QLineEdit()
        self.field.setProperty("part", "question")
        self.field.setPlaceholderText(self.tr("path, address, or a command with {threads} in it"))
        self.field.setAccessibleName(self.tr("What do you want to know?"))
        # Asked at once, the same key would press what has the focus on the page that follows.
        self.field.returnPressed.connect(self._ask, Qt.ConnectionType.QueuedConnection)
        self.field.textEdited.connect(lambda _: self._say(""))
        self.runs = RunList(pool, answers, _ROW)
        self.runs.setAccessibleName(self.tr("Continue"))
        self.runs.itemActivated.connect(self._open)
        self.runs.itemClicked.connect(self._open)
        self._looking = Question(pool, self)
        self._looking.answered.connect(self._show_runs)
        self._continue = self._right_column()
        self._lay_out()
        self._show_runs(())

    def set_theme(self, theme: Theme) -> None:
        self.runs.set_theme(theme)

    def look(self) -> None:
        """Show the runs that are there now."""
        # The pool's thread imports what sessions need.
        self._looking.ask(lambda report: core.Listed.in_folder(sessions_folder(), report, _RUNS))

    def _ask(self) -> None:
        if not (text := self.field.text().strip()):
            return
        try:
            asked = Request.typed(text)
        except UsageError as refused:
            self._say(str(refused))
            return
        self.field.clear()
        if asked.dataset is not None:
            self.place_wanted.emit(asked.dataset)
        else:
            self.asked.emit(asked)

    def _say(self, problem: str) -> None:
        self.why.setText(problem[:1].upper() + problem[1:] or self._hint)
        restyle(self.why, "mood", "bad" if problem else "")

    def _lay_out(self) -> None:
        left = spaced(QVBoxLayout(), 0)
        left.addWidget(label(self.tr("What do you want to know?"), "large"))
        left.addSpacing(4)
        left.addWidget(self.why)
        left.addSpacing(20)
        left.addWidget(self._ask_field())
        left.addSpacing(10)
        left.addLayout(self._examples())
        left.addSpacing(40)
        left.addLayout(self._heading())
        left.addSpacing(10)
        left.addLayout(self._questions())
        left.addStretch(1)
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(_GAP)
        self._row.addLayout(left, 1)
        self._row.addWidget(self._continue, 0, Qt.AlignmentFlag.AlignTop)
        middle = QWidget()
        middle.setMaximumWidth(_WIDTH)
        middle.setLayout(self._row)
        self._row.setContentsMargins(0, 56, 0, 16)
        page = QWidget()
        page.setObjectName("formPage")
        self._page = spaced(QHBoxLayout(page), 0)
        self._page.addStretch(1)
        self._page.addWidget(middle, 1000)
        self._page.addStretch(1)
        self.setWidget(page)

    def _ask_field(self) -> QWidget:
        frame = QFrame()
        frame.setProperty("part", "question")
        frame.setFixedHeight(56)
        self.choose = QPushButton(self.tr("Choose…"))
        self.choose.setProperty("part", "primary")
        menu = Menu(self.choose)
        dialogs.offer_data(menu, self, self.place_wanted.emit)
        self.choose.setMenu(menu)
        row = spaced(QHBoxLayout(frame), 8, 8, 0, 8, 0)
        row.addWidget(self.field, 1)
        row.addWidget(self.choose)
        return frame

    def _examples(self) -> QHBoxLayout:
        row = spaced(QHBoxLayout(), 8)
        row.addWidget(label(self.tr("such as"), "small"))
        for text in _EXAMPLES:
            example = QPushButton(text)
            example.setProperty("part", "example")
            example.clicked.connect(lambda _, text=text: self._take_example(text))
            row.addWidget(example)
        row.addStretch(1)
        self.sample = QPushButton(self.tr("Sample data · an answer in 1 min"))
        self.sample.setProperty("part", "small")
        self.sample.setToolTip(
            self.tr("Makes data in Sluice's own folder and measures it; your files stay untouched.")
        )
        self.sample.clicked.connect(self.sample_wanted)
        row.addWidget(self.sample)
        return row

    def _take_example(self, text: str) -> None:
        self.field.setText(text)
        self.field.setFocus()

    def _heading(self) -> QHBoxLayout:
        guide = QPushButton(self.tr("Read the user guide"))
        guide.setProperty("part", "plain")
        guide.clicked.connect(self.guide_wanted)
        row = spaced(QHBoxLayout(), 8)
        row.addWidget(label(self.tr("Or begin with a question"), "heading"), 1)
        row.addWidget(guide)
        return row

    def _questions(self) -> QGridLayout:
        """One for each workload, a program first, and the studies."""
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(0)
        first = sorted(workloads().items(), key=lambda one: one[0] != "command")
        cards = [self._card(tr_word(one.title), tr_word(one.purpose), name) for name, one in first]
        study = self.tr("A published study"), self.tr("Is what was published true here?")
        cards.append(self._card(*study, ""))
        for place, card in enumerate(cards):
            grid.addWidget(card, place // _COLUMNS, place % _COLUMNS)
            grid.setColumnStretch(place % _COLUMNS, 1)
        return grid

    def _card(self, title: str, question: str, workload: str) -> QPushButton:
        card = QPushButton()
        card.setProperty("part", "ask")
        card.setAccessibleName(title)
        card.setAccessibleDescription(question)
        card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
        inside = spaced(QVBoxLayout(card), 5, 0, 11, 0, 11)
        for text in (label(title, "strong", wraps=True), label(question, "muted", wraps=True)):
            text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
            inside.addWidget(text)
        inside.addStretch(1)
        card.setMinimumHeight(96)
        if workload:
            card.clicked.connect(lambda: self.work_wanted.emit(workload))
        else:
            card.clicked.connect(lambda: self.page_wanted.emit("studies"))
        return card

    def _right_column(self) -> QWidget:
        every = QPushButton(self.tr("all runs"))
        every.setProperty("part", "plain")
        every.clicked.connect(lambda: self.page_wanted.emit("sessions"))
        head = spaced(QHBoxLayout(), 8)
        head.addWidget(label(self.tr("Continue"), "heading"), 1)
        head.addWidget(every)
        part = QWidget()
        column = spaced(QVBoxLayout(part), 8)
        column.addLayout(head)
        column.addWidget(self.runs)
        return part

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        side, narrow = side_of(self.width()), self.width() < NARROW
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._row.setDirection(down if narrow else across)
        self._row.setSpacing(24 if narrow else _GAP)
        self._row.setContentsMargins(0, 24 if narrow else 56, 0, 16)
        self._page.setContentsMargins(side, 0, side, 0)
        self._continue.setMaximumWidth(_WIDTH if narrow else _BESIDE)
        self._continue.setMinimumWidth(0 if narrow else _BESIDE)
        self._row.setAlignment(
            self._continue, Qt.AlignmentFlag(0) if narrow else Qt.AlignmentFlag.AlignTop
        )

    def _show_runs(self, runs: tuple[Listed, ...]) -> None:
        self.runs.show_runs(runs)
        self.runs.setFixedHeight(len(runs) * _ROW)
        self._continue.setVisible(bool(runs))

    def _open(self, item: QListWidgetItem) -> None:
        run = self.runs.run_of(item)
        self.run_wanted.emit(run.path, run.run)
