"""BLOW5 by slow5lib's C functions: a task for each record, or slow5lib's own calls for a batch."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import Structure, byref, c_char_p, c_int, c_int64, c_void_p, sizeof
from functools import lru_cache
from typing import override

from core import AtOnce, Step
from workloads.shared.native import LARGEST, keep_freed_memory
from workloads.signal import thread_pools
from workloads.signal.blow5_batches import (
    Ids,
    NativeWorkers,
    RawRecords,
    Records,
    RecordSource,
    workers_for,
)
from workloads.signal.signal_jobs import MOST_OPEN, ReadRequest, SignalJob, SignalReads
from workloads.signal.slow5lib import Slow5Batch, Slow5Error, indexes_of, slow5


class Blow5Job(SignalJob):
    """Files of slow5lib's, with indexes from the cache folder where reads are fetched by id."""

    def __init__(self, reads: SignalReads) -> None:
        super().__init__(reads)
        catalogues, cache = reads.catalogues, reads.cache
        indexes = indexes_of(catalogues, cache) if reads.by_id else [None] * len(catalogues)
        self.source = lru_cache(MOST_OPEN)(
            lambda number: RecordSource(catalogues[number].path, cache, indexes[number])
        )
        for number in range(min(len(catalogues), MOST_OPEN)):
            self.source(number)

    def extent(self, request: ReadRequest) -> tuple[int, int]:
        places = self.catalogues[request.file].places
        first, last = places[request.numbers[0]], places[request.numbers[-1]]
        return first.at, last.at + last.bytes

    def c_ids(self, request: ReadRequest) -> Ids:
        return (c_char_p * len(request.numbers))(*(one.encode() for one in self.ids(request)))

    def close(self) -> None:
        self.source.cache_clear()


class PoolJob(Blow5Job):
    """One thread fetches the raw records of a batch, then a pool decodes them, a task for each."""

    task = thread_pools.DECODE

    def __init__(self, reads: SignalReads) -> None:
        super().__init__(reads)
        self._workers = workers_for(reads.threads)
        self._free = thread_pools.freeing_each(slow5().slow5_rec_free)

    def steps(self) -> tuple[Step, ...]:
        """In order fetching and decoding; by id both in one task, while the record is at hand."""
        if self.by_id:
            return (Step("read", lambda item: self._make(self._raw(item), self.c_ids(item))),)
        return self.fetching, Step("decode", self._make)

    @property
    def fetching(self) -> Step:
        """Fetching raw records, which by id the pool does."""
        return Step("disc", self._random if self.by_id else self._next)

    def _next(self, request: ReadRequest) -> RawRecords:
        raw, (first, end) = self._raw(request), self.extent(request)
        raw.source.stand(first)
        raw.source.at = -1  # unknown, should fetching fail
        with self._named_errors(request):
            self._workers.next(raw)
        raw.source.at = end
        return raw

    def _random(self, request: ReadRequest) -> RawRecords:
        raw, ids = self._raw(request), self.c_ids(request)
        with self._named_errors(request):
            self._workers.get(raw, ids)
        return raw

    def _raw(self, request: ReadRequest) -> RawRecords:
        return RawRecords(self.source(request.file), request, self.stored(request))

    @contextmanager
    def _named_errors(self, request: ReadRequest) -> Iterator[None]:
        try:
            yield
        except thread_pools.RecordFailed as failed:
            what = f"{self.read_of(request, failed.number)} of {self.file_of(request)}"
            cause = f"slow5lib cannot {failed.doing} {what}: {failed.why}"
            raise Slow5Error(cause) from None

    def _make(self, raw: RawRecords, ids: Ids | None = None) -> Records:
        records = Records(raw.source, len(raw), raw.bytes, self._free)
        with self._named_errors(raw.request):
            self._workers.make(self.task, raw, records, ids)
        return records

    def counters(self) -> Mapping[str, float]:
        """With whether the pool's threads are C's; Python's take turns at the interpreter."""
        return {**super().counters(), "pool in C": float(isinstance(self._workers, NativeWorkers))}

    def close(self) -> None:
        self._workers.close()
        super().close()


class ZstdJob(PoolJob):
    """As the pool, but this machine's zstd decompresses the records, not the one inside pyslow5."""

    task = thread_pools.UNPACK_AND_PARSE


class StagesJob(PoolJob):
    """As the pool, but decompressing all records of a batch comes before parsing them."""

    task = thread_pools.PARSE

    def steps(self) -> tuple[Step, ...]:
        """Parsing takes the signals with it, which slow5lib decompresses there."""
        return (self.fetching, Step("decompress", self._decompress), Step("parse", self._make))

    def _decompress(self, raw: RawRecords) -> RawRecords:
        method, _ = raw.source.handle.methods
        if method:
            with self._named_errors(raw.request):
                self._workers.decompress(raw)
        return raw


class RawRecordJob(PoolJob):
    def steps(self) -> tuple[Step, ...]:
        return (self.fetching,)

    def check(self, item: ReadRequest, result: RawRecords) -> str:  # type: ignore[override]
        one = self.catalogues[item.file]
        if len(result) != len(item.numbers):
            return f"{len(result):,} of {len(item.numbers):,} records"
        with one.path.open("rb", buffering=0) as file:
            for number, got in zip(item.numbers, result, strict=True):
                place = one.places[number]
                file.seek(place.at)
                stored = file.read(place.bytes)
                # Without the length before a record, or the end of a line.
                if got not in (stored[8:], stored[:-1]):
                    return "other bytes than a second look finds"
        return ""


_CALLS = [
    "slow5_init_batch",
    "slow5_init_mt",
    "slow5_free_mt",
    "slow5_get_next_batch",
    "slow5_get_batch",
]


class _Library(Structure):
    _fields_ = tuple((name, c_void_p) for name in _CALLS)


class NativeBatch(Structure):
    """`struct wanted` of the harness: a request, and what came of it."""

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
    harness = thread_pools.library()
    if harness is None:
        return None
    functions = {name: thread_pools.address(getattr(slow5(), name)) for name in _CALLS}
    library = _Library(**functions)

    def fetch(batch: NativeBatch) -> None:
        harness.signal_batch(byref(library), byref(batch))

    return fetch


_POINTER = sizeof(c_void_p)


class LibraryJob(Blow5Job):
    """slow5lib fetches a batch and decodes it with threads of its own, in one call."""

    def __init__(self, reads: SignalReads) -> None:
        super().__init__(reads)
        # A batch is freed between two, by another thread than those that will ask for as much
        # again; what then went back to the system would cost them a page fault for each page.
        keep_freed_memory(LARGEST, regions=True)
        # Where files are opened again and again, that belongs to a batch, and Python does it.
        self._fetch = fetching() if len(reads.catalogues) <= MOST_OPEN else None

    def steps(self) -> tuple[Step, ...]:
        """One: the call does not tell its phases apart."""
        return (Step("read", self._read, at_once=self._at_once if self._fetch else None),)

    def _at_once(self, items: Sequence[ReadRequest], _compare: bool) -> AtOnce:
        """Each batch in one call of the harness, for which ids and places are made ready."""
        assert self._fetch is not None
        results, took, time = list[Records](), list[int](), 0
        failures: list[tuple[int, Exception]] = []
        for place, item in enumerate(items):
            batch, _ids = self._prepared(item)
            self._fetch(batch)
            time += batch.took
            if batch.batch:
                results.append(self._records(item, batch.batch, batch.got))
                took.append(batch.took)
            else:
                source = self.source(item.file)
                source.at = -1
                failures.append((place, source.handle.seek_error(batch.first)))
        return AtOnce(results, took, time, failures)

    def _prepared(self, request: ReadRequest) -> tuple[NativeBatch, Ids | None]:
        """A request as the harness takes it, and the memory in which ids are."""
        source = self.source(request.file)
        batch = NativeBatch(
            file=source.handle.pointer,
            stream=source.handle.stream,
            first=-1,
            threads=self.threads,
            count=len(request.numbers),
        )
        if self.by_id:
            ids = self.c_ids(request)
            batch.ids = ctypes.addressof(ids)
            return batch, ids
        first, end = self.extent(request)
        if source.at != first:
            batch.first = first
        source.at = end
        return batch, None

    def _read(self, request: ReadRequest) -> Records:
        ids = self.c_ids(request) if self.by_id else None
        source, library, count = self.source(request.file), slow5(), len(request.numbers)
        if not self.by_id:
            first, end = self.extent(request)
            source.stand(first)
            source.at = end
        batch = library.slow5_init_batch(count)
        threads = library.slow5_init_mt(self.threads, source.handle.pointer)
        if ids is None:
            got = library.slow5_get_next_batch(threads, batch, count)
        else:
            got = library.slow5_get_batch(threads, batch, ids, count)
        library.slow5_free_mt(threads)
        return self._records(request, batch, got)

    def _records(self, request: ReadRequest, batch: int, got: int) -> Records:
        source, free_batch = self.source(request.file), slow5().slow5_free_batch
        records = Records(source, got, self.stored(request), lambda _: free_batch(batch))
        ctypes.memmove(records.pointers, Slow5Batch.from_address(batch).slow5_rec, _POINTER * got)
        return records

    @override
    def counters(self) -> Mapping[str, float]:
        """With whether batches are called in C; Python's calls wait for the interpreter."""
        return {**super().counters(), "batches in C": float(self._fetch is not None)}
