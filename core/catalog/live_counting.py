"""What a workload counts while the clock runs: tallies, and the work of a client's own threads.

A job whose client runs its own threads, such as one that transfers a whole tree of files, is
`metered`: the engine sees one long item, and the client's threads tell a `Meter` of each operation.

    begun = meter.begin()                # at the operation's first byte or request
    meter.moved(size)                    # whenever bytes have moved
    meter.done(begun)                    # or meter.failed(fault)

Each call holds Python's lock, for which the client's other threads wait: on eight threads a
microsecond of it takes several from the client.  A client whose operations take less than a tenth
of a millisecond notes them by itself, and tells of many at once: `meter.done_all(ended)`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

if TYPE_CHECKING:
    from core.catalog.workload import Fault


@dataclass(frozen=True, kw_only=True)
class Counter:
    """A number that jobs of a workload count, `Job.counters` or `Job.tallies`, as it is shown.

    Its unit is that of its name: `bytes mapped`, `backoff seconds`; else it is a plain number.
    """

    name: str
    per: Literal["operation", "second", "all"] = "all"
    """Whether what a trial counts in all is divided by its operations, or by its seconds: a faster
    setting does more in the same time, and so counts more in all."""
    better: Literal["more", "less", ""] = ""
    """Empty: neither, so that two settings are not compared by it."""


class Tally(Protocol):
    """Counts live for one worker, while the clock runs; safe to call from any thread."""

    def add(self, name: str, by: float = 1) -> None:
        """Add to the tally of that name, which is among `Job.tallies`; in steps of a millionth."""


class Meter(Protocol):
    """The engine's clock and counters for one worker, given to a client with threads of its own.

    Safe to call from any thread, as long as a step of the job is being performed: a step returns,
    or raises, when the client's threads have ended their work.  All but latencies is seen at once,
    also by the parent, and is kept if the process dies; latencies are seen with the next operation
    that ends 80 ms later, or at the end.  Nothing counts while the clock stands still.
    """

    @property
    def stopping(self) -> bool:
        """Whether the trial is to end: what is under way is given up, so that it can be audited."""

    def begin(self) -> int:
        """The start of an operation: at its first byte or request, not when it is queued."""

    def end(self) -> int:
        """The end of an operation that is told later, to `done_all`."""

    def moved(self, size: int) -> None:
        """So many more bytes have moved."""

    def done(self, begun: int, operations: int = 1, size: int = 0) -> None:
        """An operation has succeeded, which `begin` returned `begun` for.

        `size` more bytes have moved with it: one call instead of two.
        Its latency counts if it was a single operation; not if there were `operations` at once, and
        not if `begun` is 0, which says that nobody knows when it began.
        """

    def done_all(self, ended: Sequence[tuple[int, int, int]]) -> None:
        """Single operations have succeeded, as `done` of each; they count from now on.

        Of each what `begin` returned (0 where nobody knows when it began), what `end` returned, and
        the bytes that have moved with it.
        """

    def failed(self, fault: Fault) -> None:
        """An operation has failed: one error, or one wrong operation if there is `wrong_data`."""

    def count(self, tally: str, by: float = 1) -> None:
        """Add to a tally, as `Tally.add`."""


class Uncounted:
    """Tally and meter where nobody looks."""

    stopping = False

    def add(self, name: str, by: float = 1) -> None:
        """Count nothing."""

    def begin(self) -> int:
        """No time."""
        return 0

    def end(self) -> int:
        """No time."""
        return 0

    def moved(self, size: int) -> None:
        """Count nothing."""

    def done(self, begun: int, operations: int = 1, size: int = 0) -> None:
        """Count nothing."""

    def done_all(self, ended: Sequence[tuple[int, int, int]]) -> None:
        """Count nothing."""

    def failed(self, fault: Fault) -> None:
        """Count nothing."""

    def count(self, tally: str, by: float = 1) -> None:
        """Count nothing."""
