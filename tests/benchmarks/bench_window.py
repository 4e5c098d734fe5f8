"""What the window costs: the time until it is painted and usable, and its load on the workers.

    PYTHONPATH=. QT_QPA_PLATFORM=offscreen .venv/bin/python tests/benchmarks/bench_window.py

Both are compared in turns, so that other programs delay both alike.  Exits with 1 where a goal is
missed: the first paint within 2.3 times that of an empty window, the window usable within 4.5 times
that, and a worker's throughput beside the live window at least 0.98 of that without.
Of the first paint 75 ms are PySide6's, which makes all its classes at once (app/__init__.py).
The window is usable once its form has been painted and the event loop comes round.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from core.vocabulary import TrialEnded

FIRST_PAINT, USABLE, BESIDE = 2.3, 4.5, 0.98
_EMPTY = """
import sys
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def paintEvent(self, event):
        super().paintEvent(event)
        print("painted", flush=True)
        import os; os._exit(0)
application = QApplication([])
window = Window(); window.resize(1280, 800); window.show()
application.exec()
"""
_OURS = """
import os
from app.shell.window import MainWindow
paint = MainWindow.paintEvent
def first_paint(window, event):
    paint(window, event)
    print("painted", flush=True)
    os._exit(0)
MainWindow.paintEvent = first_paint
from app.__main__ import main
main()
"""
_USABLE = """
import os
from app.shell.window import MainWindow
from PySide6.QtCore import QTimer
furnish = MainWindow.furnish
def tell():
    print("painted", flush=True)
    os._exit(0)
def furnish_and_watch(window):
    workbench = furnish(window)
    paint = workbench.paintEvent
    def first_paint(event):
        paint(event)
        QTimer.singleShot(0, tell)  # after what the first paint has put off
    workbench.paintEvent = first_paint
    return workbench
MainWindow.furnish = furnish_and_watch
from app.__main__ import main
main()
"""


def seconds_to_paint(program: str) -> float:
    """From the start of the interpreter until the program says so."""
    begun = time.perf_counter()
    with subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"painted\n"
        return time.perf_counter() - begun


def starts(rounds: int) -> tuple[float, float]:
    """How many times the start of an empty window it takes to our first paint, and until usable.

    Medians of the ratios of neighbouring starts, the first of which only warm the cache.
    """
    found = []
    for _ in range(rounds + 1):
        empty, painted, usable = map(seconds_to_paint, (_EMPTY, _OURS, _USABLE))
        found.append((painted / empty, usable / empty))
        told = (f"{1000 * seconds:.0f} ms" for seconds in (empty, painted, usable))
        print("start: empty {}, our first paint {}, usable {}".format(*told))
    painted, usable = zip(*found[1:], strict=True)
    return statistics.median(painted), statistics.median(usable)


def throughput_beside(rounds: int, seconds: float) -> float:
    """The median ratio of a worker's throughput with the window live and without."""
    from PySide6.QtCore import QEventLoop, QSettings
    from PySide6.QtWidgets import QApplication

    from app.__main__ import SWITCH_INTERVAL
    from app.shell.window import MainWindow
    from core import Cancel, Inspection, Request
    from core.desk.prepared import Prepared

    folder = Path(os.environ["SLUICE_SESSIONS"])
    data = folder / "data"
    data.mkdir()
    (data / "one.bin").write_bytes(os.urandom(1 << 20) * 64)
    values = {"duration": seconds, "warm_up": 0.5, "page_cache": "warm"}
    request = Request(workload="raw", values=values, repeats=1, floor=False)
    dataset = Inspection.of(data, "raw").dataset
    sys.setswitchinterval(SWITCH_INTERVAL)  # as the program does
    application = QApplication([])
    settings = QSettings(f"{folder}/settings.ini", QSettings.Format.IniFormat)
    window = MainWindow(settings, application)
    workbench = window.furnish()
    window.show()
    while workbench.views.plots is None or workbench.busy:  # what it still imports is no drawing
        application.processEvents()
        time.sleep(0.01)

    def beside() -> float:
        workbench.measuring.start(Prepared.for_request(request, dataset, None))
        while workbench.busy or not workbench.measuring.trials:
            application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        return workbench.measuring.trials[-1].throughput or 0.0

    def alone() -> float:
        window.hide()  # and with it everything that it draws
        application.processEvents()
        prepared = Prepared.for_request(request, dataset, None)()
        assert prepared.carry_out is not None
        (trial,) = [e.trial for e in prepared.carry_out(Cancel()) if isinstance(e, TrialEnded)]
        prepared.session.close()
        window.show()
        return trial.throughput or 0.0

    ratios = []
    for _ in range(rounds):
        without, live = alone(), beside()
        ratios.append(live / without)
        print(f"throughput: alone {without:,.0f}/s, beside the window {live:,.0f}/s")
    workbench.sessions.new()
    return statistics.median(ratios)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what the window costs.")
    parser.add_argument("--starts", type=int, default=7)
    parser.add_argument("--trials", type=int, default=7)
    parser.add_argument("--seconds", type=float, default=5.0)
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"SLUICE_SESSIONS": folder, "XDG_CONFIG_HOME": f"{folder}/config"}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # no user compiles at each start
        start, usable = starts(wanted.starts)
        work = throughput_beside(wanted.trials, wanted.seconds)
    print(f"first paint: {start:.2f} times that of an empty window, at most {FIRST_PAINT}")
    print(f"usable: {usable:.2f} times the first paint of an empty window, at most {USABLE:g}")
    print(f"throughput beside the live window: {work:.3f} of that without, at least {BESIDE}")
    fine = start <= FIRST_PAINT and usable <= USABLE and work >= BESIDE
    print("within all limits" if fine else "OVER A LIMIT")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
