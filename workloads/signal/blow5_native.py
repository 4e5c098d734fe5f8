"""BLOW5 by slow5lib's C functions: `blow5-c` and `blow5-pool`."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Iterator, Sequence
from ctypes import byref, c_char_p, c_size_t, c_uint64, c_void_p, sizeof
from pathlib import Path
from typing import Any

from core import Step, Tell, file_state, tell_nobody, written_once
from workloads.signal import blow5, slow5types
from workloads.signal.catalogue import Catalogue
from workloads.signal.jobs import Kept, SignalJob, Wanted
from workloads.signal.pool import Pool
from workloads.signal.reads import RUN, Read, channel_of, run_texts, sample_facts, scale_of
from workloads.signal.slow5header import WANTED
from workloads.signal.slow5lib import (
    Batch,
    Handle,
    Record,
    Slow5Error,
    aux_integer,
    failure,
    libc,
    samples_at,
    slow5,
)

_POINTER = sizeof(c_void_p)
_LONGEST_NAME = 100


class _Source:
    """An open file, where it stands, and which fields its records have."""

    def __init__(self, path: Path, cache: Path, index: Path | None) -> None:
        header = blow5.read_header(path)
        self.handle = Handle(opened_by_name(path, cache), path)
        self.kinds = {name: kind for name, kind in header.fields if name in WANTED}
        self.at = -1
        self._runs: dict[int, tuple[str, str, str, str, str]] = {}
        if index is not None:
            self.handle.load_index(index)

    def run(self, group: int) -> tuple[str, str, str, str, str]:
        """The texts of a read group."""
        if group not in self._runs:
            self._runs[group] = run_texts({name: self.handle.text(name, group) for name in RUN})
        return self._runs[group]


class _Records:
    """Decoded records in slow5lib's memory, freed when nobody uses them any more."""

    def __init__(self, source: _Source, count: int, size: int, free: Callable[[], object]) -> None:
        self.bytes = size
        self.pointers = (c_void_p * count)()
        self._source = source
        self._free = free

    def __len__(self) -> int:
        return len(self.pointers)

    def __iter__(self) -> Iterator[Read]:
        return map(self._read, self.pointers)

    def _read(self, address: int | None) -> Read:
        if not address:
            raise Slow5Error("slow5lib left a record out")
        record = Record.from_address(address)
        channel, number, mux, start = (self._field(address, name) for name in WANTED)
        return Read(
            record.read_id.decode("utf-8", "replace"),
            scale_of(record.range, record.digitisation),
            record.offset,
            record.sampling_rate,
            *sample_facts(samples_at(record.raw_signal, record.len_raw_signal)),
            channel_of(channel),
            number,
            mux,
            start,
            *self._source.run(record.read_group),
        )

    def _field(self, address: int, name: str) -> Any:
        """An auxiliary field by its type in the file; None for a missing one."""
        kind = self._source.kinds.get(name)
        if kind is None:
            return None
        if kind != slow5types.TEXT:
            return slow5types.present(kind, aux_integer(kind)(address, name.encode(), None))
        length = c_uint64()
        text = slow5().slow5_aux_get_string(address, name.encode(), byref(length), None)
        return ctypes.string_at(text, length.value).decode("utf-8", "replace") if text else None

    def __del__(self) -> None:
        self._free()


class _Blow5Job(SignalJob):
    """Files of slow5lib's, with indexes from the cache folder where reads are wanted by id."""

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        items: Sequence[Wanted],
        threads: int,
        cache: Path,
        *,
        by_id: bool,
    ) -> None:
        super().__init__(catalogues, items)
        self.threads = threads
        self.random = by_id
        indexes = indexes_of(catalogues, cache) if by_id else None
        self.sources = Kept(
            lambda number: _Source(
                catalogues[number].path, cache, indexes[number] if indexes else None
            )
        )
        for number in range(min(len(catalogues), 64)):
            self.sources[number]

    def placed(self, wanted: Wanted) -> _Source:
        """The file, standing where those reads begin."""
        source = self.sources[wanted.file]
        places = self.catalogues[wanted.file].places
        first, last = places[wanted.numbers[0]], places[wanted.numbers[-1]]
        if source.at != first.at:
            source.handle.seek(first.at)
        source.at = last.at + last.bytes
        return source

    def ids(self, wanted: Wanted) -> ctypes.Array[c_char_p]:
        """The ids as slow5lib takes them."""
        reads = self.catalogues[wanted.file].reads
        told = (reads[number].read_id.encode() for number in wanted.numbers)
        return (c_char_p * len(wanted.numbers))(*told)

    def close(self) -> None:
        """Close the files."""
        self.sources.clear()


class LibraryJob(_Blow5Job):
    """slow5lib fetches a batch and decodes it with threads of its own, in one call."""

    def steps(self) -> tuple[Step, ...]:
        """One: the call does not tell its phases apart."""
        return (Step("read", self._random if self.random else self._next),)

    def _next(self, wanted: Wanted) -> _Records:
        source = self.placed(wanted)
        return self._called(
            wanted, source, lambda mt, batch, n: slow5().slow5_get_next_batch(mt, batch, n)
        )

    def _random(self, wanted: Wanted) -> _Records:
        ids = self.ids(wanted)
        return self._called(
            wanted,
            self.sources[wanted.file],
            lambda mt, batch, n: slow5().slow5_get_batch(mt, batch, ids, n),
        )

    def _called(
        self, wanted: Wanted, source: _Source, call: Callable[[int, int, int], int]
    ) -> _Records:
        library, count = slow5(), len(wanted.numbers)
        batch = library.slow5_init_batch(count)
        threads = library.slow5_init_mt(self.threads, source.handle.pointer)
        got = call(threads, batch, count)
        library.slow5_free_mt(threads)
        records = _Records(
            source, got, self.stored(wanted), lambda: library.slow5_free_batch(batch)
        )
        ctypes.memmove(records.pointers, Batch.from_address(batch).slow5_rec, _POINTER * got)
        return records


class PoolJob(_Blow5Job):
    """One thread fetches the raw records of a batch, then a pool decodes them, a task for each."""

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        items: Sequence[Wanted],
        threads: int,
        cache: Path,
        *,
        by_id: bool,
    ) -> None:
        super().__init__(catalogues, items, threads, cache, by_id=by_id)
        self._pool = Pool(threads)
        # Not `libc()`: so short a call is not worth giving the GIL away.
        self._free_memory = ctypes.PyDLL(None).free
        self._free_memory.argtypes, self._free_memory.restype = (c_void_p,), None

    def steps(self) -> tuple[Step, ...]:
        """Fetching, which by id the pool does too, and decoding."""
        return (
            Step("disc", self._random if self.random else self._next),
            Step("decode", self._decode),
        )

    def _next(self, wanted: Wanted) -> RawRecords:
        source, raw = self.placed(wanted), self._raw(wanted)
        fetch, handle = slow5().slow5_get_next_bytes, source.handle.pointer
        memory, sizes = raw.addresses
        for number in range(len(wanted.numbers)):
            if fetch(memory, sizes, handle):
                source.at = -1
                raise self._failure("fetch", wanted, number)
            memory += _POINTER
            sizes += _POINTER
        return raw

    def _random(self, wanted: Wanted) -> RawRecords:
        raw, ids = self._raw(wanted), self.ids(wanted)
        fetch, handle = slow5().slow5_get_mem, self.sources[wanted.file].handle.pointer
        _, sizes = raw.addresses

        def task(number: int) -> None:
            found = fetch(ids[number], sizes + _POINTER * number, handle)
            if not found:
                raise self._failure("fetch", wanted, number)
            raw.memory[number] = found

        self._pool.run(task, len(ids))
        return raw

    def _raw(self, wanted: Wanted) -> RawRecords:
        return RawRecords(self.sources[wanted.file], wanted, self.stored(wanted))

    def _failure(self, doing: str, wanted: Wanted, number: int) -> Slow5Error:
        what = f"{self.read_of(wanted, number)} of {self.file_of(wanted)}"
        return Slow5Error(f"slow5lib cannot {doing} {what}: {failure()}")

    def _decode(self, raw: RawRecords) -> _Records:
        decode, handle = slow5().slow5_decode, raw.source.handle.pointer
        memory_at, sizes_at = raw.addresses

        def call(number: int, record_at: int) -> int:
            place = _POINTER * number
            return int(decode(memory_at + place, sizes_at + place, record_at, handle))

        return self._made(raw, call)

    def _made(self, raw: RawRecords, decode: Callable[[int, int], int]) -> _Records:
        """Records decoded by the pool; `decode` takes a number and the place for the pointer."""
        count, library = len(raw.memory), slow5()
        records = _Records(raw.source, count, raw.bytes, lambda: None)
        pointers = records.pointers
        free_record, free = library.slow5_rec_free, self._free_memory

        def give_back() -> None:
            for pointer in pointers:
                free_record(pointer)

        records._free = give_back
        memory, pointers_at = raw.memory, ctypes.addressof(pointers)

        def task(number: int) -> None:
            failed = decode(number, pointers_at + _POINTER * number)
            free(memory[number])
            memory[number] = None
            if failed:
                raise self._failure("decode", raw.wanted, number)

        self._pool.run(task, count)
        return records

    def close(self) -> None:
        """End the pool, close the files."""
        self._pool.close()
        super().close()


class StagesJob(PoolJob):
    """As the pool, but decompressing all records of a batch comes before parsing them."""

    def steps(self) -> tuple[Step, ...]:
        """Parsing takes the signals with it, which slow5lib decompresses there."""
        return (
            super().steps()[0],
            Step("decompress", self._decompress),
            Step("parse", self._parse),
        )

    def _decompress(self, raw: RawRecords) -> RawRecords:
        method, _ = raw.source.handle.methods
        depress, free, memory = slow5().slow5_ptr_depress_solo, self._free_memory, raw.memory
        _, sizes_at = raw.addresses
        sizes = raw.sizes

        def task(number: int) -> None:
            packed = memory[number]
            found = depress(method, packed, sizes[number], sizes_at + _POINTER * number)
            if not found:
                raise self._failure("decompress", raw.wanted, number)
            memory[number] = found
            free(packed)

        if method:
            self._pool.run(task, len(memory))
        return raw

    def _parse(self, raw: RawRecords) -> _Records:
        handle, library = raw.source.handle, slow5()
        _, signal = handle.methods
        parse, form, fields = library.slow5_rec_parse, handle.form, handle.aux_meta
        memory, sizes = raw.memory, raw.sizes

        def decode(number: int, record_at: int) -> int:
            return int(parse(memory[number], sizes[number], None, record_at, form, fields, signal))

        return self._made(raw, decode)


class RawRecords:
    """Raw records in slow5lib's memory, freed when nobody uses them any more."""

    def __init__(self, source: _Source, wanted: Wanted, size: int) -> None:
        count = len(wanted.numbers)
        self.source, self.wanted = source, wanted
        self.bytes = size
        self.memory = (c_void_p * count)()
        self.sizes = (c_size_t * count)()

    @property
    def addresses(self) -> tuple[int, int]:
        """Where the pointers and the sizes are."""
        return ctypes.addressof(self.memory), ctypes.addressof(self.sizes)

    def __len__(self) -> int:
        return len(self.memory)

    def __iter__(self) -> Iterator[bytes]:
        for address, size in zip(self.memory, self.sizes, strict=True):
            yield ctypes.string_at(address, size) if address else b""

    def __del__(self) -> None:
        free = libc().free
        for address in self.memory:
            if address:
                free(address)


class FetchJob(PoolJob):
    """Raw records that are left as they are."""

    def steps(self) -> tuple[Step, ...]:
        """Fetching alone."""
        return super().steps()[:1]

    def check(self, item: Wanted, result: RawRecords) -> str:  # type: ignore[override]
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


def indexes_of(
    catalogues: Sequence[Catalogue], cache: Path, tell: Tell = tell_nobody
) -> list[Path]:
    """slow5lib's index of every file, built in the cache folder where it is missing."""
    return [_index(one.path, cache, tell) for one in catalogues]


def _index(path: Path, cache: Path, tell: Tell) -> Path:
    tell(f"indexing {path.name}")
    link = linked(path, cache)
    index = link.with_name(link.name + ".idx")

    def build(unfinished: Path) -> None:
        handle = Handle(opened_by_name(path, cache), path)
        try:
            handle.write_index(unfinished)
        finally:
            handle.close()

    return written_once(index, build)


def opened_by_name(path: Path, cache: Path) -> Path:
    """What slow5lib is to open, which it names in its messages: the file itself.

    A link to it where its name is none that slow5lib takes for the content.
    """
    plain = str(path).isprintable() and path.name.endswith(_suffix(path))
    return path if plain else linked(path, cache)


def _suffix(path: Path) -> str:
    return ".slow5" if blow5.read_header(path).text else ".blow5"


def linked(path: Path, cache: Path) -> Path:
    """A link to the file in the cache folder, beside which slow5lib's index may be.

    Its name ends as slow5lib expects for the content, with any ending of the file's own name, and
    begins with that, so that it is recognised in slow5lib's messages.
    """
    name = re.sub(r"[^\w.-]", "_", path.stem, flags=re.ASCII)[:_LONGEST_NAME]
    link = cache / "slow5" / file_state(path) / f"{name}{_suffix(path)}"
    link.parent.mkdir(parents=True, exist_ok=True)
    return written_once(link, lambda unfinished: _link(unfinished, path))


def _link(unfinished: Path, target: Path) -> None:
    unfinished.unlink(missing_ok=True)  # left by a process that was killed
    unfinished.symlink_to(target.resolve())
