"""Progress that is told to whoever asked for something."""

from __future__ import annotations

from typing import Protocol


class Tell(Protocol):
    """Receives progress: what is being done, how much of it, out of how much (0 = unknown)."""

    def __call__(self, doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        """Take one report; cheap enough to be called per file."""


def tell_nobody(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
    """A `Tell` for callers who do not watch."""
