"""What a client has called done, on disk: it outlives the process in which the client ran.

A pass has a map until what arrived in it is known: a byte that is 1 once the pass has begun, and
one for each file of the tree, which is 1 once that file is done.  It is memory: to set a byte takes
no call of the kernel, for which the client's other threads would take the interpreter away.  Names
for which it has no place stand in a file; they end with a zero byte, which no file's name has, and
after a kill the last one may be cut off.
"""

from __future__ import annotations

import mmap
import os
import shutil
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from core import cache_folder

_END = b"\0"
_MAP = "map-"


class Acknowledged:
    """The names of the files of one pass that are done; made before the pass begins."""

    def __init__(self, mark: str, number: int, names: Sequence[str] = ()) -> None:
        """`names`: of the files of the tree, in its order."""
        self._path = _folder(mark) / str(number)
        self._map_path = _map_beside(self._path)
        self._fd = -1
        self._map: mmap.mmap | None = None
        self._places: Mapping[str, int] = {}
        if names:
            with suppress(OSError):  # what has no map is written
                self._map = _mapped(self._map_path, 1 + len(names))
                self._places = {name: place for place, name in enumerate(names, 1)}

    def begin(self) -> None:
        """The pass begins; raises OSError where nothing can be written."""
        if self._map is not None:
            self._map[0] = 1
        else:
            self._opened()

    def add(self, name: str) -> None:
        """One more; in the kernel when this returns, so that a kill of the process leaves it."""
        place = self._places.get(name)
        if place is not None and self._map is not None:
            self._map[place] = 1
            return
        with suppress(OSError):  # a full disk is told by the transfer itself
            os.write(self._opened(), name.encode() + _END)

    def remove(self) -> None:
        """What arrived in this pass is known, or it never began."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1
        if self._map is not None:
            self._map.close()
            self._map, self._places = None, {}
        for path in (self._path, self._map_path):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # other passes have theirs
            self._path.parent.rmdir()

    def _opened(self) -> int:
        if self._fd < 0:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            self._fd = os.open(self._path, flags, 0o600)
        return self._fd


def _mapped(path: Path, size: int) -> mmap.mmap:
    """A new file of zeros, as memory.

    They are written: for a hole there may be no room later, which would end the process.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), size)


def acknowledged(mark: str, names: Sequence[str] = ()) -> Mapping[int, frozenset[str]]:
    """What was called done in each pass of a trial of which nobody has looked at what arrived.

    `names`: of the files of the tree, in its order.
    """
    folder = _folder(mark)
    found: dict[int, frozenset[str]] = {}
    for path in folder.glob(f"{_MAP}*"):
        begun, *done = path.read_bytes() or b"\0"
        if begun:
            mapped = (name for name, one in zip(names, done, strict=False) if one)
            found[int(path.name.removeprefix(_MAP))] = frozenset(mapped)
    for path in folder.glob("[0-9]*"):
        number, (*written, _) = int(path.name), path.read_bytes().split(_END)
        found[number] = found.get(number, frozenset()) | {name.decode() for name in written}
    return dict(sorted(found.items()))


def forget_acknowledged(mark: str) -> None:
    shutil.rmtree(_folder(mark), ignore_errors=True)


def _map_beside(path: Path) -> Path:
    return path.with_name(f"{_MAP}{path.name}")


def _folder(mark: str) -> Path:
    return cache_folder() / "transfers" / "done" / mark
