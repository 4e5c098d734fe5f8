"""Operations whose truth is known, as a workload and beside the plain loop of `truth_loops`.

The workload is reached as `truth_synthetic:Known`.  It is a rig: its operations may sleep.  Both
sides perform the very same functions on the same items.  What differs is that Sluice also verifies,
for a given share of all the work, and reports.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, override
from zlib import crc32

import truth_loops
from truth_cases import Case, Grid, plain_rate, trial_rate

from core import Context, Job, Step, Weight, Workload, choice, text
from core.language import show_seconds
from core.measure import find_dataset
from core.vocabulary import Dataset

NAME = "truth_synthetic:Known"
_RELEASING = 6 << 10
"""Least bytes of which a checksum lets go of Python's lock, with some room: 5 KiB in CPython."""
_PIECE = 1 << 20
"""Most bytes of one checksum, so that they stay in the processor's cache."""

type Part = tuple[str, int, int]
"""(kind, size, times), as `truth_loops.performing` takes them."""


@dataclass(frozen=True, kw_only=True)
class KnownParameters:
    """What is done, and how it is verified."""

    operation: str = text("", help="The operation as `truth_loops.known` takes it, in JSON.")
    verification: str = text("", help="The operation that verifies, likewise; empty = none.")
    checking: str = choice(
        "later",
        options={"later": "After the run.", "between": "Between two batches."},
        help="When results are verified.",
    )


class KnownJob(Job[Any, int]):
    """Operations of known length, each verified by another one of known length."""

    def __init__(self, parameters: KnownParameters) -> None:
        self._perform, self.items = truth_loops.known(**json.loads(parameters.operation))
        self.checking = "between" if parameters.checking == "between" else "later"
        self._verify, self._verified = truth_loops.known(**json.loads(parameters.verification))

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (Step("work", self._perform),)

    @override
    def check(self, item: Any, result: int) -> str:
        self._verify(self._verified[0])
        return "" if result >= 0 else "no result"

    @override
    def describe(self, item: Any) -> str:
        return "an operation"

    @override
    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(len(results), 0)


class Known(Workload[KnownParameters]):
    """Operations whose truth is known."""

    name = NAME
    parameters = KnownParameters
    dataset_kinds = ()

    @override
    def open(self, context: Context[KnownParameters]) -> Job[Any, int]:
        return KnownJob(context.parameters)


# The grid

MICRO, MILLI = 1_000, 1_000_000


class Shape(NamedTuple):
    """One synthetic case."""

    kind: str
    length: int
    """Nanoseconds of an operation on its own."""
    share: float
    """Of verification in all the work."""
    threads: int
    processes: int = 1
    between: bool = False


_SHORT = (
    Shape("outside", 2 * MICRO, 0, 1),
    Shape("outside", 100 * MICRO, 0.5, 8),
    Shape("locked", 10 * MICRO, 0.5, 4),
    Shape("mutex", 100 * MICRO, 0.5, 16),
    Shape("sleeping", MILLI, 0.5, 8),
    Shape("mixed", 10 * MILLI, 0.2, 16),
    Shape("uneven", 100 * MICRO, 0.2, 8, between=True),
    Shape("outside", 100 * MICRO, 0.5, 2, 2),
)
_USUAL = (
    *_SHORT,
    Shape("outside", 10 * MICRO, 0.5, 4),
    Shape("outside", 100 * MICRO, 0.5, 64, between=True),
    Shape("outside", MILLI, 0.2, 16),
    Shape("outside", 10 * MILLI, 0.9, 4),
    Shape("outside", 100 * MILLI, 0, 2),
    Shape("locked", MICRO, 0.5, 1),
    Shape("locked", 100 * MICRO, 0.9, 8),
    Shape("locked", MILLI, 0.2, 64),
    Shape("locked", 100 * MICRO, 0.5, 4, 2),
    Shape("mutex", MILLI, 0.9, 8),
    Shape("sleeping", 100 * MICRO, 0.5, 2),
    Shape("sleeping", MILLI, 0.2, 64),
    Shape("sleeping", 100 * MILLI, 0, 64),
    Shape("mixed", MILLI, 0.5, 4),
    Shape("outside", 100 * MICRO, 0.9, 64),
    Shape("uneven", MILLI, 0.2, 16),
)
_LENGTHS = {
    "outside": (2 * MICRO, 10 * MICRO, 100 * MICRO, MILLI, 10 * MILLI, 100 * MILLI),
    "locked": (MICRO, 10 * MICRO, 100 * MICRO, MILLI, 10 * MILLI, 100 * MILLI),
    "mutex": (2 * MICRO, 10 * MICRO, 100 * MICRO, MILLI, 10 * MILLI, 100 * MILLI),
    "sleeping": (100 * MICRO, MILLI, 10 * MILLI, 100 * MILLI),
    "mixed": (MILLI, 10 * MILLI, 100 * MILLI),
    "uneven": (10 * MICRO, 100 * MICRO, MILLI),
}
"""A checksum that lets go of Python's lock takes a microsecond, the shortest sleep some 60."""
_LONGEST_VERIFYING = 60.0
"""Seconds that a trial may verify: sleeping costs no core, but verifying does."""
_WAITED = 0.25
"""Seconds that an operation may take with all others waiting for the same cores or the same lock:
of longer ones too few would end in a trial."""


def shapes() -> Iterator[tuple[Shape, Grid]]:
    """All of them that are sensible here, each with the smallest grid that it belongs to."""
    seen = set(_USUAL)
    yield from ((one, Grid.SHORT if one in _SHORT else Grid.USUAL) for one in _USUAL)
    for kind, lengths in _LENGTHS.items():
        for length in lengths:
            for share in (0, 0.2, 0.5, 0.9):
                for threads in (1, 2, 4, 8, 16, 64):
                    for processes in (1, 2):
                        one = Shape(kind, length, share, threads, processes)
                        if one not in seen and is_sensible(one):
                            yield one, Grid.ALL


def is_sensible(shape: Shape) -> bool:
    """Whether enough operations end in a trial, and their verification does too."""
    waited, rate = slowed(shape)
    verifying = rate * shape.length / 1e9 * weight_of(shape.share) / (os.cpu_count() or 1)
    return waited <= _WAITED and verifying <= _LONGEST_VERIFYING


def slowed(shape: Shape) -> tuple[float, float]:
    """About how many seconds an operation takes among the others, and how many end in a second."""
    alone, workers = shape.length / 1e9, shape.threads * shape.processes
    match shape.kind:
        case "sleeping":
            able = workers
        case "locked" | "mutex" | "mixed":
            able = min(shape.processes, os.cpu_count() or 1)
        case _:
            able = os.cpu_count() or 1
    rate = min(able, workers) / alone
    return workers / rate, rate


def weight_of(share: float) -> float:
    """Verification in operations: its share is of both together."""
    return share / (1 - share)


# How large operations of a length are, found once on this machine.


def _time_of(perform: Any, *arguments: Any) -> float:
    """Nanoseconds of a call, the least of many."""
    found = []
    for _ in range(50):
        begun = time.perf_counter_ns()
        perform(*arguments)
        found.append(time.perf_counter_ns() - begun)
    return min(found)


@dataclass(frozen=True)
class Sizes:
    """What takes a nanosecond here."""

    bytes: float
    """Of a checksum."""
    rounds: float
    """Of a loop under Python's lock."""

    @classmethod
    def measured(cls) -> Sizes:
        piece = 64 << 10
        return cls(piece / _time_of(crc32, bytes(piece)), 1000 / _time_of(truth_loops.locked, 1000))

    def part(self, kind: str, length: float) -> Part:
        """The operation of that length."""
        if kind == "sleeping":
            return kind, round(length), 1
        if kind == "locked":
            return kind, max(1, round(length * self.rounds)), 1
        wanted = max(_RELEASING, round(length * self.bytes))
        times = -(-wanted // _PIECE)
        return kind, wanted // times, times

    def operation(self, kind: str, length: float) -> dict[str, Any]:
        """As `truth_loops.known` takes it."""
        if kind == "mixed":
            kinds = ("outside", "locked", "sleeping")
            return {"kind": kind, "parts": [self.part(one, length / 3) for one in kinds]}
        if kind == "uneven":  # on average of that length
            usual = length / (1 + (truth_loops.LONGER - 1) / truth_loops.RARE)
            return {"kind": kind, "parts": [self.part(kind, usual)]}
        return {"kind": kind, "parts": [self.part(kind, length)]}

    def verification(self, shape: Shape) -> dict[str, Any]:
        """Under Python's lock where the operation is; else without."""
        length = shape.length * weight_of(shape.share)
        if not length:
            return {"kind": "locked", "parts": [("locked", 0, 1)]}
        return self.operation("locked" if shape.kind == "locked" else "outside", length)


def synthetic_cases(folder: Path) -> Iterator[Case]:
    """Cases of operations whose truth is known."""
    file = folder / "synthetic" / "data"
    file.parent.mkdir()
    file.write_bytes(b"nothing reads this")
    dataset, sizes = find_dataset("raw", file), Sizes.measured()
    for shape, grid in shapes():
        yield synthetic_case(shape, grid, sizes, dataset)


def synthetic_case(shape: Shape, grid: Grid, sizes: Sizes, dataset: Dataset) -> Case:
    operation = sizes.operation(shape.kind, shape.length)
    values = {
        "operation": json.dumps(operation),
        "verification": json.dumps(sizes.verification(shape)),
        "checking": "between" if shape.between else "later",
        "threads": shape.threads,
        "processes": shape.processes,
        "deadline": 600.0,
    }
    loop = {"loop": "known", "arguments": operation}
    load = {"threads": shape.threads, "processes": shape.processes}
    between = ", between" if shape.between else ""
    return Case(
        name=f"{shape.kind} {show_seconds(shape.length / 1e9)}, {shape.share:.0%} verified{between}",
        threads=shape.threads,
        processes=shape.processes,
        ours=trial_rate(NAME, dataset, values),
        theirs=partial(plain_rate, loop | load),
        low=0.97,
        high=1.03,
        grid=grid,
    )
