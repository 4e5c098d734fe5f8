"""A workload that computes a known amount, and a share more if it is told to.

It is reached as `rigged_burden:Burden`, with this folder on PYTHONPATH.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, override

from core import Context, Job, Step, Weight, Workload, integer

_ADDITIONS = 20_000
"""Some 0.2 ms of work."""


@dataclass(frozen=True, kw_only=True)
class BurdenParameters:
    """How much is computed."""

    more: int = integer(0, low=0, high=100, help="Per cent of additional work.")


class BurdenJob(Job[int, int]):
    """Sums."""

    def __init__(self, context: Context[BurdenParameters]) -> None:
        self.items: Sequence[int] = list(range(1000))
        self._amount = _ADDITIONS * (100 + context.parameters.more) // 100

    @contextmanager
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        amount = self._amount

        def perform(item: int) -> int:
            return item + sum(range(amount)) - amount * (amount - 1) // 2

        yield (Step("compute", perform),)

    @override
    def check(self, item: int, result: int) -> str:
        return "" if result == item else "another number"

    @override
    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(len(results), len(results))


class Burden(Workload[BurdenParameters]):
    """Measured by the real engine, held against itself with more to do."""

    name = "burden"
    parameters = BurdenParameters
    dataset_kinds = ()

    @override
    def open(self, context: Context[BurdenParameters]) -> Job[Any, Any]:
        return BurdenJob(context)
