"""POD5 by lib_pod5's C functions: `pod5-c-io` and `pod5-c-mmap`."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping, Sequence
from ctypes import byref, c_uint16, c_uint64, c_void_p, sizeof
from uuid import UUID

from core import Step
from workloads.signal.lib_pod5 import (
    ROW_VERSION,
    Pod5Error,
    Pod5Handle,
    ReadBatch,
    ReadRow,
    mapped_bytes,
    pod5,
    proved_mapping,
    require,
    run_info_at,
)
from workloads.signal.reads import NONE, Read, sample_facts
from workloads.signal.signal_jobs import OpenFiles, ReadRequest, SignalJob, SignalReads
from workloads.signal.slow5lib import libc, samples_at
from workloads.signal.thread_pools import (
    READ_POD5,
    NativePool,
    PythonPool,
    RecordFailed,
    TaskBatch,
    library,
)

_POINTER = sizeof(c_void_p)


class _Places:
    def __init__(self, handle: Pod5Handle, rows: Sequence[tuple[int, int]], size: int) -> None:
        self.handle, self.rows, self.bytes = handle, rows, size


class _Batches:
    """Rows with their batches of the table of reads."""

    def __init__(self, places: _Places, batches: Sequence[ReadBatch]) -> None:
        self.places, self.batches = places, batches


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
        for row, info, signal in zip(self.rows, self.infos, self.signals, strict=True):
            run = run_info_at(info)
            yield Read(
                str(UUID(bytes=bytes(row.read_id))),
                row.calibration_scale,
                row.calibration_offset,
                float(run.sample_rate),
                *sample_facts(samples_at(signal, row.num_samples)),
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


def _text(told: bytes | None) -> str:
    return (told or b"").decode("utf-8", "replace") or NONE


def native_pool_of(threads: int) -> NativePool | None:
    """Threads in C that call lib_pod5; None without a C compiler."""
    if library() is None:
        return None
    pod5_library = pod5()
    calls = {
        "row_info": pod5_library.pod5_get_read_batch_row_info_data,
        "run_info": pod5_library.pod5_get_run_info,
        "signal": pod5_library.pod5_get_read_complete_signal,
        "words": pod5_library.pod5_get_error_string,
    }
    return NativePool(threads, calls)


class NativePod5Job(SignalJob):
    """Loads batches of the table of reads; a pool then fetches each signal in a task of its own."""

    def __init__(self, wanted: SignalReads) -> None:
        super().__init__(wanted)
        self._handles = OpenFiles(self._open)
        self._batch: ReadBatch | None = None
        self._native = native_pool_of(wanted.threads)
        self._pool = PythonPool(wanted.threads) if self._native is None else None
        self._handles[0]

    def _open(self, number: int) -> Pod5Handle:
        path = self.catalogues[number].path
        with proved_mapping(path, wanted=self.mapped):
            return Pod5Handle(path, mapped=self.mapped)

    def steps(self) -> tuple[Step, ...]:
        """The steps; by id the plan comes first, which gives rows in the order of the file."""
        rest = Step("table", self._table), Step("signal", self._signal)
        return (Step("plan", self._plan), *rest) if self.by_id else (rest[0], rest[1])

    def _placed(self, wanted: ReadRequest) -> _Places:
        places = self.catalogues[wanted.file].places
        rows = [places[number][:2] for number in wanted.numbers]
        return _Places(self._handles[wanted.file], rows, self.stored(wanted))

    def _plan(self, wanted: ReadRequest) -> _Places:
        reads = self.catalogues[wanted.file].reads
        ids = b"".join(UUID(reads[number].read_id).bytes for number in wanted.numbers)
        handle = self._handles[wanted.file]
        return _Places(handle, handle.plan(ids), self.stored(wanted))

    def _table(self, wanted: ReadRequest | _Places) -> _Batches:
        places = wanted if isinstance(wanted, _Places) else self._placed(wanted)
        return _Batches(places, [self._batch_of(places.handle, index) for index, _ in places.rows])

    def _batch_of(self, handle: Pod5Handle, index: int) -> ReadBatch:
        last = self._batch
        if last is None or last.handle is not handle or last.index != index:
            self._batch = last = handle.batch(index)
        return last

    def _signal(self, batches: _Batches) -> _Records:
        records = _Records(batches)
        fetch = self._in_python if self._native is None else self._in_c
        fetch(batches, records)
        return records

    def _in_c(self, batches: _Batches, records: _Records) -> None:
        assert self._native is not None
        count = len(records)
        tables = (c_void_p * count)(*(batch.pointer for batch in batches.batches))
        places = (c_uint64 * count)(*(row for _, row in batches.places.rows))
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
            self._native.run(READ_POD5, batch, "read", {})
        except RecordFailed as failed:
            told = f"lib_pod5 cannot read number {failed.number + 1:,} of a batch: {failed.why}"
            raise Pod5Error(told) from None

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
            told = rows[number]
            code = run_info(batch, told.run_info, infos_at + _POINTER * number)
            require(code, "tell the run of a read")
            samples = told.num_samples
            memory = malloc(2 * samples + 1)
            if not memory:
                raise Pod5Error(f"there is no memory for {samples:,} samples")
            signals[number] = memory
            require(signal(reader, batch, row, samples, memory), "read a signal")

        assert self._pool is not None
        self._pool.run(task, len(places))

    def counters(self) -> Mapping[str, float]:
        """With the bytes of the files that are mapped, by the process's maps."""
        mapped = sum(mapped_bytes(one.path) or 0 for one in self.catalogues)
        in_c = float(self._native is not None)
        return {**super().counters(), "bytes mapped": mapped, "pool in C": in_c}

    def close(self) -> None:
        for pool in (self._native, self._pool):
            if pool is not None:
                pool.close()
        self._batch = None
        self._handles.clear()
