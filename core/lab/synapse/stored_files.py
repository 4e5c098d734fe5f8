"""Where the service keeps files: what it asks of such a place, and the stand-in's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from core.lab.synapse.presigned import Presigner
from core.lab.synapse.stored_parts import StoredParts


class FileStore(Protocol):
    """Files that clients send in parts and fetch whole, at URLs that let them in for a while.

    Keys are hexadecimal digits, parts are numbered from 1 and known by their MD5.
    """

    def begin(self, key: str) -> None:
        """Parts of that file may come from now on."""

    def part_url(self, key: str, number: int) -> str:
        """Where a part is sent to by PUT."""

    def has(self, key: str, number: int, md5: str) -> bool:
        """Whether a part with that MD5 has come."""

    def complete(self, key: str, parts: Mapping[int, str]) -> int:
        """Make a file of the parts with these MD5s, by number; returns its size in bytes."""

    def file_url(self, key: str) -> str:
        """Where a complete file is fetched from by GET."""

    def remove(self, key: str) -> None:
        """Remove a complete file."""


@dataclass(frozen=True)
class OwnStorage:
    """A folder that the stand-in's process `storage` serves."""

    stored: StoredParts
    presigner: Presigner

    def begin(self, key: str) -> None:
        """Make a folder for its parts."""
        self.stored.begin(key)

    def part_url(self, key: str, number: int) -> str:
        """A URL of the process `storage`."""
        return self.presigner.url("PUT", f"/part/{key}/{number}")

    def has(self, key: str, number: int, md5: str) -> bool:
        """Whether the folder has it."""
        return self.stored.has(key, number, md5)

    def complete(self, key: str, parts: Mapping[int, str]) -> int:
        """The parts stay where they are."""
        return self.stored.complete(key, parts)

    def file_url(self, key: str) -> str:
        """A URL of the process `storage`."""
        return self.presigner.url("GET", f"/file/{key}")

    def remove(self, key: str) -> None:
        """Remove its folder."""
        self.stored.remove(key)
