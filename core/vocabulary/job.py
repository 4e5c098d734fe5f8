"""The parts that a workload opens for a trial: a job, the steps of an operation, live counts.

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

from abc import ABC, abstractmethod
from collections.abc import Buffer, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Literal, NamedTuple, Protocol, runtime_checkable

from core.language import ReportProgress, Seconds
from core.vocabulary.dataset import Dataset
from core.vocabulary.load import Load


class OfPrograms:
    """Counters of jobs that run other programs, which stand for the trial's own figures."""

    PEAK = "bytes resident at most"
    """Their peak memory.  It is also the trial's, since users do not ask about the memory of the
    trial's own Python."""
    FILES = "open files at most"
    """Files that they hold open, which are the trial's too."""
    CPU = "CPU seconds"
    """Their CPU time, on which the diagnosis relies."""
    QUEUED = "seconds waiting for a core"
    """For which their threads were ready to run; left out where it is not known of each run."""
    GAVE_UP = "times a core was given up"
    """By their threads, to wait for something else; known where `QUEUED` is."""
    WRITTEN = "bytes written"
    """Bytes written to files in the folder of a run."""
    TO_STDOUT = "bytes to stdout"
    THREADS = "threads at most"
    COMPUTING = "computing threads at most"
    """Those of them that ran at least a tenth as long as the busiest."""
    SYSTEM = "kernel seconds"
    """The part of their CPU time that the kernel took."""
    DISK = "bytes on disk at most"
    """In the folders and the TMPDIR of runs, all at once."""
    LIMIT = "limited by "
    """Before a variable that limits their threads: in how many runs that was seen."""
    PIPES = "looks at pipes"
    """Looks at programs that a pipe joins; the number of these looks in which one waited for
    another has the name `sort waits for gzip`, with WAITS in the middle."""
    WAITS = " waits for "
    INTO = " | "
    """Between the names of one that writes and one that reads: in how many looks they were so."""


@dataclass(frozen=True, kw_only=True)
class Context[P]:
    """The arguments for opening a job, in the child process that will run it."""

    dataset: Dataset
    parameters: P
    load: Load
    process: int
    """Which of the trial's processes this is, from 0."""
    run_id: str
    """The run that the trial belongs to."""
    cache: Path
    """Folder for this dataset's index and oracle files; nothing is ever written beside the data."""
    report: ReportProgress
    mark: str = ""
    """Unique for each trial, the same in all its processes: letters, digits and `-`.  It is in the
    name of everything that the trial leaves outside this machine, so that it can be removed."""
    tally: Callable[[int], Tally] = lambda index: Uncounted()
    """The tallies of the worker with that index, as `Job.worker` gets it."""
    meter: Callable[[int], Meter] = lambda index: Uncounted()
    """The meter of that worker, for a job that is `metered`."""


class AtOnce(NamedTuple):
    """The results of operations that one call has performed."""

    results: Sequence[Any]
    """Results of the operations that succeeded, in their order."""
    took: Sequence[int]
    """Nanoseconds of each successful operation."""
    time: int
    """Nanoseconds of all operations together, failed ones too."""
    failures: Sequence[tuple[int, Exception]] = ()
    """Index and error of each failed operation, in their order."""


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
    in_flight: int = 1
    """Operations that a call of `at_once` has under way at a time.  All of them end with it, so
    more are claimed for a call where there are several."""

    @staticmethod
    def seconds_of(part: Callable[[], object]) -> Seconds:
        """How long a part of a step takes, where a workload counts it by itself."""
        begun = perf_counter()
        part()
        return perf_counter() - begun


@dataclass(frozen=True)
class Fault:
    """A fault of a result, or of data that a trial left behind."""

    text: str
    """The fault; cases that differ only in numbers are counted together."""
    item: str = ""
    """The faulty item; empty = the operation's item as `Job.describe` names it."""
    wrong_data: bool = True
    """False for a failure without data, such as one failed request of several."""


@dataclass(frozen=True, kw_only=True)
class Remains:
    """The remains of a trial whose processes could not report any more."""

    verified: int
    """Operations that had counted as done, and have now been compared with the truth."""
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
    """The work, in order; it starts over where it runs out before the clock, unless the cache is to
    be cold."""

    one_pass: int = 0
    """Items, of all processes, that go over the data once; 0 = all."""

    workers: int | None = None
    """Engine threads wanted; None = the load's.  A reader with its own threads wants 1."""

    client_threads: int = 0
    """Threads that the client under test runs of its own in this process, where it has one worker
    only; 0 = none.  The diagnosis divides the process's CPU time by them."""

    tallies: tuple[str, ...] = ()
    """Names of at most eight counts that are seen while the clock runs, such as `retries` or `503`,
    added to by `Context.tally`.  Sums, never ratios; at the end they are counters of the trial.
    `backoff seconds`, after a refusal, and `asleep seconds`, without one, are known to the
    diagnosis."""

    metered: bool = False
    """Whether the client's own threads count operations, bytes, latencies and failures through
    `Context.meter`.  An item is then a whole pass, such as a tree of files: the engine adds neither
    its weight nor its time, there is no warm-up, since that would be one more pass, and results are
    verified at once.  Each of their faults counts as one wrong operation or error, except faults
    that the meter has counted; `audit` says what is wrong with a pass that was cut off.  Wants
    `turns = False` of its workload."""

    rehearsed: float = 0.0
    """Seconds that one operation took just before, as that of the run's reference; 0 = not known.
    Where that is a tenth of a second and not less than the warm-up, the warm-up is left out: it
    would only repeat it."""

    notes: Sequence[str] = ()
    """Remarks on the figures, such as each file that is left out, and why.  Read when the
    job is open and again when all is verified."""

    checking: Literal["later", "between", "again", "at once"] = "later"
    """When results are verified.  `later`: between the windows in which workers measure; until then
    they are held.  `between`: results too large for that; the only worker of a trial compares them
    between batches with its clock stopped, and for several it means `again`.  `again`: results are
    dropped while the clock runs, and between the windows the same threads perform a part of the
    same items once more and compare what they get, uncounted.  `at once`: operations that cannot be
    performed again, such as a program's run; beside others their check is part of the time."""

    length: Callable[[Any], int] | None = None
    """Gives the bytes of a result where each is one operation, as `weigh` counts them.  It is
    faster where results are dropped at once: these lengths are then given to `weigh_lengths`."""

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

    def all_right(self, items: Sequence[Item], results: Sequence[Result]) -> bool:
        """Whether each result is surely right, where many are compared faster together.

        Otherwise each is checked by itself.
        """
        return False

    def faults(self, item: Item, result: Result) -> Iterable[Fault]:
        """Everything that is wrong with a result, where one operation asks for several things.

        Each fault is reported and counted among the complaints; the operation is one wrong
        operation, or one error where no fault is `wrong_data`.  By default the text of `check`.
        """
        complaint = self.check(item, result)
        return (Fault(complaint),) if complaint else ()

    def audit(self, report: ReportProgress) -> Iterable[Fault]:
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
        """The remedy for an error that an operation has raised; empty where none is known.

        It is shown behind the error's message; called with the worker's clock stopped.
        """
        return ""

    def weigh(self, results: Sequence[Result]) -> Weight:
        """The amount of these results; by default one operation and `length` or `len` bytes each.

        Raises TypeError for results that are neither text nor bytes, which have no default.
        """
        if self.length is not None:
            return self.weigh_lengths(list(map(self.length, results)))
        for kind in set(map(type, results)):
            if not issubclass(kind, str | Buffer):
                raise TypeError(
                    f"a result of {type(self).__name__} is {kind.__name__}, neither text nor bytes:"
                    f" {type(self).__name__}.weigh must say how many bytes it counts for"
                )
        return self.weigh_lengths(list(map(len, results)))  # type: ignore[arg-type]

    def weigh_lengths(self, lengths: Sequence[int]) -> Weight:
        """The amount of results of which the lengths alone were kept."""
        return Weight(len(lengths), sum(lengths))

    def counts_so_far(self) -> Mapping[str, float]:
        """Counts that others keep, such as the bytes of connections, up to now.

        Read when the clock starts and when it stops, as often as it does: what they have gained
        between is among the trial's counters.
        """
        return {}

    def rewind(self) -> None:
        """Reset positions that the warm-up reached (not caches); called before the clock starts."""

    def counters(self) -> Mapping[str, float]:
        """The workload's own numbers at the end, such as cache hits; summed over processes."""
        return {}

    def close(self) -> None:
        """Close everything; called once, outside the clock, after any ending."""


@dataclass(frozen=True, kw_only=True)
class Counter:
    """A number that jobs of a workload count, `Job.counters` or `Job.tallies`, as it is shown.

    Its unit is that of its name: `bytes mapped`, `backoff seconds`; else it is a plain number.
    """

    name: str
    per: Literal["operation", "second", "all"] = "all"
    """Whether the count of a trial is divided by its operations, or by its seconds: a faster
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
        """Whether the trial is to end: unfinished work is given up, so that it can be audited."""

    def begin(self) -> int:
        """The start of an operation: at its first byte or request, not when it is queued."""

    def end(self) -> int:
        """The end of an operation that is reported later, to `done_all`."""

    def moved(self, size: int) -> None:
        """So many more bytes have moved."""

    def done(self, begun: int, operations: int = 1, size: int = 0) -> None:
        """An operation has succeeded, which `begin` returned `begun` for.

        `size` more bytes have moved with it: one call instead of two.
        Its latency counts if it was a single operation; not if there were `operations` at once, and
        not if `begun` is 0, which says that its start is unknown.
        """

    def done_all(self, ended: Sequence[tuple[int, int, int]]) -> None:
        """Single operations have succeeded, as `done` of each; they count from now on.

        Of each the value of `begin` (0 if its start is unknown), the value of `end`, and the bytes
        that have moved with it.
        """

    def failed(self, fault: Fault) -> None:
        """An operation has failed: one error, or one wrong operation if there is `wrong_data`."""

    def count(self, tally: str, by: float = 1) -> None:
        """Add to a tally, as `Tally.add`."""


class Uncounted:
    """A tally and meter that count nothing."""

    stopping = False

    def add(self, name: str, by: float = 1) -> None:
        """Count nothing."""

    def begin(self) -> int:
        return 0

    def end(self) -> int:
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
