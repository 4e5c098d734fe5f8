"""Files that several processes write: locks, atomic writing, and output that has no end.

The kernel gives locks back at the holder's death.  A lock is on a file and not on its name.  Who
removes a lock file while others wait for it leaves them a file without a name, which they can lock
while somebody else makes and locks a new one: two holders.  So a lock counts only if its file still
has that name once it is held.
"""

from __future__ import annotations

import fcntl
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO

from core.language import ReportProgress, report_to_nobody, tr
from core.measure.machine.folders import cache_folder, make_private

type Flock = Callable[[int, int], None]
"""What asks the kernel, as `fcntl.flock`: (descriptor, operation)."""
_MADE = "a+b"
_SECONDS = 5.0


def lock_at_once(path: Path, mode: str = _MADE, flock: Flock = fcntl.flock) -> IO[bytes] | None:
    """The file at the path, made if `mode` says so, open and locked; None if another holds it.

    Closing it gives the lock back.  Raises OSError where it cannot be opened or locked.
    """
    try:
        return _locked(path, mode, flock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return None


UNFINISHED = ".{}.unfinished"
"""The name of what is being made beside its place."""


def lock_of(target: Path) -> Path:
    """The lock file of those who make a dataset at a path."""
    import hashlib  # which loads OpenSSL, for what a trial's child does not do

    place = hashlib.blake2b(os.fsencode(target), digest_size=8).hexdigest()
    return cache_folder() / "locks" / f"{place}.lock"


def makers_lock(unfinished: Path) -> Path:
    """The lock file of whoever makes what is not finished there."""
    before, after = UNFINISHED.split("{}")
    name = unfinished.name.removeprefix(before).removesuffix(after)
    if unfinished.parent == cache_folder() / "datasets":
        return lock_of(unfinished.with_name(name))
    return unfinished.with_name(f".{name}.lock")


@contextmanager
def locked(
    path: Path, flock: Flock = fcntl.flock, waiting: Callable[[], object] = lambda: None
) -> Iterator[None]:
    """Hold a lock file against all others, and wait for it first; raises OSError.

    `waiting` is called at once where another holds it, and then every few seconds.
    """
    make_private(path.parent)
    file = lock_at_once(path, _MADE, flock)
    if file is None:
        with _called_again(waiting):
            file = _locked(path, _MADE, flock, fcntl.LOCK_EX)
    with file:
        yield


@contextmanager
def _called_again(function: Callable[[], object]) -> Iterator[None]:
    """Call it at once and every few seconds within the block, on a thread of its own."""
    over = Event()

    def call() -> None:
        while not over.wait(_SECONDS):
            function()

    function()
    thread = Thread(target=call, name="waiting for a lock", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _locked(path: Path, mode: str, flock: Flock, operation: int) -> IO[bytes]:
    while True:
        file: IO[bytes] = path.open(mode)
        try:
            flock(file.fileno(), operation)
            if is_named(file.fileno(), path):
                return file
        except BaseException:
            file.close()
            raise
        file.close()


def is_named(descriptor: int, path: Path) -> bool:
    """Whether the open file or folder still has that path."""
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def written_once(
    path: Path, write: Callable[[Path], object], report: ReportProgress = report_to_nobody
) -> Path:
    """The path, after `write` has made it there unless it already was.

    `write` fills another path in the same folder, which is then renamed.  Who waits for another
    process that writes it tells so now and then, and so is not taken for stalled.
    """
    if not path.exists():
        waiting = tr("waiting for another process that prepares the same")
        lock = makers_lock(path.with_name(UNFINISHED.format(path.name)))
        with locked(lock, waiting=lambda: report(waiting)):
            if not path.exists():
                unfinished = path.with_name(UNFINISHED.format(path.name))
                write(unfinished)
                unfinished.replace(path)
    return path


_ABANDONED = 86_400.0  # seconds after which nobody can still be writing a new file


def new_name(folder: Path) -> Path:
    """A path for a file that is not complete yet; `remove_abandoned` knows it by its name."""
    return folder / f".sluice-{os.urandom(6).hex()}.new"


def remove_abandoned(folder: Path) -> None:
    """Remove the files of writers that were killed, or whose machine stopped."""
    with suppress(OSError):
        for unfinished in folder.glob(".sluice-*.new"):
            if time.time() - unfinished.stat().st_mtime > _ABANDONED:
                unfinished.unlink()


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
        sync(new, os.O_RDWR)
        new.replace(target) if overwrite else _place_beside_none(new, target)
        with suppress(OSError):  # some network file systems sync no folders
            sync(target.parent)
    finally:
        new.unlink(missing_ok=True)


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


def sync(path: Path, mode: int = os.O_RDONLY) -> None:
    """Make a file's content or a folder's entries survive a power failure."""
    opened = os.open(path, mode)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


_KEEP_SIZE_PUNCH_HOLE = 0x01 | 0x02  # FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE of linux/falloc.h


class OutputFile:
    """What processes have written so far, and the end of it."""

    def __init__(self, file: IO[bytes], most: int) -> None:
        """`most`: bytes that are kept on the disk."""
        self.file = file
        self._most = most
        self._cut = b""
        """The end of what was removed from the disk, where no hole can be made."""
        self._freed = 0
        """Bytes before which the file is a hole."""
        # All output goes to the end of the file, also after the file was truncated.
        fcntl.fcntl(file, fcntl.F_SETFL, fcntl.fcntl(file, fcntl.F_GETFL) | os.O_APPEND)

    def end(self, most: int) -> bytes:
        with suppress(OSError):
            return self._cut + self._tail(self._size, most)
        return self._cut

    def bound(self, end: int) -> None:
        """Keep a flood of output from filling the disk; so many bytes of its end so far stay."""
        with suppress(OSError):  # a disk that fails; what writes there goes on
            size = self._size
            if size - self._freed > self._most:
                self._free(size, self._tail(size, end))

    def _free(self, size: int, tail: bytes) -> None:
        if punch_hole(self.file.fileno(), size - len(tail)):
            self._freed = size - len(tail)
        # Output between the read and the cut is lost, so the cut waits for a pause; in a flood
        # without a pause the loss does not matter.
        elif self._size == size or size > 16 * self._most:
            self._cut = tail
            os.ftruncate(self.file.fileno(), 0)

    @property
    def _size(self) -> int:
        return os.fstat(self.file.fileno()).st_size

    def _tail(self, size: int, most: int) -> bytes:
        return os.pread(self.file.fileno(), most, max(0, size - most))


def punch_hole(descriptor: int, length: int) -> bool:
    """Free the first `length` bytes of an open file; its size stays, and they read as zeros.

    Returns whether that was done: not every file system can, and only Linux is asked.
    A truncation would take with it whatever was written since the last look; this takes nothing.
    """
    if sys.platform != "linux":
        return False
    import ctypes

    fallocate = ctypes.CDLL(None).fallocate
    fallocate.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int64, ctypes.c_int64)
    return bool(fallocate(descriptor, _KEEP_SIZE_PUNCH_HOLE, 0, length) == 0)
