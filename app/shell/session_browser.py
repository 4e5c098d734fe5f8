"""All sessions of the folder: found by words, opened, renamed, annotated, thrown away."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import override

from PySide6.QtCore import QDateTime, QFile, QLocale, QStandardPaths, Qt, QThreadPool, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.style.clipped_label import ClippedLabel
from app.style.dialogs import told_note
from app.style.label_widget import restyle
from app.style.tip import as_tip
from app.work.question import Question
from core import (
    Listed,
    Note,
    Session,
    SessionError,
    sessions_folder,
    show,
    tr,
)

_WIDTHS = (130, 230, 330, 190, 70)
"""Of the columns at first, in pixels."""
_TITLE, _ANSWER, _DATASET, _SIZE = range(1, 5)
_PATH = Qt.ItemDataRole.UserRole


class SessionBrowser(QDialog):
    """A list that is there at once; the answers follow, the newest session's first.

    Titles are changed in their row and notes are written below it, so that no dialog opens over
    this one.
    """

    chosen = Signal(object)
    """The session to open (Path)."""
    added = Signal(object)
    """The session whose runs are to stand beside those of this window's session (Path)."""
    listed = Signal()
    """The folder was looked at."""

    def __init__(self, pool: QThreadPool, held: Callable[[], Path | None], parent: QWidget) -> None:
        """`held`: the session that this window has open now."""
        super().__init__(parent)
        self.setWindowTitle(self.tr("Sessions"))
        self.resize(1000, 520)
        self._held = held
        self._answers: dict[Listed, str] = {}
        self._rows: dict[Path, QTreeWidgetItem] = {}
        self._sessions: Mapping[Path, Listed] = {}
        self._listing, self._answering = Question(pool, self), Question(pool, self)
        self._changing, self._noting = Question(pool, self), Question(pool, self)
        self._listing.answered.connect(self._show)
        self._listing.told.connect(self._show_listing)
        self._answering.answered.connect(self._take_answer)
        self._answering.refused.connect(self._take_answer)
        self._changing.answered.connect(lambda _: self.look())
        self._changing.refused.connect(self._refuse)
        self._noting.answered.connect(self._show_notes)
        self._noting.refused.connect(lambda _: self.notes.clear())
        self._asked: Listed | None = None
        self._problem = ""
        self._make_parts()
        self._lay_out()
        self._fit_buttons()

    def _make_parts(self) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(self.tr("Search titles, data and answers"))
        self.search.setAccessibleName(self.tr("Search the sessions"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._filter)
        self.list = QTreeWidget()
        self.list.setAccessibleName(self.tr("Sessions"))
        self.list.setRootIsDecorated(False)
        self.list.setUniformRowHeights(True)
        self.list.setAlternatingRowColors(True)
        self.list.setHeaderLabels(
            [
                self.tr("Date"),
                self.tr("Title"),
                self.tr("Answer"),
                self.tr("Dataset"),
                self.tr("Size"),
            ]
        )
        for place, width in enumerate(_WIDTHS):
            self.list.setColumnWidth(place, width)
        self.list.setEditTriggers(QTreeWidget.EditTrigger.NoEditTriggers)
        self.list.itemActivated.connect(lambda *_: self.open_selected())
        self.list.itemSelectionChanged.connect(self._take_selection)
        self.list.itemChanged.connect(self._take_title)
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
        self._said = ClippedLabel("muted", 1)
        self._said.setAccessibleName(self.tr("How many sessions"))
        self.buttons = {
            "open": self._button(self.tr("&Open"), self.open_selected),
            "add": self._button(self.tr("&Add for comparison"), self.add_selected),
            "rename": self._button(self.tr("&Rename"), self.rename_selected),
            "remove": self._button(self.tr("Move to the &wastebasket"), self.remove_selected),
        }
        self._close = self._button(self.tr("&Close"), self.reject)

    def _button(self, text: str, does: Callable[[], object]) -> QPushButton:
        made = QPushButton(text)
        made.setAutoDefault(False)
        made.clicked.connect(lambda *_: does())
        return made

    def _lay_out(self) -> None:
        row = QHBoxLayout()
        for button in self.buttons.values():
            row.addWidget(button)
        row.addWidget(self._said, 1)
        row.addWidget(self._close)
        column = QVBoxLayout(self)
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
        self._listing.ask(lambda tell: Listed.in_folder(sessions_folder(), tell))

    def _show_listing(self, _: str, done: int, total: int) -> None:
        if total:
            share = QLocale().toString(round(100 * done / total))
            self._said.setText(self.tr("Looking… {} %").format(share))

    def _show(self, found: tuple[Listed, ...]) -> None:
        kept = self.selected()
        self._sessions = {one.path: one for one in found}
        self._rows = {one.path: self._row(one) for one in found}
        self.list.blockSignals(True)
        self.list.clear()
        self.list.addTopLevelItems(list(self._rows.values()))
        self.list.blockSignals(False)
        if found:
            wanted = kept.path if kept is not None and kept.path in self._rows else found[0].path
            self.list.setCurrentItem(self._rows[wanted])
        self._filter()
        self._take_selection()
        self.listed.emit()
        self._ask_next()

    def _row(self, one: Listed) -> QTreeWidgetItem:
        when = QDateTime.fromSecsSinceEpoch(int(one.changed))
        date = QLocale().toString(when, QLocale.FormatType.ShortFormat)
        answer = one.fault or self._answers.get(one, "…")
        data = one.dataset.rpartition("/")[2] or one.dataset  # the whole is in the tooltip
        made = QTreeWidgetItem([date, one.name, answer, data, show(one.size, "bytes")])
        made.setData(0, _PATH, str(one.path))
        made.setFlags(made.flags() | Qt.ItemFlag.ItemIsEditable)
        made.setTextAlignment(_SIZE, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        made.setToolTip(_TITLE, as_tip(f"{one.path}\n{one.subject}"))
        made.setToolTip(_ANSWER, as_tip(answer))
        made.setToolTip(_DATASET, as_tip(one.dataset))
        return made

    # Answers, one after the other: each costs the reading of a whole session.

    def _ask_next(self) -> None:
        waiting = (
            one for one in self._sessions.values() if not one.fault and one not in self._answers
        )
        self._asked = next(waiting, None)
        if self._asked is not None:
            self._answering.ask(partial(_answered, self._asked))

    def _take_answer(self, answer: str) -> None:
        if self._asked is not None:
            self._answers[self._asked] = answer
            if (row := self._rows.get(self._asked.path)) is not None:
                self.list.blockSignals(True)
                row.setText(_ANSWER, answer)
                row.setToolTip(_ANSWER, as_tip(answer))
                self.list.blockSignals(False)
                self._filter()
        self._ask_next()

    # What is shown, and what can be done with it.

    def selected(self) -> Listed | None:
        """The session that is selected."""
        item = self.list.currentItem()
        if item is None or item.isHidden():
            return None
        return self._sessions.get(Path(item.data(0, _PATH)))

    def said(self) -> str:
        """How many there are, or what could not be done."""
        return self._said.text()

    def shown(self) -> list[Listed]:
        """The sessions that the search leaves, from top to bottom."""
        return [one for path, one in self._sessions.items() if not self._rows[path].isHidden()]

    def _filter(self) -> None:
        words = self.search.text().lower().split()
        for path, one in self._sessions.items():
            self._rows[path].setHidden(not one.has(words, self._answers.get(one, "")))
        self._say_how_many()
        self._fit_buttons()

    def _say_how_many(self) -> None:
        """How many there are, or, until something else is done, why the last change failed."""
        told = self.tr("sessions: {} of {}").format(len(self.shown()), len(self._sessions))
        self._said.setText(self._problem or told)
        restyle(self._said, "part", "problem" if self._problem else "muted")

    def _fit_buttons(self) -> None:
        one = self.selected()
        held = one is not None and one.path == self._held()
        free = one is not None and not held
        readable = free and one is not None and not one.fault
        self.buttons["open"].setEnabled(one is not None)
        self.buttons["add"].setEnabled(readable and self._held() is not None)
        self.buttons["rename"].setEnabled(readable)
        self.buttons["remove"].setEnabled(free)
        self.note.setEnabled(readable)
        why = self.tr("This window has it open: use the menu Session") if held else ""
        for part in (*self.buttons.values(), self.note):
            part.setToolTip(as_tip(why))

    def _take_selection(self) -> None:
        self._fit_buttons()
        self.notes.clear()
        self.note.clear()
        one = self.selected()
        if one is not None and one.notes:
            self._noting.ask(partial(_notes_of, one.path))

    def _show_notes(self, notes: tuple[Note, ...]) -> None:
        self.notes.setPlainText("\n\n".join(map(told_note, notes)))

    def open_selected(self) -> None:
        """Open it in the window."""
        if (one := self.selected()) is not None:
            self.chosen.emit(one.path)
            self.accept()

    def add_selected(self) -> None:
        """Show its runs beside those of this window's session."""
        one = self.selected()
        if one is not None and self.buttons["add"].isEnabled():
            self.added.emit(one.path)
            self.accept()

    def rename_selected(self) -> None:
        """Write another title into the row; the file keeps its name."""
        item = self.list.currentItem()
        if item is not None and self.buttons["rename"].isEnabled():
            self.list.editItem(item, _TITLE)

    def _take_title(self, item: QTreeWidgetItem, place: int) -> None:
        one = self._sessions.get(Path(item.data(0, _PATH)))
        title = item.text(_TITLE).strip()
        if place != _TITLE or one is None or title == one.name:
            return
        if title:
            self._change(partial(_renamed, one.path, title))
        else:
            item.setText(_TITLE, one.name)

    def keep_note(self) -> None:
        """Keep what was written as a note of the selected session."""
        one, text = self.selected(), self.note.text().strip()
        if one is not None and text:
            self._change(partial(_noted, one.path, text))

    def remove_selected(self) -> None:
        """Move the file to the wastebasket, from where it can be taken back."""
        if (one := self.selected()) is not None and one.path != self._held():
            self._change(partial(_removed, one))

    def _change(self, question: Callable[[], object]) -> None:
        """Have something done to a session; the list is made anew after it."""
        self._problem = ""
        self._changing.ask(lambda _: question())

    def _refuse(self, why: str) -> None:
        """Say why it was not done; the list is as the folder is."""
        self._problem = why
        self._say_how_many()
        for path, one in self._sessions.items():
            if self._rows[path].text(_TITLE) != one.name:
                self._rows[path].setText(_TITLE, one.name)

    @override
    def done(self, result: int) -> None:
        self.drop()
        super().done(result)

    def drop(self) -> None:
        """Stop waiting for answers, because nobody looks at them."""
        for question in (self._listing, self._answering, self._changing, self._noting):
            question.drop()


def _answered(one: Listed, _: object) -> str:
    return one.answer()


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
