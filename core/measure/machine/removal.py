"""Removes folders, whatever programs have left in them: deep trees, read-only folders, mounts.

What is mounted in a folder belongs to somebody else, so removal never enters a mount, and a folder
that is bound from the same disk is one.  Nothing recurses, and few descriptors are open at a time:
a tree may be deeper than a path can be long.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from core.language import tr
from core.measure.machine.kernel_files import unescaped

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_MOUNTS = Path("/proc/self/mountinfo")
_POINT = 4
"""The field of a line there that has the path (proc_pid_mountinfo(5))."""
_MOST_TOLD = 20
"""Places that are named; a tree that nobody may remove can have millions."""


@dataclass(frozen=True)
class Unremoved:
    path: Path
    why: str

    def __str__(self) -> str:
        return tr("{path} cannot be removed: {why}", path=self.path, why=self.why)


def remove_tree(path: Path) -> tuple[Unremoved, ...]:
    """Remove a file, or a folder and all below it; returns what is still there, and why.

    Links are removed and not followed.  A folder that its owner may not write to is made writable.
    """
    with suppress(OSError):
        path.rmdir()  # most are empty
        return ()
    try:
        with closing(_Removal(path.parent.resolve(), path.name)) as removal:
            removal.run()
            return tuple(removal.remains)
    except FileNotFoundError:
        return ()
    except OSError as error:
        return (Unremoved(path, error.strerror or str(error)),)


def bytes_below(path: Path) -> int:
    """Of files only: links may lead to files of the user."""
    files = (Path(folder, name) for folder, _, names in os.walk(path) for name in names)
    size = 0
    for file in files if path.is_dir() else (path,):
        with suppress(OSError):  # gone this moment
            size += file.lstat().st_size
    return size


def mounts_below(folder: Path) -> tuple[Path, ...]:
    """All mount points at a folder or below it (Linux); none if the system does not list them."""
    own = as_in_mounts(folder)
    try:
        lines = os.fsdecode(_MOUNTS.read_bytes()).splitlines()
    except OSError:
        return ()
    points = sorted({line.split(" ")[_POINT] for line in lines})
    return tuple(Path(unescaped(point)) for point in points if f"{point}/".startswith(f"{own}/"))


def as_in_mounts(folder: Path) -> str:
    """Its path as the kernel writes it in the list of mounts."""
    return re.sub(r"[ \t\n\\]", lambda sign: f"\\{ord(sign[0]):03o}", os.path.realpath(folder))


def _mount_of(folder: int) -> str:
    """The number of a mount; the device if the system has no number for it."""
    with suppress(OSError):
        facts = Path(f"/proc/self/fdinfo/{folder}").read_text("ascii")
        return facts.partition("mnt_id:")[2].split(None, 1)[0]
    return f"device {os.fstat(folder).st_dev}"


@dataclass
class _Level:
    """A folder on the way down."""

    name: str
    identity: tuple[int, int]
    names: list[str]
    """Of what is still to be removed in it."""
    emptied: bool = True
    """Whether nothing has stayed in it so far."""


class _Removal:
    """Goes down with one open folder at a time, and up by its `..`."""

    def __init__(self, place: Path, name: str) -> None:
        """Of what has that name in a folder; raises OSError."""
        self._place = place
        self._folder = os.open(place, _FOLDER)
        self._mount = _mount_of(self._folder)
        self._levels = [_Level("", _identity(os.fstat(self._folder)), [name])]
        self.remains: list[Unremoved] = []

    def run(self) -> None:
        """Remove all that may be removed; raises OSError if the way up is lost."""
        while True:
            names = self._levels[-1].names
            if names:
                self._remove(names.pop())
            elif len(self._levels) > 1:
                self._leave()
            else:
                return

    def close(self) -> None:
        os.close(self._folder)

    def _remove(self, name: str) -> None:
        with self._kept_on_failure(name):
            if stat.S_ISDIR(os.lstat(name, dir_fd=self._folder).st_mode):
                self._enter(name)
            else:
                os.unlink(name, dir_fd=self._folder)

    def _enter(self, name: str) -> None:
        try:
            folder = os.open(name, _FOLDER, dir_fd=self._folder)
        except PermissionError:
            os.chmod(name, stat.S_IRWXU, dir_fd=self._folder)
            folder = os.open(name, _FOLDER, dir_fd=self._folder)
        try:
            if _mount_of(folder) != self._mount:
                raise OSError(errno.EBUSY, _mounted())
            status = os.fstat(folder)
            if status.st_mode & stat.S_IRWXU != stat.S_IRWXU:
                with suppress(PermissionError):  # of another user: told of each thing in it
                    os.fchmod(folder, stat.S_IRWXU)
            level = _Level(name, _identity(status), os.listdir(folder))
        except BaseException:
            os.close(folder)
            raise
        os.close(self._folder)
        self._folder = folder
        self._levels.append(level)

    def _leave(self) -> None:
        level = self._levels.pop()
        above = os.open("..", _FOLDER, dir_fd=self._folder)
        os.close(self._folder)
        self._folder = above
        if _identity(os.fstat(above)) != self._levels[-1].identity:
            raise OSError(errno.ESTALE, tr("somebody moves it meanwhile"))
        if level.emptied:
            with self._kept_on_failure(level.name):
                os.rmdir(level.name, dir_fd=above)
        else:
            self._levels[-1].emptied = False

    @contextmanager
    def _kept_on_failure(self, name: str) -> Iterator[None]:
        try:
            yield
        except FileNotFoundError:  # somebody else has removed it
            pass
        except OSError as error:
            self._levels[-1].emptied = False
            if len(self.remains) < _MOST_TOLD:
                path = Path(self._place, *(level.name for level in self._levels), name)
                self.remains.append(Unremoved(path, self._reason(name, path, error)))

    def _reason(self, name: str, path: Path, error: OSError) -> str:
        why = error.strerror or str(error)
        if error.errno == errno.EBUSY and path in mounts_below(path):  # also a file
            return _mounted()
        if error.errno not in {errno.EPERM, errno.EACCES}:
            return why
        with suppress(OSError):
            owner = os.lstat(name, dir_fd=self._folder).st_uid
            if owner != os.geteuid():
                return tr("{why}; it belongs to user {number}", why=why, number=owner)
        if error.errno == errno.EPERM:
            return tr("{why}; it may be locked, which `chattr -R -i` lifts", why=why)
        return why


def _mounted() -> str:
    return tr("something is mounted there; take it away with `umount`")


def _identity(status: os.stat_result) -> tuple[int, int]:
    return status.st_dev, status.st_ino
