"""Workloads whose latencies, rate, files, memory, start and wrong results are known beforehand.

They are reached as `rigged_truths:Truth` and `rigged_truths:SlowStart`.  Being rigs of the
harness's own tests they may do what workloads must not: sleep, and look at the clock.
"""

from __future__ import annotations

import itertools
import os
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter_ns
from typing import Any, override

from core import Context, Job, Step, Weight, Workload, choice, flag, real, text

SHORT, UNIFORM, STALL = 1_600, 4_300, 2_000_000  # ns
STALLED = 1_000  # operations of which one stalls
QUICK, SLOW, SLOWED = 1_000_000, 50_000_000, 20  # ns, ns, operations of which one is slow
SLEEP = 5_000_000  # ns
FILES = 137
HELD = 300 << 20
WRONG = 10_000  # operations of which one returns wrong data


def wait(nanoseconds: int) -> None:
    """Compute for so long."""
    until = perf_counter_ns() + nanoseconds
    while perf_counter_ns() < until:
        pass


def sleep(nanoseconds: int) -> None:
    """Sleep for so long."""
    time.sleep(nanoseconds / 1e9)


def uniform(call: int) -> None:
    """Each takes as long as the others."""
    wait(UNIFORM)


def stalling(call: int) -> None:
    """One in a thousand stalls, and takes more time than all others together."""
    wait(SHORT)
    if call % STALLED == STALLED - 1:
        sleep(STALL)


def bimodal(call: int) -> None:
    """One in twenty is slow."""
    sleep(SLOW if call % SLOWED == SLOWED - 1 else QUICK)


def sleeping(call: int) -> None:
    """Each sleeps as long."""
    sleep(SLEEP)


def nothing(call: int) -> None:
    """Each is done at once."""


def performing(operation: Callable[[int], None]) -> Callable[[int], int]:
    """The operation as the workload performs it."""
    calls = itertools.count()

    def perform(item: int) -> int:
        operation(next(calls))
        return item

    return perform


OPERATIONS: dict[str, Callable[[int], None]] = {
    one.__name__: one for one in (uniform, stalling, bimodal, sleeping, nothing)
}


@dataclass(frozen=True, kw_only=True)
class TruthParameters:
    """What is known beforehand."""

    operation: str = choice(
        "nothing", options=dict.fromkeys(OPERATIONS, "An operation."), help="What is done."
    )
    record: str = text("", help="File for what each operation took by its own clock, in ns.")
    holds: str = choice(
        "nothing",
        options=dict.fromkeys(("nothing", "files", "memory"), "What is held."),
        help="What a worker holds.",
    )
    wrong: bool = flag(False, help="Whether one result in 10,000 is wrong.")


class TruthJob(Job[int, int]):
    """Operations that time themselves."""

    def __init__(self, context: Context[TruthParameters]) -> None:
        self.items: Sequence[int] = list(range(WRONG))
        self._wishes = context.parameters
        self._dataset = context.dataset
        self._operation = OPERATIONS[self._wishes.operation]
        self._took: list[array[int]] = []

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        held = self._hold() if index == 0 else []
        yield (Step("work", self._perform()),)
        for fd in held:
            os.close(fd)

    def _hold(self) -> list[int]:
        if self._wishes.holds == "memory":
            self._memory = b"\1" * HELD
        if self._wishes.holds != "files":
            return []
        files = sorted(self._dataset.path.iterdir())
        return [os.open(path, os.O_RDONLY) for path in files]

    def _perform(self) -> Callable[[int], int]:
        """The operation of one thread."""
        operation, took, calls = self._operation, array("q"), itertools.count()
        keep = took.append
        self._took.append(took)
        if self._wishes.wrong:
            return lambda item: item + (item == WRONG // 2)
        if not self._wishes.record:
            return performing(operation)

        def perform(item: int) -> int:
            begun = perf_counter_ns()
            operation(next(calls))
            keep(perf_counter_ns() - begun)
            return item

        return perform

    @override
    def check(self, item: int, result: int) -> str:
        return "" if result == item else "another number"

    @override
    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(len(results), len(results))

    @override
    def rewind(self) -> None:
        for took in self._took:
            del took[:]

    @override
    def close(self) -> None:
        if self._wishes.record:
            with Path(self._wishes.record).open("wb") as file:
                for took in self._took:
                    took.tofile(file)


class Truth(Workload[TruthParameters]):
    """Measured by the real engine, held against itself."""

    name = "truth"
    parameters = TruthParameters
    dataset_kinds = ()

    @override
    def open(self, context: Context[TruthParameters]) -> Job[Any, Any]:
        return TruthJob(context)


def recorded(path: Path) -> array[int]:
    """What operations took, all threads together, the shortest first."""
    took: array[int] = array("q")
    took.frombytes(path.read_bytes())
    return array("q", sorted(took))


@dataclass(frozen=True, kw_only=True)
class StartParameters:
    """How long."""

    opening: float = real(0.0, low=0, high=60, unit="seconds", help="Time that opening takes.")


class StartJob(Job[int, int]):
    items = range(64)

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (Step("work", int),)

    @override
    def check(self, item: int, result: int) -> str:
        return "" if item == result else "another number"


class SlowStart(Workload[StartParameters]):
    """Opening takes as long as it is told."""

    name = "slow-start"
    unit = "operation"
    parameters = StartParameters
    dataset_kinds = ()

    @override
    def open(self, context: Context[StartParameters]) -> Job[Any, Any]:
        time.sleep(context.parameters.opening)
        return StartJob()
