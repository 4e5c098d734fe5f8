"""The shared-memory block: numbers that a child writes and its parent reads without asking.

One block per trial: a header and one slot per worker thread, all 64-bit words: signed numbers, and
doubles from `MILLIONTHS` on.  A word has one writer; eight aligned bytes are written at once, so no
lock is needed to read.  The block is a file without a name that the children inherit: it leaves
nothing behind, whichever process dies, and the parent can read it after a child's death.

    header   stop · drained · cursor · workers · the turn and its window · reserved …   HEADER words
    slot 0   state · … · per-step ns · tallies · latency buckets · note      SLOT words
    slot 1   …
"""

from __future__ import annotations

import fcntl
import mmap
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from enum import IntEnum
from threading import Lock
from typing import TYPE_CHECKING, Protocol

from core.vocabulary import BUCKETS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_WORD = 8
_NO_FILE = -1
HEADER = 16
MOST_STEPS = 8
MOST_TALLIES = 8
TALLIED = 1_000_000
"""Tallies count in millionths, so that they can hold seconds too; so do operations in windows."""
ENDLESS = 2**62
"""A time that never comes, a position that is never reached."""


class Head(IntEnum):
    """Words of the header."""

    STOP = 0
    """1 = workers end at their next check."""
    DRAINED = 1
    """When the first worker ran out of work, ns of the monotonic clock; 0 before."""
    CURSOR = 2
    """Next unclaimed position of the shared queue."""
    WORKERS = 3
    """How many workers the trial has, all processes."""
    TURN_LENGTH = 4
    """How many ns a turn is measured."""
    RUN_IN = 5
    """For how many ns all workers are at work before that."""
    WINDOW_BEGIN = 6
    """Begin of the measured time, ns of the monotonic clock; 0 until the last worker has come, and
    if not all workers have work."""
    TURN_END = 7
    """End of the measured time; 0 until the last worker has come."""
    CHECK_TIME = 8
    """For how many ns results are compared in a rest; 0 = until all are."""
    CAME_BACK = 9
    """1 = a process that the reader forked came back into the engine, and was ended."""


class State(IntEnum):
    """What a worker is doing."""

    IDLE = 0
    RUNNING = 1
    DONE = 2
    WAITING = 3
    """Waits for its turn, while its clock stands still."""


class Count(IntEnum):
    """Words of a slot before its latency buckets; times are ns of the monotonic clock.

    Every wait for a turn moves `STARTED`, so that it follows the worker's own clock; `ENDED` is not
    0 while it waits.  `WINDOW_…` are of the windows alone, in which all workers measure; operations
    and items in them are counted in millionths, as those that run over an end of a window count by
    the share that lay inside.
    """

    STATE = 0
    STARTED = 1
    ENDED = 2
    OPERATIONS = 3
    ITEMS = 4
    BYTES = 5
    ERRORS = 6
    WRONG = 7
    PAUSED = 8
    """For how many ns the clock of a trial's only worker stood still."""
    CPU = 9
    BOOKKEEPING = 10
    BATCH = 11
    GIL_LOOKS = 12
    GIL_HELD = 13
    PROCESS_CPU = 14
    """CPU ns of the whole process in its turns, in the slot of its first worker: the threads of
    libraries and programs that were started included, what stands outside the clock not."""
    TIMED = 15
    """Operations that were timed separately."""
    TIMED_SQUARES = 16
    """Each of these stands for a number of operations; this is the sum of the squared numbers."""
    UNVERIFIED = 17
    """Items done whose results have not been verified yet."""
    COMPARED = 18
    """Operations that were performed again to be compared with the truth."""
    WINDOW_TIME = 19
    WINDOW_BYTES = 20
    WINDOW_CPU = 21
    WINDOW_QUEUED = 22
    """For how many ns the worker's thread was ready to run, and waited for a core."""
    WINDOW_WAITS = 23
    """How often that thread gave its core up, to wait for something else."""
    EARLY_TIME = 24
    """Ns of the first halves of its windows, for carry-over."""
    OWN = 25
    """Where the clock of a trial's only worker stood when it began or last counted work, in ns."""
    BEHIND = 26
    """How far that clock is behind the monotonic one; 0 while it stands still."""
    PHASES = 27
    WINDOW_OPERATIONS = PHASES + MOST_STEPS
    WINDOW_ITEMS = WINDOW_OPERATIONS + 1
    EARLY_ITEMS = WINDOW_ITEMS + 1
    """Items done or failed in those first halves, in millionths."""


MILLIONTHS = Count.WINDOW_OPERATIONS
"""From here to the last count all is in millionths, and as doubles: whole numbers of 64 bits would
end at 9.2 TB, or 9.2 · 10¹² operations."""
TALLIES = Count.EARLY_ITEMS + 1
"""The first word of the workload's live counts."""
COUNTS = TALLIES + MOST_TALLIES
NOTE = 32
"""Words of a slot after its latency buckets: what the worker is working on, as text."""
SLOT = COUNTS + BUCKETS + NOTE


class SharedCounters:
    """The mapped block; the parent makes it, children attach to its descriptor."""

    def __init__(self, fd: int, slots: int) -> None:
        self.fd = fd
        self.slots = slots
        size = _size(slots)
        self._map = mmap.mmap(fd, size) if fd != _NO_FILE else bytearray(size)
        self.words = memoryview(self._map).cast("q")

    @classmethod
    def create(cls, slots: int) -> SharedCounters:
        """A zeroed block for that many workers, in memory if the platform can; raises OSError."""
        fd = _nameless_file()
        try:
            os.ftruncate(fd, _size(slots))
            return cls(fd, slots)
        except OSError:
            os.close(fd)
            raise

    @classmethod
    def unshared(cls, slots: int) -> SharedCounters:
        """A zeroed block that no other process can see; it needs no `close`."""
        return cls(_NO_FILE, slots)

    def slot(self, index: int) -> memoryview:
        """The words of one worker."""
        first = HEADER + index * SLOT
        return self.words[first : first + SLOT]

    def counts(self) -> list[list[int]]:
        """The current counts of every slot."""
        words, millionths = self.words, doubles(self.words)
        return [
            [
                *words[first : first + MILLIONTHS].tolist(),
                *map(int, millionths[first + MILLIONTHS : first + COUNTS].tolist()),
            ]
            for first in range(HEADER, HEADER + self.slots * SLOT, SLOT)
        ]

    def latencies(self) -> NDArray[np.int64]:
        """All workers' latency buckets, summed; int64, BUCKETS long.

        A timed operation counts for all operations that it stands for.
        """
        import numpy as np

        words = np.frombuffer(self._map, np.int64, self.slots * SLOT, _WORD * HEADER)
        summed: NDArray[np.int64] = words.reshape(self.slots, SLOT)[:, COUNTS:-NOTE].sum(axis=0)
        return summed

    def tallies(self, names: Sequence[str]) -> dict[str, float]:
        """The workload's counts under these names, in their order, summed over workers."""
        counts = self.counts() if names else []
        return {
            name: sum(slot[TALLIES + index] for slot in counts) / TALLIED
            for index, name in enumerate(names)
        }

    def squares(self) -> int:
        """`TIMED_SQUARES`, summed over all workers."""
        return sum(self.slot(index)[Count.TIMED_SQUARES] for index in range(self.slots))

    def notes(self, slots: range) -> list[str]:
        """The items that the workers of some slots work on, or were working on when they died."""
        return [note for index in slots if (note := WorkerNote(self.slot(index)).read())]

    def give_turn(self, length: int, run_in: int = 0) -> None:
        """Set the length of the next turn and its run-in, in ns, from when its last worker has
        come.
        """
        self.words[Head.TURN_LENGTH] = length
        self.words[Head.RUN_IN] = run_in
        self.words[Head.WINDOW_BEGIN] = self.words[Head.TURN_END] = 0

    @property
    def measured(self) -> int:
        """For how many ns the last turn was measured."""
        begun, end = self.window
        return max(0, end - begun)

    @property
    def window(self) -> tuple[int, int]:
        """Begin and end of the turn's window, in ns; 0 and 0 while it has none."""
        return window_of(self.words)

    def stop(self) -> None:
        """Ask all workers to end at their next check."""
        self.words[Head.STOP] = 1

    def close(self) -> None:
        """Release the memory; views that still exist keep it until they are gone."""
        self.words.release()
        if isinstance(self._map, mmap.mmap):
            with suppress(BufferError):  # an array or a slot still holds a view: freed with it
                self._map.close()
            os.close(self.fd)


def doubles(words: memoryview) -> memoryview[float]:
    """The same words, read and written as doubles, as those from `MILLIONTHS` on are."""
    return words.cast("B").cast("d")


def window_of(head: memoryview) -> tuple[int, int]:
    """Begin and end of the turn's measured time, in ns; 0 and 0 before its last worker has come."""
    begin: int = head[Head.WINDOW_BEGIN]
    return (begin, window_end(head)) if begin else (0, 0)


def window_end(head: memoryview) -> int:
    """End of the turn's measured time, in ns: not after a worker ran out of work."""
    end: int = head[Head.TURN_END]
    return min(end, head[Head.DRAINED] or end)


class WorkerNote:
    """The current item of a worker, in its slot; the parent reads it after a death or stall."""

    def __init__(self, slot: memoryview) -> None:
        self._length = slot[-NOTE : 1 - NOTE]
        self._text = slot[1 - NOTE :].cast("B")

    def write(self, text: str) -> None:
        """Replace it; only the start of a long text is kept."""
        encoded = text.encode("utf-8", "backslashreplace")[: _WORD * (NOTE - 1)]
        self._length[0] = 0  # a reader now finds nothing rather than half a text
        self._text[: len(encoded)] = encoded
        self._length[0] = len(encoded)

    def clear(self) -> None:
        self._length[0] = 0
        self._text[:] = bytes(len(self._text))

    def read(self) -> str:
        return bytes(self._text[: self._length[0]]).decode("utf-8", "ignore")


def _size(slots: int) -> int:
    return _WORD * (HEADER + slots * SLOT)


_IN_MEMORY = "/dev/shm"


def _nameless_file() -> int:
    if sys.platform == "linux":
        # Unlike a file in /dev/shm it has no separate limit in containers.
        with suppress(OSError):  # before Linux 3.17, or where a container forbids it
            return os.memfd_create("sluice")
    import tempfile

    folder = _IN_MEMORY if os.access(_IN_MEMORY, os.W_OK) else None
    with tempfile.TemporaryFile(dir=folder) as file:
        return os.dup(file.fileno())


class Cursor(Protocol):
    """Hands out positions of items."""

    def claim(self, count: int) -> range:
        """The next positions, at most `count`; empty when there are no more."""


class Share:
    """A worker's own positions, split beforehand: first, first + step, …, below limit."""

    def __init__(self, first: int, step: int, limit: int) -> None:
        self._next, self._step, self._limit = first, step, limit

    def claim(self, count: int) -> range:
        end = min(self._next + count * self._step, self._limit)
        claimed = range(self._next, max(end, self._next), self._step)
        self._next += len(claimed) * self._step
        return claimed


class Stripe:
    """The positions of one node: first, first + step, …, by their numbers from a cursor of its own.

    Between nodes the items are always split, because no memory is shared between machines.
    """

    def __init__(self, numbers: Cursor, first: int, step: int) -> None:
        self._numbers, self._first, self._step = numbers, first, step

    def claim(self, count: int) -> range:
        numbers = self._numbers.claim(count)
        first, end = (self._first + at * self._step for at in (numbers.start, numbers.stop))
        return range(first, end, self._step)


class Queue:
    """Positions that all workers of a process claim from one cursor in the block.

    With several processes, a lock on the block's file guards the cursor; the kernel drops it when
    its holder dies.  The threads of one process need a thread lock too, because file locks do not
    distinguish them.
    """

    def __init__(self, block: SharedCounters, limit: int, lock: Lock, *, alone: bool) -> None:
        self._block, self._limit, self._lock, self._alone = block, limit, lock, alone

    def claim(self, count: int) -> range:
        words = self._block.words
        with self._lock:
            if not self._alone:
                fcntl.lockf(self._block.fd, fcntl.LOCK_EX)
            first: int = words[Head.CURSOR]
            end = min(first + count, self._limit)
            words[Head.CURSOR] = end
            if not self._alone:
                fcntl.lockf(self._block.fd, fcntl.LOCK_UN)
        return range(first, end)
