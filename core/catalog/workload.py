"""The contract that a workload fulfils.

A workload says what it is (`Workload`), opens a dataset into a `Job` outside the clock, and
the job gives each worker the steps of one operation.  The engine does everything else: it
starts processes and threads, claims items, holds the clock, verifies, counts and ends.

Workloads never read a clock, never print, and import only from `core` and their own folder.

    with job.worker(index) as steps:            # untimed: open handles
        value = item
        for step in steps:                      # timed, step by step
            value = step.perform(value)
    complaint = job.check(item, value)          # untimed: against the oracle
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple

from core.catalog.dataset import Dataset, Tell
from core.catalog.load import Load
from core.catalog.parameters import Driver, drivers_of


@dataclass(frozen=True, kw_only=True)
class Context[P]:
    """What a job is opened with, in the child process that will run it."""

    dataset: Dataset
    parameters: P
    load: Load
    process: int
    """Which of the trial's processes this is, from 0."""
    run_id: str
    """Marks whatever the trial leaves outside this machine, so that it can be swept."""
    cache: Path
    """Folder of this dataset's index and oracle files; nothing is ever written beside the data."""
    tell: Tell


@dataclass(frozen=True)
class Step:
    """One phase of an operation: takes what the step before returned, the first takes the item."""

    name: str
    perform: Callable[[Any], Any]
    spread: Callable[..., Any] | None = None
    """The same for an item that is a tuple, given its parts as arguments: where `perform` would only
    hand them on to a function written in C, this spares short operations a call."""


class Weight(NamedTuple):
    """What some operations amounted to: how many in the workload's unit, how many bytes."""

    operations: int
    bytes: int


class Job[Item, Result](ABC):
    """An opened dataset, ready to be worked on by threads of this process."""

    items: Sequence[Item]
    """What there is to do, in order; taken from the start again where it runs out before the clock."""

    workers: int | None = None
    """Engine threads wanted; None = the load's.  A reader with threads of its own says 1."""

    checking: Literal["later", "between"] = "later"
    """When results are verified: after the run while they fit into a small budget, or at once
    between batches with the worker's clock stopped (for results too large to keep)."""

    held: int | None = None
    """Most results of one worker that should be alive at once: where more would not stay in the
    processor's cache; None = as many as wanted."""

    @abstractmethod
    def worker(self, index: int) -> AbstractContextManager[tuple[Step, ...]]:
        """The steps of one operation, with whatever this worker keeps open; entered in its thread."""

    @abstractmethod
    def check(self, item: Item, result: Result) -> str:
        """What is wrong with a result, judged without the reader under test; empty when right."""

    def describe(self, item: Item) -> str:
        """What an item is called where something went wrong with it: which record, of which file.

        Kept in shared memory before every batch, with the worker's clock stopped, so that also a
        process that dies leaves behind what it was at.
        """
        return repr(item)

    def weigh(self, results: Sequence[Result]) -> Weight:
        """What these results amount to; by default one operation and `len` bytes each."""
        return Weight(len(results), sum(map(len, results)))  # type: ignore[arg-type]

    def rewind(self) -> None:
        """Forget positions that the warm-up reached (not caches); called before the clock starts."""

    def counters(self) -> Mapping[str, float]:
        """Numbers of the workload's own at the end, such as cache hits."""
        return {}

    def close(self) -> None:
        """Let go of everything; called once, outside the clock, whatever happened."""


class Workload[P](ABC):
    """A kind of work on a kind of data."""

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """Raised whenever the same parameters come to mean other work."""
    unit: ClassVar[str] = "operation"
    """What one operation handles, in the singular: `sequence`, `block`, `tile`."""
    parameters: type[P]
    dataset_kinds: ClassVar[tuple[str, ...]]
    """Names of the kinds it reads; empty = every local kind."""
    turns: ClassVar[bool] = True
    """Whether its children can wait while others are measured.  Not where the work leaves anything
    busy or changes it for others between two operations: threads of its own that go on by themselves,
    or state on a server."""

    @abstractmethod
    def open(self, context: Context[P]) -> Job[Any, Any]:
        """Get ready, outside the clock: handles, indexes, items, oracle; raises SluiceError."""

    def admit(self, parameters: P, dataset: Dataset) -> None:
        """Raise InvalidParameter where these cannot be had together, or not on that dataset.

        Asked when a run is planned, so it reads nothing but its arguments.
        """

    def drivers(self, parameters: P) -> tuple[Driver, ...]:
        """The packages that these parameters need; their versions are recorded."""
        return drivers_of(parameters)

    def floor(self, parameters: P) -> Mapping[str, object] | None:
        """Parameters of the raw workload whose result is the limit for this one; None = no floor."""
        return None
