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

`ServerUse` says with which values it needs which server of the lab, and what its parameters are
then: the window's offer, what `lab start` prints and the cells of studies all come from it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from core.catalog.dataset import Dataset
from core.catalog.declarations import drivers_of
from core.catalog.load import Load
from core.catalog.parameters import Driver, Value
from core.catalog.workload_job import Context, Job, Remains
from core.language.reporting import Tell


@dataclass(frozen=True, kw_only=True)
class ServerUse:
    """What a workload with some values needs of a server of the lab."""

    server: str
    at: Mapping[str, Value]
    """The values by which it is needed."""
    parameter: str = "address"
    """The parameter that says where the server is."""
    in_front: str = ""
    """A server of the lab that can stand in front of it, and is asked instead where it does."""
    values: Mapping[str, Value] = field(default_factory=dict)
    """What the workload has besides, such as references to the server's secrets."""

    def needed_by(self, values: Mapping[str, Value]) -> bool:
        """Whether a workload with these values uses it."""
        return self.at.items() <= values.items()

    def unknown_to(self, values: Mapping[str, Value]) -> bool:
        """Whether a workload with these values needs it, and they do not say where it is."""
        return self.needed_by(values) and not values.get(self.parameter)

    def found(self, addresses: Mapping[str, str]) -> dict[str, Value]:
        """What the workload's parameters are; `addresses`: of the servers that serve, by name."""
        return {self.parameter: self._address(addresses), **self.values}

    def _address(self, addresses: Mapping[str, str]) -> str:
        own, front = addresses[self.server], addresses.get(self.in_front, "")
        # One in front of another server has that one's scheme.
        return front if _scheme(front) == _scheme(own) else own


def _scheme(address: str) -> str:
    return address.partition("://")[0]


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
