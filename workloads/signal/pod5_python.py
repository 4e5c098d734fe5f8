"""POD5 by the pod5 package: `pod5-io` and `pod5-mmap`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from threading import Lock, local
from typing import Any

from core import Step
from workloads.signal.catalogue import Catalogue
from workloads.signal.jobs import OpenFiles, ReadRequest, SignalJob
from workloads.signal.podlib import Pod5Error, mapped_bytes, proved_mapping
from workloads.signal.pools import PythonPool
from workloads.signal.reads import NONE, Read, sample_facts, started

_SWITCH = "POD5_DISABLE_MMAP_OPEN"


class _Records:
    """Records of pod5's with their signals."""

    def __init__(self, count: int, size: int) -> None:
        self.bytes = size
        self.found: list[tuple[Any, Any]] = [(None, None)] * count

    def __len__(self) -> int:
        return len(self.found)

    def __iter__(self) -> Iterator[Read]:
        for record, signal in self.found:
            run, pore, calibration = record.run_info, record.pore, record.calibration
            yield Read(
                str(record.read_id),
                calibration.scale,
                calibration.offset,
                float(run.sample_rate),
                *sample_facts(signal),
                pore.channel,
                record.read_number,
                pore.well,
                record.start_sample,
                run.acquisition_id or NONE,
                run.experiment_name or NONE,
                run.flow_cell_id or NONE,
                run.sequencer_position or NONE,
                started(run.acquisition_start_time),
            )


class _Opened:
    """One thread's reader of one file, with the batch of the table that it read last."""

    def __init__(self, path: Path, *, mapped: bool) -> None:
        import pod5

        # The library looks at it whenever it opens a file.
        if mapped:
            os.environ.pop(_SWITCH, None)
        else:
            os.environ[_SWITCH] = "1"
        try:
            self.reader = pod5.Reader(path)
        except RuntimeError as error:
            raise Pod5Error(f"pod5 cannot open {path}: {error}") from error
        self._batch: tuple[int, Any] = (-1, None)

    def record(self, batch: int, row: int) -> Any:
        """The record of a row."""
        if self._batch[0] != batch:
            self._batch = (batch, self.reader.get_batch(batch))
        return self._batch[1].get_read(row)


class PythonPod5Job(SignalJob):
    """A pool in which each thread has its own reader, because shared ones sometimes fail."""

    def __init__(
        self,
        catalogues: Sequence[Catalogue],
        items: Sequence[ReadRequest],
        threads: int,
        *,
        mapped: bool,
        by_id: bool,
    ) -> None:
        super().__init__(catalogues, items)
        self._mapped, self._by_id = mapped, by_id
        self._pool = PythonPool(threads)
        self._threads = threads
        self._own = local()
        self._all: list[OpenFiles[_Opened]] = []
        self._opening = Lock()
        self._files()[0]

    def _files(self) -> OpenFiles[_Opened]:
        """The files of the calling thread."""
        found: OpenFiles[_Opened] | None = getattr(self._own, "files", None)
        if found is None:
            found = self._own.files = OpenFiles(self._open, most=16)
            self._all.append(found)
        return found

    def _open(self, number: int) -> _Opened:
        with self._opening:
            path = self.catalogues[number].path
            with proved_mapping(path, wanted=self._mapped):
                return _Opened(path, mapped=self._mapped)

    def steps(self) -> tuple[Step, ...]:
        """One: the package reads, decompresses and parses when a signal is asked for."""
        return (Step("read", self._selected if self._by_id else self._rows),)

    def _rows(self, wanted: ReadRequest) -> _Records:
        records = _Records(len(wanted.numbers), self.stored(wanted))
        places, found = self.catalogues[wanted.file].places, records.found
        numbers, file = wanted.numbers, wanted.file

        def task(number: int) -> None:
            place = places[numbers[number]]
            record = self._files()[file].record(place.at, place.row)
            found[number] = (record, record.signal)

        self._pool.run(task, len(numbers))
        return records

    def _selected(self, wanted: ReadRequest) -> _Records:
        """By the package's own selection, shared out over the threads; in the order of the file."""
        reads = self.catalogues[wanted.file].reads
        ids = [reads[number].read_id for number in wanted.numbers]
        records = _Records(0, self.stored(wanted))
        shares = [ids[first :: self._threads] for first in range(min(self._threads, len(ids)))]
        parts: list[list[tuple[Any, Any]]] = [[] for _ in shares]

        def task(share: int) -> None:
            reader = self._files()[wanted.file].reader
            for record in reader.reads(selection=shares[share], preload={"samples"}):
                parts[share].append((record, record.signal))

        self._pool.run(task, len(shares))
        records.found = [one for part in parts for one in part]
        return records

    def counters(self) -> Mapping[str, float]:
        """With the bytes of the files that are mapped, by the process's maps."""
        mapped = sum(mapped_bytes(one.path) or 0 for one in self.catalogues)
        return {**super().counters(), "bytes mapped": mapped}

    def close(self) -> None:
        """End the pool; the readers close with their last record."""
        self._pool.close()
        for files in self._all:
            files.clear()
        self._all.clear()
