"""Dialogs wait for each other."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QDialog, QMessageBox
from pytestqt.qtbot import QtBot

from app.shell.window import MainWindow
from app.style import dialogs

pytestmark = pytest.mark.window


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
