"""What a session of 6,518 trials costs: opening it in the window, its report, its JSON.

    PYTHONPATH=.:tests QT_QPA_PLATFORM=offscreen .venv/bin/python tests/benchmarks/bench_large_session.py

Two shapes of the same size: few settings that were repeated often, and many with few repeats, all of
them measured in turns.  A stall is the time in which the window's thread did not come back to its
events, and beside it the CPU time that it took itself, and with all other threads: what the wall
has beyond that, other programs took.  Exits with 1 where a stall is longer than 100 ms of the
process, the first plot later than 3 s, the report than 8 s, or where JSON takes more than 300 MB.
"""  # noqa: W505 -- a command

from __future__ import annotations

import argparse
import itertools
import os
import subprocess
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path
from typing import override

import building
import msgspec
from bench_opening import seconds_to_plot
from bench_plots import moments
from PySide6.QtCore import QEventLoop, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from app.__main__ import SWITCH_INTERVAL
from app.shell.window import MainWindow
from core.run import Session
from core.vocabulary import RunSpec, Series, Slice, Trial, pack

TRIALS = 6518
MOMENTS = 50
SHAPES = {"70 settings": 70, "1,086 settings": 1086}
STALL, FIRST, REPORT, MEMORY = 0.1, 3.0, 8.0, 300.0
"""Limits in seconds, and in MB."""
_TICK = 0.01


def write(path: Path, settings: int, trials: int = TRIALS) -> None:
    """A session of one run with so many settings, of which the last repeat is incomplete."""
    threads = (1, 2, 4, 8)
    specs = [
        building.spec(
            workload="raw",
            parameters={"block_size": 4096 * (1 + place // len(threads))},
            threads=threads[place % len(threads)],
        )
        for place in range(settings)
    ]
    plan = building.plan(specs, repeats=-(-trials // settings))
    place = specs[0].dataset.location
    with Session.create(path, title="a large session") as session:
        systems = {place: building.file_system()}
        run = session.begin_run(plan, building.environment(), systems, ("sluice", "measure"))
        for number, slot in enumerate(plan.slots()[:trials]):
            found = _trial(slot.spec, slot.index, slot.block, number % settings, settings)
            session.append(run, found)
        session.end_run(run, "cancelled")


def _trial(spec: RunSpec, index: int, block: int, place: int, together: int) -> Trial:
    """The `place`-th of `together` trials that took turns of a tenth of a second."""
    rate = 1000.0 * spec.load.threads**0.7 * (1 + 0.02 * (index * 7919 % 101) / 101)
    found = building.trial(spec, index=index, block=block, rate=rate, seconds=MOMENTS / 10)
    workers, each = spec.load.threads, round(rate / 10 / spec.load.threads)
    seen = moments(MOMENTS, index)
    looks = [
        msgspec.structs.replace(
            one,
            at=number / 10,
            operations=(number * each,) * workers,
            cpu=tuple(10**8 * number + cpu % 9_000_000 for cpu in one.cpu[:workers]),
        )
        for number, one in enumerate(seen, 1)
    ]
    slices = [
        Slice(
            number, (number * together + place) * 10**8, 10**8, each * workers, each * workers,
            4096 * each, 0, 0, 5 * 10**7, each * workers // 2, 0, each * workers,
        )
        for number in range(MOMENTS)
    ]  # fmt: skip
    return msgspec.structs.replace(found, moments=Series(looks), slices=pack(slices))


class Stalls(threading.Thread):
    """Watches how long the window's thread stays away from its events, and where it was then."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.beats = [_clocks()]
        self.found: list[tuple[float, str]] = []
        self._main = threading.main_thread().ident
        self._over = threading.Event()

    def beat(self) -> None:
        """The window's thread is with its events."""
        self.beats.append(_clocks())

    @override
    def run(self) -> None:
        seen, told = self.beats[-1][0], False
        while not self._over.wait(_TICK):
            if self.beats[-1][0] != seen:
                seen, told = self.beats[-1][0], False
            elif not told and time.perf_counter() - seen > STALL:
                frame = sys._current_frames().get(self._main or 0)
                self.found.append((seen, "".join(traceback.format_stack(frame)[-8:])))
                told = True

    def end(self) -> list[tuple[float, ...]]:
        """Seconds of each stall as `_clocks` has them, the longest first."""
        self._over.set()
        self.join()
        pairs = itertools.pairwise(self.beats)
        gaps = [tuple(b - a for a, b in zip(*pair, strict=True)) for pair in pairs]
        return sorted(gaps, reverse=True)


def _clocks() -> tuple[float, float, float]:
    """The wall's, the thread's own CPU, and that of the process."""
    return time.perf_counter(), time.thread_time(), time.process_time()


def window(path: Path, *, tell: bool) -> int:
    """Open the session in the real window; returns what is over a limit."""
    os.environ |= {"SLUICE_SESSIONS": str(path.parent), "XDG_CONFIG_HOME": f"{path.parent}/config"}
    sys.setswitchinterval(SWITCH_INTERVAL)
    application = QApplication([])
    settings = QSettings(f"{path.parent}/i.ini", QSettings.Format.IniFormat)
    main_window = MainWindow(settings, application)
    workbench = main_window.furnish()
    main_window.resize(1400, 900)
    main_window.show()
    while workbench.views.plots is None or workbench.busy:
        application.processEvents()
    plots, stalls, ticking = workbench.views.plots, Stalls(), QTimer(interval=5)
    ticking.timeout.connect(stalls.beat)
    ticking.start()
    stalls.start()
    started = time.perf_counter()
    first = seconds_to_plot(application, workbench, path)
    quiet = 0
    while quiet < 40:  # what comes after the last answer counts too
        application.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        quiet = 0 if workbench.busy or plots.busy else quiet + 1
    whole = time.perf_counter() - started
    gaps = stalls.end()
    long = [gap for gap in gaps if gap[0] > STALL]
    ours = max(min(wall, process) for wall, _, process in gaps)
    told = ", ".join("{:.0f} ({:.0f}, {:.0f})".format(*(1000 * n for n in g)) for g in gaps[:12])
    print(
        f"  window: first plot {first:.2f} s, all {whole:.1f} s, {len(long)} stalls over"
        f" {1000 * STALL:.0f} ms; the longest of the process {1000 * ours:.0f} ms; on the wall"
        f" (of CPU, of the process's): {told}",
        flush=True,
    )
    if tell:
        for when, where in stalls.found:
            print(f"--- at {when - started:.2f} s\n{where}")
    return int(first > FIRST) + int(ours > STALL)


def command(*words: str) -> tuple[float, float]:
    """Seconds and MB that a command of the real program takes."""
    started = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-m", "core", *words])
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, words
    return time.perf_counter() - started, used.ru_maxrss * 1024 / 1e6


def measure(settings: int, folder: Path) -> int:
    path = folder / "large.sluice"
    # In a process of its own, whose memory is none of the others'.
    subprocess.run([sys.executable, __file__, "--write", str(path), str(settings)], check=True)
    print(f"  {path.stat().st_size / 1e6:.0f} MB", flush=True)
    over = subprocess.run([sys.executable, __file__, "--window", str(path)], check=False).returncode
    seconds, used = command("report", str(path), "-o", str(folder / "report.html"))
    print(f"  report: {seconds:.1f} s, {used:.0f} MB of memory", flush=True)
    over += int(seconds > REPORT)
    out = folder / "all.json"
    seconds, used = command("export", str(path), "--output", str(out))
    size = out.stat().st_size / 1e6
    print(f"  JSON of {size:.0f} MB: {seconds:.1f} s, {used:.0f} MB of memory", flush=True)
    return over + int(used > MEMORY)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what a large session costs.")
    parser.add_argument("--write", nargs=2, metavar=("PATH", "SETTINGS"))
    parser.add_argument("--window", metavar="PATH")
    parser.add_argument("--stalls", action="store_true", help="print where the window stood")
    wanted = parser.parse_args()
    if wanted.write:
        write(Path(wanted.write[0]), int(wanted.write[1]))
        return 0
    if wanted.window:
        return window(Path(wanted.window), tell=wanted.stalls)
    over = 0
    for name, settings in SHAPES.items():
        print(f"{TRIALS:,} trials of {name}")
        with tempfile.TemporaryDirectory() as folder:
            over += measure(settings, Path(folder))
    print("within all limits" if not over else "OVER A LIMIT")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
