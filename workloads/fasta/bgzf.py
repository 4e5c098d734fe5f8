"""Reads plain and block-compressed (BGZF) files at any place of their content."""

from __future__ import annotations

import os
import struct
import zlib
from bisect import bisect_right
from collections import deque
from collections.abc import Iterable, Iterator
from contextvars import copy_context
from functools import lru_cache
from itertools import batched, islice
from pathlib import Path
from typing import Protocol, Self

from core import reading
from workloads.fasta.bgzf_blocks import END_MARKER, Block, inflate, read_at, walk

MOST_CONTENT = 0xFF00
"""Bytes of content that writers put into a block, so that even noise fits in 64 KiB."""
_PIECE = 1 << 20
_TOGETHER = 16
"""Blocks that make a piece."""
_MOST_WORKERS = 8
_KEPT = 64
"""Blocks kept inflated, because neighbouring content is read next."""


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
        self._path = path
        with reading(path):
            self._file = path.open("rb", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def read(self, start: int, count: int) -> bytes:
        """Up to `count` bytes from there on, fewer only at the end; raises DatasetError."""
        read = b""
        while len(read) < count:
            more = read_at(self._file, count - len(read), start + len(read), self._path)
            if not more:
                break
            read += more
        return read

    def pieces(self) -> Iterator[bytes]:
        """All bytes in order; raises DatasetError."""
        start = 0
        while piece := read_at(self._file, _PIECE, start, self._path):
            yield piece
            start += len(piece)


class BgzfContent:
    """A BGZF file; its table of blocks is made by walking their headers, not from a `.gzi`."""

    def __init__(self, path: Path) -> None:
        self._path = path
        with reading(path):
            self._file = path.open("rb", buffering=0)
        self._chain: list[Block] = []
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._inflated = lru_cache(maxsize=_KEPT)(self._inflate)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._file.close()

    def walked(self) -> Iterator[Block]:
        """The blocks in order, one by one; raises DatasetError where their chain breaks."""
        return walk(self._file, self._path)

    @property
    def chain(self) -> list[Block]:
        """All blocks in order, also those without content; raises DatasetError where it breaks."""
        if not self._chain:
            self._chain = list(self.walked())
        return self._chain

    @property
    def blocks(self) -> list[Block]:
        """All blocks with content, in order; raises DatasetError where their chain breaks."""
        if not self._blocks:
            self._blocks = [block for block in self.chain if block.length]
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
        """All bytes in order; raises DatasetError where the file is damaged.

        The next piece is inflated while one is looked at, on all cores.
        """
        from concurrent.futures import Future, ThreadPoolExecutor

        workers = min(_MOST_WORKERS, os.cpu_count() or 1)
        with ThreadPoolExecutor(workers) as pool:
            begun: deque[Future[bytes]] = deque()
            for blocks in batched(self.blocks, _TOGETHER):
                # In the caller's context, so that errors are in the caller's language.
                begun.append(pool.submit(copy_context().run, self._inflate_all, blocks))
                if len(begun) > workers:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()

    def beginning(self) -> bytes:
        """The content of the first block that holds more than white space; raises DatasetError."""
        for block in self.walked():
            if (content := self._inflate(block)).strip():
                return content
        return b""

    def _inflate_all(self, blocks: Iterable[Block]) -> bytes:
        return b"".join(map(self._inflate, blocks))

    def _inflate(self, block: Block) -> bytes:
        packed = read_at(self._file, block.size, block.start, self._path)
        return inflate(packed, block, self._path)


def begins_empty(path: Path) -> bool:
    """Whether a file's first block has no content; raises DatasetError."""
    with BgzfContent(path) as content:
        return any(block.length == 0 for block in islice(content.walked(), 1))


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
    """The `.gzi` index of blocks with content: their starts in file and content.

    A block at the very start is left out, because readers assume it.
    """
    listed = [block for block in blocks if block.start]
    pairs = (struct.pack("<QQ", block.start, block.content) for block in listed)
    return struct.pack("<Q", len(listed)) + b"".join(pairs)
