"""One pass over a tree: what a client reports of each file while it moves, and how far it came."""

from __future__ import annotations

import errno
import math
import os
import threading
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from core import Fault, Meter, tr
from workloads.transfer.acknowledged_files import Acknowledged
from workloads.transfer.tree_files import Tree, TreeFile

BEGUN = "begun"
"""The tally of files that have begun; less those that are done or failed, they are in flight."""
STOP_CHECK_SECONDS = 0.25
"""Between two checks of whether the trial is to end.

Each check takes Python's lock from the client's thread, which then waits for a core again: where
the server has the other cores, that can take a millisecond.
"""
STOP_GRACE_SECONDS = 3.0
"""For what is under way to end where a trial is to end."""
_NO_SPACE = os.strerror(errno.ENOSPC)


class PassPlaces(NamedTuple):
    """Where one pass reads and writes."""

    folder: Path
    """Of the files here."""
    prefix: str
    """What their names begin with there: empty, or it ends with a slash."""
    own: Path
    """For what the client writes for itself, here."""


class Pass:
    """A pass under way; clients call it from any of their threads.

    A file settles once: it is done, or it has failed.  Where the client is run again, a file that
    failed may be done by the next run.  What is reported after the end of the pass does not count.

    `_lock` guards the names that are done or have failed, the bytes that have moved, and `_closed`.
    Two things are done without it, since they are done for each file:

    - `note_begun` and `note_done` only add to a dict or a deque, which is atomic.
    - `_awaited` is compared with the count of settled files.  No wake-up is lost: `wait_for` sets
      it before it counts, and who settles a file adds it before it compares.
    """

    def __init__(
        self,
        number: int,
        tree: Tree,
        places: PassPlaces,
        meter: Meter,
        acknowledged: Acknowledged,
    ) -> None:
        """`acknowledged`: where the names of files that are done outlive this process."""
        self.number = number
        self.files: Sequence[TreeFile] = tree.files
        self.folder, self.prefix, self.own = places
        self.acknowledged = acknowledged
        self.meter = meter
        # Bound once: many threads call them for each file, and wait for one another meanwhile.
        self._meter_begin, self._meter_end = meter.begin, meter.end
        self._meter_count, self._meter_done = meter.count, meter.done
        self.runs = 0
        """Runs of the client that have begun."""
        self.cut = False
        """Whether it was given up, or the client raised, before every file had its turn."""
        self.done_names: set[str] = set()
        """Files that the client has reported as done, in any run."""
        self.failed_names: set[str] = set()
        """Files that it has reported as failed, in this run."""
        self._is_last_run = True
        self._done_before = 0
        """Files that were done when this run began."""
        self._closed = False
        self._sizes: Mapping[str, int] = {file.name: file.size for file in tree.files}
        self._began_at: dict[str, int] = {}
        self._begun_tallied = 0
        """How many of these the tally `BEGUN` has."""
        self._position: dict[str, int] = {}
        """Where in each file the client is; it goes back where bytes have to move again."""
        self._furthest: dict[str, int] = {}
        """The furthest that it has been in each file: the bytes that `moved` has counted."""
        self._noted: deque[tuple[str, int]] = deque()
        """Files that are done, and when, but not yet reported."""
        self._lock = threading.Lock()
        self._changed = threading.Condition()
        self._awaited = math.inf
        """How many settled files `wait_for` waits for."""

    # What a client asks.

    @property
    def files_left(self) -> Sequence[TreeFile]:
        """The files that are to be moved: all, or those that the runs before have left out."""
        if not self.done_names:
            return self.files
        return [file for file in self.files if file.name not in self.done_names]

    @property
    def resumed(self) -> bool:
        """Whether another run of the client has begun with what the one before had moved."""
        return self.runs > 1

    @property
    def stopping(self) -> bool:
        """Whether the client is to give up what is under way."""
        return self.meter.stopping

    def path_of(self, name: str) -> Path:
        return self.folder / name

    def target_of(self, name: str) -> Path:
        """Where a file is fetched to, in a folder that is made; raises ValueError if elsewhere."""
        if ".." in PurePosixPath(name).parts or name.startswith("/"):
            raise ValueError(tr("its name leads out of the folder"))
        path = self.path_of(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        return path

    def name_of(self, key: str) -> str | None:
        """The file that the key of an object means; None for another object."""
        return key[len(self.prefix) :] if key.startswith(self.prefix) else None

    def has_begun(self, name: str) -> bool:
        """Whether a file's first byte or request has been reported or noted."""
        return name in self._began_at

    def moved_of(self, name: str) -> int:
        """How many bytes of a file have moved so far."""
        return self._furthest.get(name, 0)

    def wait_for(self, files: int) -> bool:
        """Wait until so many files of this run have settled; False to give up."""
        if self._settled_count >= self._done_before + files:
            return True
        with self._changed:
            self._awaited = self._done_before + files
            while self._settled_count < self._awaited:
                if self.stopping:
                    return False
                self._changed.wait(STOP_CHECK_SECONDS)
        return True

    # What a client reports.

    def begun(self, name: str) -> None:
        """The first byte or request of a file; only the first call counts."""
        self._lock.acquire()  # with `with` it takes three times as long
        try:
            if self._closed or name in self._began_at:
                return
            self._began_at[name] = self._meter_begin()
            self._begun_tallied += 1
        finally:
            self._lock.release()
        self._meter_count(BEGUN)

    def moved(self, name: str, size: int) -> None:
        """So many bytes of a file have moved, or fewer than none where they have to move again.

        Bytes count once, however often they move.
        """
        with self._lock:
            position = self._position[name] = self._position.get(name, 0) + size
            more = position - self._furthest.get(name, 0)
            if self._closed or more <= 0:
                return
            self._furthest[name] = position
            self.meter.moved(more)

    def done(self, name: str) -> None:
        """A file has been transferred; those of its bytes that nobody reported have moved too."""
        self._lock.acquire()
        try:
            unreported = self._take_done(name)
        finally:
            self._lock.release()
        if unreported is not None:
            self._meter_done(self._began_at.get(name, 0), 1, unreported)
            self._wake_if_reached()

    def failed(self, name: str, why: str) -> None:
        """A file has not been transferred; an error only if no further run may transfer it."""
        with self._lock:
            if self._ignores(name):
                return
            self.failed_names.add(name)
            is_last_run = self._is_last_run
        if is_last_run:
            self.meter.failed(Fault(_with_remedy(why), name, wrong_data=False))
        self._wake_if_reached()

    def give_up(self, why: str) -> None:
        """All files that have not settled have failed."""
        for file in self.files:
            self.failed(file.name, why)

    # The fast way to report.  To report a small file can take a tenth of the time of its copy.  A
    # client that is so fast notes begins and ends, and reports them together a moment later.

    def note_begun(self, name: str) -> None:
        self._began_at.setdefault(name, self._meter_begin())

    def note_done(self, name: str) -> None:
        self._noted.append((name, self._meter_end()))

    def report_noted(self) -> None:
        """Report to the meter what was noted since the last time."""
        noted, ended = self._noted, []
        with self._lock:
            if self._closed:
                return
            begun = len(self._began_at)
            more, self._begun_tallied = begun - self._begun_tallied, begun
            for _ in range(len(noted)):
                name, ended_at = noted.popleft()
                if (unreported := self._take_done(name)) is not None:
                    ended.append((self._began_at.get(name, 0), ended_at, unreported))
        if more:
            self._meter_count(BEGUN, more)
        self.meter.done_all(ended)
        self._wake_if_reached()

    # What the job calls.

    def begin_run(self, *, last: bool) -> None:
        """The client is run; what fails in a run that is not the `last` one has not failed yet."""
        with self._lock:
            self.runs += 1
            self._is_last_run = last
            self.failed_names.clear()
            self._done_before = len(self.done_names)
            for name in self._position.keys() - self.done_names:
                self._position[name] = 0

    def end(self, *, cut: bool) -> None:
        """From now on nothing counts: threads that wait for a server cannot be ended at once."""
        self.report_noted()
        with self._lock:
            self.cut, self._closed = cut, True

    def rows(self) -> Sequence[str]:
        """What was transferred, as the client says: the number of the pass, and the file's name."""
        return [f"{self.number}/{name}" for name in sorted(self.done_names)]

    def _ignores(self, name: str) -> bool:
        """Whether it is too late for a file to be done or to fail; the caller holds the lock."""
        return self._closed or name in self.done_names or name in self.failed_names

    def _take_done(self, name: str) -> int | None:
        """How many bytes of a file that is done nobody has reported; None if it does not count.

        The caller holds the lock.
        """
        if self._ignores(name):
            return None
        self.done_names.add(name)
        self.acknowledged.add(name)  # before it counts: what counts can be audited
        return max(self._sizes.get(name, 0) - self._furthest.get(name, 0), 0)

    @property
    def _settled_count(self) -> int:
        return len(self.done_names) + len(self.failed_names)

    def _wake_if_reached(self) -> None:
        """Not for each file: who is woken takes time from the threads that move them."""
        if self._settled_count >= self._awaited:
            with self._changed:
                self._changed.notify_all()


def _with_remedy(why: str) -> str:
    """What a client says of a file that has failed, and what to do where the disk is full."""
    if _NO_SPACE not in why:
        return why
    return f"{why} ({tr('make room, name a folder on a larger disk, or choose less data')})"
