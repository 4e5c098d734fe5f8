"""Plain and block-compressed (BGZF) files, read at any place of their content.

With zlib alone, independent of every reader under test.  A BGZF file is a row of gzip members of at
most 64 KiB of content, each telling its own compressed size in an extra field `BC`, ended by an
empty member.  Source: SAMv1, section 4.1.
"""

from __future__ import annotations

import os
import struct
import zlib
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cached_property, lru_cache
from itertools import batched
from operator import attrgetter
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

from core import DamagedDataset, DatasetError, reading, tr
from workloads.shared.threads import mapped

END_MARKER = bytes.fromhex("1f8b08040000000000ff0600424302001b0003000000000000000000")
GZIP_MAGIC = b"\x1f\x8b"
_BLOCK_MAGIC = b"\x1f\x8b\x08\x04"
_HEAD = 12 + 64  # fixed part of a gzip header and room for the extra fields
_TAIL = 8  # CRC32 and size of the content
_PEEKED = 16  # bytes that are inflated at a time, where each may be the last that can be


class BgzfBlock(NamedTuple):
    """One block: where it is in the file and what part of the content it holds."""

    file_start: int
    packed_bytes: int
    """Header and checksum included."""
    content_start: int
    content_bytes: int


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


def is_known_to_htslib(head: bytes) -> bool:
    """Whether a block has no extra field but `BC`; htslib takes any other for no block."""
    return bool(struct.unpack_from("<H", head, 10)[0] == 6)


def walk(file: BinaryIO, path: Path) -> Iterator[BgzfBlock]:
    """All blocks, found by their headers; those without content are checked to have none.

    Raises DatasetError where the blocks are cut off or followed by something else.
    """
    file_bytes = os.fstat(file.fileno()).st_size
    start = content_start = 0
    ended = False
    head = read_at(file, _HEAD, 0, path)
    while start < file_bytes:
        packed_bytes = block_size(head)
        if packed_bytes is None and ended:
            raise _trailing(path, start)
        if file_bytes - start < len(END_MARKER):
            raise _truncated(path, start)
        if packed_bytes is None:
            raise _damaged(path, start, "is not one")
        end = start + packed_bytes
        if end > file_bytes:
            raise _truncated(path, start)
        ahead = read_at(file, 4 + _HEAD, end - 4, path)
        content_bytes = struct.unpack_from("<I", ahead)[0]
        if content_bytes > 1 << 16:
            raise _damaged(path, start, "claims more than 64 KiB")
        block = BgzfBlock(start, packed_bytes, content_start, content_bytes)
        if not content_bytes:
            inflate(read_at(file, packed_bytes, start, path), block, path)
        yield block
        ended = not content_bytes
        start, content_start, head = end, content_start + content_bytes, ahead[4:]


def read_at(file: BinaryIO, count: int, start: int, path: Path) -> bytes:
    """Up to `count` bytes of a file from there on; raises DatasetError."""
    with reading(path):
        return os.pread(file.fileno(), count, start)


def inflate(packed: bytes, block: BgzfBlock, path: Path) -> bytes:
    """The content of a block; raises DatasetError unless length and checksum are right."""
    header = 12 + struct.unpack_from("<H", packed, 10)[0]
    deflated = zlib.decompressobj(wbits=-15)
    content = b""
    with suppress(zlib.error):
        content = deflated.decompress(packed[header:-_TAIL], (1 << 16) + 1)
    if not deflated.eof or deflated.unused_data:
        raise _damaged(path, block.file_start, "cannot be inflated")
    checksum, length = struct.unpack("<II", packed[-_TAIL:])
    if len(content) != length or zlib.crc32(content) != checksum:
        raise _damaged(path, block.file_start, "has a wrong checksum")
    return content


def peek_content(head: bytes) -> bytes:
    """The start of a file's content, as far as these first bytes of the file give it.

    It works for a damaged file too, and for gzip that is no BGZF, so that its kind is recognised.
    """
    if block_size(head) is None:
        with suppress(zlib.error):
            return zlib.decompressobj(wbits=31).decompress(head, _PEEKED)
    while (size := block_size(head)) is not None:
        start = 12 + struct.unpack_from("<H", head, 10)[0]
        deflated = zlib.decompressobj(wbits=-15)
        content = b""
        # Piece by piece, because zlib drops the content before a fault.
        with suppress(zlib.error):
            for place in range(start, min(size - _TAIL, len(head)), _PEEKED):
                content += deflated.decompress(head[place : place + _PEEKED])
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


def _truncated(path: Path, start: int) -> DamagedDataset:
    facts = {"path": path, "start": start}
    cause = tr("{path} was cut off: the BGZF block at byte {start:,} is incomplete", **facts)
    return DamagedDataset(cause, tr("fetch the file again"))


def _trailing(path: Path, start: int) -> DamagedDataset:
    where = {"path": path, "start": start, "name": path.name}
    return DamagedDataset(
        tr(
            "{path} goes on after BGZF's end marker: what begins at byte {start:,} is no block",
            **where,
        ),
        tr("end it there with `truncate -s {start} {name}`, or fetch the file again", **where),
    )


def _damaged(path: Path, start: int, what: str) -> DamagedDataset:
    facts = {"path": path, "start": start, "what": what}
    cause = tr("{path} is damaged: the BGZF block at byte {start:,} {what}", **facts)
    return DamagedDataset(cause, tr("fetch the file again"))


MOST_CONTENT = 0xFF00
"""Bytes of content that writers put into a block, so that even noise fits in 64 KiB."""
_PIECE = 1 << 20
_TOGETHER = 16
"""Blocks that make a piece."""
_NEIGHBOURS = 64
"""Blocks kept inflated, because neighbouring content is read next."""
_CONTENT_START = attrgetter("content_start")


class FileContent(ABC):
    """The uncompressed bytes of a file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with reading(path):
            self._file = path.open("rb", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    @abstractmethod
    def read(self, start: int, count: int) -> bytes:
        """Up to `count` bytes from there on, fewer only at the end; raises DatasetError."""

    @abstractmethod
    def pieces(self) -> Iterator[bytes]:
        """All bytes in order; raises DatasetError where the file is damaged."""


class PlainContent(FileContent):
    def read(self, start: int, count: int) -> bytes:
        content = b""
        while more := read_at(self._file, count - len(content), start + len(content), self._path):
            content += more
        return content

    def pieces(self) -> Iterator[bytes]:
        start = 0
        while piece := read_at(self._file, _PIECE, start, self._path):
            yield piece
            start += len(piece)


class BgzfContent(FileContent):
    """A BGZF file; its table of blocks is made by walking their headers, not from a `.gzi`."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self._inflated = lru_cache(maxsize=_NEIGHBOURS)(self._inflate)

    def walked(self) -> Iterator[BgzfBlock]:
        """The blocks in order, one by one; raises DatasetError where their chain breaks."""
        return walk(self._file, self._path)

    @cached_property
    def chain(self) -> list[BgzfBlock]:
        """All blocks in order, also those without content; raises DatasetError where it breaks."""
        return list(self.walked())

    @cached_property
    def blocks(self) -> list[BgzfBlock]:
        """All blocks with content, in order; raises DatasetError where their chain breaks."""
        return [block for block in self.chain if block.content_bytes]

    def read(self, start: int, count: int) -> bytes:
        first = max(0, bisect_right(self.blocks, start, key=_CONTENT_START) - 1)
        blocks = self.blocks[first : bisect_left(self.blocks, start + count, key=_CONTENT_START)]
        if not blocks:
            return b""
        skipped = start - blocks[0].content_start
        return b"".join(map(self._inflated, blocks))[skipped : skipped + count]

    def pieces(self) -> Iterator[bytes]:
        """All bytes in order; raises DatasetError where the file is damaged.

        The next piece is inflated while one is looked at, on all cores.
        """

        def inflate_all(blocks: Iterable[BgzfBlock]) -> bytes:
            return b"".join(map(self._inflate, blocks))

        return mapped(
            os.cpu_count() or 1, "inflating", inflate_all, batched(self.blocks, _TOGETHER)
        )

    def beginning(self) -> bytes:
        """The content of the first block that holds more than white space; raises DatasetError."""
        for block in self.walked():
            if (content := self._inflate(block)).strip():
                return content
        return b""

    def _inflate(self, block: BgzfBlock) -> bytes:
        packed = read_at(self._file, block.packed_bytes, block.file_start, self._path)
        return inflate(packed, block, self._path)


def begins_empty(path: Path) -> bool:
    """Whether a file's first block has no content; raises DatasetError."""
    with BgzfContent(path) as content:
        return next((not block.content_bytes for block in content.walked()), False)


def compress(content: bytes) -> Iterator[bytes]:
    """The BGZF blocks of a content; the end marker is the last of them."""
    for start in range(0, len(content), MOST_CONTENT):
        part = content[start : start + MOST_CONTENT]
        deflate = zlib.compressobj(1, zlib.DEFLATED, -15)
        packed = deflate.compress(part) + deflate.flush()
        size = struct.pack("<H", len(packed) + 25)
        check = struct.pack("<II", zlib.crc32(part), len(part))
        yield END_MARKER[:16] + size + packed + check
    yield END_MARKER


def gzi(blocks: Iterable[BgzfBlock]) -> bytes:
    """The `.gzi` index of blocks with content: their starts in file and content.

    A block at the very start is left out, because readers assume it.
    """
    listed = [block for block in blocks if block.file_start]
    pairs = (struct.pack("<QQ", block.file_start, block.content_start) for block in listed)
    return struct.pack("<Q", len(listed)) + b"".join(pairs)
