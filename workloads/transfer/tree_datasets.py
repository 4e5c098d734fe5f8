"""The kind of dataset that holds a generated tree of files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import override

from core import Dataset, DatasetKind, Tell
from workloads.transfer.tree_files import (
    FILES,
    HEADING,
    INDEX,
    begins_as_tree,
    files_below,
    heading_of,
)
from workloads.transfer.tree_shapes import TreeShape


class FileTree(DatasetKind):
    """A folder with a tree of files, and the catalogue by which every copy of it is judged."""

    name = "file-tree"
    title = "tree of files"
    shape = TreeShape

    @override
    def recognises(self, path: Path) -> bool:
        """True for a folder that says so."""
        return path.is_dir() and begins_as_tree(path)

    @override
    def files(self, path: Path) -> Sequence[Path]:
        """Heading, catalogue and the files themselves."""
        return sorted([*self.content(path), *files_below(path / FILES)])

    @override
    def content(self, path: Path) -> Sequence[Path]:
        """Heading and catalogue: they have the MD5 of every file."""
        return sorted(path / name for name in (HEADING, INDEX))

    @override
    def open(self, path: Path) -> Dataset:
        """The tree; raises DatasetError where its heading is damaged."""
        heading_of(path)
        return super().open(path)

    @override
    def facts(self, path: Path) -> Mapping[str, int | str]:
        """Files, folders and bytes."""
        heading = heading_of(path)
        return {"files": heading.files, "folders": heading.folders, "bytes": heading.bytes}

    @override
    def room(self, shape: TreeShape) -> int:
        """Raises DatasetError where there are too many files, whatever room there is."""
        from workloads.transfer.make_tree import require_few_files

        require_few_files(shape)
        return super().room(shape)

    @override
    def make(self, shape: TreeShape, folder: Path, tell: Tell) -> Path:
        """Generate the tree."""
        from workloads.transfer.make_tree import make_tree

        make_tree(shape, folder, tell)
        return folder
