"""The dialog that asks whether what somebody else asked for may run."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.style.dialogs import ConsentDialog
from core import WouldRun

pytestmark = pytest.mark.window


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
