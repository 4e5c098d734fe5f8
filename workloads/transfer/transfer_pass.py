"""One pass over a tree: what a client tells of each file while it moves, and how far it came.

What it has called done is on disk, too, and outlives the process in which the client ran.  A pass
has a map until what arrived in it is known: a byte that is 1 once the pass has begun, and one for
each file of the tree, which is 1 once that file is done.  It is memory: to set a byte takes no call
of the kernel, for which the client's other threads would take the interpreter away.  Names for
which it has no place stand in a file; they end with a zero byte, which no file's name has, and
after a kill the last one may be cut off.
"""

from __future__ import annotations

import errno
import math
import mmap
import os
import shutil
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from core import Fault, Meter, cache_folder, tr
from workloads.transfer.tree_files import Tree, TreeFile

BEGUN = "begun"
"""The tally of files that have begun; less those that are done or failed, they are in flight."""
LOOK = 0.25
"""Seconds between two looks at whether the trial is to end.

Who looks takes Python's lock from the client's thread, which then waits for a core again: where
the server has the other cores, that can take a millisecond.
"""
GIVING_UP = 3.0
"""Seconds for what is under way to end where a trial is to end."""
_NO_SPACE = os.strerror(errno.ENOSPC)


class Pass:
    """A pass under way; clients call it from any of their threads."""

    def __init__(self, number: int, tree: Tree, ends: tuple[Path, str], meter: Meter) -> None:
        self.number = number
        self.acknowledged: Acknowledged | None = None
        """Where the names of files that are done outlive this process."""
        self.tree = tree
        self.folder, self.prefix = ends
        """The folder here, and what the names begin with there: empty, or it ends with a slash."""
        self.own = Path()
        """A folder here for what the client writes for itself; of this pass only."""
        self.meter = meter
        # They are called for each file, by many threads, which wait for one another meanwhile.
        self._begin, self._end = meter.begin, meter.end
        self._count, self._done = meter.count, meter.done
        self.done_names: set[str] = set()
        """Files that the client has said are done."""
        self.failed_names: set[str] = set()
        """Files of which it has said that they failed, in this run of it."""
        self.runs = 0
        """Runs of the client that have begun."""
        self.cut = False
        """Whether it was given up, or the client raised, before every file had its turn."""
        self._sizes: Mapping[str, int] = {file.name: file.size for file in tree.files}
        self._begun: dict[str, int] = {}
        self._begun_reported = 0
        """How many of these the tally has."""
        self._noted: deque[tuple[str, int]] = deque()
        """Files that are done, and when, of which the meter has not been told."""
        self._net: dict[str, int] = {}
        self._most: dict[str, int] = {}
        self._over = False
        self._last = True
        self._done_before = 0
        """Files that were done when this run of the client began."""
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._awaited = math.inf
        """How many files somebody waits for, of all that are done or have failed."""

    @property
    def files(self) -> Sequence[TreeFile]:
        return self.tree.files

    @property
    def left(self) -> Sequence[TreeFile]:
        """The files that are to be moved: all, or those that a run before has left out."""
        if not self.done_names:
            return self.files
        return [file for file in self.files if file.name not in self.done_names]

    @property
    def resumed(self) -> bool:
        """Whether another run of the client has begun with what the one before had moved."""
        return self.runs > 1

    def begin_run(self, *, last: bool) -> None:
        """The client is run; what fails in a run that is not the `last` one has not failed yet."""
        with self._lock:
            self.runs += 1
            self._last = last
            self.failed_names.clear()
            self._done_before = len(self.done_names)
            for name in self._net.keys() - self.done_names:
                self._net[name] = 0

    @property
    def stopping(self) -> bool:
        """Whether the client is to give up what is under way."""
        return self.meter.stopping

    def path_of(self, name: str) -> Path:
        return self.folder / name

    def name_of(self, key: str) -> str | None:
        """The file that the key of an object means; None for another object."""
        return key[len(self.prefix) :] if key.startswith(self.prefix) else None

    def begun(self, name: str) -> None:
        """The first byte or request of a file; only the first call counts."""
        self._lock.acquire()  # with `with` it takes three times as long
        try:
            if self._over or name in self._begun:
                return
            self._begun[name] = self._begin()
            self._begun_reported += 1
        finally:
            self._lock.release()
        self._count(BEGUN)

    def moved(self, name: str, size: int) -> None:
        """So many bytes of a file have moved, or fewer than none where they have to move again.

        Bytes count once, however often they move.
        """
        with self._lock:
            net = self._net[name] = self._net.get(name, 0) + size
            more = net - self._most.get(name, 0)
            if self._over or more <= 0:
                return
            self._most[name] = net
            self.meter.moved(more)

    def done(self, name: str) -> None:
        """A file has been transferred; bytes that nobody told of have moved too."""
        self._lock.acquire()
        try:
            untold = self._take_done(name)
        finally:
            self._lock.release()
        if untold is None:
            return
        self._done(self._begun.get(name, 0), 1, untold)
        if self._ended >= self._awaited:
            self._wake()

    def _take_done(self, name: str) -> int | None:
        """How many bytes of a file that is done nobody has told of; None if it does not count.

        The caller holds the lock.
        """
        if self._over or name in self.done_names or name in self.failed_names:
            return None
        self.done_names.add(name)
        if self.acknowledged is not None:  # before it counts: what counts can be audited
            self.acknowledged.add(name)
        return max(self._sizes.get(name, 0) - self._most.get(name, 0), 0)

    def failed(self, name: str, why: str) -> None:
        with self._lock:
            if self._over or name in self.done_names or name in self.failed_names:
                return
            self.failed_names.add(name)
            last = self._last
        if last:
            self.meter.failed(Fault(_with_remedy(why), name, wrong_data=False))
        if self._ended >= self._awaited:
            self._wake()

    # To tell of a small file can take a tenth of the time of its copy.  A client that is so fast
    # notes begins and ends, without a lock, and one of its threads tells of them a moment later.

    def note_begun(self, name: str) -> None:
        self._begun.setdefault(name, self._begin())

    def note_done(self, name: str) -> None:
        self._noted.append((name, self._end()))

    def report_noted(self) -> None:
        """Tell the meter of what was noted since the last time."""
        noted, ended = self._noted, []
        with self._lock:
            if self._over:
                return
            begun = len(self._begun)
            more, self._begun_reported = begun - self._begun_reported, begun
            for _ in range(len(noted)):
                name, at = noted.popleft()
                if (untold := self._take_done(name)) is not None:
                    ended.append((self._begun.get(name, 0), at, untold))
        if more:
            self._count(BEGUN, more)
        self.meter.done_all(ended)
        if self._ended >= self._awaited:
            self._wake()

    def has_begun(self, name: str) -> bool:
        """Whether a file's first byte or request has been told."""
        return name in self._begun

    def moved_of(self, name: str) -> int:
        """How many bytes of a file have moved so far."""
        return self._most.get(name, 0)

    def give_up(self, why: str) -> None:
        """All files whose end nobody has told have failed."""
        for file in self.files:
            self.failed(file.name, why)

    def _wake(self) -> None:
        """Not for each file: who is woken takes time from the threads that move them."""
        with self._changed:
            self._changed.notify_all()

    @property
    def _ended(self) -> int:
        return len(self.done_names) + len(self.failed_names)

    def wait_for(self, files: int) -> bool:
        """Wait until so many files of this run are done or have failed; False to give up."""
        if self._ended >= self._done_before + files:
            return True
        with self._changed:
            self._awaited = self._done_before + files
            while self._ended < self._awaited:
                if self.stopping:
                    return False
                self._changed.wait(LOOK)
        return True

    def end(self, *, cut: bool) -> None:
        """From now on nothing counts: threads that wait for a server cannot be ended at once."""
        self.report_noted()
        with self._lock:
            self.cut, self._over = cut, True

    def rows(self) -> Sequence[str]:
        """What was transferred, as the client says: the number of the pass, and the file's name."""
        return [f"{self.number}/{name}" for name in sorted(self.done_names)]


def _with_remedy(why: str) -> str:
    """What a client says of a file that has failed, and what to do where the disk is full."""
    if _NO_SPACE not in why:
        return why
    return f"{why} ({tr('make room, name a folder on a larger disk, or choose less data')})"


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
