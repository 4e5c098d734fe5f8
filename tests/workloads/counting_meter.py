"""A meter of a trial for tests, which keeps what a client tells it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Any

from patience import PATIENCE

from core.vocabulary import Fault


@dataclass
class Counting:
    """A meter that keeps what it is told, and can be told to stop."""

    bytes: int = 0
    begun: int = 0
    done_operations: int = 0
    timed: int = 0
    faults: list[Fault] = field(default_factory=list)
    tallies: dict[str, float] = field(default_factory=dict)
    stop_after: int = 0
    """So many operations, after which it says that the trial is to end; 0 = never."""
    holds: bool = True
    """Whether who tells of the last of them waits until somebody has seen that it is to end.

    Not for a client in a process of its own: it moves on meanwhile, and once that process is over
    nobody looks any more.
    """
    stop_at_begin: int = 0
    """The operation at whose begin it says so already; 0 = none."""
    on_begin: Callable[[], None] = lambda: None
    lock: Any = field(default_factory=Lock)
    stop: bool = False
    heeded: Event = field(default_factory=Event)

    @property
    def stopping(self) -> bool:
        if self.stop:
            self.heeded.set()
        return self.stop

    def begin(self) -> int:
        self.on_begin()
        with self.lock:
            self.begun += 1
            self.stop = self.stop or 0 < self.stop_at_begin <= self.begun
            return self.begun

    def end(self) -> int:
        return self.begun

    def moved(self, size: int) -> None:
        with self.lock:
            assert size > 0
            self.bytes += size

    def done(self, begun: int, operations: int = 1, size: int = 0) -> None:
        with self.lock:
            assert size >= 0
            self.bytes += size
            self.done_operations += operations
            self.timed += begun > 0
            over = 0 < self.stop_after <= self.done_operations
            self.stop = self.stop or over
        if over and self.holds:  # whoever has to end the transfer sees it before the next file
            assert self.heeded.wait(PATIENCE)

    def done_all(self, ended: Sequence[tuple[int, int, int]]) -> None:
        for begun, _, size in ended:
            self.done(begun, size=size)

    def failed(self, fault: Fault) -> None:
        with self.lock:
            self.faults.append(fault)

    def count(self, tally: str, by: float = 1) -> None:
        with self.lock:
            self.tallies[tally] = self.tallies.get(tally, 0) + by
