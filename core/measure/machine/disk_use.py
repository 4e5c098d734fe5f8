"""The cache and the folders of programs on this machine's disk, and their removal.

All of the cache can be made again.  The lab's servers and data on servers are not in it: `lab` and
`leftovers` remove those.  Only names that Sluice gives are touched, since others may use the folder
too.

Programs that are measured write in a folder of their own.  A process holds a lock on its folder,
which the kernel releases at its death.  It removes the folder itself, or its guard does; if both
were killed, the next process finds the folder by the free lock, and programs that outlived them by
its name, which is in their stamps.
"""

from __future__ import annotations

import fcntl
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

from core.language import Unavailable, tr
from core.measure.machine.folders import cache_folder, make_private, state_folder
from core.measure.machine.processes.process_tree import kill_stamped, name_of, stamped_with
from core.measure.machine.removal import (
    Unremoved,
    bytes_below,
    mounts_below,
    remove_tree,
)
from core.measure.machine.shared_files import UNFINISHED, is_named, lock_at_once, makers_lock

_MADE_AGAIN: Mapping[str, re.Pattern[str]] = {
    "datasets": re.compile(r"[a-z][a-z0-9-]*-[0-9a-f]{16,}(-as-[a-z0-9-]+)?"),
    "indexes": re.compile(r"[0-9a-f]{16,}"),
    "reports": re.compile(r".*\.html"),
}
"""Names in each folder: samples and conversions, indexes and right answers, reports."""


@dataclass(frozen=True)
class CacheUse:
    folder: Path = field(default_factory=cache_folder)

    def size(self) -> int:
        """Bytes of what `empty` would remove."""
        return sum(bytes_below(entry) for entry in _made_again(self.folder))

    def empty(self) -> int:
        """Remove samples, indexes and reports; returns how many bytes they had.

        Raises Unavailable while anything is measured, or where something may not be removed.
        """
        if _measuring(self.folder):
            raise Unavailable(
                tr("something is being measured, perhaps on this data"),
                tr("wait until it has ended"),
            )
        freed, remains = 0, list[Unremoved]()
        for entry in tuple(_made_again(self.folder)):
            size = bytes_below(entry)
            remains += remove_tree(entry)
            freed += size - bytes_below(entry)
        if remains:
            raise Unavailable(str(remains[0]))
        return freed


def _made_again(cache: Path) -> Iterator[Path]:
    for folder, named in _MADE_AGAIN.items():
        with suppress(OSError):  # not there, or not to be looked at: nothing of ours
            for entry in sorted((cache / folder).iterdir()):
                if named.fullmatch(entry.name) and not entry.is_symlink():
                    yield entry


def _measuring(cache: Path) -> bool:
    """Whether a run holds its mark (`core.run.recording`)."""
    for mark in (cache / "locks").glob("run-*.lock"):
        with suppress(FileNotFoundError):  # it has ended this moment
            lock = lock_at_once(mark, "r+b")
            if lock is None:
                return True
            lock.close()
    return False


_PREFIX = "runs-"
_OURS = re.compile(r"runs-.+-\d+-[0-9a-f]{4}-[a-z0-9_]{8}")
"""With a mark and what is drawn; a user's folder may hold other things."""


class RunFolder:
    """A folder of this process's own; `close` gives its lock back, once it is removed."""

    def __init__(self, parent: Path, mark: str) -> None:
        """Made in a folder, without what dead processes left there; raises OSError."""
        remove_abandoned_runs(parent)
        self.path, self._lock = _made_and_locked(parent, f"{_PREFIX}{mark}-")
        in_cache = parent.parent == cache_folder() / "indexes"
        self._note = None if in_cache else _noted(self.path)

    def remove(self) -> None:
        """Remove as much of it as possible, and give back its lock."""
        remove_tree(self.path)
        self.close()

    def close(self) -> None:
        os.close(self._lock)
        if self._note is not None and not self.path.exists():
            self._note.unlink(missing_ok=True)


@dataclass(frozen=True)
class AbandonedRun:
    """The leftovers of a run: its process was killed, or could not remove them."""

    folder: Path
    """Where programs wrote; or data that was being made, a folder or a file."""
    programs: tuple[str, ...]
    """Those that still run: `name (number)`."""
    mounts: tuple[Path, ...]
    """Where in it something is mounted: it stays until that is taken away."""

    @property
    def of_programs(self) -> bool:
        """Whether it is a folder of programs, and no data that was being made."""
        return self.folder.name.startswith(_PREFIX)


def abandoned_runs() -> tuple[AbandonedRun, ...]:
    """Those of dead processes in the cache, and wherever else any were made."""
    runs = []
    for folder in _candidates():
        with _held(folder) as mine:
            if mine:
                running = stamped_with(_stamp(folder))
                programs = tuple(f"{name_of(pid)} ({pid})" for pid in running)
                runs.append(AbandonedRun(folder, programs, mounts_below(folder)))
    for unfinished in _unfinished():
        with _made_by_nobody(unfinished) as mine:
            if mine:
                runs.append(AbandonedRun(unfinished, (), mounts_below(unfinished)))
    return tuple(runs)


def remove_abandoned_runs(parent: Path | None = None) -> tuple[Unremoved, ...]:
    """Remove the folders of dead processes that are in a folder, or else all that they left.

    Programs that still write there are ended first.  Returns what is still there, and why.
    """
    remains = list[Unremoved]()
    for folder in _candidates() if parent is None else _in(parent, f"{_PREFIX}*"):
        with _held(folder) as mine:
            if mine:
                kill_stamped(_stamp(folder))
                remains += remove_tree(folder)
    if parent is None:
        for note, folder in _notes():
            if folder.parent.is_dir() and not folder.exists():  # else its disk may come back
                note.unlink(missing_ok=True)
        for unfinished in _unfinished():
            with _made_by_nobody(unfinished) as mine:
                remains += remove_tree(unfinished) if mine else ()
    return tuple(remains)


def _stamp(folder: Path) -> str:
    """What the stamps of its programs have in them: its name is the mark of their supervisor."""
    return f"/{folder.name}-"


def _candidates() -> list[Path]:
    in_cache = _in(cache_folder(), f"indexes/*/{_PREFIX}*")
    return sorted({*in_cache, *(folder for _, folder in _notes())})


def _unfinished() -> list[Path]:
    """What is being made in the cache, or was when its maker was killed."""
    name, cache = UNFINISHED.format("*"), cache_folder()
    return sorted({*cache.glob(f"*/{name}"), *cache.glob(f"indexes/*/{name}")})


@contextmanager
def _made_by_nobody(unfinished: Path) -> Iterator[bool]:
    """Whether its maker is dead; until the end of the block nobody else makes it."""
    lock: IO[bytes] | None = None
    with suppress(OSError):
        lock = lock_at_once(makers_lock(unfinished))
    with lock or nullcontext():
        yield lock is not None


def _in(parent: Path, pattern: str) -> list[Path]:
    return sorted(folder for folder in parent.glob(pattern) if _OURS.fullmatch(folder.name))


def _noted(folder: Path) -> Path | None:
    """A link to a folder that is elsewhere, by which it is found; None if none can be made."""
    note = _notes_folder() / folder.name
    try:
        make_private(note.parent)
        note.symlink_to(folder.absolute())
    except OSError:
        return None
    return note


def _notes() -> Iterator[tuple[Path, Path]]:
    for note in _in(_notes_folder(), "*"):
        with suppress(OSError):
            if (folder := note.readlink()).name == note.name:
                yield note, folder


def _notes_folder() -> Path:
    return state_folder() / "run-folders"


def _made_and_locked(parent: Path, prefix: str) -> tuple[Path, int]:
    """A new folder and a descriptor that holds its lock; raises OSError.

    Another process may take it for abandoned before it is locked: then one more is made.
    """
    while True:
        folder = Path(tempfile.mkdtemp(prefix=prefix, dir=parent))
        try:
            lock = os.open(folder, os.O_RDONLY)
        except FileNotFoundError:
            continue
        with suppress(OSError):  # such as a network file system without locks: nobody gets one
            fcntl.flock(lock, fcntl.LOCK_EX)
        if is_named(lock, folder):
            return folder, lock
        os.close(lock)


@contextmanager
def _held(folder: Path) -> Iterator[bool]:
    """Whether nobody else has a folder."""
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    except OSError:
        yield False
        return
    try:
        free = False
        with suppress(OSError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            free = True
        yield free and os.fstat(lock).st_uid == os.geteuid()
    finally:
        os.close(lock)
