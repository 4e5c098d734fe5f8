"""A workload that knows how much CPU its operations take; verifying them takes as much.

It is reached as `rigged_cpu:Computing`.  Half of each operation is done by a thread of the job's
own, as by that of a library.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from time import thread_time_ns
from typing import Any, Literal, override

from core import Context, Job, Step, Workload, choice

EACH = 4_000_000
"""CPU ns of an operation, and of verifying it."""


def compute(nanoseconds: int) -> None:
    """Take that much CPU."""
    until = thread_time_ns() + nanoseconds
    while thread_time_ns() < until:
        pass


@dataclass(frozen=True, kw_only=True)
class ComputingParameters:
    checking: str = choice(
        "later",
        options=dict.fromkeys(("later", "between", "again"), "A time."),
        help="When results are verified.",
    )


class ComputingJob(Job[int, bytes]):
    items = range(50)

    def __init__(self, checking: Literal["later", "between", "again"]) -> None:
        self.checking = checking

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        with ThreadPoolExecutor(1) as library:

            def perform(item: int) -> bytes:
                library.submit(compute, EACH // 2).result()
                compute(EACH // 2)
                return b"done"

            yield (Step("compute", perform),)

    @override
    def check(self, item: int, result: bytes) -> str:
        compute(EACH)
        return "" if result == b"done" else "another word"


class Computing(Workload[ComputingParameters]):
    name = "computing"
    unit = "item"
    parameters = ComputingParameters
    dataset_kinds = ()

    @override
    def open(self, context: Context[ComputingParameters]) -> Job[Any, Any]:
        checking: Any = context.parameters.checking
        return ComputingJob(checking)
