"""Nothing that a hand aims at moves while a run goes on, and plots keep their height."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QAbstractButton, QApplication, QTabBar, QWidget
from pytestqt.qtbot import QtBot

from app.setup.form_history import form_of
from app.shell.workbench import Workbench
from app.views.answer_card import AnswerCard
from core import Axis, Request

pytestmark = pytest.mark.window
LOWEST_PLOT = 160


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


class Recording:
    """The first place of each thing, and what was seen elsewhere since."""

    def __init__(self, workbench: Workbench) -> None:
        self._workbench = workbench
        self._first: dict[str, QRect] = {}
        self.moved: set[str] = set()
        self.looks = 0

    def look(self) -> None:
        self.looks += 1
        for name, place in aims(self._workbench):
            first = self._first.setdefault(name, place)
            if place != first:
                self.moved.add(f"{name}: {first.getRect()} → {place.getRect()}")


def measure(qtbot: QtBot, workbench: Workbench, data: Path, look: Callable[[], None]) -> None:
    """Have a short sweep answered; `look` ten times a second."""
    values = {"duration": 0.2, "warm_up": 0.0}
    axes = (Axis("threads", (1, 2)),)
    request = Request(workload="raw", values=values, axes=axes, dataset=data, repeats=2)
    setup = workbench.setup
    setup.restore(form_of(request, setup.state()))
    qtbot.waitUntil(lambda: workbench.views.plots is not None and workbench.ready)
    qtbot.waitUntil(lambda: not workbench.busy)
    look()
    workbench.measuring.happened.connect(look)
    workbench.run.start()
    qtbot.waitUntil(lambda: not workbench.busy and bool(workbench.verdict.steps.texts()))
    qtbot.waitUntil(lambda: workbench.views.currentWidget() is workbench.views.answer)
    look()


def test_that_no_button_tab_tile_or_verdict_moves_while_a_run_goes_on(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    workbench.window().resize(1280, 720)
    recording = Recording(workbench)
    wide = workbench.form.width()
    measure(qtbot, workbench, data, recording.look)
    assert recording.looks > 2
    assert not recording.moved, "\n".join(sorted(recording.moved))
    assert workbench.form.width() == wide
    views = workbench.views
    assert views.answer is not None
    assert views.plots is not None
    assert views.answer.scaling.sheet.height() >= LOWEST_PLOT
    views.show_live()
    QApplication.processEvents()
    assert views.plots.shown.sheet.height() >= LOWEST_PLOT
    workbench.window().resize(900, 600)
    tiles = [one for one in views.tiles.tiles.values() if one.isVisible()]
    qtbot.waitUntil(lambda: len({one.y() for one in tiles if one.isVisible()}) == 1)
    qtbot.waitUntil(lambda: views.tabText(views.count() - 1) == "Table")
    qtbot.waitUntil(lambda: views.plots.shown.sheet.height() >= LOWEST_PLOT)
    views.setCurrentWidget(views.answer)
    qtbot.waitUntil(lambda: views.answer.scaling.sheet.height() >= LOWEST_PLOT)
