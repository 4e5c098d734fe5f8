"""Writes files atomically: complete, or not at all."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_ABANDONED = 86_400.0  # seconds after which nobody can still be writing a new file


@contextmanager
def put_in_place(path: Path, *, overwrite: bool) -> Iterator[Path]:
    """A new empty file to write to, which becomes `path` at the end; raises OSError.

    What was not there before is its owner's alone.  A failure leaves `path` as it was and nothing
    beside it.  A pipe or a device is written directly.  Without `overwrite` an existing file raises
    FileExistsError, even one that has appeared meanwhile.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        yield path
        return
    target = Path(os.path.realpath(path))  # what a link points to is replaced, not the link
    if target.is_dir():
        raise IsADirectoryError(21, "Is a directory", str(path))
    if not overwrite and target.exists():
        raise FileExistsError(17, "File exists", str(path))
    remove_abandoned(target.parent)
    new = new_name(target.parent)
    new.touch(mode=0o600, exist_ok=False)
    with suppress(FileNotFoundError):  # what others may read stays so
        new.chmod(stat.S_IMODE(target.stat().st_mode))
    try:
        yield new
        _sync(new, os.O_RDWR)
        new.replace(target) if overwrite else _place_beside_none(new, target)
        # Windows opens no folders, and some network file systems sync none.
        with suppress(OSError):
            _sync(target.parent, os.O_RDONLY)
    finally:
        new.unlink(missing_ok=True)


def new_name(folder: Path) -> Path:
    """A path for a file that is not complete yet; `remove_abandoned` knows it by its name."""
    return folder / f".sluice-{os.urandom(6).hex()}.new"


def remove_abandoned(folder: Path) -> None:
    """Remove the files of writers that were killed, or whose machine stopped."""
    with suppress(OSError):
        for left in folder.glob(".sluice-*.new"):
            if time.time() - left.stat().st_mtime > _ABANDONED:
                left.unlink()


def _place_beside_none(new: Path, target: Path) -> None:
    """Rename that refuses to replace."""
    try:
        os.link(new, target)
    except FileExistsError:
        raise
    except OSError:
        # A file system without hard links: reserve the name, then replace the reservation.
        target.touch(exist_ok=False)
        new.replace(target)


def _sync(path: Path, mode: int) -> None:
    """Make a file's content or a folder's entries survive a power failure."""
    opened = os.open(path, mode)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
