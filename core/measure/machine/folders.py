"""The folders of Sluice's own files, and the errors for those that the machine refuses.

It never writes beside a user's data.  `SLUICE_CACHE`, `SLUICE_SESSIONS`, `SLUICE_STATE` and
`SLUICE_LAB` override the platform's folders.  platformdirs is imported where it is needed: the
window's first paint needs only the resources.  Without a home folder all raise Unavailable.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from core.language import NotWritten, SluiceError, Unavailable, UsageError, tr


def cache_folder() -> Path:
    """Generated datasets, index and oracle files; safe to delete."""
    return _own_folder("SLUICE_CACHE", "user_cache_dir")


def sessions_folder() -> Path:
    """Sessions without a path from the user."""
    return _own_folder("SLUICE_SESSIONS", "user_data_dir") / "sessions"


def state_folder() -> Path:
    """What must be known after a crash, such as what trials left on servers."""
    return _own_folder("SLUICE_STATE", "user_state_dir")


def lab_folder() -> Path:
    """What the lab's servers write, their logs and their credentials."""
    if sys.platform == "darwin" and not os.environ.get("SLUICE_LAB"):
        # Data would be in "Application Support": Hadoop cannot keep its own below a space.
        return cache_folder() / "servers"
    return _own_folder("SLUICE_LAB", "user_data_dir", "lab")


def _own_folder(variable: str, kind: str, *below: str) -> Path:
    """The folder that a variable of the environment names, or else the platform's of that kind."""
    if folder := os.environ.get(variable):
        return Path(folder)
    import platformdirs

    try:
        return Path(getattr(platformdirs, kind)("sluice"), *below)
    except RuntimeError as error:  # nobody knows whose process this is
        raise Unavailable(
            tr("there is no home folder"), tr("set HOME or {variable}", variable=variable)
        ) from error


def home_folder() -> Path | None:
    """The user's; None for a user without one, as in some containers."""
    try:
        return Path.home()
    except RuntimeError:
        return None


def expanded(path: str) -> Path:
    """A path that somebody wrote, its `~` replaced; one of an unknown user stays as it is."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def make_private(folder: Path) -> None:
    """Make a folder, and those around it, for its owner alone; those that are there stay as they
    are.  Raises OSError.
    """
    try:
        folder.mkdir(mode=0o700)
    except FileNotFoundError:
        if folder.parent == folder:
            raise
        make_private(folder.parent)
        make_private(folder)
    except OSError:
        if not folder.is_dir():
            raise


def index_folder(fingerprint: str) -> Path:
    """Index and oracle files of one dataset, created; raises NotWritten."""
    folder = cache_folder() / "indexes" / fingerprint
    try:
        make_private(folder)
    except OSError as error:
        raise unusable(error) from error
    return folder


def resources_folder() -> Path:
    """Icons, studies and templates that come with Sluice."""
    return Path(__file__).resolve().parents[3] / "resources"


_TROUBLE = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
        errno.ENOSYS,
    }
)


def _temporary_folder() -> Path:
    import tempfile

    return Path(tempfile.gettempdir())


_FOLDERS: tuple[tuple[str, Callable[[], Path]], ...] = (
    ("SLUICE_CACHE", cache_folder),
    ("SLUICE_SESSIONS", sessions_folder),
    ("SLUICE_STATE", state_folder),
    ("SLUICE_LAB", lab_folder),
    ("TMPDIR", _temporary_folder),
)
"""Folders that Sluice writes to by itself, by the variable that names another one."""


def is_trouble(error: OSError) -> bool:
    """Whether the disk is full or fails, or something is lacking: nobody asked wrongly."""
    return error.errno in _TROUBLE


def unwritten(path: Path, error: OSError) -> SluiceError:
    """The error for a file of the user's choice that cannot be written."""
    from core.measure.machine.shortages import reason

    cause = tr("{path} cannot be written: {why}", path=path, why=reason(error))
    return NotWritten(cause) if is_trouble(error) else UsageError(cause)


def unusable(error: OSError) -> NotWritten:
    """The error for what the machine refuses; names the variable for another folder."""
    from core.measure.machine.shortages import shortage

    lacking = shortage(error)
    why = lacking or error.strerror or str(error)
    if not isinstance(error.filename, str | bytes | os.PathLike):
        without = "TMPDIR" if error.errno == errno.ENOENT and "temporary" in why else ""
        return NotWritten(why, _elsewhere(without))
    path = Path(os.fsdecode(error.filename))
    cause = tr("{path} cannot be used: {why}", path=path, why=why)
    # Another folder does not help against a limit.
    return NotWritten(cause, "" if lacking else _elsewhere(next(_named(path), "")))


def _elsewhere(variable: str) -> str:
    if not variable:
        return ""
    return tr("set {variable} to a folder that can be written", variable=variable)


def _named(path: Path) -> Iterator[str]:
    """The variables of those folders that the place is in, or that are in the place."""
    for variable, folder in _FOLDERS:
        with suppress(SluiceError, OSError):
            own = folder()
            if path.is_relative_to(own) or own.is_relative_to(path):
                yield variable
