"""A kind of dataset that lists blocks: the low-level index of an RP66V1 file.

Such a file is a sequence of visible records.  Indexing reads the 4 bytes at the head of a record
and the 4 at the head of each of its segments.  The blocks are kept as lines `position length`,
beside a small file of random bytes that stands for a remote one.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import add, gt
from pathlib import Path
from typing import override

from core import DatasetError, DatasetKind, ReportProgress, content_of, integer, reading
from workloads.shared.datasets import refusal_of

_HEAD = "# positions and lengths of the blocks of a sparse file\n"
INDEX = "index.txt"
_REMOTE = "remote.bin"
_FIRST = 80  # bytes before the first visible record: the storage unit label
_HEADER = 4
_MOST = 10_000_000
_MOST_BLOCKS = 1 << 24
_MOST_BYTES = 1 << 30
_END = 1 << 62
"""Positions beyond are none that svfsc could add a length to."""
_MOST_TEXT = 1 << 28
_LINES = re.compile(rb"(?:[0-9]{1,19} [0-9]{1,19}\n)+")


@dataclass(frozen=True, kw_only=True)
class IndexShape:
    """How much is indexed.  A record is as long as its header and its segments."""

    records: int = integer(
        23_831, low=1, high=100_000, scale="log10", help="Visible records in the indexed file."
    )
    segments: int = integer(10, low=1, high=100, help="Segments in each visible record.")
    segment_size: int = integer(
        800, low=8, high=16_384, scale="log2", unit="bytes", help="Bytes in each segment."
    )
    remote_size: int = integer(
        4 << 20,
        low=64 << 10,
        high=1 << 30,
        scale="log2",
        unit="bytes",
        help="Bytes in the file that stands for a remote one.",
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of the remote file's bytes.")

    @property
    def room(self) -> int:
        """About how many bytes on disk it takes: a line for each segment, and the remote file."""
        end = self.records * (_HEADER + self.segments * self.segment_size)
        line = len(f"{end} {self.segment_size % 10}\n")
        return self.remote_size + self.records * self.segments * line


class SparseIndex(DatasetKind):
    """A folder with an index of blocks and a file to be read as if it were remote."""

    name = "sparse-index"
    title = "index of an RP66V1 file"
    shape = IndexShape

    @override
    def recognises(self, path: Path) -> bool:
        try:
            return content_of(path / INDEX, len(_HEAD)) == _HEAD.encode()
        except OSError:
            return False

    @override
    def explain(self, path: Path) -> DatasetError | None:
        index = path / INDEX

        def look() -> None:
            with reading(index):
                content_of(index, len(_HEAD))

        return refusal_of(look) if index.is_file() else None

    @override
    def files(self, path: Path) -> Sequence[Path]:
        return [path / name for name in (INDEX, _REMOTE) if (path / name).is_file()]

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        blocks = read_index(path)
        return {
            "files": len(self.files(path)),
            "blocks": len(blocks),
            "bytes in blocks": sum(length for _, length in blocks),
        }

    @override
    def make(self, shape: IndexShape, folder: Path, report: ReportProgress) -> Path:
        with (folder / INDEX).open("w", encoding="ascii") as file:
            file.write(_HEAD)
            file.writelines(f"{position} {length}\n" for position, length in _headers(shape))
        drawn = random.Random(shape.seed)
        with (folder / _REMOTE).open("wb") as file:
            for size_left in range(shape.remote_size, 0, -_MOST):
                file.write(drawn.randbytes(min(size_left, _MOST)))
        return folder


def _headers(shape: IndexShape) -> Iterator[tuple[int, int]]:
    """The blocks: a record's header touches that of its first segment, so these are one."""
    record_size = _HEADER + shape.segments * shape.segment_size
    for record in range(shape.records):
        start = _FIRST + record * record_size
        yield start, 2 * _HEADER
        for segment in range(1, shape.segments):
            yield start + _HEADER + segment * shape.segment_size, _HEADER


def read_index(path: Path) -> list[tuple[int, int]]:
    """The blocks of an index, by position.

    Raises DatasetError where they are not in order, or too many to be held in memory.
    """
    return _read_at_once(path / INDEX) or _read_by_line(path / INDEX)


def _read_at_once(path: Path) -> list[tuple[int, int]] | None:
    """The blocks of a sound index, much faster than line by line; None for any other."""
    with reading(path):
        if path.stat().st_size > _MOST_TEXT:
            return None
        body = path.read_bytes().partition(b"\n")[2]
    if _LINES.fullmatch(body) is None:
        return None
    numbers = list(map(int, body.split()))
    positions, lengths = numbers[::2], numbers[1::2]
    ends = list(map(add, positions, lengths))
    fits = len(lengths) <= _MOST_BLOCKS and sum(lengths) <= _MOST_BYTES and max(ends) <= _END
    if not fits or min(lengths) < 1 or any(map(gt, ends, positions[1:])):
        return None
    return list(zip(positions, lengths, strict=True))


def _read_by_line(path: Path) -> list[tuple[int, int]]:
    """As `read_index`; finds out where the fault is."""
    blocks: list[tuple[int, int]] = []
    end = total = 0
    try:
        with reading(path), path.open(encoding="ascii") as file:
            file.readline()
            for line in file:
                position, length = map(int, line.split())
                if position < end or length < 1:
                    raise DatasetError(f"{path}: blocks overlap or are empty at {line[:80]!r}")
                end, total = position + length, total + length
                if end > _END or total > _MOST_BYTES or len(blocks) == _MOST_BLOCKS:
                    raise DatasetError(
                        f"{path} lists more than can be held at {line[:80]!r}",
                        f"keep to {_MOST_BLOCKS:,} blocks and {_MOST_BYTES >> 20:,} MiB in them",
                    )
                blocks.append((position, length))
    except ValueError as error:
        raise DatasetError(f"{path} cannot be read: {error}") from error
    if not blocks:
        raise DatasetError(f"{path} lists no blocks")
    return blocks


def remote_file(path: Path) -> Path | None:
    file = path / _REMOTE
    return file if file.is_file() else None
