"""Questions to the user: which file, which title, which note, whether to go on or to run it."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale, Qt
from PySide6.QtGui import QFontDatabase, QTextOption
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QInputDialog,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)
from shiboken6 import isValid

from app.style.labels import label
from app.style.layouts import spaced
from core import one_line, sessions_folder, several_lines
from core import tr as sentence

if TYPE_CHECKING:
    from core import Format, Note, WouldRun

translate = QCoreApplication.translate
_MOST_LETTERS, _MOST_LINES = 1_000, 12
"""Of a text in a box of a question."""
_LONG_WORD = re.compile(r"\S{100}")


def sheet(dialog: QDialog, title: str) -> QVBoxLayout:
    """The column of a dialog, which begins with its title."""
    column = spaced(QVBoxLayout(dialog), 12, 24, 20, 24, 20)
    column.addWidget(label(title, "title", wraps=True))
    return column


def session_to_open(parent: QWidget, title: str = "") -> Path | None:
    """A session file of the user's choice."""
    path, _ = QFileDialog.getOpenFileName(
        parent,
        title or translate("dialogs", "Open a session"),
        str(sessions_folder()),
        translate("dialogs", "Sluice sessions (*.sluice)"),
    )
    return Path(path) if path else None


def offer_data(menu: QMenu, parent: QWidget, take: Callable[[Path], object]) -> None:
    """Add two actions that let the user choose what to measure on, a file or a folder."""

    def chosen(path: str) -> None:
        if path:
            take(Path(path))

    file = translate("dialogs", "Choose a file to measure on")
    folder = translate("dialogs", "Choose a folder to measure on")
    menu.addAction(
        translate("dialogs", "&File…"),
        lambda: chosen(QFileDialog.getOpenFileName(parent, file)[0]),
    )
    menu.addAction(
        translate("dialogs", "F&older…"),
        lambda: chosen(QFileDialog.getExistingDirectory(parent, folder)),
    )


def place_for(parent: QWidget, title: str, stem: str, suffix: str) -> Path | None:
    """Where to write a file with that suffix."""
    path, _ = QFileDialog.getSaveFileName(parent, title, stem + suffix, f"*{suffix}")
    return Path(path if Path(path).suffix else path + suffix) if path else None


def place_for_export(parent: QWidget, form: Format, stem: str) -> Path | None:
    """Where to write an export."""
    title = translate("dialogs", "Export as {}").format(form.title)
    return place_for(parent, title, stem, form.suffixes[0])


def new_title(parent: QWidget, title: str) -> str:
    """Another title for the session; empty to leave it."""
    text, accepted = QInputDialog.getText(
        parent,
        translate("dialogs", "Rename the session"),
        translate("dialogs", "Title of the session:"),
        text=title,
    )
    return text if accepted else ""


def open_in_turn(box: QDialog) -> None:
    """Open it; while another dialog waits for an answer, as soon as that has one.

    A box whose parent is that dialog opens over it.
    """
    if not isValid(box):  # its window was closed meanwhile
        return
    box.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    before = QApplication.activeModalWidget()
    if isinstance(before, QDialog) and before is not box.parentWidget():
        before.finished.connect(lambda *_: open_in_turn(box))
    else:
        box.open()


def _fitting(text: str) -> str:
    """What a box shows of a text from outside, so that its buttons stay on the screen."""
    start = "\n".join(text[:_MOST_LETTERS].split("\n")[:_MOST_LINES])
    wrappable = _LONG_WORD.sub("\\g<0>\u200b", several_lines(start))
    if cut := len(text) - len(start):
        more = sentence("(1 more letter)", "({count:,} more letters)", count=cut)
        return f"{wrappable}… {more}"
    return wrappable


def complain(parent: QWidget, doing: str, reason: str) -> None:
    """Say that something could not be done, and why."""
    open_in_turn(_box(parent, doing, _failed(doing), _fitting(reason)))


def _failed(doing: str) -> str:
    return translate("dialogs", "{} failed.").format(doing)


def _box(parent: QWidget, title: str, text: str, more: str) -> QMessageBox:
    box = QMessageBox(QMessageBox.Icon.NoIcon, title, text, parent=parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setInformativeText(more)
    return box


def _ask(
    box: QMessageBox, yes: str, no: str, do: Callable[[], object], *, leave: bool = False
) -> None:
    """Do something where the answer is yes; `leave`: Return answers no."""
    agree = box.addButton(yes, QMessageBox.ButtonRole.AcceptRole)
    refuse = box.addButton(no, QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(refuse if leave else agree)
    agree.clicked.connect(lambda *_: do())
    open_in_turn(box)


def offer_to_resume(
    parent: QWidget, name: str, remaining: int, resume: Callable[[], object]
) -> None:
    """Ask whether to measure the remaining trials of an interrupted run."""
    text = translate("dialogs", "The last run of ‘{name}’ was not finished.")
    more = sentence(
        "1 trial remains to be measured. What was measured is kept.",
        "{count:,} trials remain to be measured. What was measured is kept.",
        count=remaining,
    )
    title = translate("dialogs", "Unfinished run")
    box = _box(parent, title, text.format(name=_fitting(name)), more)
    _ask(box, translate("dialogs", "Resume"), translate("dialogs", "Not now"), resume)


def ask_despite(parent: QWidget, changes: Sequence[str], go_on: Callable[[], object]) -> None:
    """Ask whether to go on though the data is not what was measured."""
    box = _box(
        parent,
        translate("dialogs", "The data has changed"),
        translate("dialogs", "The data is not the same as when the run began."),
        _fitting(changes[0]),
    )
    despite, no = translate("dialogs", "Measure all the same"), translate("dialogs", "Not now")
    _ask(box, despite, no, go_on, leave=True)


def ask_about_requests(parent: QWidget, requests: str, go_on: Callable[[], object]) -> None:
    """Ask whether to make so many requests to a server."""
    box = _box(
        parent,
        translate("dialogs", "Many requests"),
        translate("dialogs", "This run makes many requests to a server."),
        requests,
    )
    despite, no = translate("dialogs", "Measure all the same"), translate("dialogs", "Not now")
    _ask(box, despite, no, go_on, leave=True)


def offer_to_close(parent: QWidget, close: Callable[[], object]) -> QMessageBox:
    """Ask whether to stop what is measured."""
    box = _box(
        parent,
        translate("dialogs", "A run goes on"),
        translate("dialogs", "Something is being measured. Close the window all the same?"),
        translate("dialogs", "What was measured is kept, and its session offers to go on."),
    )
    stop, stay = translate("dialogs", "Stop and close"), translate("dialogs", "Go on measuring")
    _ask(box, stop, stay, close, leave=True)
    return box


def offer_to_salvage(parent: QWidget, reason: str, salvage: Callable[[], object]) -> None:
    """Say that a session is damaged, and offer to save what can still be read."""
    doing = translate("dialogs", "Opening the session")
    more = translate(
        "dialogs",
        "{}\n\nWhat can still be read can be copied into a new session. The damaged file is not changed.",
    )
    box = _box(parent, doing, _failed(doing), more.format(_fitting(reason)))
    _ask(box, translate("dialogs", "Salvage"), translate("dialogs", "Leave it"), salvage)


class NotesDialog(QDialog):
    """The notes of a session, and room for one more."""

    def __init__(
        self, notes: Sequence[Note], keep: Callable[[str], object], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Notes"))
        self.resize(560, 420)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        before = QPlainTextEdit("\n\n".join(map(note_text, notes)))
        before.setReadOnly(True)
        before.setPlaceholderText(self.tr("No notes so far."))
        before.setAccessibleName(self.tr("Earlier notes"))
        text = QPlainTextEdit()
        text.setPlaceholderText(self.tr("What is worth remembering about this session?"))
        text.setAccessibleName(self.tr("New note"))
        text.setTabChangesFocus(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(lambda: keep(text.toPlainText()))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = sheet(self, self.tr("Notes of the session"))
        column.addWidget(before, 1)
        column.addWidget(text, 1)
        column.addWidget(buttons)
        text.setFocus()


def note_text(note: Note) -> str:
    """A note with its date and run."""
    when = QDateTime.fromSecsSinceEpoch(int(note.written))
    stamp = QLocale().toString(when, QLocale.FormatType.ShortFormat)
    about = translate("dialogs", " (run {})").format(note.run) if note.run is not None else ""
    return f"{stamp}{about}\n" + "\n".join(map(one_line, note.text.splitlines()))


class ConsentDialog(QDialog):
    """Accepted by nothing but its button; a long list is scrolled above it."""

    def __init__(self, would_run: WouldRun, remaining: int, parent: QWidget) -> None:
        """`remaining`: trials that would be measured; 0 = not known."""
        super().__init__(parent)
        title = self.tr("You did not start this here")
        self.setWindowTitle(title)
        self.resize(720, 460)
        text = QPlainTextEdit("\n".join(would_run.lines))
        text.setReadOnly(True)
        text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        text.setWordWrapMode(QTextOption.WrapMode.WrapAnywhere)  # nothing is beyond an edge
        text.setAccessibleName(self.tr("What would run"))
        text.setTabChangesFocus(True)
        buttons = QDialogButtonBox()
        look = buttons.addButton(self.tr("Only look"), QDialogButtonBox.ButtonRole.RejectRole)
        run = buttons.addButton(self.tr("Run it"), QDialogButtonBox.ButtonRole.AcceptRole)
        for button in (run, look):
            button.setAutoDefault(False)  # else the default would move with the focus
        look.setDefault(True)  # for Enter, wherever the focus is
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = sheet(self, title)
        column.addWidget(label(self._about(remaining), wraps=True))
        column.addWidget(text, 1)
        last_line = self.tr("Lines above: {}.").format(len(would_run.lines))
        if would_run.cut:
            last_line = " ".join((last_line, self.tr("Not all of it is shown.")))
        column.addWidget(label(last_line, "muted", wraps=True))
        column.addWidget(buttons)
        look.setFocus()

    def _about(self, remaining: int) -> str:
        warning = self.tr(
            "The session comes from elsewhere, or was changed. If you go on, this runs on your "
            "computer with your rights:"
        )
        if not remaining:
            return warning
        trials = sentence(
            "1 trial remains to be measured.",
            "{count:,} trials remain to be measured.",
            count=remaining,
        )
        return f"{trials} {warning}"
