"""What the plots cost: frames over an hour and a day, memory over many, and the first picture.

    PYTHONPATH=. QT_QPA_PLATFORM=offscreen python tests/benchmarks/bench_plots.py
    PYTHONPATH=. xvfb-run -a python tests/benchmarks/bench_plots.py     on a real X server

A frame is the work of the window's thread at one tick of the clock, ten times a second: taking in a
moment, showing it, and drawing the plot that is seen where it is due.  Frames are those of a run's
second minute, where lines may be smooth; of 12 settings that have taken turns for an hour, seen
whole; of one trial that has gone on for a day; and of that day where each frame is drawn, and has
another view. Exits with 1 where a limit is broken: 16 ms of CPU in 99 of 100 frames and 50 ms in
the worst, 1 MB in 20,000 repaints, 1 s to the first picture.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from collections.abc import Callable, Sequence

import numpy as np
import psutil
from PySide6.QtWidgets import QApplication

from app.plots.base.samples import Floats
from app.plots.time.run_plots import RunPlots
from core.judge.live_figures import WORKERS
from core.vocabulary import Completed, Moment, Reading, Trial

DAY = 864_000
HOUR = 36_000
MINUTE = 600
SETTINGS = 12
SIZE = (1400, 900)


def moments(count: int, first: int = 0) -> list[Moment]:
    """Ten looks a second at so many workers that every curve is drawn."""
    drawn = np.random.default_rng(first)
    past = np.arange(first, first + count)
    # Around a straight line, for one call's moments to go on where another's end.
    done = (1000 * past + drawn.integers(-100, 100, count)).tolist()
    cpu = (79_500_000 * past + drawn.integers(-9_000_000, 9_000_000, count)).tolist()
    noise = drawn.lognormal(0, 0.3, count).tolist()
    return [
        Moment(
            at=(first + place) / 10,
            operations=(done[place],) * WORKERS,
            cpu=tuple(cpu[place] - 7 * worker for worker in range(WORKERS)),
            bytes=4096 * done[place],
            errors=0,
            wrong=0,
            p50=int(2e6 * noise[place]),
            p99=int(9e6 * noise[place] ** 2),
            reading=reading((first + place) / 10, noise[place]),
        )
        for place in range(count)
    ]


def reading(at: float, noise: float) -> Reading:
    """A look from outside that is never twice the same."""
    size = int(1e8 * noise)
    return Reading(
        at=at, processes=1, rss=2 * size, rss_anonymous=size, rss_file=size // 2,
        peak_rss=2 * size, fds=int(100 * noise), dataset_fds=int(60 * noise), threads=6,
        cpu_user=at, cpu_system=at, read_bytes=0, written_bytes=0, read_chars=0, written_chars=0,
        read_calls=0, write_calls=0, switches_voluntary=0, switches_involuntary=0,
    )  # fmt: skip


type Comes = tuple[int, Moment]
"""A moment, and the trial that it is of."""


def frames(
    app: QApplication, plots: RunPlots, more: Sequence[Comes], draw: Callable[[], None]
) -> Floats:
    """Milliseconds from each new moment to the picture on the screen: by the wall, of CPU."""
    costs = []
    for trial, moment in more:
        started, worked = time.perf_counter(), time.thread_time()
        plots.add(trial, moment)
        draw()
        app.processEvents()
        costs.append((time.perf_counter() - started, time.thread_time() - worked))
    return 1000 * np.array(costs)


def in_turns(count: int) -> list[Comes]:
    """Moments of so many tenths of a second, in which settings take turns."""
    each = [moments(count // SETTINGS, trial) for trial in range(SETTINGS)]
    return [(trial, few[trial]) for few in zip(*each, strict=True) for trial in range(SETTINGS)]


def shown(app: QApplication) -> RunPlots:
    """Plots without anything in them, on the screen."""
    plots = RunPlots()
    plots.resize(*SIZE)
    plots.show()
    app.processEvents()
    return plots


def opened(app: QApplication, history: list[Moment]) -> tuple[float, float]:
    """The seconds until a recorded day is opened: to the first and to the whole picture."""
    plots = shown(app)
    trial = Trial(
        index=0, block=0, spec_digest="", started=0.0, outcome=Completed(), moments=tuple(history)
    )
    started = time.perf_counter()
    plots.show_trials([(trial, "the day")])
    plots.redraw()
    app.processEvents()
    first = time.perf_counter() - started
    while plots.busy:
        app.processEvents()
    whole = time.perf_counter() - started
    plots.hide()
    return first, whole


def going_on(app: QApplication, history: Sequence[Comes], settings: int = 1) -> RunPlots:
    """The plots of a run that has that history, and goes on; all of it is seen."""
    plots = shown(app)
    for trial in range(settings):
        plots.begin_trial(trial, f"threads {trial + 1}", str(trial))
    if settings > 1:
        plots.begin_round(range(settings))
    for trial, moment in history:
        plots.add(trial, moment)
    plots.caption.buttons.all.click()
    plots.redraw()
    app.processEvents()
    return plots


def alone(many: Sequence[Moment]) -> list[Comes]:
    return [(0, moment) for moment in many]


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure what the plots cost.")
    parser.add_argument("--frames", type=int, default=600)
    parser.add_argument("--repaints", type=int, default=20_000)
    wanted = parser.parse_args()
    app, count = QApplication([]), wanted.frames
    costs = {}
    young = alone(moments(MINUTE + count))
    plots = going_on(app, young[:MINUTE])
    costs["a minute"] = frames(app, plots, young[MINUTE:], plots.turn)
    plots.hide()
    turns = in_turns(HOUR + SETTINGS * -(-count // SETTINGS))
    plots = going_on(app, turns[:HOUR], SETTINGS)
    drawn = len(plots.shown.content.lines)
    print(f"{app.platformName()}, {SIZE[0]}×{SIZE[1]}, {drawn} settings in an hour")
    costs["an hour in turns"] = frames(app, plots, turns[HOUR:], plots.turn)
    plots.hide()
    history = moments(DAY)
    first, whole = opened(app, history)
    plots = going_on(app, alone(history))
    del history, turns
    gc.collect()
    print(f"first picture after {first * 1000:.0f} ms, the whole day after {whole * 1000:.0f} ms")
    more = alone(moments(2 * count, DAY))
    costs["a day"] = frames(app, plots, more[:count], plots.turn)
    lengths = iter(range(80_000, 10_000, -7))

    def look_closer() -> None:
        plots.look_at(0.0, next(lengths))
        plots.redraw()

    costs["another view each time"] = frames(app, plots, more[count:], look_closer)
    for name, each in costs.items():
        tell(name, each)
    plots.show_all()
    slope = memory_slope(app, plots, wanted.repaints)
    print(f"memory: {slope / 1e6:+.2f} MB over {wanted.repaints:,} repaints")
    p99 = max(float(np.percentile(each[:, 1], 99)) for each in costs.values())
    worst = max(each[:, 1].max() for each in costs.values())
    fine = p99 <= 16 and worst <= 50 and slope <= 1e6 and first <= 1.0
    print("within all limits" if fine else "OVER A LIMIT")
    return 0 if fine else 1


def tell(name: str, costs: Floats) -> None:
    """Print what frames cost, and how much of a core ten of them take in a second.

    Others on a shared machine stretch the wall's time; what a frame itself takes is its CPU.
    """
    for clock, each in zip(("by the wall", "of CPU"), costs.T, strict=True):
        p50, p99 = np.percentile(each, (50, 99))
        print(f"{name}, {clock}: median {p50:.1f}, p99 {p99:.1f}, worst {each.max():.1f} ms")
    print(f"{name}, ten times a second: {costs[:, 1].mean():.1f} % of a core")


def memory_slope(app: QApplication, plots: RunPlots, repaints: int) -> float:
    """Bytes gained over so many repaints, by a straight line through the resident size.

    Every repaint has something new to draw: the view moves over the day, as nothing is added.
    """
    process = psutil.Process()
    sizes = []
    for place in range(repaints):
        start = float(place % 1000)
        plots.look_at(start, start + 80_000)
        plots.redraw()
        app.processEvents()
        if place % 50 == 0:
            sizes.append(process.memory_info().rss)
    if len(sizes) < 2:
        return 0.0
    settled = sizes[len(sizes) // 10 :]
    return float(np.polyfit(np.arange(len(settled)), settled, 1)[0] * len(sizes))


if __name__ == "__main__":
    sys.exit(main())
