"""Every run ever: found by words, opened, compared, annotated, thrown away."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, override

from PySide6.QtCore import QFile, QLocale, QStandardPaths, Qt, QThreadPool, Signal
from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.style import dialogs
from app.style.dialogs import note_text
from app.style.labels import ClippedLabel, as_tip, label, restyle
from app.style.layouts import NARROW, side_of, spaced
from app.style.theme import Theme
from app.views.run_rows import RunList
from app.work.question import Question, drop_questions
from core import Listed, Note, Session, SessionError, sessions_folder
from core import tr as sentence

if TYPE_CHECKING:
    from app.views.run_rows import Found

_ROW = 78
_BESIDE, _BESIDE_SMALL = 320, 260
"""Pixels of what stands beside the list, also in a narrow window."""


class SessionsPage(QWidget):
    """A list that is there at once; the answers follow, the newest run's first.

    What can be done with the selected run stands beside it.  Two selected runs are compared.
    """

    chosen = Signal(object, int)
    """The run to show: its session (Path) and its number; 0 is the last one."""
    compared = Signal(object, object)
    """Two runs (Origin), the older first."""
    listed = Signal()
    """The folder was looked at."""

    def __init__(
        self,
        pool: QThreadPool,
        open_session: Callable[[], Path | None],
        answers: dict[Listed, Found],
    ) -> None:
        """`open_session`: the one that this window has open now; `answers`: those found so far."""
        super().__init__()
        self.setAccessibleName(self.tr("Runs"))
        self._open_session = open_session
        self._listing, self._changing, self._noting = (Question(pool, self) for _ in range(3))
        self._listing.answered.connect(self._show)
        self._listing.progressed.connect(self._show_progress)
        self._changing.answered.connect(lambda _: self.look())
        self._changing.refused.connect(self._refuse)
        self._noting.answered.connect(
            lambda notes: self.notes.setPlainText("\n\n".join(map(note_text, notes)))
        )
        self._noting.refused.connect(lambda _: self.notes.clear())
        self._problem = ""
        self.list = RunList(pool, answers, _ROW)
        self._make_list()
        self._make_notes()
        self._title = label(self.tr("Runs"), "large")
        self._said = ClippedLabel("reason", 1)
        self._said.setAccessibleName(self.tr("How many runs"))
        self.buttons = {
            "open": self._button(self.tr("&Open"), self.open_selected),
            "compare": self._button(self.tr("&Compare"), self.compare_selected),
            "rename": self._button(self.tr("&Rename…"), self.rename_selected),
            "remove": self._button(self.tr("Move to the &wastebasket"), self.remove_selected),
        }
        self.buttons["open"].setProperty("part", "primary")
        self._lay_out()
        self._fit_buttons()

    def _make_list(self) -> None:
        self.search = QLineEdit()
        self.search.setMinimumHeight(36)
        self.search.setPlaceholderText(
            self.tr("Search answers, data, work, machines, days and titles")
        )
        self.search.setAccessibleName(self.tr("Search the runs"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list.answered.connect(self._filter_one)
        self.list.setAccessibleName(self.tr("Runs"))
        self.list.setSelectionMode(RunList.SelectionMode.ExtendedSelection)
        self.list.itemActivated.connect(lambda *_: self.open_selected())
        self.list.itemSelectionChanged.connect(self._take_selection)

    def _make_notes(self) -> None:
        self._name = ClippedLabel("title", 2)
        self._about = label(part="muted", wraps=True)
        self._about.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._about.setMinimumHeight(5 * self.fontMetrics().lineSpacing())
        self._about.setAccessibleName(self.tr("The selected run"))
        self.notes = QPlainTextEdit()
        self.notes.setReadOnly(True)
        self.notes.setTabChangesFocus(True)
        self.notes.setMaximumHeight(6 * self.fontMetrics().lineSpacing())
        self.notes.setPlaceholderText(self.tr("No notes so far."))
        self.notes.setAccessibleName(self.tr("Earlier notes"))
        self.note = QLineEdit()
        self.note.setPlaceholderText(self.tr("Add a note, and press Return"))
        self.note.setAccessibleName(self.tr("New note"))
        self.note.returnPressed.connect(self.keep_note)

    def _button(self, text: str, does: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAutoDefault(False)  # Return keeps a note, wherever the page stands
        button.clicked.connect(lambda *_: does())
        return button

    def _lay_out(self) -> None:
        beside = spaced(QVBoxLayout(), 8)
        beside.addWidget(self._name)
        beside.addWidget(self._about)
        beside.addSpacing(8)
        beside.addWidget(self.buttons["open"])
        two = spaced(QHBoxLayout(), 8)
        two.addWidget(self.buttons["compare"], 1)
        two.addWidget(self.buttons["rename"], 1)
        beside.addLayout(two)
        beside.addWidget(self.buttons["remove"])
        beside.addSpacing(8)
        beside.addWidget(label(self.tr("Notes"), "heading"))
        beside.addWidget(self.notes)
        beside.addWidget(self.note)
        beside.addStretch(1)
        self._beside = QWidget()
        self._beside.setLayout(beside)
        self._row = spaced(QHBoxLayout(), 24)
        self._row.addWidget(self.list, 1)
        self._row.addWidget(self._beside)
        column = self._column = spaced(QVBoxLayout(self), 0, 24, 16, 24, 16)
        column.addWidget(self._title)
        column.addSpacing(4)
        column.addWidget(self._said)
        column.addSpacing(12)
        column.addWidget(self.search)
        column.addSpacing(12)
        column.addLayout(self._row, 1)

    def set_theme(self, theme: Theme) -> None:
        self.list.set_theme(theme)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._beside.setFixedWidth(_BESIDE_SMALL if self.width() < NARROW else _BESIDE)
        side = side_of(self.width())
        self._column.setContentsMargins(side, 16, side, 16)

    @override
    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.look()

    def look(self) -> None:
        """List the folder as it is now."""
        self._said.setText(self.tr("Looking…"))
        self._listing.ask(lambda report: Listed.in_folder(sessions_folder(), report))

    def _show_progress(self, _: str, done: int, total: int) -> None:
        if total:
            share = QLocale().toString(round(100 * done / total))
            self._said.setText(self.tr("Looking… {} %").format(share))

    def _show(self, runs: tuple[Listed, ...]) -> None:
        selected = self.selected()
        self.list.blockSignals(True)
        self.list.show_runs(runs)
        if runs:
            same = (one for one in runs if selected and _key(one) == _key(selected[0]))
            self.list.setCurrentItem(self.list.item_of(next(same, runs[0])))
        self.list.blockSignals(False)
        self._filter()
        self._take_selection()
        self.listed.emit()

    # What is shown, and what can be done with it.

    def selected(self) -> list[Listed]:
        """The runs that are selected, the current one first."""
        current = self.list.currentItem()
        items = sorted(self.list.selectedItems(), key=lambda one: one is not current)
        return [self.list.run_of(item) for item in items if not item.isHidden()]

    def _one(self) -> Listed | None:
        """The only one that is selected."""
        selected = self.selected()
        return selected[0] if len(selected) == 1 else None

    def said(self) -> str:
        """How many there are, or what could not be done."""
        return self._said.text()

    def shown(self) -> list[Listed]:
        """The runs that the search leaves, from top to bottom."""
        return [one for one in self.list.runs if not self.list.item_of(one).isHidden()]

    def _filter(self) -> None:
        for one in self.list.runs:
            self._filter_one(one)
        self._say_how_many()
        self._fit_buttons()

    def _filter_one(self, one: Listed) -> None:
        found, words = self.list.answers.get(one), self.search.text().lower().split()
        answer = found[0].text if found is not None else ""
        self.list.item_of(one).setHidden(not one.has(words, answer))

    def _say_how_many(self) -> None:
        """How many there are, or, until something else is done, why the last change failed."""
        shown, every = len(self.shown()), len(self.list.runs)
        count = sentence("1 run", "{count:,} runs", count=every)
        if shown != every:
            count = self.tr("{} of {} runs").format(shown, every)
        self._said.setText(self._problem or count)
        restyle(self._said, "part", "problem" if self._problem else "reason")

    def _fit_buttons(self) -> None:
        one = self._one()
        is_open = one is not None and one.path == self._open_session()
        free = one is not None and not is_open
        readable = free and one is not None and not one.fault
        self.buttons["open"].setEnabled(one is not None)
        self.buttons["compare"].setEnabled(sum(bool(each.run) for each in self.selected()) == 2)
        self.buttons["rename"].setEnabled(readable)
        self.buttons["remove"].setEnabled(free)
        self.note.setEnabled(readable)
        why = self.tr("This window has it open: use the menu Session") if is_open else ""
        for part in (self.buttons["rename"], self.buttons["remove"], self.note):
            part.setToolTip(as_tip(why))
        self.buttons["compare"].setToolTip(self.tr("Select two runs"))

    def _take_selection(self) -> None:
        self._fit_buttons()
        self.notes.clear()
        self.note.clear()
        one = self._one()
        self._name.setText(one.name if one is not None else "")
        self._about.setText(_facts(one) if one is not None else "")
        if one is not None and one.notes:
            self._noting.ask(partial(_notes_of, one.path))

    def open_selected(self) -> None:
        if (one := self._one()) is not None:
            self.chosen.emit(one.path, one.run)

    def compare_selected(self) -> None:
        two = sorted((one for one in self.selected() if one.run), key=lambda one: one.changed)
        if len(two) == 2:
            from core import Origin

            self.compared.emit(*(Origin(one.path, one.run) for one in two))

    def rename_selected(self) -> None:
        """Give it another title; the file keeps its name."""
        one = self._one()
        if one is None or not self.buttons["rename"].isEnabled():
            return
        if (title := dialogs.new_title(self, one.name).strip()) and title != one.name:
            self._change(partial(_renamed, one.path, title))

    def keep_note(self) -> None:
        """Keep what was written as a note of the selected session."""
        one, text = self._one(), self.note.text().strip()
        if one is not None and text:
            self._change(partial(_noted, one.path, text))

    def remove_selected(self) -> None:
        """Move the file to the wastebasket, from where it can be taken back."""
        if (one := self._one()) is not None and one.path != self._open_session():
            self._change(partial(_removed, one))

    def _change(self, question: Callable[[], object]) -> None:
        """Have something done to a session; the list is made anew after it."""
        self._problem = ""
        self._changing.ask(lambda _: question())

    def _refuse(self, why: str) -> None:
        """Say why it was not done; the list is as the folder is."""
        self._problem = why
        self._say_how_many()

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        drop_questions(self)  # nobody looks at the answers


def _facts(one: Listed) -> str:
    """What it is about, and in which file."""
    data = one.dataset.rpartition("/")[2] or one.dataset
    return "\n".join(filter(None, (one.subject, data, one.machine, one.path.name)))


def _key(one: Listed) -> tuple[Path, int]:
    return one.path, one.run


def _renamed(path: Path, title: str) -> None:
    with Session.open(path) as session:
        session.rename(title)


def _notes_of(path: Path, _: object) -> tuple[Note, ...]:
    with Session.read(path) as session:
        return session.notes()


def _noted(path: Path, text: str) -> None:
    with Session.open(path) as session:
        session.note(text)


def _removed(one: Listed) -> None:
    if not one.fault:
        one.require_idle()
    where = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    with suppress(OSError):  # Qt makes the wastebasket there, but not the folder around it
        Path(where).mkdir(parents=True, exist_ok=True)
    if not QFile(str(one.path)).moveToTrash():
        raise SessionError(
            sentence("{path} cannot be moved to the wastebasket", path=one.path),
            sentence("delete the file by hand"),
        )
