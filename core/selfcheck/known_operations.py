"""Operations of known length, as a workload and as a plain loop that verifies nothing.

Both sides perform the same function on as many threads.  Of what the trial does, verification is
about a half of the shorter kind; the plain loop, in a process of its own, only counts what ended
within its time.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import override
from zlib import crc32

import msgspec

from core.catalog.dataset import Dataset
from core.catalog.declarations import choice
from core.catalog.workload import Workload
from core.catalog.workload_job import Context, Job, Step, Weight
from core.errors import SluiceError
from core.host.processes.running_program import run_program
from core.host.processes.supervisor import Program
from core.selfcheck.truth import WARM_UP, Comparison, rate_of_trial, thread_counts

_NAME = "core.selfcheck.known_operations:KnownOperations"
_DATA = bytes(1 << 18)
"""Some 0.1 ms of a checksum, meanwhile nobody holds Python's lock."""
_SLEEP = 0.001  # s
_LISTED = 1000
_LOW, _HIGH = 0.97, 1.03

type Operation = Callable[[int], int]


def _checksum(_: int) -> int:
    return crc32(_DATA)


def _sleep(_: int) -> int:
    time.sleep(_SLEEP)
    return 0


OPERATIONS: Mapping[str, Operation] = {"checksum": _checksum, "sleep": _sleep}


@dataclass(frozen=True, kw_only=True)
class KnownParameters:
    operation: str = choice(
        "checksum",
        options={"checksum": "Computes for 0.1 ms.", "sleep": "Waits for 1 ms."},
        help="What is done.",
    )


class KnownJob(Job[int, int]):
    """One of the operations; a checksum verifies each."""

    items: Sequence[int] = range(_LISTED)

    def __init__(self, operation: str) -> None:
        self._perform = OPERATIONS[operation]

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        yield (Step("work", self._perform),)

    @override
    def check(self, item: int, result: int) -> str:
        return "" if result in (0, _checksum(item)) else "another checksum"

    @override
    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(len(results), 0)


class KnownOperations(Workload[KnownParameters]):
    """Operations of known length."""

    name = _NAME
    parameters = KnownParameters
    dataset_kinds = ()

    @override
    def open(self, context: Context[KnownParameters]) -> Job[int, int]:
        return KnownJob(context.parameters.operation)


class _Loop(msgspec.Struct, frozen=True, kw_only=True):
    """The order to the process of the plain loop."""

    operation: str
    threads: int
    seconds: float


def rate_of_loop(operation: str, threads: int, seconds: float) -> float:
    """Operations per second of the plain loop in a process of its own; raises SluiceError."""
    asked = msgspec.json.encode(_Loop(operation=operation, threads=threads, seconds=seconds))
    command = [sys.executable, "-P", "-m", "core.selfcheck.known_operations", asked.decode()]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    done = run_program(Program(arguments=command, environment=environment, measured=True))
    if done.code != 0:
        raise SluiceError(f"the process of the plain loop ended with {done.code}")
    return float(done.output)


def _loop(asked: _Loop) -> float:
    perform, clock = OPERATIONS[asked.operation], time.monotonic
    begun = threading.Barrier(asked.threads + 1)
    counts: list[int] = []

    def live() -> None:
        begun.wait()
        while clock() < since:
            perform(0)
        count, now = 0, since
        while now < until:
            perform(0)
            now = clock()
            count += now < until
        counts.append(count)

    threads = [threading.Thread(target=live) for _ in range(asked.threads)]
    for thread in threads:
        thread.start()
    since = clock() + WARM_UP
    until = since + asked.seconds
    begun.wait()
    for thread in threads:
        thread.join()
    return sum(counts) / asked.seconds


def operations_beside_loop(dataset: Dataset) -> Sequence[Comparison]:
    """Each operation beside the plain loop, at each number of threads."""
    return [
        Comparison(
            name=f"Trial ÷ plain loop, {operation}, {threads} thread{'s'[: threads > 1]}",
            ours=rate_of_trial(_NAME, dataset, {"operation": operation, "threads": threads}),
            theirs=partial(rate_of_loop, operation, threads),
            low=_LOW,
            high=_HIGH,
        )
        for operation in OPERATIONS
        for threads in thread_counts()
    ]


if __name__ == "__main__":
    sys.stdout.write(str(_loop(msgspec.json.decode(sys.argv[1], type=_Loop))))
