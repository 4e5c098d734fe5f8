"""Progress that is told to whoever asked for something."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from core.language.translation import tr


class Tell(Protocol):
    """Receives progress: what is being done, how much of it, out of how much (0 = unknown)."""

    def __call__(self, doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        """Take one report; cheap enough to be called per file."""


def tell_nobody(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
    """A `Tell` for callers who do not watch."""


_WATCHING: ContextVar[Tell] = ContextVar("watching", default=tell_nobody)
_EACH = 256
"""Files between two reports."""


@contextmanager
def watched_by(tell: Tell) -> Iterator[None]:
    """Whoever looks at many files within the block tells of it, and ends where `tell` raises.

    What looks at files lies below many kinds of data, none of which passes on a `tell`.
    """
    token = _WATCHING.set(tell)
    try:
        yield
    finally:
        _WATCHING.reset(token)


def counted[T](files: Iterable[T]) -> Iterator[T]:
    """The same files, told of as they are looked at."""
    tell = _WATCHING.get()
    for number, file in enumerate(files):
        if number % _EACH == 0:
            tell(tr("1 file", "{count:,} files", count=number) if number else "")
        yield file
