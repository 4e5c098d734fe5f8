"""Popups of choices are menus: every entry is there, and keys find it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QApplication, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.style.menus import Menu, QuietCombo

pytestmark = pytest.mark.window
ENTRIES = ("pysam", "pyfaidx", "seqrepo", "pod5")


@pytest.fixture
def box(qtbot: QtBot, qapp: QApplication) -> QuietCombo:
    made = QuietCombo()
    qtbot.addWidget(made)
    made.addItems(ENTRIES)
    model = made.model()
    assert isinstance(model, QStandardItemModel)
    model.item(3).setEnabled(False)
    model.item(3).setToolTip("reads no FASTA")
    made.show()
    return made


def opened(box: QuietCombo) -> Menu:
    box.showPopup()
    (menu,) = box.findChildren(Menu)
    return menu


def test_that_all_entries_are_shown_and_what_does_not_fit_says_why(box: QuietCombo) -> None:
    menu = opened(box)
    assert [one.text() for one in menu.actions()] == [*ENTRIES[:3], "pod5\treads no FASTA"]
    assert [one.isEnabled() for one in menu.actions()] == [True, True, True, False]
    assert [one.isChecked() for one in menu.actions()] == [True, False, False, False]
    assert menu.activeAction() is menu.actions()[0]
    box.hidePopup()


def test_that_typing_finds_an_entry_and_return_takes_it(qtbot: QtBot, box: QuietCombo) -> None:
    menu = opened(box)
    qtbot.keyClicks(menu, "pyf")
    with qtbot.waitSignal(box.activated):
        qtbot.keyClick(menu, Qt.Key.Key_Return)
    assert box.currentText() == "pyfaidx"


def test_that_escape_closes_it_and_changes_nothing(qtbot: QtBot, box: QuietCombo) -> None:
    menu = opened(box)
    qtbot.keyClick(menu, Qt.Key.Key_Down)
    qtbot.keyClick(menu, Qt.Key.Key_Escape)
    assert not menu.isVisible()
    assert box.currentText() == "pysam"


def test_that_a_menu_at_the_right_edge_turns_and_stays_in_its_window(
    qtbot: QtBot, qapp: QApplication
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setGeometry(100, 100, 400, 300)
    button = QPushButton("…", window)
    button.setGeometry(360, 10, 30, 30)
    menu = Menu(button)
    menu.addAction("Measure until sure (about 1 min)")
    button.setMenu(menu)
    window.show()
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))
    assert window.geometry().contains(menu.geometry())
    menu.close()
