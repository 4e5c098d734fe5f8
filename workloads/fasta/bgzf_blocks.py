"""The blocks of BGZF with zlib alone, independent of every reader under test.

A BGZF file is a row of gzip members of at most 64 KiB of content, each telling its own
compressed size in an extra field `BC`, ended by an empty member.  Source: SAMv1, section 4.1.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, NamedTuple

from core import DamagedDataset, DatasetError, reading, tr

END_MARKER = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
GZIP_MAGIC = b"\x1f\x8b"
_BLOCK_MAGIC = b"\x1f\x8b\x08\x04"
_HEAD = 12 + 64  # fixed part of a gzip header and room for the extra fields
_TAIL = 8  # CRC32 and size of the content
_GLIMPSED = 16  # bytes that are inflated at a time, where each may be the last that can be


class Block(NamedTuple):
    """One block: where it is in the file and what part of the content it holds."""

    start: int
    size: int
    content: int
    length: int


def block_size(head: bytes) -> int | None:
    """Size of the block that begins with these bytes; None where they begin no BGZF block."""
    if len(head) < 18 or head[:4] != _BLOCK_MAGIC:
        return None
    extra = head[12 : 12 + struct.unpack_from("<H", head, 10)[0]]
    while len(extra) >= 4:
        length = struct.unpack_from("<H", extra, 2)[0]
        if extra[:2] == b"BC" and length == 2 and len(extra) >= 6:
            size = int(struct.unpack_from("<H", extra, 4)[0]) + 1
            return size if size >= len(END_MARKER) else None
        extra = extra[4 + length :]
    return None


def walk(file: BinaryIO, path: Path) -> Iterator[Block]:
    """All blocks, found by their headers; those without content are checked to have none.

    Raises DatasetError where the blocks are cut off or followed by something else.
    """
    size = os.fstat(file.fileno()).st_size
    start = content = 0
    ended = False
    head = read_at(file, _HEAD, 0, path)
    while start < size:
        length = block_size(head)
        if length is None and ended:
            raise _trailing(path, start)
        if size - start < len(END_MARKER):
            raise truncated(path, start)
        if length is None:
            raise _damaged(path, start, "is not one")
        end = start + length
        if end > size:
            raise truncated(path, start)
        ahead = read_at(file, 4 + _HEAD, end - 4, path)
        inside = struct.unpack_from("<I", ahead)[0]
        if inside > 1 << 16:
            raise _damaged(path, start, "claims more than 64 KiB")
        block = Block(start, length, content, inside)
        if not inside:
            inflate(read_at(file, length, start, path), block, path)
        yield block
        ended = not inside
        start, content, head = end, content + inside, ahead[4:]


def read_at(file: BinaryIO, count: int, start: int, path: Path) -> bytes:
    """Up to `count` bytes of a file from there on; raises DatasetError."""
    with reading(path):
        return os.pread(file.fileno(), count, start)


def inflate(packed: bytes, block: Block, path: Path) -> bytes:
    """The content of a block; raises DatasetError unless length and checksum are right."""
    header = 12 + struct.unpack_from("<H", packed, 10)[0]
    deflated = zlib.decompressobj(wbits=-15)
    try:
        content = deflated.decompress(packed[header:-_TAIL], (1 << 16) + 1)
    except zlib.error as error:
        raise _damaged(path, block.start, "cannot be inflated") from error
    if not deflated.eof or deflated.unused_data:
        raise _damaged(path, block.start, "cannot be inflated")
    checksum, length = struct.unpack("<II", packed[-_TAIL:])
    if len(content) != length or zlib.crc32(content) != checksum:
        raise _damaged(path, block.start, "has a wrong checksum")
    return content


def glimpse(head: bytes) -> bytes:
    """The start of a file's content, as far as these first bytes of the file give it.

    It works for a damaged file too, and for gzip that is no BGZF, so that its kind is recognised.
    """
    if block_size(head) is None:
        with suppress(zlib.error):
            return zlib.decompressobj(wbits=31).decompress(head, _GLIMPSED)
    while (size := block_size(head)) is not None:
        start = 12 + struct.unpack_from("<H", head, 10)[0]
        deflated = zlib.decompressobj(wbits=-15)
        content = b""
        # Piece by piece, because zlib drops the content before a fault.
        with suppress(zlib.error):
            for place in range(start, min(size - _TAIL, len(head)), _GLIMPSED):
                content += deflated.decompress(head[place : place + _GLIMPSED])
        if content.strip():
            return content
        head = head[size:]
    return b""


def require_end(path: Path) -> None:
    """Raise DatasetError, with the place of the cut, unless a file ends with BGZF's end marker."""
    with reading(path), path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if not size:
            raise DatasetError(tr("{path} is empty", path=path), tr("fetch the file again"))
        end = max(0, size - len(END_MARKER))
        if read_at(file, len(END_MARKER), end, path) == END_MARKER:
            return
        for _ in walk(file, path):
            pass
    raise DamagedDataset(
        tr("{path} lacks BGZF's end marker, so it was cut off", path=path),
        tr("fetch it again or recompress it with bgzip"),
    )


def truncated(path: Path, start: int) -> DamagedDataset:
    """The error of a file that ends within the block which begins at `start`."""
    return DamagedDataset(
        tr(
            "{path} was cut off: the BGZF block at byte {start:,} is incomplete",
            path=path,
            start=start,
        ),
        tr("fetch the file again"),
    )


def _trailing(path: Path, start: int) -> DamagedDataset:
    return DamagedDataset(
        tr(
            "{path} goes on after BGZF's end marker: what begins at byte {start:,} is no block",
            path=path,
            start=start,
        ),
        tr(
            "end it there with `truncate -s {start} {name}`, or fetch the file again",
            start=start,
            name=path.name,
        ),
    )


def _damaged(path: Path, start: int, what: str) -> DamagedDataset:
    return DamagedDataset(
        tr(
            "{path} is damaged: the BGZF block at byte {start:,} {what}",
            path=path,
            start=start,
            what=what,
        ),
        tr("fetch the file again"),
    )
