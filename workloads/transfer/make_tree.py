"""Generates trees of files, block by block: no more than one is in memory."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from pathlib import Path

import msgspec

from core import DatasetError, Tell, tr
from workloads.transfer.tree_files import (
    BLOCK,
    FILES,
    FORMAT,
    HEADING,
    INDEX,
    Heading,
    TreeFile,
    digest_of_index,
    encode_index,
)
from workloads.transfer.tree_shapes import TreeShape

_MOST_FILES = 1_000_000
_TOLD_EVERY = 64 * BLOCK


def require_few_files(shape: TreeShape) -> None:
    """Raise DatasetError where there are too many."""
    if shape.all_files > _MOST_FILES:
        raise DatasetError(
            tr("this tree would have {files:,} files", files=shape.all_files),
            tr("choose fewer levels, folders or files"),
        )


def make_tree(shape: TreeShape, folder: Path, tell: Tell) -> None:
    """Write tree and catalogue; raises DatasetError where there are too many files."""
    require_few_files(shape)
    writer = _Writer(shape.bytes, folder / FILES, tell)
    rows = [
        row
        for place, part in shape.parts.items()
        for name in _folders(f"{place}/" if place else "", part.depth, part.folders)
        for row in writer.write(name, part)
    ]
    index = encode_index(sorted(rows))
    (folder / INDEX).write_bytes(index)
    heading = Heading(
        format=FORMAT,
        files=shape.all_files,
        folders=shape.all_folders,
        bytes=shape.bytes,
        digest=digest_of_index(index),
    )
    (folder / HEADING).write_bytes(msgspec.json.format(msgspec.json.encode(heading)) + b"\n")


def _folders(above: str, depth: int, width: int) -> Iterator[str]:
    for number in range(width):
        name = f"{above}folder-{number:03}"
        yield name
        if depth > 1:
            yield from _folders(f"{name}/", depth - 1, width)


class _Writer:
    """Writes the files of one folder after the other."""

    def __init__(self, whole: int, root: Path, tell: Tell) -> None:
        """`whole`: bytes of all files."""
        self._whole, self._root, self._tell = whole, root, tell
        self._written = self._told = 0

    def write(self, folder: str, shape: TreeShape) -> list[TreeFile]:
        """The files of a folder, as they are in the catalogue."""
        (self._root / folder).mkdir(parents=True, exist_ok=True)
        names = (f"{folder}/file-{number:05}" for number in range(shape.files))
        return [self._file(name, shape) for name in names]

    def _file(self, name: str, shape: TreeShape) -> TreeFile:
        # Each file has a seed of its own, so that none is like another, nor changes with others.
        drawn = random.Random(f"{shape.seed}/{name}")
        digest, left = hashlib.md5(usedforsecurity=False), shape.size
        with (self._root / name).open("wb") as file:
            while left:
                block = drawn.randbytes(min(left, BLOCK))
                file.write(block)
                digest.update(block)
                left -= len(block)
                self._count(len(block))
        return TreeFile(name, shape.size, digest.digest())

    def _count(self, size: int) -> None:
        self._written += size
        if self._written - self._told >= _TOLD_EVERY:
            self._told = self._written
            self._tell("writing files", self._written, self._whole, "byte")
