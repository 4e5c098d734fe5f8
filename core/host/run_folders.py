"""Folders in which programs that are measured write, and what remains of them.

A process holds a lock on its folder, which the kernel releases at its death.  It removes the folder
itself, or its guard does; where both were killed, whoever comes next finds it by the free lock.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from core.host.folders import cache_folder
from core.language.units import Seconds

_PREFIX = "runs-"
_OURS = re.compile(r"runs-.+-\d+-[0-9a-f]{4}-[a-z0-9_]{8}")
"""With the mark of a trial and what is drawn; a user's folder may hold other things."""
_FRESH: Seconds = 60.0
"""Within which a folder that was just made is locked, or a guard removes its own."""


class RunFolder:
    """A folder of this process's own; `close` gives its lock back, once it is removed."""

    def __init__(self, place: Path, mark: str) -> None:
        """Made in a folder, without what dead processes left there; raises OSError."""
        remove_abandoned_runs(place)
        self.path = Path(tempfile.mkdtemp(prefix=f"{_PREFIX}{mark}-", dir=place))
        self._lock = os.open(self.path, os.O_RDONLY)
        with suppress(OSError):  # such as a network file system without locks: nobody gets one
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def close(self) -> None:
        """Nothing is written there any more."""
        os.close(self._lock)


def abandoned_runs() -> tuple[Path, ...]:
    """The folders of dead processes in the cache."""
    found = []
    for folder in _candidates(None):
        with _held(folder) as mine:
            if mine:
                found.append(folder)
    return tuple(found)


def remove_abandoned_runs(place: Path | None = None) -> None:
    """Remove the folders of dead processes that are in a folder, or in the cache."""
    for folder in _candidates(place):
        with _held(folder) as mine:
            if mine:
                shutil.rmtree(folder, ignore_errors=True)


def _candidates(place: Path | None) -> list[Path]:
    found = place.glob(f"{_PREFIX}*") if place else cache_folder().glob(f"indexes/*/{_PREFIX}*")
    return sorted(folder for folder in found if _OURS.fullmatch(folder.name))


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Whether nobody else has a folder, and it is not just being made."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        status = os.fstat(lock)
        mine = status.st_uid == os.geteuid() and time.time() - status.st_ctime > _FRESH
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            mine = False
        yield mine
    finally:
        os.close(lock)
