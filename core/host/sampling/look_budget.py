"""Dear looks, only as often as their cost allows."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# What may be spent before any time has passed. It lets the first look happen at once for
# up to about 3,000 open files, and is 0.1 % of the first 20 seconds.
CREDIT_SECONDS = 0.02


class LookBudget:
    """Keeps the cost of one kind of look within a share of the time that passes.

    Time fills a purse, looks empty it, and a look is due when the purse holds what it is
    expected to cost: its size (threads, open files) times a running estimate for one.
    The purse never holds more than the next look needs, so that a long cheap stretch does
    not pay for a burst of dear looks. A forced look may overdraw it.
    """

    def __init__(
        self,
        share: float,
        clock: Callable[[], float],
        *,
        unit_cost: float,
        pause: float = 0.0,
    ) -> None:
        """`unit_cost` is a first guess in seconds; looks are at least `pause` apart."""
        self._share = share
        self._clock = clock
        self._unit_cost = unit_cost
        self._pause = pause
        self._purse = CREDIT_SECONDS
        self._filled_at: float | None = None
        self._looked_at = -math.inf

    def is_due(self, at: float, size: int) -> bool:
        expected = self._unit_cost * size
        elapsed = at - self._filled_at if self._filled_at is not None else 0.0
        self._filled_at = at
        self._purse = min(self._purse + self._share * elapsed, max(expected, CREDIT_SECONDS))
        return self._purse >= expected and at - self._looked_at >= self._pause

    @contextmanager
    def spend(self, at: float, size: int) -> Iterator[None]:
        """Charges what is done inside; `size` as it turned out is what was done."""
        started = self._clock()
        try:
            yield
        finally:
            cost = self._clock() - started
            self._purse -= cost
            self._looked_at = at
            self._unit_cost = (self._unit_cost + cost / max(size, 1)) / 2
