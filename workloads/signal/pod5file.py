"""POD5 as the oracle reads it: its footer by hand, its Arrow tables by pyarrow, without lib_pod5."""

from __future__ import annotations

import os
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from uuid import UUID

from core import DatasetError, say
from workloads.signal.codecs import Undecodable, vbz
from workloads.signal.reads import NONE, Read, started

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from pyarrow import RecordBatch
    from pyarrow.ipc import RecordBatchFileReader

MAGIC = b"\x8bPOD\r\n\x1a\n"
_TAIL = 32  # length of the footer, section marker, signature
_LONGEST_FOOTER = 1 << 20
_READS, _SIGNAL, _RUN_INFO = 0, 1, 4


@dataclass(frozen=True)
class Placed:
    """A read and its row of the table of reads; no read where only places were asked for."""

    batch: int
    row: int
    read: Read | None
    bytes: int
    """Bytes of its signal in the file."""


def require_end(path: Path) -> None:
    """Raise DatasetError for a file that lacks its end signature or its tables."""
    try:
        with path.open("rb") as file:
            tables = _tables(file.fileno(), path)
    except OSError as error:
        raise DatasetError(
            say("{path} cannot be read: {why}", path=path, why=error.strerror)
        ) from error
    for kind, name in ((_READS, "reads"), (_SIGNAL, "signals")):
        if kind not in tables:
            raise _damaged(path, f"has no table of {name}")


def identifiers(path: Path) -> tuple[bytes, bytes]:
    """A file's section marker and its identifier, as they stand in it; raises DatasetError."""
    with path.open("rb") as file:
        footer = _footer(file.fileno(), path)
        return os.pread(file.fileno(), 16, 8), footer.identifier()


def reads(path: Path, most: int) -> Iterator[Placed]:
    """All reads in the order of their rows, the first `most` with what is in them."""
    import pyarrow as pa

    try:
        with _opened(path) as tables:
            yield from _rows(tables, path, most)
    except (pa.ArrowException, Undecodable, KeyError, ValueError, TypeError, IndexError) as error:
        raise _damaged(path, f"is damaged: {error}") from error
    except (OSError, MemoryError) as error:
        raise DatasetError(f"{path} cannot be read: {error}") from error


def _damaged(path: Path, how: str) -> DatasetError:
    return DatasetError(f"{path} {how}", say("fetch or write it again"))


@contextmanager
def _opened(path: Path) -> Iterator[dict[int, RecordBatchFileReader]]:
    import pyarrow as pa

    with path.open("rb") as file:
        places = _tables(file.fileno(), path)
        for kind in (_READS, _SIGNAL):
            if kind not in places:
                raise _damaged(path, say("lacks a table"))
        # Stretches of the file, not a map: a file that shrinks under a map kills the process.
        yield {
            kind: pa.ipc.open_file(pa.PythonFile(_Part(file, offset, length), mode="r"))
            for kind, (offset, length) in places.items()
            if kind in (_READS, _SIGNAL, _RUN_INFO)
        }


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


def _tables(descriptor: int, path: Path) -> dict[int, tuple[int, int]]:
    """Offset and length of each embedded table by its kind, from the footer."""
    size = os.fstat(descriptor).st_size
    try:
        places = _footer(descriptor, path).contents()
    except (struct.error, IndexError) as error:
        raise _damaged(path, say("has a damaged footer")) from error
    for offset, stretch in places.values():
        if offset < 0 or stretch < 0 or offset + stretch > size:
            raise _damaged(path, say("has a footer that points outside of it"))
    return places


def _footer(descriptor: int, path: Path) -> _Footer:
    size = os.fstat(descriptor).st_size
    if os.pread(descriptor, 8, 0) != MAGIC:
        raise DatasetError(f"{path} is not POD5", "name a file that pod5 can read")
    tail = os.pread(descriptor, _TAIL, max(0, size - _TAIL))
    if size < 2 * _TAIL or not tail.endswith(MAGIC):
        raise _damaged(path, say("lacks its end signature, so it was cut off"))
    (length,) = struct.unpack_from("<q", tail)
    if not 0 < length <= min(size - 2 * _TAIL, _LONGEST_FOOTER):
        raise _damaged(path, say("has a damaged footer"))
    return _Footer(os.pread(descriptor, length, size - _TAIL - length))


class _Footer:
    """A FlatBuffer with one table: its fourth field lists the embedded files."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def identifier(self) -> bytes:
        """The file's identifier, the first field."""
        text = self._field(self._get("<I", 0), 0)
        text += self._get("<I", text)
        return self._data[text + 4 : text + 4 + self._get("<I", text)]

    def contents(self) -> dict[int, tuple[int, int]]:
        """Offset and length by kind; raises struct.error for what is no such buffer."""
        field = self._field(self._get("<I", 0), 3)
        if not field:
            return {}
        listed = field + self._get("<I", field)
        found: dict[int, tuple[int, int]] = {}
        for place in range(min(self._get("<I", listed), 64)):
            at = listed + 4 + 4 * place
            table = at + self._get("<I", at)
            offset, length, kind = (self._field(table, number) for number in (0, 1, 3))
            found[self._get("<h", kind) if kind else 0] = (
                self._get("<q", offset) if offset else 0,
                self._get("<q", length) if length else 0,
            )
        return found

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


# The rows.


def _rows(tables: Mapping[int, RecordBatchFileReader], path: Path, most: int) -> Iterator[Placed]:
    signals = _Signals(tables[_SIGNAL])
    runs = _runs(tables.get(_RUN_INFO))
    table, number = tables[_READS], 0
    for batch in range(table.num_record_batches):
        rows = table.get_batch(batch)
        wanted = max(0, min(rows.num_rows, most - number))
        for row, told in enumerate(_told(rows.slice(0, wanted))):
            samples, size = signals.of(told["signal"], told["read_id"])
            if told.get("num_samples", len(samples)) != len(samples):
                raise _damaged(path, f"has another number of samples in read {number + row + 1}")
            yield Placed(batch, row, _read(told, samples, runs), size)
        for row in range(wanted, rows.num_rows):
            yield Placed(batch, row, None, 0)
        number += rows.num_rows


def _told(rows: RecordBatch) -> list[dict[str, Any]]:
    """Rows without what is not asked for, which may be large."""
    kept = [name for name in rows.schema.names if name in _COLUMNS]
    told: list[dict[str, Any]] = rows.select(kept).to_pylist()
    return told


_COLUMNS = {
    "read_id",
    "signal",
    "read_number",
    "start",
    "num_samples",
    "channel",
    "well",
    "calibration_offset",
    "calibration_scale",
    "run_info",
    "pore",
    "calibration",
}
"""`pore` and `calibration` hold what older files keep in structures, `run_info` too."""


def _runs(table: RecordBatchFileReader | None) -> dict[str, Mapping[str, Any]]:
    if table is None:
        return {}
    found: dict[str, Mapping[str, Any]] = {}
    for batch in range(table.num_record_batches):
        for run in table.get_batch(batch).to_pylist():
            found[run["acquisition_id"]] = run
    return found


def _read(
    told: Mapping[str, Any], samples: NDArray[np.int16], runs: Mapping[str, Mapping[str, Any]]
) -> Read:
    import numpy as np

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
        len(samples),
        int(samples.sum(dtype=np.int64)),
        told.get("channel", pore.get("channel")),
        told["read_number"],
        told.get("well", pore.get("well")),
        told["start"],
        run["acquisition_id"] or NONE,
        run["experiment_name"] or NONE,
        run["flow_cell_id"] or NONE,
        run["sequencer_position"] or NONE,
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
        for row in rows:
            batch, place = divmod(row, self._rows)
            if batch != self._kept[0]:
                self._kept = (batch, self._table.get_batch(batch))
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
