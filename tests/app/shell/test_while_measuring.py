"""While a run goes on nothing moves, a restless user does no harm, and Stop acts at once."""

from __future__ import annotations

import select
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from change_while_measuring import shake
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QTabBar, QWidget
from pytestqt.qtbot import QtBot
from workload_box import ask, choose_workload

from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from app.views.answer_card import AnswerCard
from core import Axis, Cancel, Inspection, Request, events, study_names
from core.desk import Prepared

pytestmark = pytest.mark.window
LOWEST_PLOT = 160


type Places = Callable[[Workbench], Iterator[tuple[str, QRect]]]


def aims(workbench: Workbench) -> Iterator[tuple[str, QRect]]:
    """What can be aimed at, by name, and where in the window it stands."""
    root = workbench.window()
    for widget in root.findChildren(QWidget):
        if not widget.isVisible() or widget.window() is not root:
            continue
        at = widget.mapTo(root, QPoint())
        if isinstance(widget, QTabBar):
            for tab in range(widget.count()):
                yield widget.tabText(tab), widget.tabRect(tab).translated(at)
        elif isinstance(widget, QAbstractButton | AnswerCard):
            name = widget.accessibleName() or getattr(widget, "text", str)()
            yield f"{type(widget).__name__} {name} {id(widget)}", QRect(at, widget.size())


def frame(workbench: Workbench) -> Iterator[tuple[str, QRect]]:
    """What stands on the page whatever it says, and where in the window."""
    root, views, verdict = workbench.window(), workbench.views, workbench.verdict
    parts = {**workbench.line.fields, "measure": workbench.line.go, "progress": workbench.bar}
    parts |= {"verdict": verdict, "next": verdict.steps, "views": views, "foot": workbench.command}
    for name, widget in parts.items():
        yield name, QRect(widget.mapTo(root, QPoint()), widget.size())
    bar = views.tabBar()
    for tab in range(5):
        yield views.tabText(tab), bar.tabRect(tab).translated(bar.mapTo(root, QPoint()))


class Recording:
    """The first place of each thing, and what was seen elsewhere since."""

    def __init__(self, workbench: Workbench, of: Places = aims) -> None:
        self._workbench, self._of = workbench, of
        self._first: dict[str, QRect] = {}
        self.moved: set[str] = set()
        self.looks = 0

    def look_settled(self) -> None:
        QApplication.processEvents()
        self.look()

    def look(self) -> None:
        self.looks += 1
        for name, place in self._of(self._workbench):
            first = self._first.setdefault(name, place)
            if place != first:
                self.moved.add(f"{name}: {first.getRect()} → {place.getRect()}")


def measure(qtbot: QtBot, workbench: Workbench, data: Path, look: Callable[[], None]) -> None:
    """Have a short sweep answered; `look` ten times a second."""
    values = {"duration": 0.2, "warm_up": 0.0}
    axes = (Axis("threads", (1, 2)),)
    request = Request(workload="raw", values=values, axes=axes, dataset=data, repeats=2)
    ask(qtbot, workbench, request)
    qtbot.waitUntil(lambda: workbench.views.plots is not None and workbench.ready)
    qtbot.waitUntil(lambda: not workbench.busy)
    look()
    workbench.measuring.happened.connect(look)
    workbench.run.start()
    qtbot.waitUntil(lambda: not workbench.busy and bool(workbench.verdict.steps.texts()))
    qtbot.waitUntil(lambda: workbench.views.currentWidget() is workbench.views.answer_page)
    look()


def test_that_no_button_tab_field_or_verdict_moves_while_a_run_goes_on(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    workbench.window().resize(1280, 720)
    recording = Recording(workbench)
    measure(qtbot, workbench, data, recording.look)
    assert recording.looks > 2
    assert not recording.moved, "\n".join(sorted(recording.moved))
    views = workbench.views
    assert views.answer.scaling.sheet.height() >= LOWEST_PLOT
    views.show_live()
    QApplication.processEvents()
    assert views.plots.shown.sheet.height() >= LOWEST_PLOT
    workbench.window().resize(900, 600)
    qtbot.waitUntil(lambda: views.plots.shown.sheet.height() >= LOWEST_PLOT)
    views.setCurrentWidget(views.answer_page)
    tiles = [one for one in views.tiles.tiles.values() if one.isVisible()]
    qtbot.waitUntil(lambda: len({one.y() for one in tiles if one.isVisible()}) == 1)
    qtbot.waitUntil(lambda: views.answer.scaling.sheet.height() >= LOWEST_PLOT)


def test_that_the_frame_stands_through_a_run_an_error_a_stop_and_other_questions(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    workbench.window().resize(1280, 720)
    recording, setup = Recording(workbench, frame), workbench.setup
    qtbot.waitUntil(lambda: workbench.views.plots is not None)
    recording.look()
    measure(qtbot, workbench, data, recording.look)
    for other in ("fasta", "command", "raw"):
        choose_workload(setup, other)
        recording.look_settled()
    setup.choose_study(study_names()[0])
    recording.look_settled()
    setup.choose_study("")
    setup.form.row("duration").control.set_value(3600.0)
    setup.form.row("duration").control.changed.emit()
    qtbot.waitUntil(lambda: workbench.ready and not workbench.busy)
    workbench.run.start()
    qtbot.waitUntil(lambda: workbench.views.tiles.texts()["Throughput"] != "–")
    recording.look_settled()
    workbench.run.cancel()
    recording.look_settled()
    qtbot.waitUntil(lambda: not workbench.busy)
    recording.look_settled()
    request = Request(workload="raw", floor=False)
    dataset = Inspection.of(data, "raw").dataset
    data.rename(data.with_name("elsewhere"))
    workbench.measuring.start(Prepared.for_request(request, dataset, None))
    qtbot.waitUntil(lambda: not workbench.busy)
    recording.look_settled()
    workbench.sessions.new()
    recording.look_settled()
    assert not recording.moved, "\n".join(sorted(recording.moved))


def test_that_changes_of_work_settings_and_views_do_no_harm_while_a_run_goes_on(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    qtbot.waitUntil(lambda: window.workbench.views.plots is not None)
    workbench = window.workbench
    shake(workbench, data, 50)
    assert workbench.measuring.running
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not workbench.measuring.running)
    tabs = [workbench.views.tabText(place) for place in range(workbench.views.count())]
    assert tabs[:5] == ["Answer", "Live", "Inside", "Compare", "Table"]


AT_ONCE = 0.1
"""Seconds from the key to what it does, at the most."""
TRIES = 3
"""The quickest of so many counts: what else the machine does may hold up one, a timer would all."""


class Painted(QObject):
    """When a widget was last painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.at = 0.0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Paint:
            self.at = time.monotonic()
        return False


class Witness:
    """Waits on the descriptor that the engine waits on, while the engine carries out its plan."""

    def __init__(self, data: Path) -> None:
        request = Request(workload="raw", values={"duration": 3600.0}, repeats=1, floor=False)
        self.prepare_run = Prepared.for_request(request, Inspection.of(data, "raw").dataset, None)
        self.told_at = 0.0

    def prepare(self) -> Prepared:
        prepared = self.prepare_run()
        carry_out = prepared.carry_out

        def watched(cancel: Cancel) -> Iterator[events.Event]:
            watching = threading.Thread(target=self.watch, args=(cancel,))
            watching.start()
            yield from carry_out(cancel)
            watching.join()

        return replace(prepared, carry_out=watched)

    def watch(self, cancel: Cancel) -> None:
        select.select([cancel], [], [])
        self.told_at = time.monotonic()


def cancelled(qtbot: QtBot, window: MainWindow, data: Path) -> tuple[float, float]:
    """Seconds from the key until both the button and the words are painted; and to the engine."""
    witness = Witness(data)
    window.workbench.measuring.start(witness.prepare)
    qtbot.waitUntil(lambda: window.workbench.views.tiles.texts()["Throughput"] != "–")
    (words,) = [each for each in window.findChildren(QLabel) if each.accessibleName() == "Message"]
    button, phase = Painted(window.workbench.cancel_button), Painted(words)
    pressed = time.monotonic()
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert not window.workbench.cancel_button.isEnabled()
    assert "Cancelling" in words.text()
    qtbot.waitUntil(lambda: min(button.at, phase.at) > pressed)
    shown = max(button.at, phase.at) - pressed
    qtbot.waitUntil(lambda: not window.busy)
    button.deleteLater()
    phase.deleteLater()
    return shown, witness.told_at - pressed


def test_that_cancel_is_shown_and_told_to_the_engine(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    shown, told = cancelled(qtbot, window, data)
    assert min(shown, told) > 0


@pytest.mark.benchmark
def test_that_cancel_is_shown_and_told_to_the_engine_within_a_tenth_of_a_second(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    shown, told = zip(*(cancelled(qtbot, window, data) for _ in range(TRIES)), strict=True)
    print(f"shown after {1000 * min(shown):.1f} ms, told after {1000 * min(told):.1f} ms")
    assert 0 < min(shown) < AT_ONCE
    assert 0 < min(told) < AT_ONCE


@pytest.mark.benchmark
def test_that_a_closed_window_s_children_are_gone_within_two_seconds(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    witness = Witness(data)
    window.workbench.measuring.start(witness.prepare)
    qtbot.waitUntil(lambda: window.workbench.views.tiles.texts()["Throughput"] != "–")
    children = psutil.Process().children(recursive=True)
    closed = time.monotonic()
    window.close()
    qtbot.waitUntil(lambda: not any(child.is_running() for child in children))
    assert time.monotonic() - closed < 2
    qtbot.waitUntil(lambda: not window.busy)
