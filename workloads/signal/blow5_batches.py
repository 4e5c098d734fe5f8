"""BLOW5 in slow5lib's memory: records as they are in the file, decoded, and who does that.

The tasks of a batch are done by threads in C, or by Python's where there is no compiler.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from ctypes import byref, c_char_p, c_size_t, c_uint64, c_void_p, sizeof
from functools import partial
from pathlib import Path
from typing import Any

from workloads.signal import slow5_fields_oracle, slow5_records_oracle, slow5lib, thread_pools
from workloads.signal.reads import (
    AUXILIARY,
    RUN,
    Read,
    Run,
    Sums,
    blow5_read,
    run_texts,
    sample_facts,
)
from workloads.signal.signal_jobs import ReadRequest
from workloads.signal.thread_pools import NativePool, PythonPool, RecordFailed, TaskBatch
from workloads.signal.zstd_libraries import zstd_here

_POINTER = sizeof(c_void_p)
type Ids = ctypes.Array[c_char_p]


class RecordSource:
    """An open file, where it stands, and which fields its records have."""

    def __init__(self, path: Path, cache: Path, index: Path | None) -> None:
        header = slow5_records_oracle.read_header(path)
        self.handle = slow5lib.Slow5Handle(slow5lib.opened_by_name(path, cache), path)
        self.fields = {
            name: _aux_text(name)
            if kind == slow5_fields_oracle.TEXT
            else slow5lib.aux_integer(kind, name)
            for name, kind in header.fields
            if name in AUXILIARY
        }
        """The function that gives each of a record, by its type in the file."""
        self.at = -1
        self._runs: dict[int, Run] = {}
        if index is not None:
            self.handle.load_index(index)

    def stand(self, at: int) -> None:
        """Go where a record begins."""
        if self.at != at:
            self.handle.seek(at)
        self.at = at

    def run(self, group: int) -> Run:
        if group not in self._runs:
            self._runs[group] = run_texts({name: self.handle.text(name, group) for name in RUN})
        return self._runs[group]


def _aux_text(name: str) -> Callable[[int], str | None]:
    """The function that gives an auxiliary field of text; None for a missing one."""
    get, encoded = slow5lib.slow5().slow5_aux_get_string, name.encode()

    def value(record: int) -> str | None:
        length = c_uint64()
        text = get(record, encoded, byref(length), None)
        return ctypes.string_at(text, length.value).decode("utf-8", "replace") if text else None

    return value


class Records:
    """Decoded records in slow5lib's memory, freed when nobody uses them any more."""

    def __init__(
        self, source: RecordSource, count: int, size: int, free: Callable[[Any], object]
    ) -> None:
        self.bytes = size
        self.pointers = (c_void_p * count)()
        self._source, self._free = source, free

    def __len__(self) -> int:
        return len(self.pointers)

    def __iter__(self) -> Iterator[Read]:
        return self.reads({})

    def reads(self, sums: Sums) -> Iterator[Read]:
        return (self._read(address, sums) for address in self.pointers)

    def _read(self, address: int | None, sums: Sums) -> Read:
        if not address:
            raise slow5lib.Slow5Error("slow5lib left a record out")
        record = slow5lib.Slow5Record.from_address(address)
        return blow5_read(
            record.read_id.decode("utf-8", "replace"),
            (record.digitisation, record.offset, record.range, record.sampling_rate),
            sample_facts(slow5lib.samples_at(record.raw_signal, record.len_raw_signal), sums),
            partial(self._field, address),
            self._source.run(record.read_group),
        )

    def _field(self, address: int, name: str) -> int | str | None:
        get = self._source.fields.get(name)
        return None if get is None else get(address)

    def __del__(self) -> None:
        self._free(self.pointers)


class RawRecords:
    """Raw records in slow5lib's memory, freed when nobody uses them any more."""

    def __init__(self, source: RecordSource, request: ReadRequest, size: int) -> None:
        count = len(request.numbers)
        self.source, self.request = source, request
        self.bytes = size
        self.memory = (c_void_p * count)()
        self.sizes = (c_size_t * count)()

    def addresses(self, number: int = 0) -> tuple[int, int]:
        """Where the pointer to a record and its size are."""
        offset = _POINTER * number
        return ctypes.addressof(self.memory) + offset, ctypes.addressof(self.sizes) + offset

    def __len__(self) -> int:
        return len(self.memory)

    def __iter__(self) -> Iterator[bytes]:
        for address, size in zip(self.memory, self.sizes, strict=True):
            yield ctypes.string_at(address, size) if address else b""

    def __del__(self) -> None:
        free = slow5lib.libc().free
        for address in self.memory:
            if address:
                free(address)


class NativeWorkers:
    """Threads in C: each method is one call, which does a task for each record of a batch.

    RecordFailed tells of the first failure.
    """

    def __init__(self, threads: int) -> None:
        library, zstd = slow5lib.slow5(), zstd_here()
        calls = {
            "next_bytes": library.slow5_get_next_bytes,
            "get_mem": library.slow5_get_mem,
            "decode": library.slow5_decode,
            "depress": library.slow5_ptr_depress_solo,
            "parse": library.slow5_rec_parse,
            "error_at": library.slow5_errno_location,
        }
        if zstd is not None:
            calls |= {
                "new_unpacker": zstd.ZSTD_createDCtx,
                "free_unpacker": zstd.ZSTD_freeDCtx,
                "unpack": zstd.ZSTD_decompressDCtx,
                "unpacked_size": zstd.ZSTD_getFrameContentSize,
                "is_error": zstd.ZSTD_isError,
            }
        self._pool = NativePool(threads, calls)

    def next(self, raw: RawRecords) -> None:
        """Fetch the file's next raw records; the caller's thread alone."""
        self._pool.next(_batch(raw), slow5lib.MEANINGS)

    def get(self, raw: RawRecords, ids: Ids) -> None:
        """Fetch raw records by their ids."""
        batch = _batch(raw, ids=ctypes.addressof(ids))
        self._pool.run(thread_pools.GET, batch, "fetch", slow5lib.MEANINGS)

    def decompress(self, raw: RawRecords) -> None:
        """Decompress them in their places, as slow5lib does."""
        self._pool.run(thread_pools.DECOMPRESS, _batch(raw), "decompress", slow5lib.MEANINGS)

    def make(self, task: int, raw: RawRecords, records: Records, ids: Ids | None) -> None:
        """Make records of raw ones, whose memory is freed: DECODE, PARSE or UNPACK_AND_PARSE.

        With ids the raw ones are fetched first.
        """
        batch = _batch(raw, records=ctypes.addressof(records.pointers))
        batch.ids = None if ids is None else ctypes.addressof(ids)
        self._pool.run(task, batch, "decode", slow5lib.MEANINGS)

    def close(self) -> None:
        self._pool.close()


def _batch(raw: RawRecords, **more: int) -> TaskBatch:
    handle = raw.source.handle
    memory, sizes = raw.addresses()
    record, signal = handle.methods
    return TaskBatch(
        count=len(raw),
        memory=memory,
        sizes=sizes,
        file=handle.pointer,
        fields=handle.aux_meta,
        form=handle.form,
        record_method=record,
        signal_method=signal,
        **more,
    )


class PythonWorkers:
    """Python's threads do the same, with a call through ctypes for each record and task."""

    def __init__(self, threads: int) -> None:
        self._pool = PythonPool(threads)
        # Not `libc()`: so short a call is not worth giving the GIL away.
        self._free = ctypes.PyDLL(None).free
        self._free.argtypes, self._free.restype = (c_void_p,), None

    def next(self, raw: RawRecords) -> None:
        fetch, handle = slow5lib.slow5().slow5_get_next_bytes, raw.source.handle.pointer
        for number in range(len(raw)):
            if fetch(*raw.addresses(number), handle):
                raise RecordFailed("fetch", number, slow5lib.failure())

    def get(self, raw: RawRecords, ids: Ids) -> None:
        fetch, handle = slow5lib.slow5().slow5_get_mem, raw.source.handle.pointer

        def task(number: int) -> None:
            record = fetch(ids[number], raw.addresses(number)[1], handle)
            if not record:
                raise RecordFailed("fetch", number, slow5lib.failure())
            raw.memory[number] = record

        self._pool.run(task, len(raw))

    def decompress(self, raw: RawRecords) -> None:
        method, _ = raw.source.handle.methods
        depress, memory, sizes = slow5lib.slow5().slow5_ptr_depress_solo, raw.memory, raw.sizes

        def task(number: int) -> None:
            packed = memory[number]
            unpacked = depress(method, packed, sizes[number], raw.addresses(number)[1])
            if not unpacked:
                raise RecordFailed("decompress", number, slow5lib.failure())
            memory[number] = unpacked
            self._free(packed)

        self._pool.run(task, len(raw))

    def make(self, task: int, raw: RawRecords, records: Records, ids: Ids | None) -> None:
        if ids is not None:
            self.get(raw, ids)
        decodings = {
            thread_pools.DECODE: _decoding,
            thread_pools.PARSE: _parsing,
            thread_pools.UNPACK_AND_PARSE: self._unpacking,
        }
        decode, memory = decodings[task](raw), raw.memory
        pointers_at = ctypes.addressof(records.pointers)

        def one(number: int) -> None:
            try:
                if decode(number, pointers_at + _POINTER * number):
                    raise RecordFailed("decode", number, slow5lib.failure())
            finally:
                self._free(memory[number])
                memory[number] = None

        self._pool.run(one, len(raw))

    def _unpacking(self, raw: RawRecords) -> Callable[[int, int], int]:
        zstd, memory, sizes = zstd_here(), raw.memory, raw.sizes
        parse, malloc = _parsing(raw), slow5lib.libc().malloc

        def unpack(number: int, record_at: int) -> int:
            packed, size = memory[number], sizes[number]
            content = zstd.ZSTD_getFrameContentSize(packed, size)
            # zstd's two highest numbers mean "unknown" and "wrong".
            unpacked = malloc(content) if 0 < content < 1 << 62 else None
            if not unpacked:
                raise RecordFailed("decode", number, thread_pools.NOT_UNPACKED)
            memory[number] = unpacked
            sizes[number] = zstd.ZSTD_decompress(unpacked, content, packed, size)
            self._free(packed)
            if sizes[number] != content:
                raise RecordFailed("decode", number, thread_pools.NOT_UNPACKED)
            return parse(number, record_at)

        return unpack

    def close(self) -> None:
        self._pool.close()


def _decoding(raw: RawRecords) -> Callable[[int, int], int]:
    decode, handle = slow5lib.slow5().slow5_decode, raw.source.handle.pointer
    return lambda number, record_at: int(decode(*raw.addresses(number), record_at, handle))


def _parsing(raw: RawRecords) -> Callable[[int, int], int]:
    handle, memory, sizes = raw.source.handle, raw.memory, raw.sizes
    form, fields, (_, signal) = handle.form, handle.aux_meta, handle.methods
    parse = slow5lib.slow5().slow5_rec_parse
    return lambda number, record_at: int(
        parse(memory[number], sizes[number], None, record_at, form, fields, signal)
    )


def workers_for(threads: int) -> NativeWorkers | PythonWorkers:
    return PythonWorkers(threads) if thread_pools.library() is None else NativeWorkers(threads)
