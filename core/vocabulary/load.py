"""How hard a workload is driven: threads, processes, duration, page cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from core.vocabulary.declarations import choice, declared, integer, real
from core.vocabulary.parameters import Kind, Value


@dataclass(frozen=True, kw_only=True)
class Load:
    """How hard a workload is driven; declared like any workload's parameters."""

    threads: int = integer(
        1, low=1, high=1024, scale="log2", help="Worker threads in each process."
    )
    processes: int = integer(
        1,
        low=1,
        high=256,
        scale="log2",
        help="Processes, each with its own threads and its own GIL.",
    )
    nodes: int = integer(
        1,
        low=1,
        high=1024,
        scale="log2",
        help="Machines of a cluster. Each has that many processes, and they share the items.",
    )
    cores: int = integer(
        0,
        low=0,
        high=1024,
        unit="cores",
        help="Cores that all processes of a trial share on each node, the first of those that Sluice may use. 0 = all of them.",
    )
    duration: float = real(
        3.0,
        low=0,
        high=86_400,
        unit="seconds",
        help="Measured time of a trial. 0 = until the operations are done, or one pass if their number is not set.",
    )
    operations: int = integer(
        0,
        low=0,
        high=10**12,
        help="Most operations of a trial, for all workers together. 0 = as many as the time allows.",
    )
    warm_up: float = real(
        0.5,
        low=0,
        high=3600,
        unit="seconds",
        help="Time before the clock for operations that are not counted.",
    )
    warm_up_operations: int = integer(
        0,
        low=0,
        high=10**12,
        help="Uncounted operations of each process before the clock, in place of a warm-up by time. 0 = by time.",
    )
    share: str = choice(
        "queue",
        options={
            "queue": "Workers claim the next items from one shared queue.",
            "split": "Every worker has its fixed share of the items.",
        },
        help="How the work is shared between the workers.",
    )
    page_cache: str = choice(
        "as-is",
        options={
            "as-is": "Leave the operating system's cache as it is.",
            "warm": "Read all files once before the clock starts.",
            "cold": "Evict the files before the clock starts, and prove it; a trial ends after one pass over them.",
        },
        help="State of the page cache when the clock starts.",
    )
    deadline: float = real(
        600.0,
        low=0.1,
        high=7 * 86_400,
        unit="seconds",
        help="Longest time of a whole trial, and of making what its results are compared with. What takes longer is stopped as timed out.",
    )
    stall: float = real(
        60.0,
        low=0.1,
        high=86_400,
        unit="seconds",
        help="Longest time without progress. A trial that exceeds it is stopped as stalled.",
    )
    memory_limit: int = integer(
        0,
        low=0,
        high=2**50,
        unit="bytes",
        help="Most resident memory of a trial's processes, from its first process on. A trial that needs more is stopped. 0 = no limit.",
    )
    seed: int = integer(
        1, low=0, high=2**31 - 1, help="Seed of every random choice within the trial."
    )

    @property
    def workers(self) -> int:
        """The threads of all processes, on one node."""
        return self.threads * self.processes

    @property
    def all_workers(self) -> int:
        """The threads on all nodes."""
        return self.nodes * self.workers

    def cores_of(self, usable: float) -> float:
        """Cores that a trial may keep busy on a machine with so many usable ones."""
        return min(self.cores or usable, usable)


def load_kinds(usual: Mapping[str, Value]) -> tuple[Kind, ...]:
    """The parameters of the load, with the values in `usual` as their defaults."""
    kinds: list[Kind] = [
        replace(kind, default=usual[kind.name]) if kind.name in usual else kind  # type: ignore[arg-type]
        for kind in declared(Load)
    ]
    return tuple(kinds)
