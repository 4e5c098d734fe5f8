"""Changes work, settings and views again and again while a run goes on, the collector wide awake.

    Xvfb :77 & DISPLAY=:77 openbox &
    DISPLAY=:77 PYTHONPATH=.:tests .venv/bin/python tests/app/change_while_measuring.py 2000 SEED

Under a real X server menus, tooltips and hovering are covered as well.  Ends with a line that says
how many changes there were; a crash leaves the stacks of all threads on stderr.
"""

from __future__ import annotations

import faulthandler
import gc
import os
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtCore import QEvent, QPoint, QPointF, QSettings, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent, QCursor, QEnterEvent, QHelpEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QMenu, QToolTip, QWidget
from workload_box import choose_workload

from app.setup.controls.numbers import NumberBox
from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from core import workloads

EAGER = (1, 5, 5)
"""Collect after every object, and all of it after 25."""
PATIENCE = 300
UNTOUCHED = ("Measure", "Measure anyway", "Stop")
"""Buttons that would begin or end a run."""


@contextmanager
def eager_collector() -> Iterator[None]:
    """Python's cyclic collector looks at every occasion, on whatever thread that is."""
    before = gc.get_threshold()
    gc.set_threshold(*EAGER)
    try:
        yield
    finally:
        gc.set_threshold(*before)


class Changes:
    """What a restless user does, drawn from a seed."""

    def __init__(self, workbench: Workbench, seed: int) -> None:
        self._bench = workbench
        self._draw = random.Random(seed)
        self._kinds: tuple[Callable[[], object], ...] = (
            self._choose_work, self._choose_work, self._type, self._press_chip, self._turn_tab,
            self._exchange_tile, self._turn_page, self._hover, self._open_menu,
            self._move_mouse, self._open_choices, self._press_right, self._resize,
        )  # fmt: skip

    def change(self) -> None:
        """Do one thing."""
        self._draw.choice(self._kinds)()

    def _seen[W: QWidget](self, kind: type[W]) -> list[W]:
        return [one for one in self._bench.setup.findChildren(kind) if one.isVisible()]

    def _choose_work(self) -> None:
        choose_workload(self._bench.setup, self._draw.choice([*workloads()]))

    def _type(self) -> None:
        if boxes := self._seen(NumberBox):
            box = self._draw.choice(boxes)
            box.setText(self._draw.choice(("1", "2", "1..4", "many", "")))
            box.textEdited.emit(box.text())
            box.editingFinished.emit()

    def _press_chip(self) -> None:
        chips = [
            one
            for one in self._seen(QAbstractButton)
            if one.isCheckable() and one.accessibleName() not in UNTOUCHED
        ]
        if chips:
            self._draw.choice(chips).click()

    def _turn_tab(self) -> None:
        self._bench.views.setCurrentIndex(self._draw.randrange(self._bench.views.count()))

    def _exchange_tile(self) -> None:
        tiles = [one for one in self._bench.views.tiles.tiles.values() if one.isVisible()]
        if tiles:
            self._draw.choice(tiles).click()

    def _turn_page(self) -> None:
        self._bench.show_page(self._draw.choice(("question", "question", "studies", "sessions")))

    def _hover(self) -> None:
        widgets = [one for one in self._bench.findChildren(QWidget) if one.isVisible()]
        one = self._draw.choice(widgets)
        middle = one.rect().center()
        where = one.mapToGlobal(middle)
        at = QPointF(middle)
        QApplication.sendEvent(one, QEnterEvent(at, at, QPointF(where)))
        QApplication.sendEvent(one, QHelpEvent(QEvent.Type.ToolTip, middle, where))
        QApplication.sendEvent(one, QEvent(QEvent.Type.Leave))
        QToolTip.hideText()

    def _move_mouse(self) -> None:
        """Under an X server what is below it is hovered, and may tell what it is."""
        area = self._bench.rect()
        x, y = self._draw.randrange(area.width()), self._draw.randrange(area.height())
        QCursor.setPos(self._bench.mapToGlobal(QPoint(x, y)))

    def _open_choices(self) -> None:
        self._bench.line.open("work")
        QApplication.processEvents()
        _close_popups()

    def _press_right(self) -> None:
        widgets = [one for one in self._bench.findChildren(QWidget) if one.isVisible()]
        one = self._draw.choice(widgets)
        at = one.rect().center()
        why = QContextMenuEvent.Reason.Mouse
        # A spin box does not go on before its menu is closed.
        QTimer.singleShot(0, self._bench, _close_popups)
        QApplication.sendEvent(one, QContextMenuEvent(why, at, one.mapToGlobal(at)))
        QApplication.processEvents()
        _close_popups()

    def _resize(self) -> None:
        wide, high = self._draw.choice(((900, 600), (1280, 720), (1500, 900)))
        self._bench.window().resize(wide, high)

    def _open_menu(self) -> None:
        menus = self._bench.results.findChildren(QMenu)
        menu = self._draw.choice(menus)
        menu.popup(QPoint(10, 10))
        QApplication.processEvents()
        menu.close()


def _close_popups() -> None:
    while (opened := QApplication.activePopupWidget()) is not None:
        opened.close()


def keep_measuring(workbench: Workbench, data: Path) -> None:
    """Have a run go on that takes longer than the changes do."""
    if workbench.measuring.running:
        return
    from core import Inspection, Prepared, Request

    request = Request(workload="raw", values={"duration": 20.0, "warm_up": 0.0, "threads": 2})
    dataset = Inspection.of(data, "raw").dataset
    workbench.measuring.start(Prepared.for_request(request, dataset, workbench.held.session))


def shake(workbench: Workbench, data: Path, count: int, seed: int = 1) -> None:
    """So many changes, while a run goes on."""
    changes = Changes(workbench, seed)
    with eager_collector():
        for _ in range(count):
            keep_measuring(workbench, data)
            changes.change()
            QApplication.processEvents()
            # As in a window: outside of an event loop, nothing that is to be deleted later is.
            QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)  # type: ignore[arg-type]


def main() -> None:
    count, seed = map(int, (sys.argv[1:] + ["2000", "1"][len(sys.argv) - 1 :])[:2])
    faulthandler.enable()
    with tempfile.TemporaryDirectory() as folder:
        for name in ("SLUICE_SESSIONS", "SLUICE_CACHE", "SLUICE_LAB"):
            os.environ[name] = folder
        data = Path(folder, "data")
        data.mkdir()
        (data / "one.bin").write_bytes(bytes(range(256)) * 4096)
        application = QApplication([])
        application.setAttribute(Qt.ApplicationAttribute.AA_DontUseNativeDialogs)
        settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
        window = MainWindow(settings, application)
        window.show()

        def wait(done: Callable[[], object]) -> None:
            end = time.monotonic() + PATIENCE
            while not done():
                assert time.monotonic() < end, "the window does not come to rest"
                application.processEvents()
                time.sleep(0.01)

        wait(lambda: window.workbench is not None and window.workbench.views.plots is not None)
        assert window.workbench is not None
        began = time.monotonic()
        shake(window.workbench, data, count, seed)
        seconds = time.monotonic() - began
        window.workbench.close_down()
        wait(lambda: not window.busy)
        window.close()
        wait(lambda: not window.busy)
    print(f"{count} changes in {seconds:.0f} s without a crash")


if __name__ == "__main__":
    main()
