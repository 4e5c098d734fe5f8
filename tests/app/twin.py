"""A twin of the window of another process: it tells where controls stand, and how many presses of
Tab lead to them, so that the product needs no hooks for those who drive it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from hands import SIZE, Hands, Spot, newest_session, wait
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QApplication, QPushButton, QTabWidget, QWidget

from app.shell.window import MainWindow
from app.shell.workbench import Workbench

GONE = 3
"""Seconds within which a closed window's process ends."""


class Twin:
    """Tells where the controls of a window of the same size stand."""

    def __init__(self, application: QApplication, settings: QSettings) -> None:
        self._application = application
        self.window = MainWindow(settings, application)
        self.window.furnish()
        self.window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen)
        self.window.show()
        self.lay_out()

    def lay_out(self, size: tuple[int, int] = SIZE) -> None:
        self.window.resize(*size)
        for _ in range(20):
            self._application.processEvents()

    def open(self, session: Path) -> None:
        """Show what the other window shows after a run: from a copy of the session."""
        copied = shutil.copy(session, session.with_name("twin.sluice.copy"))
        other = Path(copied).rename(session.parent.parent / "twin.sluice")
        bench = self.window.workbench
        bench.sessions.open(other)
        wait(lambda: self._shows(bench), "the twin's card")
        self.lay_out()

    def _shows(self, bench: Workbench) -> bool:
        QApplication.processEvents()
        return not bench.busy and bool(bench.verdict.steps.texts())

    def place(self, name: str, share: float = 0.5) -> Spot:
        """The middle of a control, or a place along its width."""
        found = [
            widget
            for widget in self.window.findChildren(QWidget)
            if (widget.accessibleName() or getattr(widget, "text", str)()) == name
            and widget.isVisible()
            and not isinstance(widget, QTabWidget)
        ]
        assert len(found) == 1, f"{len(found)} controls are called {name}"
        within = QPoint(round(found[0].width() * share), found[0].height() // 2)
        spot = found[0].mapTo(self.window, within)
        return spot.x(), spot.y()

    def row(self, button: str, action: str) -> int:
        """In which row of a button's menu an action is, the first being 1."""
        (menu,) = (
            each.menu()
            for each in self.window.findChildren(QPushButton)
            if each.accessibleName() == button and each.isVisible()
        )
        return [each.text() for each in menu.actions()].index(action) + 1


@contextmanager
def window(pictures: Path, *arguments: Path) -> Iterator[tuple[Hands, subprocess.Popen[bytes]]]:
    """The real window, at rest; its process is ended in any case."""
    with subprocess.Popen([sys.executable, "-m", "app", *map(str, arguments)]) as process:
        try:
            hands = Hands(process.pid, pictures)
            time.sleep(3)
            yield hands, process
        finally:
            process.kill()


def show_in_twin(twin: Twin, folder: Path) -> None:
    (path,) = folder.glob("sessions/*.sluice")
    twin.open(path)


def runs_begun(folder: Path) -> int:
    session = newest_session(folder)
    assert session is not None
    with session:
        return len(session.runs())
