"""Work and programs in one list: searched, chosen, tried once; hyperfine's lines are questions."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QLineEdit, QTreeWidgetItem
from pytestqt.qtbot import QtBot

from app.setup.setup_panel import SetupPanel
from app.setup.try_once import TryDialog
from app.setup.work_list import WorkList
from app.shell.workbench import Workbench
from core import Axis, Request

pytestmark = pytest.mark.window

MINE = """
about = "Puts lines into order."
run = "sort --parallel={threads} -o {out}/sorted {dataset}"
same = "files"
reads = ["*.lines"]
"""


@pytest.fixture
def own(workbench: Workbench, tmp_path: Path) -> Path:
    """The folder of the user's own presets: one that runs, one of no program, and a broken one."""
    folder = tmp_path / "programs"
    folder.mkdir()
    (folder / "mine.toml").write_text(MINE)
    (folder / "nowhere.toml").write_text('about = "Nothing."\nrun = "no-such-program {dataset}"\n')
    (folder / "broken.toml").write_text('about = "No command."\n')
    return folder


def items(work: WorkList) -> dict[str, QTreeWidgetItem]:
    rows = [work.rows.topLevelItem(at) for at in range(work.rows.topLevelItemCount())]
    return {row.text(0): row for row in rows if row is not None}


def search(workbench: Workbench, text: str) -> QLineEdit:
    workbench.line.open("work")
    field = workbench.setup.work.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.clear()
    QTest.keyClicks(field, text)
    return field


@pytest.mark.usefixtures("own")
@pytest.mark.parametrize("text", ["mine", "lines ORDER", "--parallel sort"])
def test_that_a_preset_is_found_by_name_purpose_and_program_and_is_one_undo(
    workbench: Workbench, text: str
) -> None:
    was = workbench.setup.state()
    field = search(workbench, text)
    assert "mine" in items(workbench.setup.work)
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert workbench.line.popups["work"].isHidden()
    request = workbench.setup.request()
    assert request.values["run"] == "sort --parallel={threads} -o {out}/sorted {dataset}"
    assert request.values["same"] == "files"
    assert request.axes == (Axis("threads", (1, 2, 4, 8)),)
    workbench.history.stack.undo()
    assert workbench.setup.state() == was


@pytest.mark.usefixtures("own")
def test_that_what_is_missing_or_broken_says_so_and_cannot_be_chosen(workbench: Workbench) -> None:
    was = workbench.setup.state()
    field = search(workbench, "nowhere")
    rows = items(workbench.setup.work)
    assert rows["nowhere"].text(1) == "install no-such-program"
    QTest.keyClick(field, Qt.Key.Key_Return)
    search(workbench, "broken")
    broken = items(workbench.setup.work)["broken"]
    assert "broken.toml is no preset" in broken.text(1)
    workbench.setup.work.rows.itemClicked.emit(broken, 0)
    assert workbench.setup.state() == was
    workbench.line.popups["work"].hide()


def paste(workbench: Workbench, text: str) -> None:
    row = workbench.setup.form.row("run")
    assert row is not None
    field = row.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.selectAll()
    QGuiApplication.clipboard().setText(text)
    field.paste()


def test_that_a_pasted_line_of_hyperfine_is_its_question_and_one_undo(workbench: Workbench) -> None:
    workbench.setup.choose_work("command")
    was = workbench.setup.state()
    paste(
        workbench, "hyperfine --shell none -P threads 1 3 -p 'sync' 'sort --parallel={threads} a'"
    )
    request = workbench.setup.request()
    assert request.values["run"] == "sort --parallel={threads} a"
    assert request.values["prepare"] == "sync"
    assert request.axes == (Axis("threads", (1, 2, 3)),)
    workbench.history.stack.undo()
    assert workbench.setup.state() == was


def tried(workbench: Workbench, run: str) -> TryDialog:
    workbench.history.restore(workbench.setup.state())
    workbench.steps.fill(Request.typed(run))
    workbench.setup.try_button.click()
    dialog = QApplication.activeModalWidget()
    assert isinstance(dialog, TryDialog)
    return dialog


@pytest.fixture
def measurable(qtbot: QtBot, workbench: Workbench, data: Path) -> Workbench:
    workbench.setup.choose_work("command")
    workbench.setup.dataset.choose(data / "0.bin")
    qtbot.waitUntil(lambda: workbench.setup.dataset.look is not None)
    return workbench


def test_that_a_command_tried_once_shows_its_output_its_end_and_its_files(
    qtbot: QtBot, measurable: Workbench
) -> None:
    run = "cp {dataset} {out}/copy; echo seen {threads}; echo odd >&2; exit 3"
    dialog = tried(measurable, run)
    qtbot.waitUntil(lambda: bool(dialog.text.toPlainText()))
    shown = dialog.text.toPlainText()
    for part in ("exit code 3", "seen 1", "stderr:\nodd", "copy  256 KiB"):
        assert part in shown
    dialog.reject()


def test_that_a_try_which_cannot_begin_says_why_and_one_that_lasts_ends_with_its_dialog(
    qtbot: QtBot, measurable: Workbench
) -> None:
    dialog = tried(measurable, "cat {dataset} {reference}")
    qtbot.waitUntil(lambda: "give reference=VALUE" in dialog.text.toPlainText())
    dialog.reject()
    dialog = tried(measurable, "sleep 10000")
    buttons = dialog.findChild(QDialogButtonBox)
    assert isinstance(buttons, QDialogButtonBox)
    buttons.rejected.emit()
    qtbot.waitUntil(lambda: measurable.pool.activeThreadCount() == 0)


def test_that_only_a_command_is_offered_to_be_tried(panel: SetupPanel) -> None:
    panel.choose_work("raw")
    assert panel.try_button.isHidden()
    panel.choose_work("command")
    assert not panel.try_button.isHidden()
