"""The workbench in its window, driven as a user drives it."""

import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractSpinBox, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot
from workload_box import choose_workload, opened

from app.setup.controls.numbers import NumberBox
from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from core import Session
from core.desk import Opened
from core.language import PROGRAM
from core.measure import program_here
from core.tell.exchange import FORMATS
from core.vocabulary import Cancelled, Completed

pytestmark = pytest.mark.window


def shown_as[W: QWidget](workbench: Workbench, kind: type[W], name: str) -> list[W]:
    """The visible widgets that a screen reader would call so."""
    return [
        widget
        for widget in workbench.findChildren(kind)
        if (widget.accessibleName() or getattr(widget, "text", str)()) == name
        and widget.isVisible()
    ]


def named[W: QWidget](workbench: Workbench, kind: type[W], name: str) -> W:
    found = shown_as(workbench, kind, name)
    assert len(found) == 1, f"{len(found)} visible widgets are called {name}"
    return found[0]


def click(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def type_into(qtbot: QtBot, box: QWidget, text: str) -> None:
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)


def choose_raw(qtbot: QtBot, workbench: Workbench, data: Path) -> None:
    choose_workload(workbench.setup, "raw")
    with (
        opened(workbench, "data"),
        qtbot.waitSignal(workbench.setup.dataset.changed, check_params_cb=None),
    ):
        type_into(qtbot, named(workbench, QWidget, "Dataset"), str(data))
    qtbot.waitUntil(lambda: workbench.setup.dataset.look is not None)


def set_up(qtbot: QtBot, workbench: Workbench, data: Path, duration: str = "0.2s") -> None:
    choose_raw(qtbot, workbench, data)
    open_drawer(qtbot, workbench)
    type_into(qtbot, named(workbench, NumberBox, "Duration"), duration)
    type_into(qtbot, named(workbench, NumberBox, "Warm up"), "0")
    with opened(workbench, "time"):
        type_into(qtbot, named(workbench, NumberBox, "Repeats"), "2")


def open_drawer(qtbot: QtBot, workbench: Workbench) -> None:
    drawer = named(workbench, QPushButton, "More settings")
    if not drawer.isChecked():
        click(qtbot, drawer)


def run_to_end(qtbot: QtBot, workbench: Workbench) -> None:
    qtbot.waitUntil(workbench.start_button.isEnabled)
    click(qtbot, workbench.start_button)
    qtbot.waitUntil(lambda: not workbench.busy)


def close_wholly(qtbot: QtBot, workbench: Workbench) -> None:
    """What is kept is written when the last question to the pool is answered."""
    workbench.window().close()
    qtbot.waitUntil(lambda: not workbench.busy)
    workbench.window().close()


def alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def the_session(workbench: Workbench, tmp_path: Path) -> Path:
    (path,) = (tmp_path / "sessions").glob("*.sluice")
    return path


def test_that_start_says_what_it_waits_for(qtbot: QtBot, workbench: Workbench, data: Path) -> None:
    assert not workbench.start_button.isEnabled()
    assert "hoose a dataset" in workbench.verdict.card.headline.detail
    assert "hoose a dataset" not in workbench.preflight_strip.text()  # which stands there once
    assert workbench.verdict.steps.next.text() == "Choose data…"
    choose_raw(qtbot, workbench, data)
    assert workbench.start_button.isEnabled()
    qtbot.waitUntil(lambda: workbench.verdict.steps.next.text() != "Choose data…")
    open_drawer(qtbot, workbench)
    type_into(qtbot, named(workbench, NumberBox, "Duration"), "4 parsecs")
    assert not workbench.start_button.isEnabled()
    assert "Duration: '4 parsecs' is not a time" in workbench.verdict.card.headline.detail
    assert not workbench.command.text()


def test_that_a_path_which_holds_nothing_is_marked_with_the_reason(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    with opened(workbench, "data"):
        place = named(workbench, QWidget, "Dataset")
        type_into(qtbot, place, str(tmp_path / "nowhere"))
    qtbot.waitUntil(lambda: "does not exist" in workbench.setup.dataset.problem)
    assert "does not exist (check the path)" in workbench.verdict.card.headline.detail
    assert place.property("wrong")
    above, value = workbench.line.fields["data"].texts()
    assert (value, "does not exist" in above) == ("nowhere", True)


def test_that_a_run_is_measured_shown_kept_and_told_as_a_command(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data)
    shown = workbench.command.text()
    run_to_end(qtbot, workbench)
    qtbot.waitUntil(lambda: workbench.results.view.model().rowCount() == 1)
    qtbot.waitUntil(lambda: "blocks/s" in workbench.verdict.text())
    assert "Done; trials: 2" in workbench.top.message.text()
    with Session.read(the_session(workbench, tmp_path)) as session:
        (run,) = session.runs()
        trials = session.trials(run.id)
    assert list(run.command) == [*PROGRAM, *shlex.split(shown)[len(program_here()) :]]
    assert run.how == "completed"
    assert [type(trial.outcome) for trial in trials] == [Completed] * 2
    # A rate is that between two looks, and on a busy machine so short a trial may have fewer.
    tile = workbench.views.tiles.texts()["Throughput"]
    assert tile != "–" or len(trials[-1].moments) < 4
    run_to_end(qtbot, workbench)
    with Session.read(the_session(workbench, tmp_path)) as session:
        assert len(session.runs()) == 2


def test_that_the_message_never_contradicts_what_stands_below_it(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    assert not workbench.top.message.text()  # it does not say that it is ready
    set_up(qtbot, workbench, data)
    assert not workbench.top.message.text()
    assert "hoose" not in workbench.verdict.card.headline.detail  # for a dataset is chosen
    click(qtbot, workbench.start_button)
    assert not workbench.top.message.text()  # the line of doubt says how far it is
    qtbot.waitUntil(lambda: not workbench.busy)
    assert workbench.bar.value() == 0


def test_that_cancelling_ends_a_run_and_keeps_what_was_measured(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data, "1h")
    click(qtbot, workbench.start_button)
    qtbot.waitUntil(lambda: workbench.views.tiles.texts()["Throughput"] != "–")
    qtbot.keyClick(workbench, Qt.Key.Key_Escape)
    assert "Cancelling" in workbench.top.message.text()
    qtbot.waitUntil(lambda: not workbench.busy)
    assert "kept" in workbench.top.message.text()
    with Session.read(the_session(workbench, tmp_path)) as session:
        (trial,) = session.trials(session.runs()[-1].id)
        assert isinstance(trial.outcome, Cancelled)
        assert trial.moments


def test_that_closing_during_a_trial_ends_the_children(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    set_up(qtbot, workbench, data, "1h")
    others = set(psutil.Process().children(recursive=True))  # which earlier tests may have left
    click(qtbot, workbench.start_button)
    qtbot.waitUntil(lambda: workbench.views.tiles.texts()["Throughput"] != "–")
    children = set(psutil.Process().children(recursive=True)) - others
    workbench.window().close()
    assert not workbench.window().isVisible()
    qtbot.waitUntil(lambda: not any(map(alive, children)))
    assert children
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_what_varies_is_measured_against_each_other(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    set_up(qtbot, workbench, data)
    type_into(qtbot, named(workbench, NumberBox, "Threads"), "1..2")
    assert "measure raw threads=1,2 " in workbench.command.text()
    run_to_end(qtbot, workbench)
    qtbot.waitUntil(lambda: workbench.results.view.model().rowCount() == 2)
    qtbot.waitUntil(lambda: "thread" in workbench.verdict.text())


def test_that_results_are_copied_exported_and_opened_again(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data)
    run_to_end(qtbot, workbench)
    qtbot.waitUntil(workbench.results.filter.isEnabled)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(workbench, Qt.Key.Key_M, both)
    assert "| 1 | completed |" in QGuiApplication.clipboard().text()
    target = tmp_path / "out.csv"
    workbench.run.export(FORMATS["csv"], target)
    qtbot.waitUntil(target.exists)
    qtbot.waitUntil(lambda: bool(workbench.verdict.steps.texts()))
    before = workbench.verdict.text()
    workbench.sessions.new()
    assert workbench.verdict.text() == "How fast is it?"
    workbench.sessions.open(the_session(workbench, tmp_path))
    qtbot.waitUntil(lambda: workbench.verdict.text() == before)


def test_that_the_window_keeps_its_place_and_what_was_used(
    qtbot: QtBot, workbench: Workbench, open_window: Callable[[], MainWindow], data: Path
) -> None:
    choose_raw(qtbot, workbench, data)
    workbench.window().resize(800, 650)
    close_wholly(qtbot, workbench)
    again = open_window()
    assert (again.width(), again.height()) == (800, 650)
    assert again.furnish().setup.dataset.recent() == [data]


def test_that_what_was_done_in_the_form_is_undone_and_redone(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    choose_raw(qtbot, workbench, data)
    before = workbench.command.text()
    type_into(qtbot, named(workbench, NumberBox, "Threads"), "7")
    click(qtbot, named(workbench, QPushButton, "Access: random"))
    qtbot.keyClick(workbench, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert "--threads 7" in workbench.command.text()
    qtbot.keyClick(workbench, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert workbench.command.text() == before
    redo = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    qtbot.keyClick(workbench, Qt.Key.Key_Z, redo)
    assert "--threads 7" in workbench.command.text()


def test_that_a_form_is_found_again_after_a_restart(
    qtbot: QtBot, workbench: Workbench, open_window: Callable[[], MainWindow], data: Path
) -> None:
    choose_raw(qtbot, workbench, data)
    type_into(qtbot, named(workbench, NumberBox, "Threads"), "1,3,5")
    open_drawer(qtbot, workbench)
    type_into(qtbot, named(workbench, NumberBox, "Most files"), "77")
    line = workbench.command.text()
    assert "measure raw threads=1,3,5" in line
    assert "--most-files 77" in line
    close_wholly(qtbot, workbench)
    again = open_window().furnish()
    qtbot.waitUntil(lambda: again.command.text() == line)


def test_that_many_settings_are_searched(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data)
    type_into(qtbot, named(workbench, NumberBox, "Threads"), "1,2,3,4,5")
    with opened(workbench, "time"):
        type_into(qtbot, named(workbench, NumberBox, "Budget"), "5s")
    assert "measure raw threads=1,2,3,4,5 " in workbench.command.text()
    click(qtbot, workbench.start_button)
    qtbot.waitUntil(lambda: workbench.measuring.now is not None)
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not workbench.busy)
    with Session.read(the_session(workbench, tmp_path)) as session:
        assert session.runs()[-1].plan.adaptive


def test_that_an_interrupted_run_is_taken_up_where_it_was_left(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data, "2s")
    click(qtbot, workbench.start_button)
    qtbot.waitUntil(lambda: len(workbench.measuring.trials) == 1)
    click(qtbot, workbench.cancel_button)
    qtbot.waitUntil(lambda: not workbench.busy)
    path = the_session(workbench, tmp_path)
    workbench.sessions.new()
    workbench.sessions.open(path)
    qtbot.waitUntil(lambda: bool(shown_as(workbench, QPushButton, "Resume")))
    click(qtbot, named(workbench, QPushButton, "Resume"))
    qtbot.waitUntil(lambda: workbench.measuring.running)
    plots = workbench.views.plots
    qtbot.waitUntil(lambda: plots.holds({0, 1}))
    kept = workbench.measuring.trials[0]
    qtbot.waitUntil(lambda: not workbench.busy)
    assert plots.trials_between(0.0, kept.moments[-1].at) == (kept.index,)
    with Session.read(path) as session:
        (run,) = session.runs()
        assert run.how == "completed"
        assert session.remaining(run.id) == ()


def test_that_a_run_of_another_sluice_is_not_taken_up(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data, "60s")
    click(qtbot, workbench.start_button)
    qtbot.waitUntil(lambda: workbench.measuring.now is not None)
    qtbot.waitUntil(lambda: Opened.at(the_session(workbench, tmp_path)).busy)
    found = Opened.at(the_session(workbench, tmp_path))
    found.prepared.session.close()
    assert found.remaining == 0
    click(qtbot, workbench.cancel_button)
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_a_session_is_renamed_annotated_and_copied(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data)
    run_to_end(qtbot, workbench)
    workbench.held.rename("Tuesday's disk")
    assert workbench.window().windowTitle() == "Tuesday's disk – Sluice"
    workbench.sessions.show_notes()
    (note,) = [edit for edit in workbench.findChildren(QPlainTextEdit) if not edit.isReadOnly()]
    qtbot.keyClicks(note, "with the door open")
    (save,) = [b for b in workbench.findChildren(QPushButton) if b.text() in ("Save", "&Save")]
    click(qtbot, save)
    workbench.held.copy_to(tmp_path / "copy.sluice")
    qtbot.waitUntil((tmp_path / "copy.sluice").exists)
    qtbot.waitUntil(lambda: not workbench.busy)
    with Session.read(tmp_path / "copy.sluice") as copy:
        assert copy.title == "Tuesday's disk"
        assert [note.text for note in copy.notes()] == ["with the door open"]


def test_that_a_dataset_that_was_removed_is_told_before_anything_is_measured(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data)
    qtbot.waitUntil(workbench.start_button.isEnabled)
    data.rename(tmp_path / "elsewhere")
    click(qtbot, workbench.start_button)
    qtbot.waitUntil(lambda: not workbench.busy)
    assert f"{data} does not exist" in workbench.top.message.text()
    assert not workbench.measuring.trials
    assert not list((tmp_path / "sessions").glob("*.sluice"))


def test_that_a_session_that_is_deleted_during_a_run_is_said_to_be_gone(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data, "60s")
    qtbot.waitUntil(workbench.start_button.isEnabled)
    click(qtbot, workbench.start_button)
    qtbot.waitUntil(lambda: workbench.views.tiles.texts()["Throughput"] != "–")
    (path,) = (tmp_path / "sessions").glob("*.sluice")
    path.unlink()
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not workbench.busy)
    assert "is gone: it was deleted or moved" in workbench.top.message.text()


def test_that_the_line_can_be_pasted_into_a_shell_anywhere(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, workbench, data)
    line = workbench.command.text()
    told = subprocess.run(
        ["sh", "-c", f"{line} --help"],
        check=False,
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin"},
    )
    assert told.returncode == 0, told.stderr
    assert "--page-cache" in told.stdout


def test_that_every_control_has_a_name_and_can_be_reached_by_keyboard(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    choose_raw(qtbot, workbench, data)
    nameless = [
        widget
        for widget in workbench.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not isinstance(widget.parent(), QAbstractSpinBox)
        and not widget.accessibleName()
        and not getattr(widget, "text", str)()
    ]
    names = {f"{type(widget).__name__} {widget.objectName()}" for widget in nameless}
    assert not names
