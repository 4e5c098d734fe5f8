"""Results that are held until the clock stands still."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Kept:
    """Results held back for verification after the run, and how much room is left for more."""

    room: int
    results: list[tuple[Sequence[Any], Sequence[Any]]] = field(default_factory=list)

    def keep(self, items: Sequence[Any], results: Sequence[Any], size: int) -> bool:
        """Hold these back if there is room."""
        needed = size + 100 * len(results)  # a rough cost of the objects themselves
        if needed > self.room:
            return False
        self.room -= needed
        self.keep_anyway(items, results)
        return True

    def keep_anyway(self, items: Sequence[Any], results: Sequence[Any]) -> None:
        """Hold these back though there is no room: the last ones of a window."""
        self.results.append((items, results))
