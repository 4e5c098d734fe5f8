"""BLOW5 by slow5lib's own calls for a batch: `blow5-c`."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping, Sequence
from ctypes import Structure, byref, c_int, c_int64, c_void_p, sizeof
from pathlib import Path
from typing import override

from core import AtOnce, Step
from workloads.shared.native import LARGEST, keep_freed_memory
from workloads.signal import pools
from workloads.signal.blow5_native import Blow5Job
from workloads.signal.blow5_records import Records, RecordSource
from workloads.signal.blow5_workers import Ids
from workloads.signal.catalogue import Catalogue
from workloads.signal.jobs import MOST_OPEN, ReadRequest
from workloads.signal.pools import address
from workloads.signal.slow5lib import Slow5Batch, slow5

_CALLS = (
    *("slow5_init_batch", "slow5_init_mt", "slow5_free_mt"),
    *("slow5_get_next_batch", "slow5_get_batch"),
)


class _Library(Structure):
    _fields_ = tuple((name, c_void_p) for name in _CALLS)


class NativeBatch(Structure):
    """`struct wanted` of the harness: what is wanted, and what came of it."""

    _fields_ = (
        ("file", c_void_p),
        ("stream", c_void_p),
        ("first", c_int64),
        ("ids", c_void_p),
        ("threads", c_int),
        ("count", c_int),
        ("batch", c_void_p),
        ("got", c_int),
        ("took", c_int64),
    )


type FetchBatch = Callable[[NativeBatch], None]


def fetching() -> FetchBatch | None:
    """What fetches a batch; None where there is no C compiler, or one that cannot compile it."""
    harness = pools.library()
    if harness is None:
        return None
    library = _Library(**{name: address(getattr(slow5(), name)) for name in _CALLS})

    def fetch(batch: NativeBatch) -> None:
        harness.signal_batch(byref(library), byref(batch))

    return fetch


_POINTER = sizeof(c_void_p)


class LibraryJob(Blow5Job):
    """slow5lib fetches a batch and decodes it with threads of its own, in one call."""

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        items: Sequence[ReadRequest],
        threads: int,
        cache: Path,
        *,
        by_id: bool,
    ) -> None:
        super().__init__(catalogues, items, threads, cache, by_id=by_id)
        # A batch is freed between two, by another thread than those that will ask for as much
        # again; what then went back to the system would cost them a page fault for each page.
        keep_freed_memory(LARGEST, regions=True)
        # Where files are opened again and again, that belongs to a batch, and Python does it.
        self._fetch = fetching() if len(catalogues) <= MOST_OPEN else None

    def steps(self) -> tuple[Step, ...]:
        """One: the call does not tell its phases apart."""
        perform = self._random if self.random else self._next
        return (Step("read", perform, at_once=self._at_once if self._fetch else None),)

    def _at_once(self, items: Sequence[ReadRequest], _compare: bool) -> AtOnce:
        """Each batch in one call of the harness, for which ids and places are made ready."""
        assert self._fetch is not None
        results: list[Records] = []
        times: list[int] = []
        took: list[int] = []
        failures: list[tuple[int, Exception]] = []
        for place, wanted in enumerate(items):
            batch, _ids = self._prepared(wanted)
            self._fetch(batch)
            times.append(batch.took)
            if batch.batch:
                results.append(self._records(wanted, batch.batch, batch.got))
                took.append(batch.took)
            else:
                source = self.sources[wanted.file]
                source.at = -1
                failures.append((place, source.handle.lost(batch.first)))
        return AtOnce(results, took, sum(times), failures)

    def _prepared(self, wanted: ReadRequest) -> tuple[NativeBatch, Ids | None]:
        """What is wanted as the harness takes it, and the memory in which ids are."""
        source = self.sources[wanted.file]
        batch = NativeBatch(
            file=source.handle.pointer,
            stream=source.handle.stream,
            first=-1,
            threads=self.threads,
            count=len(wanted.numbers),
        )
        if self.random:
            ids = self.ids(wanted)
            batch.ids = ctypes.addressof(ids)
            return batch, ids
        first, end = self.extent(wanted)
        if source.at != first:
            batch.first = first
        source.at = end
        return batch, None

    def _next(self, wanted: ReadRequest) -> Records:
        source = self.placed(wanted)
        return self._called(
            wanted, source, lambda mt, batch, n: slow5().slow5_get_next_batch(mt, batch, n)
        )

    def _random(self, wanted: ReadRequest) -> Records:
        ids = self.ids(wanted)
        return self._called(
            wanted,
            self.sources[wanted.file],
            lambda mt, batch, n: slow5().slow5_get_batch(mt, batch, ids, n),
        )

    def _called(
        self, wanted: ReadRequest, source: RecordSource, call: Callable[[int, int, int], int]
    ) -> Records:
        library, count = slow5(), len(wanted.numbers)
        batch = library.slow5_init_batch(count)
        threads = library.slow5_init_mt(self.threads, source.handle.pointer)
        got = call(threads, batch, count)
        library.slow5_free_mt(threads)
        return self._records(wanted, batch, got)

    def _records(self, wanted: ReadRequest, batch: int, got: int) -> Records:
        source, stored = self.sources[wanted.file], self.stored(wanted)
        records = Records(source, got, stored, lambda: slow5().slow5_free_batch(batch))
        ctypes.memmove(records.pointers, Slow5Batch.from_address(batch).slow5_rec, _POINTER * got)
        return records

    @override
    def counters(self) -> Mapping[str, float]:
        """With whether batches are called in C; Python's calls wait for the interpreter."""
        return {**super().counters(), "batches in C": float(self._fetch is not None)}
