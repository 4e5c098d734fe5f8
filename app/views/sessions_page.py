"""Every run ever: found by words, opened, compared, annotated, thrown away."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import override

from PySide6.QtCore import (
    QDateTime,
    QFile,
    QLocale,
    QSignalBlocker,
    QStandardPaths,
    Qt,
    QThreadPool,
    Signal,
)
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

import core
from app.style.dialogs import note_text
from app.style.labels import ClippedLabel, as_tip, restyle
from app.table.cell_delegate import RowDelegate
from app.work.question import Question, drop_questions
from core import Listed, Note, Session, SessionError, sessions_folder, show, tr

_WIDTHS = (130, 0, 120, 120, 120, 110)
"""Of the columns at first, in pixels; the answer has what they leave."""
_ANSWER, _DATASET, _SUBJECT, _MACHINE, _TITLE = range(1, 6)
_LISTED = Qt.ItemDataRole.UserRole


class SessionsPage(QWidget):
    """A list that is there at once; the answers follow, the newest run's first.

    Titles are changed in their row and notes are written below it.  Two selected runs are compared.
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
        parent: QWidget | None = None,
    ) -> None:
        """`open_session`: the one that this window has open now."""
        super().__init__(parent)
        self.setAccessibleName(self.tr("Sessions"))
        self._open_session = open_session
        self._answers: dict[Listed, str] = {}
        self._rows: dict[Listed, QTreeWidgetItem] = {}
        self._listing, self._answering = Question(pool, self), Question(pool, self)
        self._changing, self._noting = Question(pool, self), Question(pool, self)
        self._listing.answered.connect(self._show)
        self._listing.progressed.connect(self._show_progress)
        self._answering.answered.connect(self._take_answer)
        self._answering.refused.connect(self._take_answer)
        self._changing.answered.connect(lambda _: self.look())
        self._changing.refused.connect(self._refuse)
        self._noting.answered.connect(
            lambda notes: self.notes.setPlainText("\n\n".join(map(note_text, notes)))
        )
        self._noting.refused.connect(lambda _: self.notes.clear())
        self._asked: Listed | None = None
        self._problem = ""
        self._make_list()
        self._make_notes()
        self._said = ClippedLabel("muted", 1)
        self._said.setAccessibleName(self.tr("How many sessions"))
        self.buttons = {
            "open": self._button(self.tr("&Open"), self.open_selected),
            "compare": self._button(self.tr("&Compare"), self.compare_selected),
            "rename": self._button(self.tr("&Rename"), self.rename_selected),
            "remove": self._button(self.tr("Move to the &wastebasket"), self.remove_selected),
        }
        self._lay_out()
        self._fit_buttons()

    def _make_list(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(
            self.tr("Search answers, data, work, machines, days and titles")
        )
        self.search.setAccessibleName(self.tr("Search the sessions"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QTreeWidget()
        self.list.setAccessibleName(self.tr("Sessions"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setItemDelegate(RowDelegate(self.list))
        self.list.setAlternatingRowColors(True)
        titles = (self.tr("Day"), self.tr("Answer"), self.tr("Dataset"), self.tr("Work"))
        self.list.setHeaderLabels([*titles, self.tr("Machine"), self.tr("Session")])
        for place, width in enumerate(_WIDTHS):
            self.list.setColumnWidth(place, width)
        self.list.header().setStretchLastSection(False)
        self.list.header().setSectionResizeMode(_ANSWER, QHeaderView.ResizeMode.Stretch)
        self.list.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        self.list.setEditTriggers(QTreeWidget.EditTrigger.NoEditTriggers)
        self.list.itemActivated.connect(lambda *_: self.open_selected())
        self.list.itemSelectionChanged.connect(self._take_selection)
        self.list.itemChanged.connect(self._take_title)

    def _make_notes(self) -> None:
        self.notes = QPlainTextEdit()
        self.notes.setReadOnly(True)
        self.notes.setTabChangesFocus(True)
        self.notes.setMaximumHeight(5 * self.fontMetrics().lineSpacing())
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
        row = QHBoxLayout()
        for button in self.buttons.values():
            row.addWidget(button)
        row.addWidget(self._said, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 12)
        column.addWidget(self.search)
        column.addWidget(self.list, 1)
        column.addWidget(self.notes)
        column.addWidget(self.note)
        column.addLayout(row)

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
        self._rows = {one: self._row(one) for one in runs}
        with QSignalBlocker(self.list):
            self.list.clear()
            self.list.addTopLevelItems(list(self._rows.values()))
        if runs:
            same = (one for one in runs if selected and _key(one) == _key(selected[0]))
            self.list.setCurrentItem(self._rows[next(same, runs[0])])
        self._filter()
        self._take_selection()
        self.listed.emit()
        self._ask_next()

    def _row(self, one: Listed) -> QTreeWidgetItem:
        when = QDateTime.fromSecsSinceEpoch(int(one.changed))
        date = QLocale().toString(when, QLocale.FormatType.ShortFormat)
        answer = one.fault or self._answers.get(one, "…")
        data = one.dataset.rpartition("/")[2] or one.dataset  # the whole is in the tooltip
        item = QTreeWidgetItem([date, answer, data, one.subject, one.machine, one.name])
        item.setData(0, _LISTED, one)
        item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
        file = f"{one.path}, {show(one.size, 'bytes')}"
        tips = (answer, one.dataset, one.subject, one.machine, file)
        for column, tip in enumerate(tips, start=_ANSWER):
            item.setToolTip(column, as_tip(tip))
        return item

    # Answers, one after the other: each costs the reading of a run.

    def _ask_next(self) -> None:
        waiting = (one for one in self._rows if not one.fault and one not in self._answers)
        self._asked = run = next(waiting, None)
        if run is not None:
            self._answering.ask(lambda _: core.Shown.answer_of(run))

    def _take_answer(self, answer: str) -> None:
        if self._asked is not None:
            self._answers[self._asked] = answer
            if (row := self._rows.get(self._asked)) is not None:
                with QSignalBlocker(self.list):
                    row.setText(_ANSWER, answer)
                    row.setToolTip(_ANSWER, as_tip(answer))
                self._filter()
        self._ask_next()

    # What is shown, and what can be done with it.

    def selected(self) -> list[Listed]:
        """The runs that are selected, the current one first."""
        current = self.list.currentItem()
        items = sorted(self.list.selectedItems(), key=lambda one: one is not current)
        return [item.data(0, _LISTED) for item in items if not item.isHidden()]

    def _one(self) -> Listed | None:
        """The only one that is selected."""
        selected = self.selected()
        return selected[0] if len(selected) == 1 else None

    def said(self) -> str:
        """How many there are, or what could not be done."""
        return self._said.text()

    def shown(self) -> list[Listed]:
        """The runs that the search leaves, from top to bottom."""
        return [one for one, row in self._rows.items() if not row.isHidden()]

    def _filter(self) -> None:
        words = self.search.text().lower().split()
        for one, row in self._rows.items():
            row.setHidden(not one.has(words, self._answers.get(one, "")))
        self._say_how_many()
        self._fit_buttons()

    def _say_how_many(self) -> None:
        """How many there are, or, until something else is done, why the last change failed."""
        count = self.tr("runs: {} of {}").format(len(self.shown()), len(self._rows))
        self._said.setText(self._problem or count)
        restyle(self._said, "part", "problem" if self._problem else "muted")

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
        """Write another title into the row; the file keeps its name."""
        item = self.list.currentItem()
        if item is not None and self.buttons["rename"].isEnabled():
            self.list.editItem(item, _TITLE)

    def _take_title(self, item: QTreeWidgetItem, place: int) -> None:
        one: Listed = item.data(0, _LISTED)
        title = item.text(_TITLE).strip()
        if place != _TITLE or title == one.name:
            return
        if title:
            self._change(partial(_renamed, one.path, title))
        else:
            item.setText(_TITLE, one.name)

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
        for one, row in self._rows.items():
            if row.text(_TITLE) != one.name:
                row.setText(_TITLE, one.name)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        drop_questions(self)  # nobody looks at the answers


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
            tr("{path} cannot be moved to the wastebasket", path=one.path),
            tr("delete the file by hand"),
        )
