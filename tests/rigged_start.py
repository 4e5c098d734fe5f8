"""A workload whose preparation takes a known time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, override

from core import Context, Job, Step, Workload, real


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
