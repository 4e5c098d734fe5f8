"""What a client has called done, on disk: it outlives the process in which the client ran.

A pass has a file from its beginning until what arrived in it is known.  The names in it end with a
zero byte, which no file's name has; after a kill the last one may be cut off.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from core import cache_folder

_END = b"\0"


class Acknowledged:
    """The names of the files of one pass that are done."""

    def __init__(self, mark: str, number: int) -> None:
        """Raises OSError where it cannot be written."""
        folder = _folder(mark)
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / str(number)
        self._fd = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)

    def add(self, name: str) -> None:
        """One more; in the kernel when this returns, so that a kill of the process leaves it."""
        with suppress(OSError):  # a full disk is told by the transfer itself
            os.write(self._fd, name.encode() + _END)

    def remove(self) -> None:
        """What arrived in this pass is known."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        self._path.unlink(missing_ok=True)
        with suppress(OSError):  # other passes have theirs
            self._path.parent.rmdir()


def acknowledged(mark: str) -> Mapping[int, frozenset[str]]:
    """What was called done in each pass of a trial of which nobody has looked at what arrived."""
    found = {}
    for path in _folder(mark).glob("[0-9]*"):
        *names, _ = path.read_bytes().split(_END)
        found[int(path.name)] = frozenset(name.decode() for name in names)
    return dict(sorted(found.items()))


def forget_acknowledged(mark: str) -> None:
    """Remove what is left of it."""
    shutil.rmtree(_folder(mark), ignore_errors=True)


def _folder(mark: str) -> Path:
    return cache_folder() / "transfers" / "done" / mark
