"""What a workload counts live, in the slots of one process.

Only what happens while the clock runs is counted: not what the job did while it was opened, while
it warmed up, or while results were verified.
"""

from __future__ import annotations

from collections.abc import Sequence
from threading import Lock

from core.catalog.live_counting import Tally
from core.trial.counters import MOST_TALLIES, TALLIED, TALLIES, Block


class Tallies:
    """The tallies of the workers of one process, whose slots begin at `first`."""

    def __init__(self, block: Block, first: int, workers: int) -> None:
        self.counting = False
        """Whether the clock runs."""
        self.places: dict[str, int] = {}
        """The word of each tally that was declared."""
        self._slots = [_SlotTally(self, block.slot(first + index)) for index in range(workers)]

    def declare(self, names: Sequence[str]) -> None:
        """The names, once the job is open; raises TypeError for too many or repeated ones."""
        if len(names) > MOST_TALLIES or len(set(names)) < len(names):
            raise TypeError(
                f"a job has at most {MOST_TALLIES} tallies, each of another name, "
                f"not {', '.join(names)}"
            )
        self.places = {name: TALLIES + place for place, name in enumerate(names)}

    def of(self, index: int) -> Tally:
        """The tallies of the worker with that index."""
        return self._slots[index]

    def place_of(self, name: str) -> int:
        """The word in which a tally is kept; raises TypeError for one that was not declared."""
        if name not in self.places:
            raise TypeError(f"{name!r} is not among the tallies of the job")
        return self.places[name]


class _SlotTally:
    """The tallies of one worker; the threads of its client add to them too."""

    def __init__(self, tallies: Tallies, words: memoryview) -> None:
        self._tallies = tallies
        self._words = words
        self._lock = Lock()

    def add(self, name: str, by: float = 1) -> None:
        """Add to a tally while the clock runs."""
        tallies = self._tallies
        if not tallies.counting:
            return
        place = tallies.places.get(name) or tallies.place_of(name)
        by = TALLIED if by == 1 else round(by * TALLIED)
        self._lock.acquire()  # a word has one writer at a time; `with` takes three times as long
        try:
            self._words[place] += by
        finally:
            self._lock.release()
