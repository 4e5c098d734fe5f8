"""Where trees are sent to and fetched from, as seen by a client that is not under test.

It fills the remote before a download, finds what arrived after an upload, and removes it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from core import Tell
from workloads.transfer.tree_files import TreeFile


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
    def found(self, prefix: str, files: Sequence[TreeFile], tell: Tell) -> Mapping[str, Arrived]:
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
