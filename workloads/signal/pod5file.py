"""POD5 as the oracle reads it: its Arrow tables by pyarrow, without lib_pod5."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from uuid import UUID

from core import DatasetError, reading, tr
from workloads.signal.codecs import vbz
from workloads.signal.pod5footer import READS, RUN_INFO, SIGNAL, tables_of
from workloads.signal.reads import NONE, ODD, Read, Undecodable, damaged, sample_facts, started

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyarrow import RecordBatch
    from pyarrow.ipc import RecordBatchFileReader

_IDENTIFIER = b"MINKNOW:file_identifier"
_VERSION = b"MINKNOW:pod5_version"
_VBZ = b"minknow.vbz"
"""Name of the type of a column with compressed signals."""
_LONGEST_SCHEMA = 4096


@dataclass(frozen=True)
class PlacedRead:
    """A read and its row of the table of reads; no read where only places are wanted."""

    batch: int
    row: int
    read: Read | None
    bytes: int
    """Bytes of its signal in the file."""


def reads(path: Path, most: int) -> Iterator[PlacedRead]:
    """All reads in the order of their rows, the first `most` with their content."""
    import pyarrow as pa

    try:
        with reading(path), _opened(path) as tables:
            yield from _rows(tables, path, most)
    except (pa.ArrowException, Undecodable, *ODD) as error:
        raise damaged(path, f"is damaged: {error}") from error
    except MemoryError as error:
        raise DatasetError(f"{path} cannot be read: {error}") from error


@contextmanager
def _opened(path: Path) -> Iterator[dict[int, RecordBatchFileReader]]:
    import pyarrow as pa

    with path.open("rb") as file:
        places = tables_of(file.fileno(), path)
        for kind in (READS, SIGNAL):
            if kind not in places:
                raise damaged(path, tr("lacks a table"))
        # Stretches of the file, not a map: a file that shrinks under a map kills the process.
        tables = {
            kind: pa.ipc.open_file(pa.PythonFile(_Part(file, offset, length), mode="r"))
            for kind, (offset, length) in places.items()
            if kind in (READS, SIGNAL, RUN_INFO)
        }
        _require_one_file(tables.values())
        yield tables


def codec(path: Path) -> str:
    """How its signals are compressed: `vbz`, or `none`; as the schema of their table says.

    Arrow is not asked: where it opens a table and the process ends at once, its threads abort it.
    """
    with path.open("rb") as file:
        offset, length = tables_of(file.fileno(), path)[SIGNAL]
        file.seek(offset)
        return "vbz" if _VBZ in file.read(min(length, _LONGEST_SCHEMA)) else "none"


def _require_one_file(tables: Iterable[RecordBatchFileReader]) -> None:
    """Raise Undecodable where tables are of several files, or do not say of which."""
    found = [table.schema.metadata or {} for table in tables]
    if any(_IDENTIFIER not in one or _VERSION not in one for one in found):
        raise Undecodable("a table does not say which file it belongs to")
    if len({one[_IDENTIFIER] for one in found}) > 1:
        raise Undecodable("its tables belong to several files")


def _batches(table: RecordBatchFileReader) -> Iterator[RecordBatch]:
    """Every batch, after a check."""
    for number in range(table.num_record_batches):
        yield _batch(table, number)


def _batch(table: RecordBatchFileReader, number: int) -> RecordBatch:
    batch = table.get_batch(number)
    batch.validate(full=True)
    return batch


class _Part:
    """A stretch of a file as a file of its own."""

    closed = False

    def __init__(self, file: BinaryIO, offset: int, length: int) -> None:
        self._file = file
        self._offset, self._length, self._at = offset, length, 0

    def read(self, size: int = -1) -> bytes:
        left = max(0, self._length - self._at)
        wanted = left if size < 0 else min(size, left)
        data = os.pread(self._file.fileno(), wanted, self._offset + self._at)
        self._at += len(data)
        return data

    def seek(self, position: int, whence: int = 0) -> int:
        self._at = position + (0, self._at, self._length)[whence]
        return self._at

    def tell(self) -> int:
        return self._at

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self.closed = True


# The rows.


def _rows(
    tables: Mapping[int, RecordBatchFileReader], path: Path, most: int
) -> Iterator[PlacedRead]:
    signals = _Signals(tables[SIGNAL])
    runs = _runs(tables.get(RUN_INFO))
    table, number = tables[READS], 0
    for batch, rows in enumerate(_batches(table)):
        wanted = max(0, min(rows.num_rows, most - number))
        for row, told in enumerate(_row_values(rows.slice(0, wanted))):
            try:
                samples, size = signals.of(told["signal"], told["read_id"])
                read = _read(told, samples, runs)
            except (Undecodable, *ODD) as error:
                which = {"number": number + row + 1, "why": error}
                raise damaged(
                    path, tr("has a damaged read, number {number}: {why}", **which)
                ) from error
            if told.get("num_samples", len(samples)) != len(samples):
                raise damaged(path, f"has another number of samples in read {number + row + 1}")
            yield PlacedRead(batch, row, read, size)
        for row in range(wanted, rows.num_rows):
            yield PlacedRead(batch, row, None, 0)
        number += rows.num_rows


def _row_values(rows: RecordBatch) -> list[dict[str, Any]]:
    """Rows without unwanted columns, which may be large."""
    kept = rows.select([name for name in rows.schema.names if name in _COLUMNS])
    missing = [
        name
        for name, column in zip(kept.schema.names, kept.columns, strict=True)
        if column.null_count
    ]
    if missing:
        raise Undecodable(f"a read has no {missing[0]}")
    told: list[dict[str, Any]] = kept.to_pylist()
    return told


_COLUMNS = {
    "read_id",
    "signal",
    "read_number",
    "start",
    "num_samples",
    "channel",
    "channel_32bit",
    "well",
    "calibration_offset",
    "calibration_scale",
    "run_info",
    "pore",
    "calibration",
}
"""`pore` and `calibration` hold what older files keep in structures, `run_info` too."""


def _runs(table: RecordBatchFileReader | None) -> dict[str, Mapping[str, Any]]:
    """Runs by their ids; raises Undecodable for two different ones with the same."""
    found: dict[str, Mapping[str, Any]] = {}
    for batch in _batches(table) if table is not None else ():
        for run in batch.to_pylist():
            name = run["acquisition_id"]
            if found.setdefault(name, run) != run:
                raise Undecodable(f"run {name} is there twice, and differs")
    return found


def _channel(told: Mapping[str, Any], pore: Mapping[str, Any]) -> int | None:
    """The channel, which newer files have in two columns; readers differ in which they look at."""
    narrow, wide = told.get("channel", pore.get("channel")), told.get("channel_32bit")
    if wide is not None and narrow is not None and wide != narrow and wide < 1 << 16:
        raise Undecodable(f"a read has channel {narrow} in one column and {wide} in another")
    found: int | None = narrow if wide is None else wide
    return found


def _text(run: Mapping[str, Any], name: str) -> str:
    told = run[name] or NONE
    if "\0" in told:  # some readers would go on, some end there
        raise Undecodable(f"the {name} of a run has a zero byte")
    return str(told)


def _read(
    told: Mapping[str, Any], samples: NDArray[np.int16], runs: Mapping[str, Mapping[str, Any]]
) -> Read:
    pore, calibration = told.get("pore") or {}, told.get("calibration") or {}
    scale = told.get("calibration_scale", calibration.get("scale"))
    offset = told.get("calibration_offset", calibration.get("offset"))
    if scale is None or offset is None:
        raise Undecodable("a read lacks its calibration")
    info = told["run_info"]
    run = info if isinstance(info, dict) else runs[info]
    return Read(
        str(UUID(bytes=told["read_id"])),
        scale,
        offset,
        float(run["sample_rate"]),
        *sample_facts(samples),
        _channel(told, pore),
        told["read_number"],
        told.get("well", pore.get("well")),
        told["start"],
        _text(run, "acquisition_id"),
        _text(run, "experiment_name"),
        _text(run, "flow_cell_id"),
        _text(run, "sequencer_position"),
        started(run["acquisition_start_time"]),
    )


class _Signals:
    """The rows of the table of signals, of which the last batch is kept."""

    def __init__(self, table: RecordBatchFileReader) -> None:
        self._table = table
        self._rows = table.get_batch(0).num_rows if table.num_record_batches else 0
        self._kept: tuple[int, Any] = (-1, None)

    def of(self, rows: list[int], read_id: bytes) -> tuple[NDArray[np.int16], int]:
        """The samples of those rows together, and how many bytes they take in the file."""
        import numpy as np

        parts, size = [], 0
        if rows and not self._rows:
            raise Undecodable("it has no signals")
        for row in rows:
            batch, place = divmod(row, self._rows)
            if batch != self._kept[0]:
                self._kept = (batch, _batch(self._table, batch))
            columns = self._kept[1]
            if columns.column("read_id")[place].as_py() != read_id:
                raise Undecodable(f"signal row {row} belongs to another read")
            stored = columns.column("signal")[place]
            count = columns.column("samples")[place].as_py()
            data = stored.as_buffer() if hasattr(stored, "as_buffer") else None
            if data is None:
                parts.append(np.array(stored.values, np.int16))
                size += 2 * count
            else:
                parts.append(vbz(data.to_pybytes(), count))
                size += data.size
            if len(parts[-1]) != count:
                raise Undecodable(f"signal row {row} has another number of samples than it says")
        return (np.concatenate(parts) if parts else np.empty(0, np.int16)), size
