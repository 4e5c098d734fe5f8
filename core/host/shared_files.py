"""Files that several processes write: locks between processes and threads, and atomic writing.

The kernel gives locks back at the holder's death.  A lock is on a file and not on its name.  Who
removes a lock file while others wait for it leaves them a file without a name, which they can lock
while somebody else makes and locks a new one: two holders.  So a lock counts only if its file still
has that name once it is held.
"""

from __future__ import annotations

import fcntl
import os
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread
from typing import IO

from core.host.folders import make_private
from core.language.reporting import ReportProgress, report_to_nobody
from core.language.translation import tr

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
        with locked(path.with_name(f".{path.name}.lock"), waiting=lambda: report(waiting)):
            if not path.exists():
                unfinished = path.with_name(f".{path.name}.unfinished")
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
        for left in folder.glob(".sluice-*.new"):
            if time.time() - left.stat().st_mtime > _ABANDONED:
                left.unlink()


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
        # Windows opens no folders, and some network file systems sync none.
        with suppress(OSError):
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
