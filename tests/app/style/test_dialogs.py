"""Dialogs wait for each other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pixels import SCALE, piece, rendered
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import (
    QApplication,
    QDialog,
    QFileDialog,
    QLabel,
    QMessageBox,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from showing import exposed

from app.shell.window import MainWindow
from app.style import dialogs
from app.style.dialogs import ConsentDialog
from app.style.theme import THEMES, Appearance
from core import WouldRun

pytestmark = pytest.mark.window
_FRAME = 4
"""Pixels at each edge of a button."""


def test_that_no_dialog_opens_over_another(window: MainWindow, qtbot: QtBot) -> None:
    notes = dialogs.NotesDialog([], lambda _: None, window)
    notes.open()
    dialogs.complain(window, "Writing", "The disk is full.")
    dialogs.offer_to_resume(window, "a sweep", 7, lambda: None)
    complaint, offer = window.findChildren(QMessageBox)
    assert (complaint.isVisible(), offer.isVisible()) == (False, False)
    notes.reject()
    assert (complaint.isVisible(), offer.isVisible()) == (True, False)
    complaint.accept()
    assert offer.isVisible()
    offer.reject()
    qtbot.waitUntil(lambda: not window.findChildren(QDialog))


def test_that_a_dialog_may_complain_over_itself(window: MainWindow, qtbot: QtBot) -> None:
    notes = dialogs.NotesDialog([], lambda _: None, window)
    notes.open()
    dialogs.complain(notes, "Writing the note", "The disk is full.")
    (complaint,) = notes.findChildren(QMessageBox)
    assert complaint.isVisible()
    complaint.reject()
    notes.reject()
    qtbot.waitUntil(lambda: not window.findChildren(QDialog))


def test_that_the_question_of_a_dialog_is_not_cut(window: MainWindow, qtbot: QtBot) -> None:
    dialogs.offer_to_close(window, lambda: None)
    (box,) = window.findChildren(QMessageBox)
    question = box.findChild(QLabel, "qt_msgbox_label")
    assert isinstance(question, QLabel)
    assert question.width() >= question.sizeHint().width()
    box.reject()
    qtbot.waitUntil(lambda: not window.findChildren(QDialog))


@pytest.mark.parametrize("text", ["x" * 100_000, "x " * 50_000, "line\n" * 400])
def test_that_the_buttons_of_a_box_are_on_the_screen_whatever_it_says(
    window: MainWindow, qtbot: QtBot, text: str
) -> None:
    dialogs.complain(window, "Opening the session", text)
    dialogs.offer_to_resume(window, text, 7, lambda: None)
    for box in window.findChildren(QMessageBox):
        screen = box.screen().availableGeometry()
        assert "more letters)" in box.text() + box.informativeText()
        assert box.width() <= screen.width()
        assert box.height() <= screen.height()
        box.reject()
    qtbot.waitUntil(lambda: not window.findChildren(QDialog))


def test_that_enter_only_looks_even_on_the_button_that_runs(qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    asked = ConsentDialog(WouldRun(lines=("program: rm -r {dataset}",)), 3, window)
    with qtbot.waitExposed(asked):
        asked.show()
    (run,) = (one for one in asked.findChildren(QPushButton) if one.text() == "Run it")
    run.setFocus()
    with qtbot.waitSignal(asked.finished) as ended:
        qtbot.keyClick(run, Qt.Key.Key_Return)
    assert ended.args == [ConsentDialog.DialogCode.Rejected.value]


@pytest.mark.parametrize("theme", [each.name for each in THEMES])
def test_that_the_icons_of_its_buttons_are_seen(
    qapp: QApplication, qtbot: QtBot, settings: QSettings, tmp_path: Path, theme: str
) -> None:
    dialog = QFileDialog(None, "", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    Appearance(qapp, settings, dialog).choose(theme)
    exposed(qtbot, dialog)
    shown = [each for each in dialog.findChildren(QToolButton) if each.isVisible()]
    assert len(shown) > 3
    for button in shown:
        inner = button.rect().adjusted(_FRAME, _FRAME, -_FRAME, -_FRAME)
        seen = piece(rendered(button), inner)
        columns = np.flatnonzero((seen != seen[0, 0]).any(axis=0))
        assert columns.size > 5 * SCALE, button.toolTip()
