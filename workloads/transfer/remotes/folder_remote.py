"""A folder as a remote."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import override

from core import Tell
from workloads.transfer.remotes.remote import Arrived, Remote
from workloads.transfer.tree_files import TreeFile, files_below, hash_file


class FolderRemote(Remote):
    """A folder of this machine, or of a mounted share."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @override
    def put(self, name: str, path: Path) -> None:
        target = self._folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)

    @override
    def found(self, prefix: str, files: Sequence[TreeFile], tell: Tell) -> Mapping[str, Arrived]:
        return hashed_below(self._folder / prefix, tell)

    @override
    def note(self, name: str) -> bytes | None:
        try:
            return (self._folder / name).read_bytes()
        except FileNotFoundError:
            return None

    @override
    def write_note(self, name: str, value: bytes) -> None:
        (self._folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self._folder / name).write_bytes(value)

    @override
    def remove(self, prefix: str) -> int:
        return remove_folder(self._folder / prefix)

    @override
    def close(self) -> None:
        pass


def hashed_below(folder: Path, tell: Tell) -> Mapping[str, Arrived]:
    """All files in a folder by their names in it, read and hashed; none where it is not there."""
    found: dict[str, Arrived] = {}
    for path in files_below(folder) if folder.is_dir() else ():
        found[path.relative_to(folder).as_posix()] = Arrived(*hash_file(path))
        tell("reading what arrived", len(found), 0, "file")
    return found


def remove_folder(folder: Path) -> int:
    """Remove a folder with all that is in it; returns how many files that were."""
    if not folder.is_dir():
        return 0
    count = sum(1 for _ in files_below(folder))
    shutil.rmtree(folder)
    return count
