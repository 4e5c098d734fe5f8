"""The first page: what is typed is asked, and what was measured goes on."""

from __future__ import annotations

import pytest
from kept_sessions import kept
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.shell.workbench import Workbench

pytestmark = pytest.mark.window


@pytest.fixture
def started(workbench: Workbench) -> Workbench:
    workbench.show_page("start")
    return workbench


def type_in(qtbot: QtBot, workbench: Workbench, text: str) -> None:
    workbench.start.field.setText(text)
    qtbot.keyClick(workbench.start.field, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert QApplication.activePopupWidget() is None


def test_that_a_typed_command_is_asked_about_and_one_undo_takes_it_back(
    qtbot: QtBot, started: Workbench
) -> None:
    before = started.setup.workload
    type_in(qtbot, started, "zstd -T{threads} -k reads.fq")
    assert started.pages.currentWidget() is started.question
    assert started.setup.workload == "command"
    assert started.setup.request().values["run"] == "zstd -T{threads} -k reads.fq"
    assert [axis.name for axis in started.setup.request().axes] == ["threads"]
    while started.history.stack.canUndo():
        started.history.stack.undo()
    assert started.setup.workload == before
    qtbot.waitUntil(lambda: not started.busy)


def test_that_what_cannot_be_asked_is_said_and_the_text_stays(
    qtbot: QtBot, started: Workbench
) -> None:
    said = started.start.why.text()
    type_in(qtbot, started, "hyperfine 'a b' 'c d'")
    assert "2 commands" in started.start.why.text()
    assert started.pages.currentWidget() is started.start
    assert started.start.field.text() == "hyperfine 'a b' 'c d'"
    qtbot.keyClicks(started.start.field, "x")
    assert started.start.why.text() == said


def test_that_a_run_is_shown_with_its_answer_and_goes_on_with_a_click(
    qtbot: QtBot, started: Workbench
) -> None:
    path = kept("one", rate=987.0)
    started.start.look()
    runs = started.start.runs
    qtbot.waitUntil(lambda: bool(runs.runs) and runs.runs[0] in runs.answers)
    assert "987" in runs.item(0).data(Qt.ItemDataRole.AccessibleTextRole)
    runs.itemClicked.emit(runs.item(0))
    qtbot.waitUntil(lambda: started.held.place == path)
    assert started.pages.currentWidget() is started.question
