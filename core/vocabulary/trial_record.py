"""The record of a trial: its workers, its nodes, its work, and whether it counts.

All clock values are nanoseconds of one monotonic clock shared by parent and children; `at`
of moments is seconds since the trial's clock started (negative before it).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Annotated

import msgspec

from core.language import (
    LARGEST_NUMBER,
    MOST_CORES,
    MOST_WORKERS,
    Cores,
    Finite,
    Name,
    Natural,
    Place,
    SessionError,
    WallClock,
    Whole,
)
from core.vocabulary.machine import MachineNoise, Reading, Residency
from core.vocabulary.moments import Moment
from core.vocabulary.outcome import Cancelled, Complaint, Completed, Outcome, has_throughput
from core.vocabulary.slices import (
    Beginning,
    CarryOver,
    Slice,
    are_enough,
    beginning,
    carry_over,
    unpack,
)


class WorkerTotals(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """The work of one worker thread while the clock ran.

    `window…` is its work in the windows in which all workers measured together, and their length;
    the only worker of a trial has a clock of its own, which stands still meanwhile.
    """

    process: Place
    worker: Place
    started: Natural
    ended: Natural
    operations: Natural
    items: Natural
    bytes: Natural
    errors: Natural
    wrong: Natural
    paused: Natural
    """Nanoseconds for which the clock of a trial's only worker stood still between batches, while
    results were verified and items taken; not part of the throughput."""
    cpu: Whole
    bookkeeping: Whole
    """Nanoseconds the harness spent on its own counting; part of the throughput."""
    batch: Natural
    """Most items performed between two readings of the clock, apart from items timed one by one;
    1 = each was timed."""
    phases: tuple[Whole, ...]
    gil_looks: Natural = 0
    """How often the process was asked for Python's global lock; only its first worker has this."""
    gil_held: Natural = 0
    """How many times it was not available for half of the switch interval."""
    process_cpu: Whole | None = None
    """Nanoseconds of CPU of the worker's process in its turns, of all threads and of the programs
    that it has started; with the first worker of each process.  None = not recorded."""
    timed: Natural = 0
    """Operations that were timed one by one."""
    timed_squares: Natural = 0
    """Sum of the squares of how many operations each of these stands for."""
    unverified: Natural = 0
    """Items whose results were not compared with the truth."""
    window: Natural = 0
    """Nanoseconds; 0 where no window had begun before some worker had no work left."""
    window_operations: Annotated[float, msgspec.Meta(ge=0, le=LARGEST_NUMBER)] = 0.0
    """An operation over an end of a window counts by its share inside."""
    window_bytes: Natural = 0
    window_cpu: Whole = 0
    """Nanoseconds of the worker's own thread."""
    window_queued: Natural | None = None
    """Nanoseconds for which that thread was ready to run, but waited for a core; None = not
    recorded."""
    window_waits: Natural = 0
    """How often it gave its core up to wait for something else, such as a lock, another thread, or
    a disk."""
    compared: Natural = 0
    """Operations that were performed again between the windows and compared with the truth, where
    results of the windows are dropped; 0 where all of these are compared."""


class PageCacheProof(msgspec.Struct, frozen=True, kw_only=True):
    """Residency of the files that a trial reads, when the clock started and when it stopped."""

    wanted: Name
    before: Residency | None
    after: Residency | None


class NodeFigures(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One node of a trial, with the workers of its processes."""

    address: Name
    """Address of its Dask worker."""
    host: Name
    machine: Name
    """The same for nodes on one machine."""
    cores: Cores
    first_process: Natural
    processes: Natural
    """Number of its processes, from `first_process` on."""
    ended: str
    """How its part of the trial ended, or why it was lost."""
    ahead: Finite = 0.0
    """Seconds that its monotonic clock was ahead of the coordinator's."""
    uncertainty: Finite = 0.0
    """Largest error of `ahead`: half of the shortest round trip."""
    late: Finite | None = None
    """Seconds from the agreed start to the start of its first worker; None if none started."""
    operations: Natural = 0
    p50: Natural = 0
    """Nanoseconds; 0 where too few operations were timed."""
    p99: Natural = 0
    peak_rss: Natural | None = None
    fds: Natural | None = None
    """Most open files of its processes."""
    network: str = ""
    """Type of the file system of the dataset there, if it is one of a network."""
    sent: Natural = 0
    """Bytes of its messages."""


MOST_OF_A_HANDFUL = 10_000
_SEVERAL = msgspec.Meta(max_length=MOST_OF_A_HANDFUL)


class TrialRecord(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """One run of one spec as it is stored; `core.vocabulary.trial.Trial` adds its figures."""

    index: Place
    block: Place
    spec_digest: Name
    started: WallClock
    """Seconds since 1970, UTC."""
    outcome: Outcome
    unit: Name = "operation"
    steps: Annotated[tuple[Name, ...], msgspec.Meta(max_length=64)] = ()
    workers: Annotated[tuple[WorkerTotals, ...], msgspec.Meta(max_length=MOST_WORKERS)] = ()
    histogram: bytes = b""
    """How many operations took how long, packed by `core.vocabulary.histogram.to_bytes`; the timed
    operations count for the others."""
    latency_map: bytes = b""
    """The same over its time, packed by `core.vocabulary.latency_map.pack`; empty = not
    recorded."""
    moments: Sequence[Moment] = ()
    """A `Series` if it was measured here or comes from a session."""
    first: Reading | None = None
    """The look just before the clock started."""
    last: Reading | None = None
    """The final look, which includes the expensive values."""
    baseline_rss: Natural = 0
    """Bytes resident after the workload was opened and before its first operation."""
    start_up: Finite = 0.0
    """Seconds from the start of its processes to the first operation of the last of them: their
    imports, opening the data, and what a workload prepares.  0 = not known."""
    client_threads: Natural = 0
    """Threads that the clients under test run of their own, all processes; 0 = none."""
    bound_cores: Annotated[tuple[Natural, ...], msgspec.Meta(max_length=16 * MOST_CORES)] = ()
    """Numbers of the cores that its processes were bound to, node by node; empty = to none."""
    complaints: Annotated[tuple[Complaint, ...], _SEVERAL] = ()
    counters: Annotated[dict[str, Finite], _SEVERAL] = {}
    """The workload's own numbers, and its live counts."""
    self_cost: Finite = 0.0
    """Nanoseconds that the harness adds to each operation, measured in this trial's child."""
    verification: Finite = 0.0
    """Seconds spent on verification, during and after the run."""
    page_cache: PageCacheProof | None = None
    versions: Annotated[dict[Name, str], _SEVERAL] = {}
    notes: Annotated[tuple[str, ...], _SEVERAL] = ()
    doubt: str = ""
    """A sentence on why its figures are doubtful, though they are kept; empty = no doubt."""
    slices: bytes = b""
    """Its work in each of its turns, packed by `core.vocabulary.slices.pack`; empty if it ran in
    one piece."""
    link: str = ""
    """How the lab's server that it used was reached, in some words; empty if it used none."""
    request_price: Finite = 0.0
    """What its user pays for a request, and for a byte that is transferred; 0 = not known."""
    byte_price: Finite = 0.0
    apart: str = ""
    """Why it ran in one piece while others take turns."""
    noise: MachineNoise | None = None
    """Other activity of the machine while it had the clock; None if its clock never started."""
    nodes: Annotated[tuple[NodeFigures, ...], _SEVERAL] = ()
    """The machines of a cluster that it ran on; empty if it ran on this one."""

    def __post_init__(self) -> None:
        if isinstance(self.moments, list):  # as msgspec decodes a sequence
            msgspec.structs.force_setattr(self, "moments", tuple(self.moments))

    def cores_of(self, machine: float) -> float:
        """Cores that it could keep busy, of so many on the machine."""
        return min(len(self.bound_cores) or machine, machine)

    def total(self, count: Callable[[WorkerTotals], int]) -> int:
        return sum(map(count, self.workers))

    @cached_property
    def operations(self) -> int:
        """Operations that came to a result, right or wrong."""
        return self.total(lambda worker: worker.operations)

    @cached_property
    def errors(self) -> int:
        return self.total(lambda worker: worker.errors)

    @cached_property
    def wrong(self) -> int:
        """Operations that returned wrong data; `operations` includes them."""
        return self.total(lambda worker: worker.wrong)

    @property
    def checked(self) -> int:
        """Operations whose results were compared with the truth, right or wrong.

        Where results of many operations each are left unchecked, their share is subtracted.
        Where results were dropped, the operations that were performed again count.
        """
        if compared := self.total(lambda worker: worker.compared):
            return compared
        if isinstance(self.outcome, Completed):
            return self.operations
        items = self.total(lambda worker: worker.items)
        if not items:
            return self.wrong
        return max(self.operations * max(items - self.unverified, 0) // items, self.wrong)

    @property
    def unverified(self) -> int:
        """Results that were not compared with the truth."""
        return self.total(lambda worker: worker.unverified)

    @cached_property
    def shortened(self) -> bool:
        """Whether it was cut off after enough turns, all verified, so that it counts nevertheless.

        Only its complete turns count.
        """
        return (
            isinstance(self.outcome, Cancelled) and self.unverified == 0 and are_enough(self.slices)
        )

    @cached_property
    def valid(self) -> bool:
        """Whether the trial has a throughput: completed, work done, nothing failed or wrong.

        A shortened trial has one too.
        """
        return has_throughput(
            self.outcome, self.operations, self.errors, self.wrong, shortened=self.shortened
        )

    @property
    def turns(self) -> tuple[Slice, ...]:
        """Its work in each of its turns; empty if it ran in one piece.  Raises SessionError."""
        return unpack(self.slices)

    @cached_property
    def beginning(self) -> Beginning | None:
        """The start of its first turn; None if it ran in one piece, or turns cannot be read."""
        with suppress(SessionError):
            return beginning(self.slices)
        return None

    @property
    def seconds_in_turns(self) -> float:
        """Seconds for which it was measured in its turns."""
        return sum(one.active for one in self.turns) / 1e9

    @property
    def carry_over(self) -> CarryOver | None:
        """The cost of the cold start of its turns; None with too few turns, or in one piece."""
        return carry_over(self.turns)
