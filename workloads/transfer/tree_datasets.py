"""The kind of dataset that holds a tree of files, generated block by block."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import override

from core import Dataset, DatasetError, DatasetKind, ReportProgress, choice, integer, tr
from workloads.shared.datasets import digest_of_index
from workloads.transfer.tree_files import (
    BLOCK,
    CATALOGUE,
    FILES,
    FORMAT,
    HEADING,
    INDEX,
    TreeFile,
    TreeHeading,
    encode_index,
    files_below,
)

_LISTED = 600  # bytes on disk of a file's line in the list, and of its last block that is not full
_ONE = {"trees": ("one",)}


@dataclass(frozen=True, kw_only=True)
class TreeShape:
    """One tree: folders within folders, each with as many files of one size; or several of them.

    Those of the published study: 25 files = as declared; 775 files = depth 3, size 13312; ten files
    of 100 MiB or of 10,000 MiB = folders 1, files 10, size 104857600 or 10485760000.
    """

    trees: str = choice(
        "one",
        options={
            "one": "One tree, as the other values say.",
            "scaled": "The published trees, each in a folder of its own, with ten files of 10 MiB.",
            "large": "The published trees with ten files of 100 MiB.",
            "full": "The published trees with ten files of 100 MiB, and ten of 10,000 MiB.",
        },
        help="Which trees.",
    )
    depth: int = integer(
        1,
        low=1,
        high=8,
        only_when=_ONE,
        help="Levels of folders; 3 with 5 folders are the 155 of 775 files.",
    )
    folders: int = integer(
        5,
        low=1,
        high=1000,
        scale="log2",
        only_when=_ONE,
        help="Folders at the top, and in each folder above the last level.",
    )
    files: int = integer(
        5, low=1, high=100_000, scale="log2", only_when=_ONE, help="Files in each folder."
    )
    size: int = integer(
        40_960,
        low=0,
        high=1 << 40,
        unit="bytes",
        only_when=_ONE,
        help="Bytes of each file; the published trees have 40960, 13312, 100 MiB and 10000 MiB.",
    )
    seed: int = integer(1, low=0, high=2**31 - 1, help="Seed of what the files hold.")

    @property
    def parts(self) -> Mapping[str, TreeShape]:
        """The trees, by the folder that each is in; empty = the root."""
        if self.trees == "one":
            return {"": self}
        return {
            name: TreeShape(depth=depth, folders=folders, files=files, size=size, seed=self.seed)
            for name, (depth, folders, files, size) in _PUBLISHED[self.trees].items()
        }

    @property
    def all_folders(self) -> int:
        if self.trees != "one":
            return sum(1 + part.all_folders for part in self.parts.values())
        return sum(self.folders**level for level in range(1, self.depth + 1))

    @property
    def all_files(self) -> int:
        if self.trees != "one":
            return sum(part.all_files for part in self.parts.values())
        return self.all_folders * self.files

    @property
    def bytes(self) -> int:
        return sum(part.all_files * part.size for part in self.parts.values())

    @property
    def room(self) -> int:
        return self.bytes + _LISTED * self.all_files


_SMALL = {"25-files": (1, 5, 5, 40_960), "775-files": (3, 5, 5, 13_312)}
_LARGE = {**_SMALL, "10-files": (1, 1, 10, 100 << 20)}
_PUBLISHED: Mapping[str, Mapping[str, tuple[int, int, int, int]]] = {
    "scaled": {**_SMALL, "10-files": (1, 1, 10, 10 << 20)},
    "large": _LARGE,
    "full": {**_LARGE, "10-huge-files": (1, 1, 10, 10_000 << 20)},
}
"""Depth, folders, files and size of each published tree, by its folder."""


class FileTree(DatasetKind):
    """A folder with a tree of files, and the catalogue by which every copy of it is judged."""

    name = "file-tree"
    title = "tree of files"
    shape = TreeShape

    @override
    def recognises(self, path: Path) -> bool:
        return path.is_dir() and CATALOGUE.begins(path)

    @override
    def files(self, path: Path) -> Sequence[Path]:
        return sorted([*self.content(path), *files_below(path / FILES)])

    @override
    def content(self, path: Path) -> Sequence[Path]:
        return sorted(path / name for name in (HEADING, INDEX))

    @override
    def open(self, path: Path) -> Dataset:
        CATALOGUE.heading_of(path)
        return super().open(path)

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        heading = CATALOGUE.heading_of(path)
        return {"files": heading.files, "folders": heading.folders, "bytes": heading.bytes}

    @override
    def room(self, shape: TreeShape) -> int:
        """Raises DatasetError where there are too many files, whatever room there is."""
        require_few_files(shape)
        return super().room(shape)

    @override
    def make(self, shape: TreeShape, folder: Path, report: ReportProgress) -> Path:
        make_tree(shape, folder, report)
        return folder


_MOST_FILES = 1_000_000
_REPORT_EVERY = 64 * BLOCK


def require_few_files(shape: TreeShape) -> None:
    if shape.all_files > _MOST_FILES:
        raise DatasetError(
            tr("this tree would have {files:,} files", files=shape.all_files),
            tr("choose fewer levels, folders or files"),
        )


def make_tree(shape: TreeShape, folder: Path, report: ReportProgress) -> None:
    """Write tree and catalogue; raises DatasetError where there are too many files."""
    require_few_files(shape)
    writer = _Writer(shape.bytes, folder / FILES, report)
    rows = [
        row
        for place, part in shape.parts.items()
        for name in _folders(f"{place}/" if place else "", part.depth, part.folders)
        for row in writer.write(name, part)
    ]
    index = encode_index(sorted(rows))
    heading = TreeHeading(
        format=FORMAT,
        files=shape.all_files,
        folders=shape.all_folders,
        bytes=shape.bytes,
        digest=digest_of_index(index),
    )
    CATALOGUE.write(folder, heading, index)


def _folders(above: str, depth: int, width: int) -> Iterator[str]:
    for number in range(width):
        name = f"{above}folder-{number:03}"
        yield name
        if depth > 1:
            yield from _folders(f"{name}/", depth - 1, width)


class _Writer:
    """Writes the files of one folder after the other."""

    def __init__(self, whole: int, root: Path, report: ReportProgress) -> None:
        """`whole`: bytes of all files."""
        self._whole, self._root, self._report = whole, root, report
        self._written = self._reported = 0

    def write(self, folder: str, shape: TreeShape) -> list[TreeFile]:
        """The files of a folder, as they are in the catalogue."""
        (self._root / folder).mkdir(parents=True, exist_ok=True)
        names = (f"{folder}/file-{number:05}" for number in range(shape.files))
        return [self._file(name, shape) for name in names]

    def _file(self, name: str, shape: TreeShape) -> TreeFile:
        # Each file has a seed of its own, so that none is like another, nor changes with others.
        drawn = random.Random(f"{shape.seed}/{name}")
        digest = hashlib.md5(usedforsecurity=False)
        with (self._root / name).open("wb") as file:
            for start in range(0, shape.size, BLOCK):
                block = drawn.randbytes(min(shape.size - start, BLOCK))
                file.write(block)
                digest.update(block)
                self._written += len(block)
                if self._written - self._reported >= _REPORT_EVERY:
                    self._reported = self._written
                    self._report("writing files", self._written, self._whole, "byte")
        return TreeFile(name, shape.size, digest.digest())
