"""POD5 as the oracle reads it, without lib_pod5: its Arrow tables by pyarrow.

A file is a frame of signatures, whose footer names the tables that are embedded in it.
"""

from __future__ import annotations

import io
import os
import re
import struct
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, override
from uuid import UUID

from core import DatasetError, reading, show, tr
from workloads.signal.codec_oracle import vbz
from workloads.signal.reads import NONE, ODD, Read, Undecodable, damaged, sample_facts, started

if TYPE_CHECKING:
    from collections.abc import Buffer

    import numpy as np
    from numpy.typing import NDArray
    from pyarrow import RecordBatch
    from pyarrow.ipc import RecordBatchFileReader

MAGIC = b"\x8bPOD\r\n\x1a\n"
READS, SIGNAL, RUN_INFO = 0, 1, 4
"""Kinds of tables."""
_MARKER = 16  # bytes of the section marker, which follows the first signature and precedes the last
_TAIL = 8 + _MARKER + len(MAGIC)  # length of the footer, section marker, signature
_LONGEST_FOOTER = 1 << 20
_SEARCHED = 64 << 20  # bytes at a file's end that are searched for its end signature
_VERSION_NUMBER = re.compile(rb"\d{1,9}\.\d{1,9}\.\d{1,9}")
_IDENTIFIER = b"MINKNOW:file_identifier"
_VERSION = b"MINKNOW:pod5_version"
_VBZ = b"minknow.vbz"
"""Name of the type of a column with compressed signals."""
_LONGEST_SCHEMA = 4096


def require_end(path: Path) -> None:
    """Raise DatasetError for a file that does not end with its end signature, or lacks a table."""
    with reading(path), path.open("rb") as file:
        tables_of(file.fileno(), path)


def identifiers(path: Path) -> tuple[bytes, bytes]:
    """A file's section marker and its identifier, as they stand in it; raises DatasetError."""
    with reading(path), path.open("rb") as file:
        footer = _footer(file.fileno(), path)
        return os.pread(file.fileno(), _MARKER, len(MAGIC)), footer.text(0)


def tables_of(descriptor: int, path: Path) -> dict[int, tuple[int, int]]:
    """Offset and length of each embedded table by kind, from the footer; raises DatasetError."""
    size = os.fstat(descriptor).st_size
    footer = _footer(descriptor, path)
    try:
        UUID(footer.text(0).decode("ascii"))
        footer.text(1)
        if not _VERSION_NUMBER.fullmatch(footer.text(2)):
            raise ValueError("no version")
        places = footer.contents()
    except (struct.error, IndexError, ValueError) as error:
        raise damaged(path, tr("has a damaged footer")) from error
    for offset, stretch in places.values():
        if offset < 0 or stretch < 0 or offset + stretch > size:
            raise damaged(path, tr("has a footer that points outside of it"))
    if not {READS, SIGNAL} <= places.keys():
        raise damaged(path, tr("lacks a table"))
    return places


def _footer(descriptor: int, path: Path) -> _Footer:
    size = os.fstat(descriptor).st_size
    if os.pread(descriptor, len(MAGIC), 0) != MAGIC:
        raise DatasetError(f"{path} is not POD5", "name a file that pod5 can read")
    tail = os.pread(descriptor, _TAIL, max(0, size - _TAIL))
    if size < 2 * _TAIL or not tail.endswith(MAGIC):
        raise damaged(path, *_without_end(descriptor, size, path))
    (length,) = struct.unpack_from("<q", tail)
    if not 0 < length <= min(size - 2 * _TAIL, _LONGEST_FOOTER):
        raise damaged(path, tr("has a damaged footer"))
    return _Footer(os.pread(descriptor, length, size - _TAIL - length))


def _without_end(descriptor: int, size: int, path: Path) -> tuple[str, str]:
    """What is wrong with the end signature, which is missing or followed by something; a remedy."""
    searched = min(size, _SEARCHED)
    marker = os.pread(descriptor, _MARKER, len(MAGIC))
    end = os.pread(descriptor, searched, size - searched).rfind(marker + MAGIC)
    if end >= 0:
        more = searched - end - _MARKER - len(MAGIC)
        return tr("has more after its end signature: {size}", size=show(more, "bytes")), ""
    remedy = tr(
        "if nobody writes it any more, `pod5 recover {path}` saves what is whole in it", path=path
    )
    if searched == size:
        return tr("lacks its end signature, so it was cut off or is not finished"), remedy
    return tr("does not end with its end signature: it was cut off, or much follows it"), remedy


class _Footer:
    """A FlatBuffer with one table: identifier, software, version, and the embedded files."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def text(self, number: int) -> bytes:
        """A field that is text; raises struct.error or IndexError for what is no such buffer."""
        at = self._field(self._get("<I", 0), number)
        if not at:
            raise IndexError(number)
        at += self._get("<I", at)
        length = self._get("<I", at)
        if at + 4 + length > len(self._data):
            raise IndexError(length)
        return self._data[at + 4 : at + 4 + length]

    def contents(self) -> dict[int, tuple[int, int]]:
        """Offset and length by kind; raises as `text`."""
        field = self._field(self._get("<I", 0), 3)
        if not field:
            return {}
        listed = field + self._get("<I", field)
        tables: dict[int, tuple[int, int]] = {}
        for place in range(min(self._get("<I", listed), 64)):
            at = listed + 4 + 4 * place
            table = at + self._get("<I", at)
            offset, length, form, kind = (self._field(table, number) for number in range(4))
            if form and self._get("<h", form):
                raise IndexError("not Feather")
            tables[self._get("<h", kind) if kind else 0] = (
                self._get("<q", offset) if offset else 0,
                self._get("<q", length) if length else 0,
            )
        if not tables.keys() <= set(range(5)):  # two kinds of indexes are declared, too
            raise IndexError("a table of no known kind")
        return tables

    def _field(self, table: int, number: int) -> int:
        """Where a table's field is; 0 where it is left out."""
        described = table - self._get("<i", table)
        place = 4 + 2 * number
        if place >= self._get("<H", described):
            return 0
        offset = self._get("<H", described + place)
        return table + offset if offset else 0

    def _get(self, form: str, at: int) -> int:
        if at < 0:
            raise IndexError(at)
        (value,) = struct.unpack_from(form, self._data, at)
        return int(value)


@dataclass(frozen=True)
class LocatedRead:
    """A read and its row of the table of reads; no read where only places are wanted."""

    batch: int
    row: int
    read: Read | None
    bytes: int
    """Bytes of its signal in the file."""


def reads(path: Path, most: int) -> Iterator[LocatedRead]:
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
    properties = [table.schema.metadata or {} for table in tables]
    if any(_IDENTIFIER not in one or _VERSION not in one for one in properties):
        raise Undecodable("a table does not say which file it belongs to")
    if len({one[_IDENTIFIER] for one in properties}) > 1:
        raise Undecodable("its tables belong to several files")


def _batches(table: RecordBatchFileReader) -> Iterator[RecordBatch]:
    return (_batch(table, number) for number in range(table.num_record_batches))


def _batch(table: RecordBatchFileReader, number: int) -> RecordBatch:
    batch = table.get_batch(number)
    batch.validate(full=True)
    return batch


class _Part(io.RawIOBase):
    """A stretch of a file as a file of its own."""

    def __init__(self, file: BinaryIO, offset: int, length: int) -> None:
        self._file = file
        self._offset, self._length, self._at = offset, length, 0

    @override
    def readinto(self, memory: Buffer) -> int:
        into = memoryview(memory)[: max(0, self._length - self._at)]
        data = os.pread(self._file.fileno(), len(into), self._offset + self._at)
        into[: len(data)] = data
        self._at += len(data)
        return len(data)

    @override
    def seek(self, position: int, whence: int = 0) -> int:
        self._at = position + (0, self._at, self._length)[whence]
        return self._at

    @override
    def seekable(self) -> bool:
        return True

    @override
    def readable(self) -> bool:
        return True


def _rows(
    tables: Mapping[int, RecordBatchFileReader], path: Path, most: int
) -> Iterator[LocatedRead]:
    signals = _Signals(tables[SIGNAL])
    runs = _runs(tables.get(RUN_INFO))
    table, number = tables[READS], 0
    for batch, rows in enumerate(_batches(table)):
        parsed = max(0, min(rows.num_rows, most - number))
        for row, values in enumerate(_row_values(rows.slice(0, parsed))):
            try:
                samples, size = signals.of(values["signal"], values["read_id"])
                if values.get("num_samples", len(samples)) != len(samples):
                    raise Undecodable("it has another number of samples than it says")
                read = _read(values, samples, runs)
            except (Undecodable, *ODD) as error:
                which = {"number": number + row + 1, "why": error}
                how = tr("has a damaged read, number {number}: {why}", **which)
                raise damaged(path, how) from error
            yield LocatedRead(batch, row, read, size)
        for row in range(parsed, rows.num_rows):
            yield LocatedRead(batch, row, None, 0)
        number += rows.num_rows


def _row_values(rows: RecordBatch) -> list[dict[str, Any]]:
    """Rows without unwanted columns, which may be large."""
    columns = rows.select([name for name in rows.schema.names if name in _COLUMNS])
    for name in columns.schema.names:
        if columns.column(name).null_count:
            raise Undecodable(f"a read has no {name}")
    values: list[dict[str, Any]] = columns.to_pylist()
    return values


_COLUMNS = {
    *("read_id", "signal", "read_number", "start", "num_samples", "channel", "channel_32bit"),
    *("well", "calibration_offset", "calibration_scale", "run_info", "pore", "calibration"),
}
"""`pore` and `calibration` hold what older files keep in structures, `run_info` too."""
_TEXTS = ("acquisition_id", "experiment_name", "flow_cell_id", "sequencer_position")


def _runs(table: RecordBatchFileReader | None) -> dict[str, Mapping[str, Any]]:
    """Runs by their ids; raises Undecodable for two different ones with the same."""
    runs: dict[str, Mapping[str, Any]] = {}
    for batch in _batches(table) if table is not None else ():
        for run in batch.to_pylist():
            name = run["acquisition_id"]
            if runs.setdefault(name, run) != run:
                raise Undecodable(f"run {name} is there twice, and differs")
    return runs


def _read(
    values: Mapping[str, Any], samples: NDArray[np.int16], runs: Mapping[str, Mapping[str, Any]]
) -> Read:
    pore, calibration = values.get("pore") or {}, values.get("calibration") or {}
    # Newer files have the channel in two columns; readers differ in which they look at.
    narrow, wide = values.get("channel", pore.get("channel")), values.get("channel_32bit")
    if wide is not None and narrow is not None and wide != narrow and wide < 1 << 16:
        raise Undecodable(f"a read has channel {narrow} in one column and {wide} in another")
    scale = values.get("calibration_scale", calibration.get("scale"))
    offset = values.get("calibration_offset", calibration.get("offset"))
    if scale is None or offset is None:
        raise Undecodable("a read lacks its calibration")
    info = values["run_info"]
    run = info if isinstance(info, dict) else runs[info]
    run_id, experiment, flowcell, position = (run[name] or NONE for name in _TEXTS)
    for name in _TEXTS:
        if "\0" in (run[name] or ""):  # some readers would go on, some end there
            raise Undecodable(f"the {name} of a run has a zero byte")
    return Read(
        str(UUID(bytes=values["read_id"])),
        scale,
        offset,
        float(run["sample_rate"]),
        *sample_facts(samples),
        narrow if wide is None else wide,
        values["read_number"],
        values.get("well", pore.get("well")),
        values["start"],
        run_id,
        experiment,
        flowcell,
        position,
        started(run["acquisition_start_time"]),
    )


class _Signals:
    """The rows of the table of signals, of which the last batch is kept."""

    def __init__(self, table: RecordBatchFileReader) -> None:
        self._table = table
        self._rows = table.get_batch(0).num_rows if table.num_record_batches else 0
        self._last: tuple[int, Any] = (-1, None)

    def of(self, rows: list[int], read_id: bytes) -> tuple[NDArray[np.int16], int]:
        """The samples of those rows together, and how many bytes they take in the file."""
        import numpy as np

        parts, size = [], 0
        if rows and not self._rows:
            raise Undecodable("it has no signals")
        for row in rows:
            batch, place = divmod(row, self._rows)
            if batch != self._last[0]:
                self._last = (batch, _batch(self._table, batch))
            columns = self._last[1]
            if columns.column("read_id")[place].as_py() != read_id:
                raise Undecodable(f"signal row {row} belongs to another read")
            stored = columns.column("signal")[place]
            count = columns.column("samples")[place].as_py()
            if hasattr(stored, "as_buffer"):
                data = stored.as_buffer().to_pybytes()
                parts.append(vbz(data, count))
                size += len(data)
            else:
                parts.append(np.array(stored.values, np.int16))
                size += 2 * count
            if len(parts[-1]) != count:
                raise Undecodable(f"signal row {row} has another number of samples than it says")
        return (np.concatenate(parts) if parts else np.empty(0, np.int16)), size
