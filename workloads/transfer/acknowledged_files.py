"""The names of the files that a pass calls done, kept where a kill of the process leaves them.

Whoever looks at a trial that was killed reads here which files must have arrived.  Below the cache
folder, a trial has a folder of its mark, and each pass has two files in it until what arrived is
known:

- `map-NUMBER` for files of the tree: a byte that is 1 once the pass has begun, and one byte for
  each file, in the tree's order, that is 1 once it is done.  It is memory: to set a byte takes no
  call of the kernel, in which the client's other threads would take the interpreter away.
- `NUMBER` for all other names, and for all where there is no map.  Each name ends with a zero
  byte, which no file's name has; after a kill the last name may be cut off.
"""

from __future__ import annotations

import mmap
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from core import cache_folder, remove_tree

_NAME_END = b"\0"
_MAP_PREFIX = "map-"


class Acknowledged:
    """The names of the files of one pass that are done; made before the pass begins."""

    def __init__(self, mark: str, number: int, names: Sequence[str] = ()) -> None:
        """`names`: of the files of the tree, in its order."""
        self._path = _folder(mark) / str(number)
        self._map_path = self._path.with_name(f"{_MAP_PREFIX}{number}")
        self._descriptor = -1
        self._map: mmap.mmap | None = None
        self._indexes: Mapping[str, int] = {}
        """Where in the map the byte of each file is."""
        if names:
            with suppress(OSError):  # without a map, the names are written
                self._map = _new_map(self._map_path, 1 + len(names))
                self._indexes = {name: index for index, name in enumerate(names, 1)}

    def begin(self) -> None:
        """The pass begins; raises OSError where nothing can be written."""
        if self._map is not None:
            self._map[0] = 1
        else:
            self._opened()

    def add(self, name: str) -> None:
        """One more; in the kernel when this returns, so that a kill of the process leaves it."""
        index = self._indexes.get(name)
        if index is not None and self._map is not None:
            self._map[index] = 1
            return
        with suppress(OSError):  # the transfer itself fails on a full disk, and says so
            os.write(self._opened(), name.encode() + _NAME_END)

    def remove(self) -> None:
        """What arrived in this pass is known, or it never began."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
        if self._map is not None:
            self._map.close()
            self._map, self._indexes = None, {}
        for path in (self._path, self._map_path):
            path.unlink(missing_ok=True)
        with suppress(OSError):  # other passes have files in it
            self._path.parent.rmdir()

    def _opened(self) -> int:
        if self._descriptor < 0:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
            self._descriptor = os.open(self._path, flags, 0o600)
        return self._descriptor


def acknowledged(mark: str, names: Sequence[str] = ()) -> Mapping[int, frozenset[str]]:
    """The files called done in each pass of a trial, of passes whose arrivals are not yet known.

    `names`: of the files of the tree, in its order.
    """
    folder = _folder(mark)
    passes: dict[int, frozenset[str]] = {}
    for path in folder.glob(f"{_MAP_PREFIX}*"):
        begun, *done = path.read_bytes() or b"\0"
        if begun:
            mapped = (name for name, is_done in zip(names, done, strict=False) if is_done)
            passes[int(path.name.removeprefix(_MAP_PREFIX))] = frozenset(mapped)
    for path in folder.glob("[0-9]*"):
        # What follows the last end is empty, or a name that was cut off.
        number, (*written, _) = int(path.name), path.read_bytes().split(_NAME_END)
        passes[number] = passes.get(number, frozenset()) | {name.decode() for name in written}
    return dict(sorted(passes.items()))


def forget_acknowledged(mark: str) -> None:
    """Remove what is kept of all passes of a trial."""
    remove_tree(_folder(mark))


def _folder(mark: str) -> Path:
    return cache_folder() / "transfers" / "done" / mark


def _new_map(path: Path, size: int) -> mmap.mmap:
    """A new file of zeros, as memory.

    They are written: for a hole there may be no room later, which would end the process.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(bytes(size))
    with path.open("r+b") as file:
        return mmap.mmap(file.fileno(), size)
