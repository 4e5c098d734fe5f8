"""The contract of a workload.

A workload says what it is (`Workload`), opens a dataset into a `Job` outside the clock, and the job
gives each worker the steps of one operation.  The engine does everything else: it starts and ends
processes and threads, claims items, holds the clock, verifies and counts.

Workloads never read a clock, never print, and import only from `core`, their own folder, and what
workloads share.  A harness in C that performs many operations in one call reads it for the engine
(`Step.at_once`).

    with job.worker(index) as steps:            # untimed: open handles
        value = item
        for step in steps:                      # timed, step by step
            value = step.perform(value)
    complaint = job.check(item, value)          # untimed: against the oracle; or job.faults
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, runtime_checkable

from core.catalog.dataset import Dataset
from core.catalog.live_counting import Meter, Tally, Uncounted
from core.catalog.load import Load
from core.catalog.parameters import Driver, Value, drivers_of
from core.language.telling import Tell


class OfPrograms:
    """Counters of jobs that run other programs, which stand for the trial's own figures."""

    PEAK = "bytes resident at most"
    """The most memory that these had.  It is a trial's peak memory, since what the trial's own
    Python takes is no part of what a user asks about."""
    CPU = "CPU seconds"
    """Their CPU time, from which the diagnosis goes."""
    PIPES = "looks at pipes"
    """How often programs were seen that a pipe joins; in how many of these looks one waited for
    another has the name `sort waits for gzip`, with WAITS in the middle."""
    WAITS = " waits for "


@dataclass(frozen=True, kw_only=True)
class Context[P]:
    """What a job is opened with, in the child process that will run it."""

    dataset: Dataset
    parameters: P
    load: Load
    process: int
    """Which of the trial's processes this is, from 0."""
    run_id: str
    """Of the run that the trial belongs to."""
    cache: Path
    """Folder for this dataset's index and oracle files; nothing is ever written beside the data."""
    tell: Tell
    mark: str = ""
    """Unique for each trial, the same in all its processes: letters, digits and `-`.  It is in the
    name of everything that the trial leaves outside this machine, so that it can be removed."""
    tally: Callable[[int], Tally] = lambda index: Uncounted()
    """The tallies of the worker with that index, as `Job.worker` gets it."""
    meter: Callable[[int], Meter] = lambda index: Uncounted()
    """The meter of that worker, for a job that is `metered`."""


class AtOnce(NamedTuple):
    """What came of operations that one call has performed."""

    results: Sequence[Any]
    """Of those that succeeded, in their order."""
    took: Sequence[int]
    """Nanoseconds of each of these."""
    time: int
    """Nanoseconds of all together, also of those that failed."""
    failures: Sequence[tuple[int, Exception]] = ()
    """The places of those that failed, and why, in their order."""


@dataclass(frozen=True)
class Step:
    """One phase of an operation.  The first takes the item, each other the result before it."""

    name: str
    perform: Callable[[Any], Any]
    spread: Callable[..., Any] | None = None
    """The same for an item that is a tuple, with its parts as arguments.  Where `perform` only
    passes them to a C function, this saves short operations a call."""
    apart: bool = False
    """Of the first of several: whether it only prepares, such as the manifest of an upload.  It is
    timed as a phase of its own and is no part of latencies; the clock of a trial's only worker
    stands still meanwhile."""
    at_once: Callable[[Any, bool], AtOnce] | None = None
    """Where it is the only step: performs all these items in one call, which looks at the monotonic
    clock before and after each, so that the lock of Python is taken once.  If the second argument
    is true, nothing is measured and it compares each result, too.  Raises only what ends the
    trial."""


@dataclass(frozen=True)
class Fault:
    """Something that is wrong with a result, or with what a trial left behind."""

    text: str
    """What is wrong; cases that differ only in numbers are counted together."""
    item: str = ""
    """What it is wrong with; empty = what `Job.describe` calls the operation's item."""
    wrong_data: bool = True
    """False where there is no data, such as one request of several that failed."""


@dataclass(frozen=True, kw_only=True)
class Remains:
    """What was found of a trial whose processes could not tell of it any more."""

    verified: int
    """Operations that had counted as done, and of which it is now known whether they were right."""
    faults: Sequence[Fault] = ()
    counters: Mapping[str, float] = field(default_factory=dict)
    """As `Job.counters`."""


class Weight(NamedTuple):
    """The amount of some operations: how many in the workload's unit, and how many bytes."""

    operations: int
    bytes: int
    paused: int = 0
    """Nanoseconds of them that are no work, such as verification in another process: taken off the
    clock of a trial's only worker, as its own verification is."""


@runtime_checkable
class Batched(Protocol):
    """Items that are made for many positions together, as `Step.at_once` takes them."""

    def take(self, positions: Sequence[int]) -> Sequence[Any]:
        """The items at these positions, which start over behind the last."""


class Job[Item, Result](ABC):
    """An opened dataset, ready to be worked on by threads of this process."""

    items: Sequence[Item]
    """What to do, in order; starts over where it runs out before the clock."""

    workers: int | None = None
    """Engine threads wanted; None = the load's.  A reader with its own threads wants 1."""

    client_threads: int = 0
    """Threads that the client under test runs of its own in this process, where it has one worker
    only; 0 = none.  The diagnosis divides the process's CPU time by them."""

    tallies: tuple[str, ...] = ()
    """Names of at most eight counts that are seen while the clock runs, such as `retries` or `503`,
    added to by `Context.tally`.  Sums, never ratios; at the end they are counters of the trial.
    `backoff seconds` are known to the diagnosis."""

    metered: bool = False
    """Whether the client's own threads count operations, bytes, latencies and failures through
    `Context.meter`.  An item is then a whole pass, such as a tree of files: the engine adds neither
    its weight nor its time, there is no warm-up, since that would be one more pass, and results are
    verified at once.  Each of their faults counts as one wrong operation or error, except those
    that the meter was told of; `audit` says what is wrong with a pass that was cut off.  Wants
    `turns = False` of its workload."""

    notes: Sequence[str] = ()
    """What to know of the data beside the figures, such as each file that is left out, and why."""

    checking: Literal["later", "between", "again", "at once"] = "later"
    """When results are verified.  `later`: between the windows in which workers measure; until then
    they are held.  `between`: results too large for that; the only worker of a trial compares them
    between batches with its clock stopped, and for several it means `again`.  `again`: results are
    dropped while the clock runs, and between the windows the same threads perform a part of the
    same items once more and compare what they get, uncounted.  `at once`: operations that cannot be
    performed again, such as a program's run; beside others their check is part of the time."""

    copies: bool = False
    """Whether every byte that it counts was copied in memory by its operation: then no trial can
    have more of them a second than the cores can copy."""

    held: int | None = None
    """Most results of one worker alive at once, where more would not stay in the processor's cache;
    None = any number."""

    @abstractmethod
    def worker(self, index: int) -> AbstractContextManager[tuple[Step, ...]]:
        """The steps of one operation, with this worker's open handles; entered in its thread."""

    def check(self, item: Item, result: Result) -> str:
        """What is wrong with a result, checked without the reader under test; empty when right.

        Every job has this or `faults`.
        """
        if type(self).faults is Job.faults:
            raise NotImplementedError(f"{type(self).__name__} checks nothing")
        return "; ".join(fault.text for fault in self.faults(item, result))

    def faults(self, item: Item, result: Result) -> Iterable[Fault]:
        """Everything that is wrong with a result, where one operation asks for several things.

        Each fault is told and counted among the complaints; the operation is one wrong operation,
        or one error where no fault is `wrong_data`.  By default what `check` says.
        """
        complaint = self.check(item, result)
        return (Fault(complaint),) if complaint else ()

    def audit(self, tell: Tell) -> Iterable[Fault]:
        """What is wrong with what the workers wrote, each thing once.

        Called once after the clock, in every process, before `close`: time for a client of its own
        that reads everything back.  Also after a trial that took too long, as long as it tells
        something every few seconds.  What was written is for the job to remember; each fault counts
        as one wrong operation, or as one error where it is not `wrong_data`.
        """
        return ()

    def describe(self, item: Item) -> str:
        """The item's name in error messages: which record, of which file.

        It is written to shared memory before every batch, with the worker's clock stopped, so that
        it is known even when the process dies.
        """
        return item if isinstance(item, str) else repr(item)

    def remedy(self, error: Exception) -> str:
        """What to do about an error that an operation has raised; empty where that is not known.

        It is told behind the error's own words; asked with the worker's clock stopped.
        """
        return ""

    def weigh(self, results: Sequence[Result]) -> Weight:
        """The amount of these results; by default one operation and `len` bytes each."""
        return Weight(len(results), sum(map(len, results)))  # type: ignore[arg-type]

    def rewind(self) -> None:
        """Reset positions that the warm-up reached (not caches); called before the clock starts."""

    def counters(self) -> Mapping[str, float]:
        """The workload's own numbers at the end, such as cache hits; summed over processes."""
        return {}

    def close(self) -> None:
        """Close everything; called once, outside the clock, after any ending."""


class Workload[P](ABC):
    """A kind of work on a kind of data."""

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """Increased whenever the same parameters mean other work than before."""
    unit: ClassVar[str] = "operation"
    """What one operation handles, in the singular: `sequence`, `block`, `tile`."""
    parameters: type[P]
    important: ClassVar[tuple[str, ...]] = ("threads", "processes")
    """Names of the three to six parameters, of its own and of the load, that its users try first: a
    window shows them, and has the others in a drawer."""
    dataset_kinds: ClassVar[tuple[str, ...]]
    """Names of the kinds it reads; empty = every local kind."""
    turns: ClassVar[bool] = True
    """Whether its children can wait while others are measured.  False where the work goes on
    between two operations or affects others: own threads that keep running, state on a server."""

    lines: ClassVar[tuple[str, ...]] = ()
    """Parameters whose values are answered for one by one, such as a store: the best setting of
    each is asked for, since one for all stores answers nobody's question."""
    partial: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """Values with which an operation leaves out a part of the work, by parameter.  They show what
    the rest costs, and are never advised beside settings that do all."""
    unlocked: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """Values with which threads share readers without a lock, by parameter, and the value that does
    the same with one.  Where data is wrong, this is what is said and offered."""

    @abstractmethod
    def open(self, context: Context[P]) -> Job[Any, Any]:
        """Prepare handles, indexes, items and oracle, outside the clock; raises SluiceError."""

    def admit(self, parameters: P, dataset: Dataset) -> None:
        """Raise InvalidParameter where these do not fit together, or not to that dataset.

        Called when a run is planned, so it reads nothing but its arguments.
        """

    def usual_load(self) -> Mapping[str, Value]:
        """Parameters of the load, by name, that have another default here, such as `threads`."""
        return {}

    def axes(self, written: Sequence[str], *, search: bool) -> Sequence[str]:
        """The axes that a user has written, `NAME=VALUES`, by names of parameters.

        For a workload whose users give names of their own, such as placeholders of a command.
        `search`: at most one axis beside the threads can be searched.
        """
        return written

    def admit_threads(self, parameters: P) -> None:
        """Raise InvalidParameter where the number of threads cannot be what is asked for.

        So it is where a program has no place for it; other values can still be searched or swept.
        """

    def subject(self, parameters: P) -> str:
        """What is measured, in the user's own words, where the workload's name does not say it."""
        return ""

    def in_code(self, parameters: P, load: Load, dataset: Dataset) -> Mapping[str, str]:
        """The setting as users write it in their own programs, by language or tool.

        Such as `{"Python": "SeqRepo(..., fd_cache_size=128)"}`: what is copied out of an answer.
        """
        return {}

    def files(self, parameters: P, dataset: Dataset) -> Sequence[Path]:
        """Every local file that a trial reads through the page cache, sorted.

        They are warmed, evicted and counted, and plain reads of them are the floor.  None for a
        remote store, and where the trial only writes.  By default those of the dataset's kind.
        """
        return files_of_kind(dataset)

    def descriptors(
        self, parameters: P, load: Load, dataset: Dataset, files: int
    ) -> Mapping[str, int]:
        """How many descriptors one process has open at most, by the parameter that asks for them.

        `files`: how many a trial reads.  This is held against the limit of a process before a run,
        so that the user hears which parameter to lower.  Empty = not known, or few.
        """
        return {}

    def too_little(self, parameters: P, load: Load, dataset: Dataset) -> str:
        """What the data is too small to show, as a phrase for users; empty = nothing, or not known.

        Asked before a run, of the most threads that it measures: reads little, writes nothing.
        """
        return ""

    def moot(self, parameters: P) -> frozenset[str]:
        """Names of the load's parameters that mean nothing here, such as `page_cache` of a server.

        They keep their defaults, are not varied, and are hidden.
        """
        return frozenset()

    def place(self, dataset: Dataset, parameters: P, tell: Tell) -> None:
        """Write the data into its store, if it is not there yet.

        Called in a process of its own, in each run before the first trial of every distinct dataset
        and parameters.  What is there is known by its digests, and the manifest is written last, so
        that a second call does little and one that was cut off is made up for.  It should `tell`
        now and then, or it is taken for stalled; what it raises ends these trials as failed.
        """

    def refers(self, parameters: P) -> bool:
        """Whether what trials return is held against what others with these parameters return.

        Then, in each run, a job is opened and closed in a process of its own before the first trial
        with these parameters, with the fewest threads that are planned: what it leaves in
        `Context.cache` for `Context.run_id` is what all are held against, so that none is right
        because it came first.
        """
        return False

    def sweep(self, mark: str, parameters: P, tell: Tell) -> int:
        """Remove everything that carries a trial's `Context.mark`; returns how many things it was.

        Also what is half written, such as multipart uploads; there may be nothing left.  Called in
        a process of its own after the trial, however that ended, or much later by `leftovers`.
        """
        return 0

    def remains(self, mark: str, dataset: Dataset, parameters: P, tell: Tell) -> Remains | None:
        """What arrived of a trial that failed or was killed before its job could be audited.

        Called in a process of its own, before `sweep`, for workloads that have this method: what
        their jobs called done has to be on disk.  None where nothing is known.  Each fault counts
        as one wrong operation, or as one error where it is not `wrong_data`.
        """
        return None

    def leaves(self, parameters: P) -> bool:
        """Whether trials leave something outside this machine, so that `sweep` is needed.

        By default they do if there is a `sweep`.
        """
        return type(self).sweep is not Workload.sweep

    def drivers(self, parameters: P) -> tuple[Driver, ...]:
        """The packages that these parameters need; their versions are recorded."""
        return drivers_of(parameters)

    def programs(self, parameters: P) -> Mapping[str, str]:
        """The versions of other programs that these parameters run, by name; they are recorded."""
        return {}

    def floor(self, parameters: P) -> Mapping[str, object] | None:
        """Parameters of the raw workload whose result limits this one; None = no floor."""
        return None


def files_of_kind(dataset: Dataset) -> Sequence[Path]:
    """The files of a dataset as its kind knows them; none if it is remote."""
    if not dataset.local:
        return ()
    from core.catalog.registry import dataset_kind  # it imports this module

    return dataset_kind(dataset.kind).files(dataset.path)
