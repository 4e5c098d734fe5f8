"""Drives the real window in a process of its own, with a real mouse and keyboard.

    xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python tests/app/drive_with_xdotool.py PICTURES

Picks, slides, starts, watches, cancels, sweeps, gets a verdict and exports it; then, in a second
window that is given the session, runs the same again and compares, measures one setting before and
after a change, compares, measures both in turn, and closes while a run goes on.  Each stage is
photographed, and its seconds are told.  It fails where the session or the export does not hold what
the hands did, or where a closed window's process lives on.  Where a control stands is read from a
twin of the window that is laid out at the same size, so that the product needs no hooks for this.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from hands import PATIENCE, SIZE, Hands, Spot, live_in, newest_session, runs_ended, wait
from PySide6.QtCore import QPoint, QSettings, Qt
from PySide6.QtWidgets import (
    QApplication,
    QPushButton,
    QSlider,
    QStyle,
    QStyleOptionSlider,
    QTabWidget,
    QWidget,
)

from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from core.plan.spec import differing
from core.result.outcome import Cancelled, Completed

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

    def held(self, name: str) -> float:
        """Where along its width a slider has its handle, at its middle."""
        (slider,) = (
            each
            for each in self.window.findChildren(QSlider)
            if each.accessibleName() == name and each.isVisible()
        )
        option = QStyleOptionSlider()
        slider.initStyleOption(option)
        of = QStyle.ComplexControl.CC_Slider
        handle = slider.style().subControlRect(
            of, option, QStyle.SubControl.SC_SliderHandle, slider
        )
        return handle.center().x() / slider.width()


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


def told(stage: str, do: Callable[[], None]) -> None:
    begun = time.monotonic()
    do()
    print(f"{stage}: {time.monotonic() - begun:.1f} s", flush=True)


def drive(hands: Hands, twin: Twin, folder: Path) -> None:
    told("picked and slid", lambda: pick_and_slide(hands, twin))
    told("watched and cancelled", lambda: watch_and_cancel(hands, twin, folder))
    told("swept to a verdict", lambda: sweep(hands, twin, folder))
    told("exported", lambda: export(hands, folder))


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


def run_again(hands: Hands, twin: Twin, folder: Path) -> None:
    """The session was the window's argument, and its form is that of the sweep."""
    hands.picture("10 opened again")
    measure(hands, folder, 3)
    hands.picture("11 run again")
    compare(hands, twin, folder)
    hands.picture("12 compared")


def change_one_thing(hands: Hands, twin: Twin, folder: Path) -> None:
    hands.click(twin.place("Use these settings"))
    time.sleep(1)
    measure(hands, folder, 4)
    hands.picture("13 before")
    show_in_twin(twin, folder)
    hands.drag(
        twin.place("Threads slider", twin.held("Threads slider")), twin.place("Threads slider", 0.4)
    )
    measure(hands, folder, 5)
    hands.picture("14 after")
    compare(hands, twin, folder)
    hands.picture("15 compared")


def measure_in_turn(hands: Hands, twin: Twin, folder: Path) -> None:
    """The two that were just compared, by the button below their verdict."""
    bench = twin.window.workbench
    bench.verdict.steps.press("compare")
    offered = bench.views.comparison.steps
    wait(lambda: QApplication.processEvents() or offered.texts(), "the button")
    twin.lay_out()
    hands.click(twin.place(offered.texts()[0]))
    wait(lambda: runs_ended(folder) == 6, "the run in turn")
    hands.rest()
    time.sleep(1)
    hands.picture("16 measured in turn")


def close_while_busy(hands: Hands, folder: Path, process: subprocess.Popen[bytes]) -> None:
    hands.press("ctrl+Return")
    wait(lambda: runs_begun(folder) == 7, "the last run")
    time.sleep(3)
    hands.picture("17 busy")
    hands.press("ctrl+w")
    process.wait(GONE)


def measure(hands: Hands, folder: Path, runs: int) -> None:
    hands.press("ctrl+Return")
    wait(lambda: runs_ended(folder) == runs, f"run {runs}")
    hands.rest()


def show_in_twin(twin: Twin, folder: Path) -> None:
    (path,) = folder.glob("sessions/*.sluice")
    twin.open(path)


def compare(hands: Hands, twin: Twin, folder: Path) -> None:
    show_in_twin(twin, folder)
    hands.click(twin.place("Compare with the last run"))
    time.sleep(1)


def runs_begun(folder: Path) -> int:
    session = newest_session(folder)
    assert session is not None
    with session:
        return len(session.runs())


def sample_there(twin: Twin) -> bool:
    QApplication.processEvents()
    return twin.window.workbench.setup.dataset.look is not None


def judge(folder: Path) -> None:
    """Hold what the hands did against what the session holds."""
    session = newest_session(folder)
    assert session is not None
    with session:
        cancelled, sweep, again, before, after, in_turn, closed = session.runs()
        assert any(isinstance(t.outcome, Cancelled) for t in session.trials(cancelled.id))
        assert cancelled.how == "cancelled"
        assert cancelled.plan.specs[0].load.threads > 1, "the slider did not slide"
        outcomes = [trial.outcome for trial in session.trials(sweep.id)]
        assert sweep.how == "completed"
        assert outcomes
        assert all(isinstance(outcome, Completed) for outcome in outcomes)
        assert {spec.load.threads for spec in sweep.plan.specs} == {1, 2, 4, 8}
        assert again.plan.specs == sweep.plan.specs, "the form was not that of the sweep"
        ((one,), (other,)) = before.plan.specs, after.plan.specs
        assert one.load.threads != other.load.threads, "the slider did not slide"
        assert differing([one, other]) == ("threads",), "more than one thing was changed"
        assert in_turn.how == "completed"
        assert len(in_turn.plan.pairs) == 1
        assert {spec.load for spec in in_turn.plan.specs} == {one.load, other.load}
        assert closed.how == "cancelled"
    rows = (folder / "results.csv").read_text().splitlines()
    assert len(rows) > 1, "nothing was exported"


def main() -> None:
    reader = argparse.ArgumentParser(description="Drive the real window.")
    reader.add_argument("pictures", type=Path, help="folder for the pictures")
    pictures: Path = reader.parse_args().pictures
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        live_in(folder)
        application = QApplication(sys.argv)
        application.setStyle("Fusion")
        twin = Twin(application, QSettings(f"{made}/twin.ini", QSettings.Format.IniFormat))
        with window(pictures) as (hands, process):
            drive(hands, twin, folder)
            hands.focus()  # without a window manager nobody gives it back after a dialog
            hands.press("ctrl+w")
            process.wait(PATIENCE)
        (session,) = folder.glob("sessions/*.sluice")
        with window(pictures, session) as (hands, process):
            told("the session again", lambda: run_again(hands, twin, folder))
            told("before and after", lambda: change_one_thing(hands, twin, folder))
            told("measured in turn", lambda: measure_in_turn(hands, twin, folder))
            told("closed while busy", lambda: close_while_busy(hands, folder, process))
        twin.window.close()
        judge(folder)
    print("all of it is in the session")


if __name__ == "__main__":
    main()
