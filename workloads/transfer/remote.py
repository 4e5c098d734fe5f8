"""Where trees are sent to and fetched from, as seen by a client that is not under test.

It fills the remote before a download, finds what arrived after an upload, and removes it.
"""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, override

from core import Tell
from workloads.transfer.tree_files import TreeFile, files_below, hash_file


class Arrived(NamedTuple):
    """One file that is there."""

    size: int
    md5: bytes
    flaw: str = ""
    """What is wrong with it besides, such as annotations that it does not have."""


class Remote(ABC):
    """The other end of a transfer: it holds files by names with slashes in them."""

    @abstractmethod
    def put(self, name: str, path: Path) -> None:
        """Write a file, in place of one that may be there; from any thread."""

    @abstractmethod
    def arrived(self, prefix: str, files: Sequence[TreeFile], tell: Tell) -> Mapping[str, Arrived]:
        """All files whose names begin so, by the rest of their names.

        Their bytes are read and hashed; those that the server has hashed itself need not be, if it
        tells the MD5 that they should have.
        """

    @abstractmethod
    def note(self, name: str) -> bytes | None:
        """What a small file holds; None where there is none."""

    @abstractmethod
    def write_note(self, name: str, value: bytes) -> None:
        """Write a small file."""

    @abstractmethod
    def remove(self, prefix: str) -> int:
        """Remove all files whose names begin so, half-written ones too; returns how many it was."""

    @abstractmethod
    def close(self) -> None:
        """Let go of it."""


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
    def arrived(self, prefix: str, files: Sequence[TreeFile], tell: Tell) -> Mapping[str, Arrived]:
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
