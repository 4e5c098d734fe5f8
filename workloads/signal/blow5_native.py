"""BLOW5 by slow5lib's C functions, a task for each record: `blow5-pool` and `blow5-zstd`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from ctypes import c_char_p
from pathlib import Path

from core import Step
from workloads.signal import pools
from workloads.signal.blow5_records import RawRecords, Records, RecordSource, indexes_of
from workloads.signal.blow5_workers import Ids, NativeWorkers, workers_for
from workloads.signal.catalogue import Catalogue
from workloads.signal.jobs import MOST_OPEN, OpenFiles, ReadRequest, SignalJob
from workloads.signal.pools import DECODE, PARSE, UNPACK_AND_PARSE, RecordFailed
from workloads.signal.slow5lib import Slow5Error, slow5


class Blow5Job(SignalJob):
    """Files of slow5lib's, with indexes from the cache folder where reads are wanted by id."""

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        items: Sequence[ReadRequest],
        threads: int,
        cache: Path,
        *,
        by_id: bool,
    ) -> None:
        super().__init__(catalogues, items)
        self.threads = threads
        self.random = by_id
        indexes = indexes_of(catalogues, cache) if by_id else None
        self.sources = OpenFiles(
            lambda number: RecordSource(
                catalogues[number].path, cache, indexes[number] if indexes else None
            )
        )
        for number in range(min(len(catalogues), MOST_OPEN)):
            self.sources[number]

    def placed(self, wanted: ReadRequest) -> RecordSource:
        """The file, standing where those reads begin."""
        source = self.sources[wanted.file]
        first, end = self.extent(wanted)
        if source.at != first:
            source.handle.seek(first)
        source.at = end
        return source

    def extent(self, wanted: ReadRequest) -> tuple[int, int]:
        """Where those reads begin and end in the file."""
        places = self.catalogues[wanted.file].places
        first, last = places[wanted.numbers[0]], places[wanted.numbers[-1]]
        return first.at, last.at + last.bytes

    def ids(self, wanted: ReadRequest) -> Ids:
        """The ids as slow5lib takes them."""
        reads = self.catalogues[wanted.file].reads
        told = (reads[number].read_id.encode() for number in wanted.numbers)
        return (c_char_p * len(wanted.numbers))(*told)

    def close(self) -> None:
        """Close the files."""
        self.sources.clear()


class PoolJob(Blow5Job):
    """One thread fetches the raw records of a batch, then a pool decodes them, a task for each."""

    task = DECODE

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
        self._workers = workers_for(threads)

    def steps(self) -> tuple[Step, ...]:
        """In order fetching and decoding; by id both in one task, while the record is at hand."""
        if self.random:
            return (Step("read", self._fetch_and_make),)
        return self.fetching, Step("decode", self._make)

    @property
    def fetching(self) -> Step:
        """Fetching raw records, which by id the pool does."""
        return Step("disc", self._random if self.random else self._next)

    def _next(self, wanted: ReadRequest) -> RawRecords:
        source, raw = self.placed(wanted), self._raw(wanted)
        at, source.at = source.at, -1  # unknown, should fetching fail
        with self._naming(wanted):
            self._workers.next(raw)
        source.at = at
        return raw

    def _random(self, wanted: ReadRequest) -> RawRecords:
        raw, ids = self._raw(wanted), self.ids(wanted)
        with self._naming(wanted):
            self._workers.get(raw, ids)
        return raw

    def _raw(self, wanted: ReadRequest) -> RawRecords:
        return RawRecords(self.sources[wanted.file], wanted, self.stored(wanted))

    @contextmanager
    def _naming(self, wanted: ReadRequest) -> Iterator[None]:
        try:
            yield
        except RecordFailed as failed:
            what = f"{self.read_of(wanted, failed.number)} of {self.file_of(wanted)}"
            told = f"slow5lib cannot {failed.doing} {what}: {failed.why}"
            raise Slow5Error(told) from None

    def _fetch_and_make(self, wanted: ReadRequest) -> Records:
        return self._make(self._raw(wanted), self.ids(wanted))

    def _make(self, raw: RawRecords, ids: Ids | None = None) -> Records:
        def give_back() -> None:
            pools.free_each(records.pointers, slow5().slow5_rec_free)

        records = Records(raw.source, len(raw), raw.bytes, lambda: None)
        records.free = give_back
        with self._naming(raw.wanted):
            self._workers.make(self.task, raw, records, ids)
        return records

    def counters(self) -> Mapping[str, float]:
        """With whether the pool's threads are C's; Python's take turns at the interpreter."""
        return {**super().counters(), "pool in C": float(isinstance(self._workers, NativeWorkers))}

    def close(self) -> None:
        """End the pool, close the files."""
        self._workers.close()
        super().close()


class ZstdJob(PoolJob):
    """As the pool, but this machine's zstd decompresses the records, not the one inside pyslow5."""

    task = UNPACK_AND_PARSE


class StagesJob(PoolJob):
    """As the pool, but decompressing all records of a batch comes before parsing them."""

    task = PARSE

    def steps(self) -> tuple[Step, ...]:
        """Parsing takes the signals with it, which slow5lib decompresses there."""
        return (
            self.fetching,
            Step("decompress", self._decompress),
            Step("parse", self._make),
        )

    def _decompress(self, raw: RawRecords) -> RawRecords:
        method, _ = raw.source.handle.methods
        if method:
            with self._naming(raw.wanted):
                self._workers.decompress(raw)
        return raw


class RawRecordJob(PoolJob):
    """Raw records that are left as they are."""

    def steps(self) -> tuple[Step, ...]:
        """Fetching alone."""
        return (self.fetching,)

    def check(self, item: ReadRequest, result: RawRecords) -> str:  # type: ignore[override]
        """Compare with the bytes of a second read."""
        one = self.catalogues[item.file]
        if len(result) != len(item.numbers):
            return f"{len(result):,} of {len(item.numbers):,} records"
        with one.path.open("rb", buffering=0) as file:
            for number, got in zip(item.numbers, result, strict=True):
                place = one.places[number]
                file.seek(place.at)
                found = file.read(place.bytes)
                if got not in (found[8:], found[:-1]):  # without the length before, the line's end
                    return "other bytes than a second look finds"
        return ""
