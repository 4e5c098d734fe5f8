"""Block-compressed gzip (BGZF) with zlib alone, independent of every reader under test.

A BGZF file is a row of gzip members of at most 64 KiB of content, each telling its own
compressed size in an extra field `BC`, ended by an empty member.  Source: SAMv1, section 4.1.
"""

from __future__ import annotations

import os
import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Protocol, Self

from core import DatasetError, say

END_MARKER = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
GZIP_MAGIC = b"\x1f\x8b"
MOST_CONTENT = 0xFF00
"""Bytes of content that writers put into a block, so that even noise fits in 64 KiB."""
_HEAD = 12 + 64  # fixed part of a gzip header and room for the extra fields
_TAIL = 8  # CRC32 and size of the content
_PIECE = 1 << 20


class Block(NamedTuple):
    """One block: where it is in the file and what part of the content it holds."""

    start: int
    size: int
    content: int
    length: int


class Content(Protocol):
    """The uncompressed bytes of a file."""

    def read(self, start: int, count: int) -> bytes:
        """Up to `count` bytes from there on, fewer only at the end; raises DatasetError."""

    def pieces(self) -> Iterator[bytes]:
        """All bytes in order; raises DatasetError where the file is damaged."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *exception: object) -> None: ...


class PlainContent:
    """A file that is not compressed."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("rb", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def read(self, start: int, count: int) -> bytes:
        """Up to `count` bytes from there on, fewer only at the end."""
        read = b""
        while len(read) < count:
            more = os.pread(self._file.fileno(), count - len(read), start + len(read))
            if not more:
                break
            read += more
        return read

    def pieces(self) -> Iterator[bytes]:
        """All bytes in order."""
        self._file.seek(0)
        while piece := self._file.read(_PIECE):
            yield piece


class BgzfContent:
    """A BGZF file; its table of blocks is made by walking their headers, not from a `.gzi`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = path.open("rb", buffering=0)
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._last: tuple[Block, bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    @property
    def blocks(self) -> list[Block]:
        """All blocks with content, in order; raises DatasetError where the chain breaks."""
        if not self._blocks:
            self._blocks = list(walk(self._file, self._path))
            self._starts = [block.content for block in self._blocks]
        return self._blocks

    def read(self, start: int, count: int) -> bytes:
        """Up to `count` bytes from there on, fewer only at the end; raises DatasetError."""
        blocks = self.blocks
        parts: list[bytes] = []
        place = max(0, bisect_right(self._starts, start) - 1)
        while count > 0 and place < len(blocks):
            block = blocks[place]
            part = self._inflated(block)[start - block.content :][:count]
            parts.append(part)
            start += len(part)
            count -= len(part)
            place += 1
        return b"".join(parts)

    def pieces(self) -> Iterator[bytes]:
        """All bytes in order, block by block; raises DatasetError where the file is damaged."""
        for block in self.blocks:
            yield inflate(os.pread(self._file.fileno(), block.size, block.start), block, self._path)

    def _inflated(self, block: Block) -> bytes:
        if self._last is None or self._last[0] != block:
            packed = os.pread(self._file.fileno(), block.size, block.start)
            self._last = block, inflate(packed, block, self._path)
        return self._last[1]


def block_size(head: bytes) -> int | None:
    """Size of the block that begins with these bytes; None where they begin no BGZF block."""
    if len(head) < 18 or head[:3] != b"\x1f\x8b\x08" or not head[3] & 4:
        return None
    extra = head[12 : 12 + struct.unpack_from("<H", head, 10)[0]]
    while len(extra) >= 4:
        length = struct.unpack_from("<H", extra, 2)[0]
        if extra[:2] == b"BC" and length == 2 and len(extra) >= 6:
            return int(struct.unpack_from("<H", extra, 4)[0]) + 1
        extra = extra[4 + length :]
    return None


def walk(file: BinaryIO, path: Path) -> Iterator[Block]:
    """The blocks that have content, by their headers alone; raises DatasetError where they end early."""
    size = os.fstat(file.fileno()).st_size
    start = content = 0
    head = os.pread(file.fileno(), _HEAD, 0)
    while start < size:
        length = block_size(head)
        if size - start < len(END_MARKER):
            raise truncated(path, start)
        if length is None:
            raise _damaged(path, start, "is not one")
        end = start + length
        if end > size:
            raise truncated(path, start)
        ahead = os.pread(file.fileno(), 4 + _HEAD, end - 4)
        inside = struct.unpack_from("<I", ahead)[0]
        if inside > 1 << 16:
            raise _damaged(path, start, "claims more than 64 KiB")
        if inside:
            yield Block(start, length, content, inside)
        start, content, head = end, content + inside, ahead[4:]


def inflate(packed: bytes, block: Block, path: Path) -> bytes:
    """The content of a block; raises DatasetError unless length and checksum are right."""
    header = 12 + struct.unpack_from("<H", packed, 10)[0]
    try:
        content = zlib.decompress(packed[header:-_TAIL], wbits=-15, bufsize=block.length or 1)
    except zlib.error as error:
        raise _damaged(path, block.start, "cannot be inflated") from error
    checksum, length = struct.unpack("<II", packed[-_TAIL:])
    if len(content) != length or zlib.crc32(content) != checksum:
        raise _damaged(path, block.start, "has a wrong checksum")
    return content


def first_content(head: bytes, path: Path) -> bytes:
    """The content of the first block of a file that begins with these bytes; raises DatasetError."""
    size = block_size(head)
    if size is None or size > len(head):
        raise truncated(path, 0)
    length = struct.unpack_from("<I", head, size - 4)[0]
    return inflate(head[:size], Block(0, size, 0, length), path)


def require_end(path: Path) -> None:
    """Raise DatasetError unless the file ends with BGZF's end marker, saying where it was cut off."""
    with path.open("rb", buffering=0) as file:
        size = os.fstat(file.fileno()).st_size
        if os.pread(file.fileno(), len(END_MARKER), size - len(END_MARKER)) == END_MARKER:
            return
        for _ in walk(file, path):
            pass
    raise DatasetError(
        say("{path} lacks BGZF's end marker, so it was cut off", path=path),
        say("fetch it again or recompress it with bgzip"),
    )


def truncated(path: Path, start: int) -> DatasetError:
    """The error of a file that ends within the block which begins at `start`."""
    return DatasetError(
        say(
            "{path} was cut off: the BGZF block at byte {start:,} is incomplete",
            path=path,
            start=start,
        ),
        say("fetch the file again"),
    )


def _damaged(path: Path, start: int, what: str) -> DatasetError:
    return DatasetError(
        say(
            "{path} is damaged: the BGZF block at byte {start:,} {what}",
            path=path,
            start=start,
            what=what,
        ),
        say("fetch the file again"),
    )


def compress(pieces: Iterable[bytes], level: int = 1) -> Iterator[tuple[bytes, int]]:
    """BGZF blocks of the content that the pieces make, each with its length of content.

    The end marker is the last of them.
    """
    content = b"".join(pieces)
    for start in range(0, len(content), MOST_CONTENT):
        part = content[start : start + MOST_CONTENT]
        deflate = zlib.compressobj(level, zlib.DEFLATED, -15)
        packed = deflate.compress(part) + deflate.flush()
        head = bytes.fromhex("1f8b08040000000000ff060042430200") + struct.pack(
            "<H", len(packed) + 25
        )
        yield head + packed + struct.pack("<II", zlib.crc32(part), len(part)), len(part)
    yield END_MARKER, 0


def gzi(blocks: Iterable[Block]) -> bytes:
    """The `.gzi` index of these blocks: their starts in file and content, the first left out."""
    rest = list(blocks)[1:]
    pairs = (struct.pack("<QQ", block.start, block.content) for block in rest)
    return struct.pack("<Q", len(rest)) + b"".join(pairs)
