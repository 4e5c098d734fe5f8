"""The contract of a workload.

A workload says what it is (`Workload`), opens a dataset into a `Job` outside the clock, and the job
gives each worker the steps of one operation.  The engine does everything else: it starts and ends
processes and threads, claims items, holds the clock, verifies and counts.

Workloads never read a clock, never print, and import only from `core`, their own folder, and what
workloads share.  Only a harness in C that performs many operations in one call reads the clock, on
behalf of the engine (`Step.at_once`).

    with job.worker(index) as steps:            # untimed: open handles
        value = item
        for step in steps:                      # timed, step by step
            value = step.perform(value)
    complaint = job.check(item, value)          # untimed: against the oracle; or job.faults

`ServerUse` says which values make a workload need which server of the lab, and what its parameters
become: the window's offer, what `lab start` prints and the cells of studies all come from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Literal

from core.language import ReportProgress, tr
from core.vocabulary.dataset import Dataset
from core.vocabulary.declarations import drivers_of
from core.vocabulary.job import Context, Job, Remains
from core.vocabulary.load import Load
from core.vocabulary.parameters import Driver, Value


@dataclass(frozen=True, kw_only=True)
class ServerUse:
    """A server of the lab that a workload needs when its parameters have certain values."""

    server: str
    at: Mapping[str, Value]
    """The values that make the workload need it."""
    parameter: str = "address"
    """The parameter that says where the server is."""
    in_front: str = ""
    """A server of the lab that can stand in front of it; while it does, clients ask that one."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """Other parameters to set, such as references to the server's secrets."""

    def needed_by(self, values: Mapping[str, Value]) -> bool:
        """Whether a workload with these values uses it."""
        return self.at.items() <= values.items()

    def unknown_to(self, values: Mapping[str, Value]) -> bool:
        """Whether a workload with these values needs it, but they do not say where it is."""
        return self.needed_by(values) and not values.get(self.parameter)

    def found(self, addresses: Mapping[str, str]) -> dict[str, Value]:
        """The parameters to set; `addresses`: of the servers that are running, by name."""
        own, front = addresses[self.server], addresses.get(self.in_front, "")
        # If it stands in front of another server, its scheme is that server's.
        address = front if _scheme(front) == _scheme(own) else own
        return {self.parameter: address, **self.values}


def _scheme(address: str) -> str:
    return address.partition("://")[0]


class Workload[P](ABC):
    """A kind of work on a kind of data."""

    name: ClassVar[str]
    version: ClassVar[int] = 1
    """Raise it whenever the same parameters mean different work than before."""
    unit: ClassVar[str] = "operation"
    """What one operation handles, in the singular: `sequence`, `block`, `tile`."""
    parameters: type[P]
    important: ClassVar[tuple[str, ...]] = ("threads", "processes")
    """Names of the three to six parameters, its own or the load's, that users try first: the window
    shows these and keeps the others in a drawer."""
    dataset_kinds: ClassVar[tuple[str, ...]]
    """Names of the kinds it reads; empty = every local kind."""
    turns: ClassVar[bool] = True
    """Whether its children can wait while other trials are measured.  False if its work continues
    between operations or cannot be cut: threads that keep running, a pass that is one item."""

    lines: ClassVar[tuple[str, ...]] = ()
    """Parameters, such as the store, for which each value gets an answer of its own: users want the
    best setting for their store, not the best of all stores."""
    asked_first: ClassVar[Mapping[str, Mapping[str, tuple[str, ...]]]] = {}
    """By kind of dataset: values of parameters that the first question about such data compares,
    besides threads."""
    partial: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """By parameter: values with which an operation skips part of the work.  They show what the
    rest costs, and are never recommended over settings that do all of it."""
    unlocked: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """By parameter: values with which threads share readers without a lock, each with the value
    that does the same with a lock.  If results are wrong, users are told why and offered that."""
    floor_by: ClassVar[str] = "raw"
    """The workload that measures its floor: the same files, or the same objects of a store."""
    imports: ClassVar[tuple[str, ...]] = ()
    """Modules that every trial needs: where all settings of a run do, its children share one import
    of them.  Libraries for linear algebra have one thread there."""
    has_reader: ClassVar[bool] = True
    """Whether the trial's own threads read.  A user's own program may print something else
    with more threads on purpose."""

    @abstractmethod
    def open(self, context: Context[P]) -> Job[Any, Any]:
        """Prepare handles, indexes, items and oracle, outside the clock; raises SluiceError."""

    def admit(self, parameters: P, dataset: Dataset) -> None:
        """Raise InvalidParameter if the parameters do not fit each other or the dataset.

        Called when a run is planned, so it reads nothing but its arguments.
        """

    def admit_load(self, parameters: P, load: Load) -> None:
        """Raise InvalidParameter if the parameters do not allow so many threads.

        Called with `admit`; of several numbers of threads, those that are refused are left out.
        """

    def usual_load(self) -> Mapping[str, Value]:
        """Parameters of the load, such as `threads`, whose default differs here, by name."""
        return {}

    def axes(
        self, written: Sequence[str], *, search: bool, values: Mapping[str, Value] | None = None
    ) -> Sequence[str]:
        """The axes that a user wrote as `NAME=VALUES`, with names of parameters.

        For a workload whose users choose names themselves, such as placeholders in a command.
        `values`: of the other parameters.  `search`: at most one axis besides the threads can be
        searched.
        """
        return written

    def at_once(self, parameters: P, dataset: Dataset) -> Literal["", "files", "runs"]:
        """What the load's processes are, where each runs a program with the load's threads.

        Such programs compute, so that more threads than cores are left out.  Empty elsewhere.
        """
        return ""

    def admit_threads(self, parameters: P) -> None:
        """Raise InvalidParameter if the requested number of threads cannot be set.

        A command, for example, may have no place for it; other parameters can still be searched.
        """

    def takes(self, place: Path) -> str:
        """The parameter by which a file beside the data is used, such as a list of regions.

        Empty for what is no such file.
        """
        return ""

    def subject(self, parameters: P) -> str:
        """What is measured, in the user's own words, if the workload's name does not say it."""
        return ""

    def in_code(self, parameters: P, load: Load, dataset: Dataset) -> Mapping[str, str]:
        """The setting as users would write it in their own programs, by language or tool.

        For example `{"Python": "SeqRepo(..., fd_cache_size=128)"}`; users copy it from an answer.
        """
        return {}

    def files(self, parameters: P, dataset: Dataset) -> Sequence[Path] | None:
        """Every local file that a trial reads through the page cache, sorted.

        They are warmed, evicted and counted, and plain reads of them are the floor.  Empty for a
        remote store and for a trial that only writes.  None, the default: the files that the
        dataset's kind lists.
        """
        return None

    def other_files(self, parameters: P, dataset: Dataset) -> Sequence[Path]:
        """Further local files that operations read, such as the files in a list.

        None of these files may change while they are measured.
        """
        return ()

    def restores_data(self, parameters: P) -> bool:
        """Whether operations restore their data before they begin, and check it.

        Otherwise a trial whose data has changed at its end is no result.
        """
        return False

    @property
    def remedy_for_changes(self) -> str:
        """Advice for users whose data has changed while it was measured."""
        return tr("measure a copy that nobody writes to")

    def descriptors(
        self, parameters: P, load: Load, dataset: Dataset, files: int
    ) -> Mapping[str, int]:
        """How many descriptors one process has open at most, by the parameter that causes them.

        `files`: how many a trial reads.  Before a run this is compared with the limit of a process,
        so that the user is told which parameter to lower.  Empty = not known, or few.
        """
        return {}

    def too_little(self, parameters: P, load: Load, dataset: Dataset) -> str:
        """Why the data is too small for the load, as a phrase for users; empty = fine, or unknown.

        Called before a run, with the largest number of threads that it measures; reads little and
        writes nothing.
        """
        return ""

    def unread(self, parameters: P) -> str:
        """Why it reads nothing of the dataset, as a phrase for users; empty where it reads it."""
        return ""

    def irrelevant(self, parameters: P) -> frozenset[str]:
        """Names of the load's parameters that mean nothing here: `page_cache` for data on a server.

        They keep their defaults, are not varied, and are hidden.
        """
        return frozenset()

    def place(self, dataset: Dataset, parameters: P, report: ReportProgress) -> None:
        """Write the data into its store, if it is not there yet.

        Called in a process of its own, in each run, before the first trial of each combination of
        dataset and parameters.  Digests tell what is already there, and the manifest is written
        last, so that a second call does little and also completes one that was cut off.  It should
        `report` now and then, or it counts as stalled; if it raises, these trials have failed.
        """

    def try_once(self, context: Context[P]) -> str:
        """Perform one operation, and say what it did, for a person to read.

        Called in a process of its own, outside of any run, for workloads that have this method.
        """
        return ""

    def refers(self, parameters: P) -> bool:
        """Whether the results of trials with these parameters are compared with each other.

        If so, each run opens and closes a job in a process of its own before the first trial with
        these parameters, with the fewest threads that are planned.  What the job leaves in
        `Context.cache` for `Context.run_id` is the reference for all trials: otherwise the first
        trial would be the reference, right or wrong.
        """
        return False

    def compared_with(self, parameters: P, threads: int) -> str:
        """What results are compared with, as a phrase; empty = an answer of their own.

        That is one which the reader under test has not made.  `threads`: the fewest that are
        planned.  Without such an answer no result is called verified.
        """
        return ""

    def remove_leftovers(self, mark: str, parameters: P, report: ReportProgress) -> int:
        """Remove everything with a trial's `Context.mark`; returns how many things these were.

        This includes half-written things, such as multipart uploads; there may be nothing at all.
        Called in a process of its own after the trial, however it ended, or much later by
        `leftovers`.
        """
        return 0

    def remains(
        self, mark: str, dataset: Dataset, parameters: P, report: ReportProgress
    ) -> Remains | None:
        """The remains of a trial that failed or was killed before its job could be audited.

        Called in a process of its own, before `remove_leftovers`, for workloads that have this
        method: operations that their jobs reported as done must be on disk.  None if nothing is
        known.  Each fault counts as one wrong operation, or as one error if it is not `wrong_data`.
        """
        return None

    def leaves(self, parameters: P) -> bool:
        """Whether trials leave something outside this machine.

        By default, whether the workload has `remove_leftovers`.
        """
        return type(self).remove_leftovers is not Workload.remove_leftovers

    def requests(self, parameters: P, load: Load, dataset: Dataset) -> Mapping[str, int]:
        """About how many requests a server is asked at most; empty = none is.

        `placing`: once for all trials; `measuring`, `verifying` and `removing`: for each.
        """
        return {}

    def counted(self, parameters: P) -> Mapping[str, float]:
        """What this process has counted by its end, whatever it did: opening, placing, removing."""
        return {}

    def takes_turns(self, parameters: P) -> bool:
        """Whether that is so with these parameters."""
        return self.turns

    def drivers(self, parameters: P) -> tuple[Driver, ...]:
        """The packages that these parameters need; their versions are recorded."""
        return drivers_of(parameters)

    def programs(self, parameters: P) -> Mapping[str, str]:
        """The versions of other programs that these parameters run, by name; they are recorded."""
        return {}

    def floor(self, parameters: P) -> Mapping[str, object] | None:
        """Parameters of the workload `floor_by` whose result limits this one; None = no floor."""
        return None

    def client_name(self, parameters: P) -> str:
        """What fetches data from a store, as sentences name it; empty = there is no choice."""
        return ""
