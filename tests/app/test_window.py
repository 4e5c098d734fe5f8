"""The window, driven as a user drives it."""

import os
import shlex
import time
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QCheckBox, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from app.window import MainWindow
from core import FORMATS, Cancelled, Completed, Session

pytestmark = pytest.mark.window
PATIENCE = 60_000
"""Milliseconds; generous, because others may be using the machine."""


def shown_as[W: QWidget](window: MainWindow, kind: type[W], name: str) -> list[W]:
    """The visible widgets that a screen reader would call so."""
    return [
        widget
        for widget in window.findChildren(kind)
        if (widget.accessibleName() or getattr(widget, "text", str)()) == name
        and widget.isVisible()
    ]


def named[W: QWidget](window: MainWindow, kind: type[W], name: str) -> W:
    found = shown_as(window, kind, name)
    assert len(found) == 1, f"{len(found)} visible widgets are called {name}"
    return found[0]


def click(qtbot: QtBot, widget: QWidget) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def type_into(qtbot: QtBot, box: QWidget, text: str) -> None:
    box.setFocus()
    qtbot.keyClick(box, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(box, text)
    qtbot.keyClick(box, Qt.Key.Key_Return)


def choose_raw(qtbot: QtBot, window: MainWindow, data: Path) -> None:
    workload = named(window, QWidget, "Workload")
    workload.setFocus()
    qtbot.keyClicks(workload, "Raw")
    with qtbot.waitSignal(window.setup.dataset.changed, check_params_cb=None):
        type_into(qtbot, named(window, QWidget, "Dataset"), str(data))
    qtbot.waitUntil(lambda: window.setup.dataset.look is not None, timeout=PATIENCE)


def set_up(qtbot: QtBot, window: MainWindow, data: Path, duration: str = "0.2s") -> None:
    choose_raw(qtbot, window, data)
    type_into(qtbot, named(window, QAbstractSpinBox, "Duration"), duration)
    type_into(qtbot, named(window, QAbstractSpinBox, "Warm up"), "0")
    type_into(qtbot, named(window, QAbstractSpinBox, "Repeats"), "2")


def run_to_end(qtbot: QtBot, window: MainWindow) -> None:
    qtbot.waitUntil(window.start_button.isEnabled, timeout=PATIENCE)
    click(qtbot, window.start_button)
    qtbot.waitUntil(lambda: not window.busy, timeout=PATIENCE)


def slowness() -> float:
    """How many times longer than alone everything may take here: others use the machine too."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def alive(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def the_session(window: MainWindow, tmp_path: Path) -> Path:
    (path,) = (tmp_path / "sessions").glob("*.sluice")
    return path


def test_that_start_says_what_it_waits_for(qtbot: QtBot, window: MainWindow, data: Path) -> None:
    assert not window.start_button.isEnabled()
    assert "choose a dataset" in window.why.text()
    choose_raw(qtbot, window, data)
    assert window.start_button.isEnabled()
    assert not window.why.text()
    type_into(qtbot, named(window, QAbstractSpinBox, "Duration"), "4 parsecs")
    assert not window.start_button.isEnabled()
    assert "Duration: '4 parsecs' is not a time" in window.why.text()
    assert not window.command.text()


def test_that_a_path_which_holds_nothing_is_marked_with_the_reason(
    qtbot: QtBot, window: MainWindow, tmp_path: Path
) -> None:
    place = named(window, QWidget, "Dataset")
    type_into(qtbot, place, str(tmp_path / "nowhere"))
    qtbot.waitUntil(lambda: "does not exist" in window.why.text(), timeout=PATIENCE)
    assert place.property("wrong")


def test_that_arrow_keys_on_the_slider_step_by_one(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    choose_raw(qtbot, window, data)
    slider = named(window, QWidget, "Threads slider")
    for _ in range(4):
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert "--threads 4" in window.command.text()


def test_that_a_run_is_measured_shown_kept_and_told_as_a_command(
    qtbot: QtBot, window: MainWindow, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, window, data)
    shown = window.command.text()
    run_to_end(qtbot, window)
    qtbot.waitUntil(lambda: window.results.model().rowCount() == 1, timeout=PATIENCE)
    assert "blocks/s" in window.verdict.text()
    assert "Done: 2 trials" in window.strip.text()
    assert window.views.numbers.texts()["Throughput"] != "–"
    with Session.read(the_session(window, tmp_path)) as session:
        (run,) = session.runs()
        assert list(run.command) == shlex.split(shown)
        assert run.how == "completed"
        assert [type(trial.outcome) for trial in session.trials(run.id)] == [Completed] * 2


def test_that_a_second_run_goes_into_the_same_session(
    qtbot: QtBot, window: MainWindow, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, window, data)
    for _ in range(2):
        run_to_end(qtbot, window)
    with Session.read(the_session(window, tmp_path)) as session:
        assert len(session.runs()) == 2


def test_that_cancelling_ends_within_a_second_and_keeps_what_was_measured(
    qtbot: QtBot, window: MainWindow, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, window, data, "60s")
    click(qtbot, window.start_button)
    qtbot.waitUntil(lambda: window.views.numbers.texts()["Throughput"] != "–", timeout=PATIENCE)
    begun = time.monotonic()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert "Cancelling" in window.strip.text()
    qtbot.waitUntil(lambda: not window.busy, timeout=PATIENCE)
    assert time.monotonic() - begun < 1.5 * slowness()
    assert "kept" in window.strip.text()
    with Session.read(the_session(window, tmp_path)) as session:
        (trial,) = session.trials(session.runs()[-1].id)
        assert isinstance(trial.outcome, Cancelled)
        assert trial.moments


def test_that_closing_during_a_trial_ends_the_children_within_two_seconds(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    set_up(qtbot, window, data, "60s")
    click(qtbot, window.start_button)
    qtbot.waitUntil(lambda: window.views.numbers.texts()["Throughput"] != "–", timeout=PATIENCE)
    begun = time.monotonic()
    children = psutil.Process().children(recursive=True)
    window.close()
    assert not window.isVisible()
    qtbot.waitUntil(lambda: not any(map(alive, children)), timeout=PATIENCE)
    assert children
    assert time.monotonic() - begun < 2 * slowness()
    qtbot.waitUntil(lambda: not window.busy, timeout=PATIENCE)


def test_that_a_sweep_waits_for_an_axis_and_measures_its_values(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    set_up(qtbot, window, data)
    click(qtbot, named(window, QPushButton, "Sweep"))
    assert "tick at least one parameter" in window.why.text()
    qtbot.waitUntil(lambda: bool(shown_as(window, QCheckBox, "Vary Threads")), timeout=PATIENCE)
    click(qtbot, named(window, QCheckBox, "Vary Threads"))
    type_into(qtbot, named(window, QAbstractSpinBox, "Threads: to"), "2")
    assert "sweep raw threads=1,2 " in window.command.text()
    run_to_end(qtbot, window)
    qtbot.waitUntil(lambda: window.results.model().rowCount() == 2, timeout=PATIENCE)
    assert "thread" in window.verdict.text()


def test_that_results_are_copied_exported_and_opened_again(
    qtbot: QtBot, window: MainWindow, data: Path, tmp_path: Path
) -> None:
    set_up(qtbot, window, data)
    run_to_end(qtbot, window)
    qtbot.waitUntil(window.copy_markdown.isEnabled, timeout=PATIENCE)
    click(qtbot, window.copy_markdown)
    assert "| raw |" in QGuiApplication.clipboard().text()
    target = tmp_path / "out.csv"
    window.export(FORMATS["csv"], target)
    qtbot.waitUntil(target.exists, timeout=PATIENCE)
    before = window.verdict.text()
    window.new_session()
    assert window.verdict.text() == "Not yet"
    window.open_session(the_session(window, tmp_path))
    qtbot.waitUntil(lambda: window.verdict.text() == before, timeout=PATIENCE)


def test_that_the_window_keeps_its_place_and_what_was_used(
    qtbot: QtBot, window: MainWindow, qapp: QApplication, settings: QSettings, data: Path
) -> None:
    choose_raw(qtbot, window, data)
    window.resize(900, 650)
    window.close()
    again = MainWindow(settings, qapp)
    qtbot.addWidget(again)
    assert (again.width(), again.height()) == (900, 650)
    assert again.setup.dataset.recent() == [data]
    again.close()


def test_that_every_control_has_a_name_and_can_be_reached_by_keyboard(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    choose_raw(qtbot, window, data)
    nameless = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not isinstance(widget.parent(), QAbstractSpinBox)
        and not widget.accessibleName()
        and not getattr(widget, "text", str)()
    ]
    names = {f"{type(widget).__name__} {widget.objectName()}" for widget in nameless}
    assert not names
