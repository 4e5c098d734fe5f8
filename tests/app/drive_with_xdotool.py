"""Drives the real window in a process of its own, with a real mouse and keyboard.

    xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python tests/app/drive_with_xdotool.py PICTURES

Picks, slides, starts, watches, cancels, sweeps, gets a verdict and exports it, and photographs
each stage.  It fails where the session or the export does not hold what the hands did.  Where a
control stands is read from a twin of the window that is laid out at the same size, so that the
product needs no hooks for this.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import psutil
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import QApplication, QTabWidget, QWidget

from app.shell.window import MainWindow
from core import Cancelled, Completed, Session

PATIENCE = 400
SIZE = (1280, 800)
BUSY = 20
"""Per cent of a core."""


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

    def place(self, name: str, share: float = 0.5) -> QPoint:
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
        return found[0].mapTo(self.window, within)


class Hands:
    """A mouse, a keyboard and a camera."""

    def __init__(self, process: subprocess.Popen[bytes], pictures: Path) -> None:
        self._process = process
        self._pictures = pictures
        self.window = wait(self._window, "the window")
        xdotool("windowsize", "--sync", self.window, *map(str, SIZE))
        xdotool("windowmove", self.window, "0", "0")
        self.focus()
        wait(self._at_rest, "everything in the window")

    def _at_rest(self) -> bool:
        """It is filled after it is shown, which takes all of a core."""
        return psutil.Process(self._process.pid).cpu_percent(interval=1.0) < BUSY

    def _window(self) -> str:
        told = subprocess.run(
            ["xdotool", "search", "--onlyvisible", "--pid", str(self._process.pid), "--name", "."],
            capture_output=True,
            text=True,
            check=False,
        )
        return told.stdout.split()[-1] if told.stdout else ""

    def focus(self) -> None:
        xdotool("windowfocus", self.window)

    def click(self, at: QPoint) -> None:
        xdotool("mousemove", "--window", self.window, str(at.x()), str(at.y()))
        xdotool("click", "1")

    def drag(self, start: QPoint, end: QPoint) -> None:
        xdotool("mousemove", "--window", self.window, str(start.x()), str(start.y()))
        xdotool("mousedown", "1")
        for step in range(1, 6):
            x = start.x() + (end.x() - start.x()) * step // 5
            xdotool("mousemove", "--window", self.window, str(x), str(end.y()))
        xdotool("mouseup", "1")

    def press(self, *keys: str) -> None:
        xdotool("key", *keys)

    def write(self, text: str) -> None:
        xdotool("type", "--delay", "5", text)

    def picture(self, name: str) -> None:
        time.sleep(0.3)
        target = self._pictures / f"{name}.png"
        subprocess.run(["maim", str(target)], check=True)


def xdotool(*words: str) -> None:
    subprocess.run(["xdotool", *words], check=True, stdout=subprocess.DEVNULL)


def wait[Found](look: Callable[[], Found], what: str) -> Found:
    """The first true answer; the world outside this process can only be polled."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.1)
    raise TimeoutError(what)


def newest_session(folder: Path) -> Session | None:
    found = sorted(folder.glob("sessions/*.sluice"), key=lambda path: path.stat().st_mtime)
    return Session.read(found[-1]) if found else None


def runs_ended(folder: Path) -> int:
    session = newest_session(folder)
    if session is None:
        return 0
    with session:
        return sum(run.how is not None for run in session.runs())


def drive(hands: Hands, twin: Twin, folder: Path) -> None:
    pick_and_slide(hands, twin)
    watch_and_cancel(hands, twin, folder)
    sweep(hands, twin, folder)
    export(hands, folder)


def pick_and_slide(hands: Hands, twin: Twin) -> None:
    hands.picture("1 empty start")
    hands.click(twin.place("1  Make a sample dataset"))
    twin.window.workbench.setup.dataset.make_sample()
    wait(lambda: sample_there(twin), "the sample")
    twin.lay_out()
    time.sleep(2)
    hands.drag(twin.place("Threads slider", 0.05), twin.place("Threads slider", 0.35))
    hands.picture("2 form filled")


def watch_and_cancel(hands: Hands, twin: Twin, folder: Path) -> None:
    hands.click(twin.place("Start"))
    wait(lambda: list(folder.glob("sessions/*.sluice")), "the session")
    time.sleep(7)
    hands.picture("3 running")
    hands.press("Escape")
    wait(lambda: runs_ended(folder) == 1, "the cancelled run")
    time.sleep(1)
    hands.picture("4 cancelled")


def sweep(hands: Hands, twin: Twin, folder: Path) -> None:
    hands.press("F1")
    twin.lay_out()
    hands.click(twin.place("2  Sweep the threads"))
    twin.window.workbench.setup.sweep_threads()
    twin.lay_out()
    time.sleep(1)
    hands.picture("5 sweep chosen")
    hands.click(twin.place("3  Start"))
    time.sleep(12)
    hands.picture("6 sweep running")
    wait(lambda: runs_ended(folder) == 2, "the sweep")
    time.sleep(2)
    hands.picture("7 verdict")


def export(hands: Hands, folder: Path) -> None:
    """Through the menu, by keyboard: the third format is CSV."""
    target = folder / "results.csv"
    hands.press("alt+s")
    hands.press("e")
    time.sleep(0.5)
    hands.picture("8 menu")
    hands.press("Down", "Down", "Return")
    time.sleep(1.5)
    hands.press("ctrl+a")
    hands.write(str(target))
    hands.picture("9 export")
    hands.press("Return")
    wait(target.exists, "the export")


def sample_there(twin: Twin) -> bool:
    QApplication.processEvents()
    return twin.window.workbench.setup.dataset.look is not None


def judge(folder: Path) -> None:
    """Hold what the hands did against what the session holds."""
    session = newest_session(folder)
    assert session is not None
    with session:
        cancelled, sweep = session.runs()
        assert any(isinstance(t.outcome, Cancelled) for t in session.trials(cancelled.id))
        assert cancelled.how == "cancelled"
        assert cancelled.plan.specs[0].load.threads > 1, "the slider did not slide"
        outcomes = [trial.outcome for trial in session.trials(sweep.id)]
        assert sweep.how == "completed"
        assert outcomes
        assert all(isinstance(outcome, Completed) for outcome in outcomes)
        assert {spec.load.threads for spec in sweep.plan.specs} == {1, 2, 4, 8}
    rows = (folder / "results.csv").read_text().splitlines()
    assert len(rows) > 1, "nothing was exported"


def main() -> None:
    reader = argparse.ArgumentParser(description="Drive the real window.")
    reader.add_argument("pictures", type=Path, help="folder for the pictures")
    pictures: Path = reader.parse_args().pictures
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        os.environ |= {
            "SLUICE_SESSIONS": made,
            "XDG_CONFIG_HOME": f"{made}/config",
            "QT_QPA_PLATFORM": "xcb",
            "LC_ALL": "C.UTF-8",  # the names by which controls are found
        }
        os.environ.setdefault("SLUICE_CACHE", f"{made}/cache")
        application = QApplication(sys.argv)
        application.setStyle("Fusion")
        twin = Twin(application, QSettings(f"{made}/twin.ini", QSettings.Format.IniFormat))
        with subprocess.Popen([sys.executable, "-m", "app"]) as process:
            try:
                hands = Hands(process, pictures)
                time.sleep(3)
                drive(hands, twin, folder)
                hands.focus()  # without a window manager nobody gives it back after a dialog
                hands.press("ctrl+w")
                process.wait(PATIENCE)
            finally:
                process.kill()
        twin.window.close()
        judge(folder)
    print("picked, slid, started, watched, cancelled, swept, judged, exported")


if __name__ == "__main__":
    main()
