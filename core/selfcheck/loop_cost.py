"""Does the measuring loop slow down what it measures?  The engine's loop against a bare one.

For operations of about 1 µs to 1 ms, the throughput of the engine's loop is divided by that of
`for item in items: perform(item)` over the same callables; `core.selfcheck.loop_in_child` says how.
Meanwhile this process reads telemetry and process figures ten times a second, as in a trial.
"""

from __future__ import annotations

import os
import select
import statistics
import sys
from collections.abc import Callable
from contextlib import ExitStack

import msgspec

from core.errors import SluiceError
from core.host.processes.supervisor import PIPE, Program, Supervisor
from core.host.sampler import Sampler
from core.language.reporting import Tell, tell_nobody
from core.language.units import show_seconds
from core.selfcheck.goals import GoalRow, median_reaches
from core.selfcheck.loop_in_child import Case, Found, Task
from core.trial.counters import SharedCounters
from core.trial.observer import Observer

_PERIOD = 0.1  # s between two looks, as in a trial
_ENDING = 10.0  # s for its end once it has answered
_FEWEST = 6  # groups; with fewer a median has no 95 % interval

GOALS: dict[Case, float] = {
    Case(nanoseconds=200, pairs=True): 0.95,
    Case(nanoseconds=1_000): 0.95,
    Case(nanoseconds=5_000): 0.95,
    Case(nanoseconds=20_000): 0.99,
    Case(nanoseconds=40_000): 0.99,
    Case(nanoseconds=100_000): 0.99,
    Case(nanoseconds=1_000_000): 0.99,
    Case(nanoseconds=100_000, steps=2): 0.99,
    Case(nanoseconds=1_000_000, steps=2): 0.99,
    Case(nanoseconds=100_000, threads=2): 0.99,
    Case(nanoseconds=100_000, threads=2, handovers=16): 0.98,
}

type Measure = Callable[[Case, float], Found]


def measure_in_child(case: Case, seconds: float) -> Found:
    """Both loops in a separate process, watched like a trial; raises SluiceError if it fails."""
    block = SharedCounters.create(case.threads)
    try:
        return _watched(Task(case=case, seconds=seconds, block=block.fd), block)
    finally:
        block.close()


def _watched(task: Task, block: SharedCounters) -> Found:
    told = msgspec.json.encode(task).decode()
    command = [sys.executable, "-P", "-m", "core.selfcheck.loop_in_child", told]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with ExitStack() as held:
        child = held.enter_context(Supervisor()).start(
            Program(arguments=command, environment=environment, stdout=PIPE, pass_fds=(block.fd,))
        )
        stdout = held.enter_context(child.pipes[0])
        sampler = held.enter_context(Sampler([child.pid], []))
        observer = Observer(block)
        observer.clock_started(sampler)
        while not select.select([stdout], [], [], _PERIOD)[0]:
            observer.look()
        answer = stdout.read()
        child.wait(_ENDING)
    if child.code != 0:
        raise SluiceError(f"the process that measures the loop ended with {child.code}")
    return msgspec.json.decode(answer, type=Found)


def check_loop(
    seconds: float, tell: Tell = tell_nobody, *, measure: Measure = measure_in_child
) -> tuple[GoalRow, ...]:
    """One row for each kind of operation, each measured for so many seconds."""
    rows = []
    for done, (case, goal) in enumerate(GOALS.items()):
        tell("measuring the loop", done, len(GOALS), "kinds of operation")
        rows.append(judge(case, goal, measure(case, seconds)))
    tell("measuring the loop", len(GOALS), len(GOALS), "kinds of operation")
    return tuple(rows)


def judge(case: Case, goal: float, found: Found) -> GoalRow:
    """Throughput with the harness over that without, and what it adds, measured and estimated."""
    name = f"Loop ÷ bare loop, {_name(case)}: ≥ {goal:.2f}"
    if len(found.groups) < _FEWEST:
        return GoalRow(goal=name, measured="too short to tell", passed=False)
    operations = sum(group.operations for group in found.groups)
    bare = sum(group.bare for group in found.groups) / operations
    added = statistics.median(
        (group.harness - group.bare) / group.operations for group in found.groups
    )
    remark = f"{_time(added)} added to {_time(bare)}, own estimate {_time(found.self_cost)}"
    ratios = [group.bare / group.harness for group in found.groups]
    return median_reaches(name, ratios, goal, remark)


def _name(case: Case) -> str:
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
