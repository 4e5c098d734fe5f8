"""POD5 by lib_pod5's C functions: `pod5-c-io` and `pod5-c-mmap`.

They are called through ctypes, on the library inside its wheel; the GIL is let go.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from ctypes import Structure, byref, c_int, c_int16, c_int64, c_size_t, c_uint16, c_void_p, sizeof
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID

from core import Step, Unavailable
from workloads.signal import thread_pools
from workloads.signal.reads import NONE, Read, Sums, sample_facts
from workloads.signal.signal_jobs import MOST_OPEN, Pod5Error, Pod5Job, ReadRequest, SignalReads
from workloads.signal.signal_parameters import LIB_POD5_DRIVER
from workloads.signal.slow5lib import declare, libc, require_series, samples_at
from workloads.signal.thread_pools import NativePool, PythonPool, RecordFailed, TaskBatch

_POINTER = sizeof(c_void_p)
ROW_VERSION = 3
"""Of the structure `Row`."""
_P = c_void_p
_SIGNATURES: dict[str, tuple[Any, tuple[Any, ...]]] = {
    "pod5_init": (c_int, ()),
    "pod5_get_error_string": (ctypes.c_char_p, ()),
    "pod5_open_file_options": (_P, (ctypes.c_char_p, _P)),
    "pod5_close_and_free_reader": (c_int, (_P,)),
    "pod5_get_read_batch_count": (c_int, (_P, _P)),
    "pod5_get_read_batch": (c_int, (_P, _P, c_size_t)),
    "pod5_free_read_batch": (c_int, (_P,)),
    "pod5_get_read_batch_row_info_data": (c_int, (_P, c_size_t, c_uint16, _P, _P)),
    "pod5_get_run_info": (c_int, (_P, c_int16, _P)),
    "pod5_free_run_info": (c_int, (_P,)),
    "pod5_get_read_complete_signal": (c_int, (_P, _P, c_size_t, c_size_t, _P)),
    "pod5_plan_traversal": (c_int, (_P, _P, c_size_t, _P, _P, _P)),
}


class ReadRow(Structure):
    """`struct ReadBatchRowInfoV3`."""

    _fields_ = (
        ("read_id", ctypes.c_uint8 * 16),
        ("read_number", ctypes.c_uint32),
        ("start_sample", ctypes.c_uint64),
        ("median_before", ctypes.c_float),
        ("channel", c_uint16),
        ("well", ctypes.c_uint8),
        ("pore_type", c_int16),
        ("calibration_offset", ctypes.c_float),
        ("calibration_scale", ctypes.c_float),
        ("end_reason", c_int16),
        ("end_reason_forced", ctypes.c_uint8),
        ("run_info", c_int16),
        ("num_minknow_events", ctypes.c_uint64),
        ("tracked_scaling_scale", ctypes.c_float),
        ("tracked_scaling_shift", ctypes.c_float),
        ("predicted_scaling_scale", ctypes.c_float),
        ("predicted_scaling_shift", ctypes.c_float),
        ("num_reads_since_mux_change", ctypes.c_uint32),
        ("time_since_mux_change", ctypes.c_float),
        ("signal_row_count", c_int64),
        ("num_samples", ctypes.c_uint64),
    )


class _Pairs(Structure):
    _fields_ = (("size", c_size_t), ("keys", _P), ("values", _P))


class RunInfo(Structure):
    _fields_ = (
        ("acquisition_id", ctypes.c_char_p),
        ("acquisition_start_time_ms", c_int64),
        ("adc_max", c_int16),
        ("adc_min", c_int16),
        ("context_tags", _Pairs),
        ("experiment_name", ctypes.c_char_p),
        ("flow_cell_id", ctypes.c_char_p),
        ("flow_cell_product_code", ctypes.c_char_p),
        ("protocol_name", ctypes.c_char_p),
        ("protocol_run_id", ctypes.c_char_p),
        ("protocol_start_time_ms", c_int64),
        ("sample_id", ctypes.c_char_p),
        ("sample_rate", c_uint16),
        ("sequencing_kit", ctypes.c_char_p),
        ("sequencer_position", ctypes.c_char_p),
    )


@lru_cache
def pod5() -> Any:
    """The library, its functions declared; raises Unavailable."""
    require_series(LIB_POD5_DRIVER, "0.3.")
    package = find_spec(LIB_POD5_DRIVER.module)
    folder = Path(package.origin).parent if package and package.origin else Path()
    libraries = sorted(folder.glob("pod5_format_pybind*.so"))
    if not libraries:
        raise Unavailable("unavailable: lib_pod5 has no shared library here")
    loaded = ctypes.CDLL(str(libraries[0]))
    declare(loaded, _SIGNATURES, "lib_pod5")
    loaded.pod5_init()
    return loaded


def require(code: int, doing: str) -> None:
    """Raise Pod5Error unless the code says that all is well."""
    if code:
        reason = pod5().pod5_get_error_string()
        raise Pod5Error(f"lib_pod5 cannot {doing}: {(reason or b'').decode('utf-8', 'replace')}")


class Pod5Handle:
    def __init__(self, path: Path, *, mapped: bool) -> None:
        self.pointer = 0
        library = pod5()
        unmapped = b"\0" if mapped else b"\1"  # all that its options say
        self.pointer = library.pod5_open_file_options(str(path).encode(), unmapped) or 0
        require(not self.pointer, f"open {path}")
        count = c_size_t()
        require(library.pod5_get_read_batch_count(byref(count), self.pointer), "count batches")
        self.batches = count.value

    def plan(self, ids: bytes) -> list[tuple[int, int]]:
        """Batch and row of reads by the 16 bytes of their ids, in the order of the file."""
        count = len(ids) // 16
        counts, rows = (ctypes.c_uint32 * self.batches)(), (ctypes.c_uint32 * count)()
        matches = c_size_t()
        code = pod5().pod5_plan_traversal(self.pointer, ids, count, counts, rows, byref(matches))
        require(code, "plan the reads")
        if matches.value != count:
            raise Pod5Error(f"lib_pod5 finds {matches.value:,} of {count:,} reads")
        every = iter(rows)
        return [(batch, next(every)) for batch, n in enumerate(counts) for _ in range(n)]

    def __del__(self) -> None:
        self.close()

    def close(self) -> None:
        if self.pointer:
            pod5().pod5_close_and_free_reader(self.pointer)
            self.pointer = 0


class ReadBatch:
    """A batch of the table of reads; lives as long as somebody has it."""

    def __init__(self, handle: Pod5Handle, index: int) -> None:
        self.pointer = 0
        self.handle = handle  # must not be closed before
        self.index = index
        pointer = c_void_p()
        code = pod5().pod5_get_read_batch(byref(pointer), handle.pointer, index)
        require(code, f"read batch {index} of the reads")
        self.pointer = pointer.value or 0

    def __del__(self) -> None:
        if self.pointer:
            pod5().pod5_free_read_batch(self.pointer)


class _Places(NamedTuple):
    """Where reads are: batch and row of each."""

    handle: Pod5Handle
    rows: Sequence[tuple[int, int]]
    bytes: int


class _Batches(NamedTuple):
    """Rows with their batches of the table of reads."""

    places: _Places
    batches: Sequence[ReadBatch]


class _Records:
    """Read data in lib_pod5's memory, signals in ours; freed when nobody uses them any more."""

    def __init__(self, batches: _Batches) -> None:
        count = len(batches.batches)
        self.bytes = batches.places.bytes
        self.rows = (ReadRow * count)()
        self.infos = (c_void_p * count)()
        self.signals = (c_void_p * count)()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Read]:
        return self.reads({})

    def reads(self, sums: Sums) -> Iterator[Read]:
        for row, info, signal in zip(self.rows, self.infos, self.signals, strict=True):
            run = RunInfo.from_address(info)
            yield Read(
                str(UUID(bytes=bytes(row.read_id))),
                row.calibration_scale,
                row.calibration_offset,
                float(run.sample_rate),
                *sample_facts(samples_at(signal, row.num_samples), sums),
                row.channel,
                row.read_number,
                row.well,
                row.start_sample,
                _text(run.acquisition_id),
                _text(run.experiment_name),
                _text(run.flow_cell_id),
                _text(run.sequencer_position),
                str(run.acquisition_start_time_ms),
            )

    def __del__(self) -> None:
        free, give_back = libc().free, pod5().pod5_free_run_info
        for info, signal in zip(self.infos, self.signals, strict=True):
            if signal:
                free(signal)
            if info:
                give_back(info)


def _text(text: bytes | None) -> str:
    return (text or b"").decode("utf-8", "replace") or NONE


def native_pool_of(threads: int) -> NativePool | None:
    """Threads in C that call lib_pod5; None without a C compiler."""
    if thread_pools.library() is None:
        return None
    functions = {
        "row_info": "pod5_get_read_batch_row_info_data",
        "run_info": "pod5_get_run_info",
        "signal": "pod5_get_read_complete_signal",
        "words": "pod5_get_error_string",
    }
    return NativePool(threads, {name: getattr(pod5(), one) for name, one in functions.items()})


class NativePod5Job(Pod5Job):
    """Loads batches of the table of reads; a pool then fetches each signal in a task of its own."""

    def __init__(self, reads: SignalReads) -> None:
        super().__init__(reads)
        self._handle = lru_cache(MOST_OPEN)(self._open)
        self._batch: ReadBatch | None = None
        self._native = native_pool_of(reads.threads)
        self._pool = PythonPool(reads.threads) if self._native is None else None
        self._handle(0)

    def _open(self, number: int) -> Pod5Handle:
        path = self.catalogues[number].path
        with self.checked_mapping(path):
            return Pod5Handle(path, mapped=self.mapped)

    def steps(self) -> tuple[Step, ...]:
        """The steps; by id the plan comes first, which gives rows in the order of the file."""
        table, signal = Step("table", self._table), Step("signal", self._signals)
        return (Step("plan", self._plan), table, signal) if self.by_id else (table, signal)

    def _plan(self, request: ReadRequest) -> _Places:
        ids = b"".join(UUID(one).bytes for one in self.ids(request))
        handle = self._handle(request.file)
        return _Places(handle, handle.plan(ids), self.stored(request))

    def _table(self, request: ReadRequest | _Places) -> _Batches:
        if isinstance(request, ReadRequest):
            places = self.catalogues[request.file].places
            rows = [places[number][:2] for number in request.numbers]
            request = _Places(self._handle(request.file), rows, self.stored(request))
        batches = []
        for index, _ in request.rows:
            last = self._batch
            if last is None or last.handle is not request.handle or last.index != index:
                self._batch = last = ReadBatch(request.handle, index)
            batches.append(last)
        return _Batches(request, batches)

    def _signals(self, batches: _Batches) -> _Records:
        records = _Records(batches)
        fetch = self._in_python if self._native is None else self._in_c
        fetch(batches, records)
        return records

    def _in_c(self, batches: _Batches, records: _Records) -> None:
        assert self._native is not None
        count = len(records)
        tables = (c_void_p * count)(*(batch.pointer for batch in batches.batches))
        places = (ctypes.c_uint64 * count)(*(row for _, row in batches.places.rows))
        batch = TaskBatch(
            count=count,
            reader=batches.places.handle.pointer,
            tables=ctypes.addressof(tables),
            places=ctypes.addressof(places),
            rows=ctypes.addressof(records.rows),
            row_size=sizeof(ReadRow),
            run_at=ReadRow.run_info.offset,
            samples_at=ReadRow.num_samples.offset,
            infos=ctypes.addressof(records.infos),
            signals=ctypes.addressof(records.signals),
            row_version=ROW_VERSION,
        )
        try:
            self._native.run(thread_pools.READ_POD5, batch, "read", {})
        except RecordFailed as failed:
            cause = f"lib_pod5 cannot read number {failed.number + 1:,} of a batch: {failed.why}"
            raise Pod5Error(cause) from None

    def _in_python(self, batches: _Batches, records: _Records) -> None:
        library = pod5()
        row_info, run_info = library.pod5_get_read_batch_row_info_data, library.pod5_get_run_info
        signal, malloc = library.pod5_get_read_complete_signal, libc().malloc
        rows, signals = records.rows, records.signals
        rows_at, infos_at = ctypes.addressof(rows), ctypes.addressof(records.infos)
        reader, places = batches.places.handle.pointer, batches.places.rows
        pointers = [batch.pointer for batch in batches.batches]
        version, size = byref(c_uint16()), sizeof(ReadRow)

        def task(number: int) -> None:
            batch, row = pointers[number], places[number][1]
            require(row_info(batch, row, ROW_VERSION, rows_at + size * number, version), "read")
            data = rows[number]
            code = run_info(batch, data.run_info, infos_at + _POINTER * number)
            require(code, "tell the run of a read")
            samples = data.num_samples
            memory = malloc(2 * samples + 1)
            if not memory:
                raise Pod5Error(f"there is no memory for {samples:,} samples")
            signals[number] = memory
            require(signal(reader, batch, row, samples, memory), "read a signal")

        assert self._pool is not None
        self._pool.run(task, len(places))

    def counters(self) -> Mapping[str, float]:
        """With whether the pool's threads are C's; Python's take turns at the interpreter."""
        return {**super().counters(), "pool in C": float(self._native is not None)}

    def close(self) -> None:
        for pool in (self._native, self._pool):
            if pool is not None:
                pool.close()
        self._batch = None
        self._handle.cache_clear()
