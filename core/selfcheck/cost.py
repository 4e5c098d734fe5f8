"""What Sluice itself costs, against goals: its measuring loop, and the sampling.

For operations of about 1 µs to 1 ms, the throughput of the engine's loop is divided by that of
`for item in items: perform(item)` over the same callables; `core.selfcheck.loop_in_child` says how.
Meanwhile this process reads telemetry and process figures ten times a second, as in a trial.

The sampling is that of a child with 20,000 open files, sampled ten times a second.
"""

from __future__ import annotations

import math
import os
import select
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import msgspec

from core.language import ReportProgress, SluiceError, report_to_nobody, show_seconds
from core.measure import PIPE, Observer, Program, Sampler, SharedCounters, Supervisor, import_path
from core.selfcheck.loop_in_child import LoopCase, LoopTask, LoopTimes
from core.vocabulary import Reading


@dataclass(frozen=True, kw_only=True)
class GoalRow:
    """One goal in words, the figure measured in words, and whether it meets the goal."""

    goal: str
    measured: str
    passed: bool


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    title: str
    rows: tuple[GoalRow, ...]

    @property
    def passed(self) -> bool:
        return all(row.passed for row in self.rows)

    @property
    def verdict(self) -> str:
        met = sum(row.passed for row in self.rows)
        return f"all {met} goals met" if self.passed else f"{met} of {len(self.rows)} goals met"


def median_reaches(
    goal: str, ratios: Sequence[float], limit: float, remark: str, *, most: float = math.inf
) -> GoalRow:
    """A row for the median of independent ratios (at least 2), from `limit` to `most`."""
    from core.judge import median_interval

    median = median_interval(ratios)
    measured = f"{median.value:.3f} ({median.low:.3f}–{median.high:.3f}) · {remark}"
    return GoalRow(goal=goal, measured=measured, passed=limit <= median.value <= most)


_PERIOD = 0.1  # s between two looks, as in a trial
_ENDING = 10.0  # s for its end once it has answered
_FEWEST = 6  # groups; with fewer a median has no 95 % interval

GOALS: dict[LoopCase, float] = {
    LoopCase(nanoseconds=200, pairs=True): 0.95,
    LoopCase(nanoseconds=1_000): 0.95,
    LoopCase(nanoseconds=5_000): 0.95,
    LoopCase(nanoseconds=20_000): 0.99,
    LoopCase(nanoseconds=40_000): 0.99,
    LoopCase(nanoseconds=100_000): 0.99,
    LoopCase(nanoseconds=1_000_000): 0.99,
    LoopCase(nanoseconds=100_000, steps=2): 0.99,
    LoopCase(nanoseconds=1_000_000, steps=2): 0.99,
    LoopCase(nanoseconds=100_000, threads=2): 0.99,
    LoopCase(nanoseconds=100_000, threads=2, handovers=16): 0.98,
}

type Measure = Callable[[LoopCase, float], LoopTimes]


def measure_in_child(case: LoopCase, seconds: float) -> LoopTimes:
    """Both loops in a separate process, watched like a trial; raises SluiceError if it fails."""
    block = SharedCounters.create(case.threads)
    try:
        return _watched(LoopTask(case=case, seconds=seconds, block=block.fd), block)
    finally:
        block.close()


def _watched(task: LoopTask, block: SharedCounters) -> LoopTimes:
    order = msgspec.json.encode(task).decode()
    command = [sys.executable, "-P", "-m", "core.selfcheck.loop_in_child", order]
    environment = os.environ | {"PYTHONPATH": import_path()}
    with ExitStack() as stack:
        child = stack.enter_context(Supervisor()).start(
            Program(arguments=command, environment=environment, stdout=PIPE, pass_fds=(block.fd,))
        )
        stdout = stack.enter_context(child.pipes[0])
        sampler = stack.enter_context(Sampler([child.pid], []))
        observer = Observer(block)
        observer.clock_started(sampler)
        while not select.select([stdout], [], [], _PERIOD)[0]:
            observer.look()
        answer = stdout.read()
        child.wait(_ENDING)
    if child.code != 0:
        raise SluiceError(f"the process that measures the loop ended with {child.code}")
    return msgspec.json.decode(answer, type=LoopTimes)


def check_loop(
    seconds: float,
    report: ReportProgress = report_to_nobody,
    *,
    measure: Measure = measure_in_child,
) -> tuple[GoalRow, ...]:
    """One row for each kind of operation, each measured for so many seconds."""
    rows = []
    for done, (case, goal) in enumerate(GOALS.items()):
        report("measuring the loop", done, len(GOALS), "kinds of operation")
        rows.append(loop_row(case, goal, measure(case, seconds)))
    report("measuring the loop", len(GOALS), len(GOALS), "kinds of operation")
    return tuple(rows)


def loop_row(case: LoopCase, goal: float, times: LoopTimes) -> GoalRow:
    """Throughput with the harness over that without, and what it adds, measured and estimated."""
    name = f"Loop ÷ bare loop, {_name(case)}: ≥ {goal:.2f}"
    if len(times.groups) < _FEWEST:
        return GoalRow(goal=name, measured="too short to tell", passed=False)
    operations = sum(group.operations for group in times.groups)
    bare = sum(group.bare for group in times.groups) / operations
    added = statistics.median(
        (group.harness - group.bare) / group.operations for group in times.groups
    )
    remark = f"{_time(added)} added to {_time(bare)}, own estimate {_time(times.self_cost)}"
    ratios = [group.bare / group.harness for group in times.groups]
    return median_reaches(name, ratios, goal, remark)


def _name(case: LoopCase) -> str:
    parts = [f"operations of {show_seconds(case.nanoseconds / 1e9)}"]
    if case.pairs:
        parts.append("written in C")
    if case.steps > 1:
        parts.append(f"{case.steps} steps")
    if case.threads > 1:
        parts.append(f"{case.threads} threads")
    if case.handovers > 1:
        parts.append(f"each lets go of the GIL {case.handovers} times")
    return ", ".join(parts)


def _time(nanoseconds: float) -> str:
    return show_seconds(nanoseconds / 1e9)


FILES = 20_000
LIMIT = 0.005  # of one core

_CHILD = """
import os, resource, sys
SPARE = 16
folder, count = sys.argv[1], int(sys.argv[2])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (count + SPARE, max(hard, count + SPARE)))
except (ValueError, OSError):
    count = min(count, hard - SPARE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
for index in range(count):
    os.open(f"{folder}/{index % 1000}", os.O_RDONLY | os.O_CREAT)
print(count, flush=True)
sys.stdin.read()
"""


@contextmanager
def child_with_open_files(folder: Path, count: int) -> Iterator[tuple[int, int]]:
    """The pid of a real child and its number of open files, below `count` under a low limit."""
    command = [sys.executable, "-c", _CHILD, str(folder), str(count)]
    with Supervisor() as supervisor:
        child = supervisor.start(Program(arguments=command, stdin=PIPE, stdout=PIPE))
        stdin, (stdout,) = child.popen.stdin, child.pipes
        assert stdin is not None
        with stdin, stdout:
            yield child.pid, int(stdout.readline())


@dataclass(frozen=True, kw_only=True)
class Watched:
    """Readings of one child at 10 Hz, and the seconds of CPU they took."""

    readings: list[Reading]
    seconds: float
    cost: float
    last: Reading
    last_cost: float
    """Of the complete reading at the end, which `cost` leaves out."""

    @property
    def share(self) -> float:
        """Of one core."""
        return self.cost / self.seconds


def watch(seconds: float, files: int = FILES) -> Watched:
    """Sample a child with that many open files for that long."""
    with (
        tempfile.TemporaryDirectory() as name,
        child_with_open_files(Path(name), files) as (pid, _),
        Sampler([pid], [Path(name)]) as sampler,
    ):
        readings: list[Reading | None] = []
        cost = cost_of(lambda at: readings.append(sampler.read(at)), seconds)
        began = time.thread_time()
        last = sampler.read(seconds, complete=True)
        last_cost = time.thread_time() - began
    assert last is not None
    return Watched(
        readings=[reading for reading in readings if reading is not None],
        seconds=seconds,
        cost=cost,
        last=last,
        last_cost=last_cost,
    )


def cost_of(look: Callable[[float], object], seconds: float) -> float:
    """Seconds of CPU that looks take, ten times a second for that long."""
    pause = threading.Event()
    start = time.perf_counter()
    cost = 0.0
    for index in range(max(1, round(seconds / _PERIOD))):
        pause.wait(max(0.0, start + index * _PERIOD - time.perf_counter()))
        cost -= time.thread_time()
        look(time.perf_counter() - start)
        cost += time.thread_time()
    return cost


def check_watching(
    seconds: float,
    report: ReportProgress = report_to_nobody,
    *,
    watch: Callable[[float], Watched] = watch,
) -> GoalRow:
    """The share of one core that sampling takes."""
    report("measuring what looking costs")
    watched = watch(seconds)
    measured = f"{watched.share:.3%} of a core with {watched.last.fds:,} open files"
    return GoalRow(
        goal=f"Sampling a child at 10 Hz: ≤ {LIMIT:.1%} of a core",
        measured=measured,
        passed=watched.share <= LIMIT,
    )
