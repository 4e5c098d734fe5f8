"""Reads by the packages pyslow5 and pod5 as Python programs use them."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator, Mapping
from functools import lru_cache, partial
from itertools import islice
from operator import itemgetter
from pathlib import Path
from threading import Lock, local
from typing import TYPE_CHECKING, Any

from core import SluiceError, Step
from workloads.signal import slow5_fields_oracle, slow5_records_oracle
from workloads.signal.reads import (
    NONE,
    RUN,
    Read,
    Sums,
    blow5_read,
    run_texts,
    sample_facts,
    started,
)
from workloads.signal.signal_jobs import (
    MOST_OPEN,
    Pod5Error,
    Pod5Job,
    ReadRequest,
    SignalJob,
    SignalReads,
)
from workloads.signal.slow5lib import indexes_of, linked_by_name, opened_by_name
from workloads.signal.thread_pools import PythonPool

if TYPE_CHECKING:
    from functools import _lru_cache_wrapper


_CALIBRATION = itemgetter("digitisation", "offset", "range", "sampling_rate")


class _Blow5Records:
    """Records as pyslow5 gives them: a dictionary each."""

    def __init__(self, records: list[dict[str, Any]], file: _Blow5File, size: int) -> None:
        self.records, self.bytes = records, size
        self._file = file

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Read]:
        return self.reads({})

    def reads(self, sums: Sums) -> Iterator[Read]:
        for record in self.records:
            yield blow5_read(
                record["read_id"],
                _CALIBRATION(record),
                sample_facts(record["signal"], sums),
                partial(self._field, record),
                self._file.runs[record["read_group"]],
            )

    def _field(self, record: Mapping[str, Any], name: str) -> Any:
        """An auxiliary field; None for a missing one."""
        value, kind = record.get(name), self._file.kinds.get(name)
        if value is None or kind is None or kind == slow5_fields_oracle.TEXT:
            return value
        return slow5_fields_oracle.integer_value(kind, int(value))


class _Blow5File:
    """A file of pyslow5's: which read comes next, and the texts of its read groups."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._open()
        header = slow5_records_oracle.read_header(path)
        text = self.file.get_header_value
        self.runs = [
            # pyslow5 ends the process when it is asked for one that is not there.
            run_texts({name: text(name, read_group=number) for name in RUN if name in group})
            for number, group in enumerate(header.groups)
        ]
        self.kinds = dict(header.fields)
        self.coming: Iterator[dict[str, Any]] = iter(())
        self.next = -1

    def _open(self) -> None:
        import pyslow5

        self.file = pyslow5.Open(str(self._path), "r")
        logging.getLogger("pyslow5").handlers.clear()  # each file adds one

    def restart(self, threads: int, batch: int) -> None:
        """Begin with the first read."""
        if self.next >= 0:  # pyslow5 cannot go back
            self._open()
        if threads == 1:
            self.coming = self.file.seq_reads(aux="all")
        else:
            settings = {"threads": threads, "batchsize": batch, "aux": "all"}
            self.coming = self.file.seq_reads_multi(**settings)


class PythonBlow5Job(SignalJob):
    """pyslow5's calls for all reads in order, for many at once, and for a list of them.

    It cannot start within a file: where several processes share the reads, each gets its own by
    their ids, in the order of the file.
    """

    def __init__(self, reads: SignalReads) -> None:
        super().__init__(reads)
        if reads.by_id:
            indexes_of(reads.catalogues, reads.cache)  # where pyslow5 looks: beside the link
        named = linked_by_name if reads.by_id else opened_by_name
        self._file = lru_cache(MOST_OPEN)(
            lambda number: _Blow5File(named(reads.catalogues[number].path, reads.cache))
        )
        self._file(0)

    def steps(self) -> tuple[Step, ...]:
        """One: pyslow5 does not tell its phases apart."""
        return (Step("read", self._listed if self.by_id else self._next),)

    def _next(self, request: ReadRequest) -> _Blow5Records:
        opened, first = self._file(request.file), request.numbers[0]
        if opened.next != first:
            opened.restart(self.threads, len(self.items[0].numbers))
            for _ in islice(opened.coming, first):
                pass
        records = list(islice(opened.coming, len(request.numbers)))
        opened.next = first + len(records)
        return _Blow5Records(records, opened, self.stored(request))

    def _listed(self, request: ReadRequest) -> _Blow5Records:
        opened, ids = self._file(request.file), self.ids(request)
        settings = {"threads": self.threads, "batchsize": len(ids), "aux": "all"}
        records = list(opened.file.get_read_list_multi(ids, **settings))
        missing = next((place for place, record in enumerate(records) if record is None), None)
        if missing is not None:
            what = f"{self.read_of(request, missing)} of {self.file_of(request)}"
            raise SluiceError(f"pyslow5 left {what} out")
        return _Blow5Records(records, opened, self.stored(request))

    def close(self) -> None:
        self._file.cache_clear()


_SWITCH = "POD5_DISABLE_MMAP_OPEN"
_MOST_OF_THREAD = 16
"""Files of a thread that stay open."""


class _Pod5Records:
    """Records of pod5's, each with its signal."""

    def __init__(self, records: list[tuple[Any, Any]], size: int) -> None:
        self.records, self.bytes = records, size

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[Read]:
        return self.reads({})

    def reads(self, sums: Sums) -> Iterator[Read]:
        for record, signal in self.records:
            run, pore, calibration = record.run_info, record.pore, record.calibration
            yield Read(
                str(record.read_id),
                calibration.scale,
                calibration.offset,
                float(run.sample_rate),
                *sample_facts(signal, sums),
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


class _Pod5File:
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
        if self._batch[0] != batch:
            self._batch = (batch, self.reader.get_batch(batch))
        return self._batch[1].get_read(row)


class PythonPod5Job(Pod5Job):
    """A pool in which each thread has its own reader, because shared ones sometimes fail."""

    def __init__(self, reads: SignalReads) -> None:
        super().__init__(reads)
        self._pool = PythonPool(reads.threads)
        self._own = local()
        self._all: list[_lru_cache_wrapper[_Pod5File]] = []
        self._opening = Lock()
        self._file()(0)

    def _file(self) -> _lru_cache_wrapper[_Pod5File]:
        """The files of the calling thread, by their numbers."""
        files: _lru_cache_wrapper[_Pod5File] | None = getattr(self._own, "file", None)
        if files is None:
            files = self._own.file = lru_cache(_MOST_OF_THREAD)(self._open)
            self._all.append(files)
        return files

    def _open(self, number: int) -> _Pod5File:
        with self._opening:
            path = self.catalogues[number].path
            with self.checked_mapping(path):
                return _Pod5File(path, mapped=self.mapped)

    def steps(self) -> tuple[Step, ...]:
        """One: the package reads, decompresses and parses when a signal is asked for."""
        return (Step("read", self._selected if self.by_id else self._rows),)

    def _rows(self, request: ReadRequest) -> _Pod5Records:
        places = self.catalogues[request.file].places
        numbers, file = request.numbers, request.file
        records: list[tuple[Any, Any]] = [(None, None)] * len(numbers)

        def task(number: int) -> None:
            place = places[numbers[number]]
            record = self._file()(file).record(place.at, place.row)
            records[number] = (record, record.signal)

        self._pool.run(task, len(numbers))
        return _Pod5Records(records, self.stored(request))

    def _selected(self, request: ReadRequest) -> _Pod5Records:
        """By the package's own selection, shared out over the threads; in the order of the file."""
        ids = self.ids(request)
        shares = [ids[first :: self.threads] for first in range(min(self.threads, len(ids)))]
        parts: list[list[tuple[Any, Any]]] = [[] for _ in shares]

        def task(share: int) -> None:
            reader = self._file()(request.file).reader
            for record in reader.reads(selection=shares[share], preload={"samples"}):
                parts[share].append((record, record.signal))

        self._pool.run(task, len(shares))
        return _Pod5Records([one for part in parts for one in part], self.stored(request))

    def close(self) -> None:
        """End the pool; the readers close with their last record."""
        self._pool.close()
        for file in self._all:
            file.cache_clear()
        self._all.clear()
