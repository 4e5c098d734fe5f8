"""The first page: drop data, ask one of a few questions, or go on with what was measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.style import dialogs
from app.style.labels import as_tip, label
from app.style.layouts import spaced
from core import one_line, tr_word, workloads

_WIDTH, _COLUMNS, _CARDS, _RUNS, _ROW = 880, 3, 6, 5, 26
_PATH = Qt.ItemDataRole.UserRole


class StartPage(QScrollArea):
    """Every way into a question, each one press away."""

    place_wanted = Signal(object)
    """A file or folder to ask about (Path)."""
    sample_wanted = Signal()
    work_wanted = Signal(str)
    """The name of a workload."""
    session_wanted = Signal(object)
    """A session to go on with (Path)."""
    guide_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(self.tr("Start"))
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.runs = QTreeWidget()
        self.runs.setAccessibleName(self.tr("Continue"))
        self.runs.setColumnCount(3)
        self.runs.setHeaderHidden(True)
        self.runs.setColumnWidth(0, 280)
        header, mode = self.runs.header(), QHeaderView.ResizeMode
        header.setStretchLastSection(False)
        header.setSectionResizeMode(1, mode.Stretch)
        header.setSectionResizeMode(2, mode.ResizeToContents)
        self.runs.setRootIsDecorated(False)
        self.runs.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.runs.itemActivated.connect(self._open)
        self.runs.itemClicked.connect(self._open)
        self._continue = label(self.tr("Continue"), "heading")
        self._lay_out()
        self.show_runs((), {})

    def _lay_out(self) -> None:
        guide = QPushButton(self.tr("Read the user guide"))
        guide.setProperty("part", "plain")
        guide.clicked.connect(self.guide_wanted)
        title = label(self.tr("What do you want to know?"), "large")
        top = QHBoxLayout()
        top.addWidget(title, 1)
        top.addWidget(guide)
        middle = QWidget()
        middle.setMaximumWidth(_WIDTH)
        column = spaced(QVBoxLayout(middle), 8, 16, 32, 16, 16)
        column.addLayout(top)
        column.addWidget(
            label(self.tr("Measured on your own data, every operation verified."), "muted")
        )
        column.addSpacing(8)
        column.addWidget(self._drop())
        column.addSpacing(8)
        column.addLayout(self._questions())
        column.addSpacing(8)
        column.addWidget(self._continue)
        column.addWidget(self.runs)
        column.addStretch(1)
        page = QWidget()
        page.setObjectName("formPage")
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(middle, 20)
        row.addStretch(1)
        self.setWidget(page)

    def _drop(self) -> QWidget:
        zone = QFrame()
        zone.setProperty("part", "drop")
        self.choose = QPushButton(self.tr("Choose…"))
        self.choose.setProperty("part", "primary")
        menu = QMenu(self.choose)
        dialogs.offer_data(menu, self, self.place_wanted.emit)
        self.choose.setMenu(menu)
        self.sample = QPushButton(self.tr("Sample data · 1 min to a first answer"))
        self.sample.setProperty("part", "slot")
        self.sample.setToolTip(
            self.tr("Makes data in Sluice's own folder and measures it; your files stay untouched.")
        )
        self.sample.clicked.connect(self.sample_wanted)
        row = spaced(QHBoxLayout(zone), 16, 16, 32, 16, 32)
        row.addStretch(1)
        row.addWidget(label(self.tr("Drop a file or folder here"), "title"))
        row.addWidget(self.choose)
        row.addWidget(self.sample)
        row.addStretch(1)
        return zone

    def _questions(self) -> QGridLayout:
        grid = QGridLayout()
        grid.setSpacing(12)
        for place, (name, entry) in enumerate(list(workloads().items())[:_CARDS]):
            card = QPushButton()
            card.setProperty("part", "ask")
            title, question = tr_word(entry.title), tr_word(entry.purpose)
            card.setAccessibleName(title)
            card.setAccessibleDescription(question)
            card.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Expanding)
            inside = QVBoxLayout(card)
            inside.setContentsMargins(18, 14, 18, 14)
            for text in (label(title, "title", wraps=True), label(question, wraps=True)):
                text.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
                inside.addWidget(text)
            inside.addStretch(1)
            card.setMinimumHeight(104)
            card.clicked.connect(lambda _, name=name: self.work_wanted.emit(name))
            grid.addWidget(card, place // _COLUMNS, place % _COLUMNS)
            grid.setColumnStretch(place % _COLUMNS, 1)
        return grid

    def show_runs(self, places: Sequence[Path], answers: Mapping[str, str]) -> None:
        """Offer the sessions that were used last, the newest first, with their answers."""
        self.runs.clear()
        dated = [(place, _last_change(place)) for place in places]
        there = [(place, seconds) for place, seconds in dated if seconds is not None][:_RUNS]
        for place, seconds in there:
            when = QDateTime.fromSecsSinceEpoch(int(seconds))
            date = QLocale().toString(when, QLocale.FormatType.ShortFormat)
            item = QTreeWidgetItem([one_line(place.stem), answers.get(str(place), ""), date])
            item.setData(0, _PATH, str(place))
            item.setToolTip(0, as_tip(str(place)))
            item.setSizeHint(0, QSize(0, _ROW))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            self.runs.addTopLevelItem(item)
        self.runs.setFixedHeight(len(there) * _ROW + 4 if there else 0)
        for part in (self._continue, self.runs):
            part.setVisible(bool(there))

    def _open(self, item: QTreeWidgetItem) -> None:
        self.session_wanted.emit(Path(item.data(0, _PATH)))


def _last_change(place: Path) -> float | None:
    """When a file was last written; None if there is none, or nothing that can be one."""
    try:
        return place.stat().st_mtime
    except (OSError, ValueError):  # other hands may have written the settings
        return None
