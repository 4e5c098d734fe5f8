"""Progress, as long calls report it to their callers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from core.language.translation import tr


class ReportProgress(Protocol):
    """Receives progress: the current work, how much is done, out of how much (0 = unknown)."""

    def __call__(self, doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        """Take one report; cheap enough to be called per file."""


def report_to_nobody(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
    """A `ReportProgress` for callers who do not watch."""


_WATCHING: ContextVar[ReportProgress] = ContextVar("watching", default=report_to_nobody)
_EACH = 256
"""Files between two reports."""


@contextmanager
def watched_by(report: ReportProgress) -> Iterator[None]:
    """Loops over many files within the block call `report`, and end where it raises.

    They lie below many kinds of data, none of which passes `report` on.
    """
    token = _WATCHING.set(report)
    try:
        yield
    finally:
        _WATCHING.reset(token)


def counted[T](files: Iterable[T]) -> Iterator[T]:
    """The same files, reported as they are looked at."""
    report = _WATCHING.get()
    for number, file in enumerate(files):
        if number % _EACH == 0:
            report(tr("1 file", "{count:,} files", count=number) if number else "")
        yield file
