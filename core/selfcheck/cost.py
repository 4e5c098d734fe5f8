"""What Sluice itself costs, against goals: its measuring loop, and the sampling.

For operations of about 1 µs to 1 ms, the throughput of the engine's loop is divided by that of
`for item in items: perform(item)` over the same callables; `core.selfcheck.loop_in_child` says how.
Meanwhile this process reads telemetry and process figures ten times a second, as in a trial.

The sampling is that of a child with 20,000 open files, sampled ten times a second.
"""

from __future__ import annotations

import itertools
import math
import os
import select
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import msgspec

from core.language import ReportProgress, SluiceError, report_to_nobody, show_seconds
from core.measure import PIPE, Observer, Program, Sampler, SharedCounters, Supervisor, import_path
from core.selfcheck.loop_in_child import LoopCase, LoopTask, LoopTimes
from core.vocabulary import Reading

type Judgement = Literal["met", "missed", "cannot tell"]


@dataclass(frozen=True, kw_only=True)
class GoalRow:
    """One goal in words, the figure measured in words, and what the figure says about the goal."""

    goal: str
    measured: str
    judgement: Judgement
    would_tell: str = ""
    """What to do where it cannot be told."""

    @property
    def passed(self) -> bool:
        """Whether the goal may be met: only a missed one is a failure."""
        return self.judgement != "missed"


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    title: str
    rows: tuple[GoalRow, ...]

    @property
    def passed(self) -> bool:
        return all(row.passed for row in self.rows)

    @property
    def verdict(self) -> str:
        count = Counter(row.judgement for row in self.rows)
        if count["met"] == len(self.rows):
            return f"all {len(self.rows)} goals met"
        open_ones = f", {count['cannot tell']} cannot be told" if count["cannot tell"] else ""
        return f"{count['met']} of {len(self.rows)} goals met, {count['missed']} missed{open_ones}"


def judge_median(
    goal: str,
    values: Sequence[float],
    within: tuple[float, float],
    remark: str,
    shown: Callable[[float], str] = "{:.3f}".format,
) -> GoalRow:
    """A row for the median of independent values, by its 95 % interval.

    The goal is met where all of the interval is `within`, and missed where all is without.
    """
    from core.judge import median_interval

    if len(values) < FEWEST:
        remedy = "several times as long would: --longer 3"
        return GoalRow(
            goal=goal, measured="too short to tell", judgement="cannot tell", would_tell=remedy
        )
    median, (least, most) = median_interval(values), within
    figures = shown(median.value), shown(median.low), shown(median.high)
    measured = "{} ({}–{}) · {}".format(*figures, remark)
    if least <= median.low and median.high <= most:
        return GoalRow(goal=goal, measured=measured, judgement="met")
    if median.high < least or most < median.low:
        return GoalRow(goal=goal, measured=measured, judgement="missed")
    limits = [limit for limit in within if median.low <= limit <= median.high]
    ends = [(limit, median.low if limit <= median.value else median.high) for limit in limits]
    times = max(_times_as_long(median.value, limit, end) for limit, end in ends)
    remedy = "it lies at its goal"
    if times <= _LONGEST:
        remedy = f"{times} times as long would: --longer {times}"
    return GoalRow(goal=goal, measured=measured, judgement="cannot tell", would_tell=remedy)


def _times_as_long(value: float, limit: float, end: float) -> float:
    """How much more of the same it takes until this end of the interval is at the limit."""
    return math.ceil(((end - value) / (limit - value)) ** 2) if limit != value else math.inf


_PERIOD = 0.1  # s between two looks, as in a trial
_ENDING = 10.0  # s for its end once it has answered
FEWEST = 6  # values; with fewer a median has no 95 % interval
_LONGEST = 100  # times; what needs more lies at its goal

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
    longer: int = 1,
    measure: Measure = measure_in_child,
) -> tuple[GoalRow, ...]:
    """One row for each kind of operation, measured for so many seconds, or up to `longer` times
    as many where it cannot be told.
    """
    rows = []
    for done, (case, goal) in enumerate(GOALS.items()):
        report("measuring the loop", done, len(GOALS), "kinds of operation")
        judge = partial(loop_row, case, goal)
        rows.append(until_told(longer, partial(measure, case, seconds), judge))
    report("measuring the loop", len(GOALS), len(GOALS), "kinds of operation")
    return tuple(rows)


def until_told[T](
    longer: int, measure: Callable[[], T], judge: Callable[[Sequence[T]], GoalRow]
) -> GoalRow:
    """The row of all measurements, which are repeated while it cannot be told."""
    measured = [measure()]
    while (row := judge(measured)).judgement == "cannot tell" and len(measured) < longer:
        measured.append(measure())
    return row


def loop_row(case: LoopCase, goal: float, measured: Sequence[LoopTimes]) -> GoalRow:
    """Throughput with the harness over that without, and what it adds, measured and estimated."""
    groups = [group for times in measured for group in times.groups]
    name = f"Loop ÷ bare loop, {_name(case)}: ≥ {goal:.2f}"
    operations = max(1, sum(group.operations for group in groups))
    bare = sum(group.bare for group in groups) / operations
    added = [(group.harness - group.bare) / group.operations for group in groups] or [0.0]
    remark = (
        f"{_time(statistics.median(added))} added to {_time(bare)}, "
        f"own estimate {_time(measured[-1].self_cost)}"
    )
    ratios = [group.bare / group.harness for group in groups]
    return judge_median(name, ratios, (goal, math.inf), remark)


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
    costs: Sequence[float]
    """Of each look."""
    last: Reading
    last_cost: float
    """Of the complete reading at the end, which `costs` leave out."""

    @property
    def share(self) -> float:
        """Of one core."""
        return sum(self.costs) / self.seconds


def watch(seconds: float, files: int = FILES) -> Watched:
    """Sample a child with that many open files for that long."""
    with (
        tempfile.TemporaryDirectory() as name,
        child_with_open_files(Path(name), files) as (pid, _),
        Sampler([pid], [Path(name)]) as sampler,
    ):
        readings: list[Reading | None] = []
        costs = costs_of(lambda at: readings.append(sampler.read(at)), seconds)
        began = time.thread_time()
        last = sampler.read(seconds, complete=True)
        last_cost = time.thread_time() - began
    assert last is not None
    return Watched(
        readings=[reading for reading in readings if reading is not None],
        seconds=seconds,
        costs=costs,
        last=last,
        last_cost=last_cost,
    )


def costs_of(look: Callable[[float], object], seconds: float) -> list[float]:
    """Seconds of CPU that each look takes, ten times a second for that long."""
    pause = threading.Event()
    start = time.perf_counter()
    costs = []
    for index in range(max(1, round(seconds / _PERIOD))):
        pause.wait(max(0.0, start + index * _PERIOD - time.perf_counter()))
        begun = time.thread_time()
        look(time.perf_counter() - start)
        costs.append(time.thread_time() - begun)
    return costs


def check_watching(
    seconds: float,
    report: ReportProgress = report_to_nobody,
    *,
    longer: int = 1,
    watch: Callable[[float], Watched] = watch,
) -> GoalRow:
    """The share of one core that sampling takes, in each second."""
    report("measuring what looking costs")
    return until_told(longer, lambda: watch(seconds), _watching_row)


def _watching_row(measured: Sequence[Watched]) -> GoalRow:
    looks = round(1 / _PERIOD)
    shares = [
        sum(second)
        for watched in measured
        for second in itertools.batched(watched.costs, looks)
        if len(second) == looks
    ]
    return judge_median(
        f"Sampling a child at 10 Hz: ≤ {LIMIT:.1%} of a core",
        shares,
        (0.0, LIMIT),
        f"of a core with {measured[-1].last.fds:,} open files",
        "{:.3%}".format,
    )
