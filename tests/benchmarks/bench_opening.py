"""How long a session of 24 hours takes from the choice of its file to the first plot.

    PYTHONPATH=.:tests QT_QPA_PLATFORM=offscreen .venv/bin/python tests/benchmarks/bench_opening.py

Two sessions with ten moments a second: one trial that took the whole day, and 8,640 trials of ten
seconds.  Exits with 1 where a plot comes later than after one second.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import override

import building
import msgspec
from bench_plots import moments
from PySide6.QtCore import QEvent, QEventLoop, QObject, QSettings
from PySide6.QtWidgets import QApplication

from app.__main__ import SWITCH_INTERVAL
from app.plots.time.run_plots import RunPlots
from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from core.run import Session
from core.vocabulary import RunSpec, Series, Trial

GOAL = 1.0
DAY = 864_000


def write(path: Path, trials: int) -> None:
    """A session of a day in so many trials."""
    spec = building.spec(workload="raw", parameters={"block": 4096}, threads=5)
    plan = building.plan([spec], repeats=trials)
    with Session.create(path) as session:
        run = session.begin_run(plan, building.environment(), {}, ("sluice",))
        for index in range(trials):
            session.append(run, trial(spec, index, DAY // trials))
        session.end_run(run, "completed")


def trial(spec: RunSpec, index: int, count: int) -> Trial:
    found = building.trial(spec, index=index)
    return msgspec.structs.replace(found, moments=Series(moments(count, index)))


class Painted(QObject):
    """Notes when the plot that is seen was first painted with something to show."""

    def __init__(self, plots: RunPlots) -> None:
        super().__init__()
        self.at: float | None = None
        self._plots = plots
        for panel in plots.panels:
            panel.sheet.viewport().installEventFilter(self)

    @override
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        shown = self._plots.shown
        if self.at is None and event.type() == QEvent.Type.Paint:
            seen = watched is shown.sheet.viewport() and len(shown.content.table())
            self.at = time.perf_counter() if seen else None
        return False


def seconds_to_plot(application: QApplication, workbench: Workbench, path: Path) -> float:
    """From the choice of a file until the plot that is seen is painted with its moments."""
    plots = workbench.views.plots
    assert plots is not None
    painted = Painted(plots)
    started = time.perf_counter()
    workbench.sessions.open(path)
    while painted.at is None:
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
    return painted.at - started


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"SLUICE_SESSIONS": folder, "XDG_CONFIG_HOME": f"{folder}/config"}
        files = {name: Path(folder, f"{name}.sluice") for name in ("one trial", "8,640 trials")}
        for path, trials in zip(files.values(), (1, 8640), strict=True):
            # In a process of its own, whose memory is none of the window's.
            subprocess.run([sys.executable, __file__, str(path), str(trials)], check=True)
        sys.setswitchinterval(SWITCH_INTERVAL)
        application = QApplication([])
        window = MainWindow(QSettings(f"{folder}/i.ini", QSettings.Format.IniFormat), application)
        workbench = window.furnish()
        window.resize(1400, 900)
        window.show()
        while workbench.views.plots is None or workbench.busy:  # importing
            application.processEvents()
        worst = 0.0
        for name, path in files.items():
            taken = seconds_to_plot(application, workbench, path)
            size = path.stat().st_size / 1e6
            print(f"{name}, {size:.0f} MB: first plot after {1000 * taken:.0f} ms", flush=True)
            worst = max(worst, taken)
            started = time.perf_counter()
            while workbench.busy or workbench.views.plots.busy:
                application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
            print(f"  all of it and what it comes to {time.perf_counter() - started:.1f} s later")
            workbench.sessions.new()
        most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(f"most memory: {most:.0f} MiB; first plot within {GOAL:.0f} s is the goal")
    print("within all limits" if worst <= GOAL else "OVER A LIMIT")
    return 0 if worst <= GOAL else 1


if __name__ == "__main__":
    if len(sys.argv) == 3:
        write(Path(sys.argv[1]), int(sys.argv[2]))
    else:
        sys.exit(main())
