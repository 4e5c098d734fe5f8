"""Walks through the real window with keys alone, station by station, in a process of its own.

    xvfb-run -a -s "-screen 0 1280x800x24" .venv/bin/python tests/app/walk_with_keys.py PICTURES

A sample is swept to a verdict, one thing is changed and compared, the report is opened; the session
is opened again and measured again, and the window is closed while a run goes on.  Each station is
photographed, with what was found there and its seconds; the first that fails ends the walk with
exit code 1.  How many presses of Tab lead to a control is counted in a twin of the window, which is
brought to the same state.  Needs `openbox` besides what `hands.py` needs.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from hands import PATIENCE, Hands, live_in, newest_session, runs_ended, wait
from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from twin import GONE, Twin, runs_begun, show_in_twin, window

from app.shell.workbench import Workbench
from core import Trial
from core.run import Run
from core.vocabulary import Completed, differing

ASK = "What do you want to know?"
"""The field that has the keys in a fresh window."""
SAMPLE = "Sample data · an answer in 1 min"

MOST_TABS = 150
FILTER = "Filter of the table"
"""Where Ctrl+F leads, whatever had the keys before."""
THREADS = 6
CRASHED = "There is a bug in Sluice"
"""The title of the dialog behind which a window goes on."""
STAYS = "A run goes on"
"""The title of that which asks whether to stop a run."""


class Walk(NamedTuple):
    """A window that is walked through, and what tells where its controls are."""

    hands: Hands
    process: subprocess.Popen[bytes]
    twin: Twin
    folder: Path

    @property
    def bench(self) -> Workbench:
        """The twin's."""
        bench = self.twin.window.workbench
        assert bench is not None
        return bench

    def tab(self, start: str, name: str) -> None:
        """Press Tab from one control to another, each known by its name."""
        self.hands.press(*["Tab"] * count_tabs(named(self.twin.window, start), name))

    def reach(self, name: str) -> None:
        """Bring the keys to a control, from wherever they are, in a window with results."""
        self.bench.look_for()
        self.hands.press("ctrl+f")
        self.tab(FILTER, name)

    def fill(self, field: str, name: str, text: str) -> None:
        """Write into a control that a field of the question opens."""
        self.reach(self.bench.line.fields[field].accessibleName())
        self.bench.line.open(field)
        popup = self.bench.line.popups[field]
        first = popup.focusWidget()
        assert first is not None
        self.hands.press("space", *["Tab"] * count_tabs(first, name), "ctrl+a")
        popup.hide()
        self.hands.write(text)
        self.hands.press("Return", "Escape")

    def begin(self) -> None:
        """Start with the keys, as soon as the window knows the data."""
        before = runs_begun(self.folder)

        def pressed() -> bool:
            self.hands.press("ctrl+Return")
            time.sleep(3)
            return runs_begun(self.folder) > before

        wait(pressed, "the beginning of the run")

    def measure(self) -> str:
        """Start with the keys, and wait for the end; how the run ended."""
        before = runs_ended(self.folder)
        self.begin()
        wait(lambda: runs_ended(self.folder) > before, "the end of the run")
        self.hands.rest()
        run, trials = runs(self.folder)[-1]
        assert run.how == "completed", f"the run ended as {run.how}"
        assert trials
        assert all(isinstance(trial.outcome, Completed) for trial in trials)
        return f"{len(trials)} trials completed"


class Station(NamedTuple):
    """A stage of the walk: what is done there, and what is found."""

    name: str
    do: Callable[[Walk], str]


def name_of(widget: QWidget) -> str:
    return widget.accessibleName() or str(getattr(widget, "text", str)())


def is_called(widget: QWidget, name: str) -> bool:
    """Whether that is its name, but for what stands in brackets behind it."""
    return name_of(widget) == name or name_of(widget).startswith(f"{name} (")


def named(window: QWidget, name: str) -> QWidget:
    """The control in sight that is called that, and where Tab stops."""
    return next(
        widget
        for widget in window.findChildren(QWidget)
        if is_called(widget, name)
        and widget.isVisible()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
    )


def count_tabs(start: QWidget, name: str) -> int:
    """How many presses of Tab lead from one control to another."""
    start.setFocus(Qt.FocusReason.TabFocusReason)
    for presses in range(MOST_TABS):
        focused = start.window().focusWidget()
        if is_called(focused, name):
            return presses
        QTest.keyClick(focused, Qt.Key.Key_Tab)
    raise AssertionError(f"{name} is not reached within {MOST_TABS} presses of Tab")


def make_active(window: QWidget) -> None:
    """Show a window as if a user had turned to it."""
    window.hide()
    window.setAttribute(Qt.WidgetAttribute.WA_DontShowOnScreen, False)
    window.show()
    window.activateWindow()
    assert QTest.qWaitForWindowActive(window)


def runs(folder: Path) -> list[tuple[Run, tuple[Trial, ...]]]:
    """All runs of the session, with their trials."""
    session = newest_session(folder)
    assert session is not None
    with session:
        return [(run, session.trials(run.id)) for run in session.runs()]


def windows_of(process: subprocess.Popen[bytes]) -> list[str]:
    """The titles of the windows that a process shows."""
    find = ["xdotool", "search", "--onlyvisible", "--pid", str(process.pid), "--name", "."]
    titles = (_said([find[0], "getwindowname", each]).strip() for each in _said(find).split())
    return [title for title in titles if title]  # some are closed meanwhile


def _said(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def empty(walk: Walk) -> str:
    assert windows_of(walk.process) == ["Sluice"]
    return "one window, without a session"


def sample(walk: Walk) -> str:
    walk.tab(ASK, SAMPLE)
    walk.hands.press("space")
    wait(lambda: runs_ended(walk.folder) == 1, "the answer about the sample")
    walk.hands.rest()
    ((run, _),) = runs(walk.folder)
    threads = sorted(spec.load.threads for spec in run.plan.specs)
    assert threads == [1, 2, 4, 8], f"threads were {threads}"
    show_in_twin(walk.twin, walk.folder)
    return walk.bench.verdict.text()


def measure_with(walk: Walk, threads: int) -> str:
    show_in_twin(walk.twin, walk.folder)
    walk.fill("settings", "Threads", str(threads))
    return walk.measure()


def measure_one(walk: Walk) -> str:
    return measure_with(walk, 1)


def change_one_thing(walk: Walk) -> str:
    said = measure_with(walk, THREADS)
    *_, (before, _), (after, _) = runs(walk.folder)
    ((one,), (other,)) = before.plan.specs, after.plan.specs
    assert other.load.threads == THREADS, f"there were {other.load.threads} threads"
    changed = differing([one, other])
    # How long a trial is follows from how long it took here before.
    assert {*changed} - {"duration", "warm_up"} == {"threads"}, f"what was changed: {changed}"
    return f"{said} with {THREADS} threads in place of {one.load.threads}"


def compare(walk: Walk) -> str:
    show_in_twin(walk.twin, walk.folder)
    if walk.bench.verdict.steps.next.text() == "Compare":
        walk.reach("Compare")
        walk.hands.press("space")
    else:
        walk.reach("More to do next")
        walk.hands.press("space")
        walk.hands.write("compare")
        walk.hands.press("Return")
    walk.hands.rest()
    return "compared with the run before"


def read_report(walk: Walk) -> str:
    walk.hands.press("ctrl+p")
    wait(lambda: len(windows_of(walk.process)) == 2, "the report's window")
    walk.hands.rest()
    (title,) = [each for each in windows_of(walk.process) if each.startswith("Report: ")]
    return title


def close(walk: Walk) -> str:
    walk.hands.press("Escape")  # the report
    wait(lambda: len(windows_of(walk.process)) == 1, "the end of the report's window")
    walk.hands.press("ctrl+w")
    walk.process.wait(PATIENCE)
    assert walk.process.returncode == 0, f"exit code {walk.process.returncode}"
    return "the process ended with 0"


def open_again(walk: Walk) -> str:
    wait(lambda: windows_of(walk.process) not in ([], ["Sluice"]), "the session")
    (title,) = windows_of(walk.process)
    return title


def run_again(walk: Walk) -> str:
    said = walk.measure()
    *_, (before, _), (after, _) = runs(walk.folder)
    assert before.plan.specs == after.plan.specs, "the form was not that of the last run"
    return f"{said} with the same settings"


def be_busy(walk: Walk) -> str:
    walk.begin()
    run, _ = runs(walk.folder)[-1]
    assert run.how is None, "it was over too soon"
    return "a run goes on"


def close_while_busy(walk: Walk) -> str:
    walk.hands.press("ctrl+w")
    wait(lambda: STAYS in windows_of(walk.process), "the question whether to stop")
    begun = time.monotonic()
    walk.hands.press("Tab", "space")
    walk.process.wait(GONE)
    took = time.monotonic() - begun
    run, _ = runs(walk.folder)[-1]
    assert run.how == "cancelled", f"the run ended as {run.how}"
    return f"the process was gone after {took:.1f} s"


FRESH = (
    Station("empty home", empty),
    Station("sample to a verdict", sample),
    Station("before", measure_one),
    Station("one thing changed", change_one_thing),
    Station("compared", compare),
    Station("report", read_report),
    Station("closed", close),
)
AGAIN = (
    Station("opened again", open_again),
    Station("run again", run_again),
    Station("busy", be_busy),
    Station("closed while busy", close_while_busy),
)


def visit(stations: tuple[Station, ...], walk: Walk, first: int) -> None:
    """Do what each station asks for, and print and photograph what is found there."""
    for number, station in enumerate(stations, first):
        begun = time.monotonic()
        try:
            found = station.do(walk)
            assert CRASHED not in windows_of(walk.process), "there was a bug"
        except (AssertionError, TimeoutError, StopIteration, subprocess.SubprocessError) as error:
            walk.hands.picture(f"{number:02} failed at {station.name}")
            sys.exit(f"{number:2} {station.name}: failed: {error!r}")
        walk.hands.picture(f"{number:02} {station.name}")
        print(f"{number:2} {station.name}: {found} ({time.monotonic() - begun:.1f} s)", flush=True)


@contextmanager
def window_manager() -> Iterator[None]:
    """Gives the keys to windows that open and takes them back from those that close."""
    # Where another one is running already, this one ends at once.
    with subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


def main() -> None:
    reader = argparse.ArgumentParser(description="Walk through the real window with keys alone.")
    reader.add_argument("pictures", type=Path, help="folder for the pictures")
    pictures: Path = reader.parse_args().pictures
    pictures.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as made, window_manager():
        folder = Path(made)
        live_in(folder)
        # Nobody but this process sees the twin; and there it can be active, as the window is: that
        # decides where Tab stops among buttons of which one is pressed.
        application = QApplication([sys.argv[0], "-platform", "offscreen"])
        application.setStyle("Fusion")
        twin = Twin(application, QSettings(f"{made}/twin.ini", QSettings.Format.IniFormat))
        make_active(twin.window)
        with window(pictures) as (hands, process):
            visit(FRESH, Walk(hands, process, twin, folder), 1)
        (session,) = folder.glob("sessions/*.sluice")
        with window(pictures, session) as (hands, process):
            visit(AGAIN, Walk(hands, process, twin, folder), len(FRESH) + 1)
        twin.window.close()


if __name__ == "__main__":
    main()
