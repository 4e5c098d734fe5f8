"""The part of a request that one partition reads, in a process of Spark's.

Such a process lives as long as its executor, so catalogue and store are opened once in it, with the
first partition that it reads for a job.
"""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from core import Dataset, OperationPart, Value, build
from workloads.tiles.layer_files import Layer
from workloads.tiles.layer_in_store import layer_of, open_store
from workloads.tiles.reading_job import reading_job
from workloads.tiles.stores.store import Store
from workloads.tiles.tile_job import ThreadTallies
from workloads.tiles.tile_parameters import TileParameters


@dataclass(frozen=True, kw_only=True)
class PartitionTask:
    """What a partition must know to read; sent with every one, so secrets are references in it."""

    dataset: Dataset
    values: Mapping[str, Value]
    """Of the workload's parameters."""
    threads: int
    """Of each partition."""
    job: str
    """Unique for each job, so that nothing of an earlier one is used again."""


class _Counted:
    """What the store counts while one partition is read."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sums: dict[str, float] = defaultdict(float)

    def add(self, name: str, by: float) -> None:
        with self._lock:
            self._sums[name] += by

    def take(self) -> dict[str, float]:
        with self._lock:
            found = dict(self._sums)
            self._sums.clear()
        return found


@dataclass(frozen=True)
class _Opened:
    layer: Layer
    store: Store
    tallies: ThreadTallies
    counted: _Counted
    parameters: TileParameters


_opened: dict[str, _Opened] = {}
_opening = threading.Lock()


def open_partition(reading: PartitionTask, keys: Iterable[int]) -> Iterator[None]:
    """Open what partitions need in this process, and read nothing."""
    _open(reading)
    return iter(())


def read_partition(
    reading: PartitionTask, keys: Iterable[int]
) -> Iterator[tuple[OperationPart, Mapping[str, float]]]:
    """Read and verify these tiles by a pool of threads; what it did, and what the store counted."""
    opened = _open(reading)
    job = reading_job(opened.parameters, opened.layer, opened.store, list(keys), opened.tallies)
    opened.counted.take()
    part = OperationPart.performed(job, reading.threads)
    yield part, opened.counted.take()


def _open(reading: PartitionTask) -> _Opened:
    with _opening:
        if reading.job not in _opened:
            _close_all()
            parameters: Any = build(TileParameters, reading.values)
            layer = Layer.open(reading.dataset.path)
            counted = _Counted()
            tallies = ThreadTallies(lambda index: counted.add)
            name = layer_of(layer.heading)
            adopted = bool(layer.heading.adopted)
            store = open_store(parameters, name, reading.threads, tallies.count, as_it_is=adopted)
            _opened[reading.job] = _Opened(layer, store, tallies, counted, parameters)
        return _opened[reading.job]


def _close_all() -> None:
    while _opened:
        _, opened = _opened.popitem()
        opened.store.close()
        opened.layer.close()
