"""What the machine refuses, such as a folder that may not be written, and what to do about it."""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from core.errors import NotWritten, SluiceError, UsageError
from core.host.folders import cache_folder, lab_folder, sessions_folder, state_folder
from core.language.translation import tr

_TROUBLE = frozenset(
    {
        errno.ENOSPC,
        errno.EDQUOT,
        errno.EFBIG,
        errno.EIO,
        errno.EMFILE,
        errno.ENFILE,
        errno.ENOMEM,
    }
)

_FOLDERS: tuple[tuple[str, Callable[[], Path]], ...] = (
    ("SLUICE_CACHE", cache_folder),
    ("SLUICE_SESSIONS", sessions_folder),
    ("SLUICE_STATE", state_folder),
    ("SLUICE_LAB", lab_folder),
    ("TMPDIR", lambda: Path(tempfile.gettempdir())),
)
"""Folders that Sluice writes to by itself, by the variable that names another one."""


def is_trouble(error: OSError) -> bool:
    """Whether the disk is full or fails, or something has run out: nobody asked wrongly."""
    return error.errno in _TROUBLE


def unwritten(path: Path, error: OSError) -> SluiceError:
    """The error for a file of the user's choice that cannot be written."""
    cause = tr("{path} cannot be written: {why}", path=path, why=error.strerror or error)
    return NotWritten(cause) if is_trouble(error) else UsageError(cause)


def unusable(error: OSError) -> NotWritten:
    """The error for what the machine refuses; names the variable for another folder."""
    why = error.strerror or str(error)
    if not isinstance(error.filename, str | bytes | os.PathLike):
        without = "TMPDIR" if error.errno == errno.ENOENT and "temporary" in why else ""
        return NotWritten(why, _elsewhere(without))
    place = Path(os.fsdecode(error.filename))
    cause = tr("{path} cannot be used: {why}", path=place, why=why)
    return NotWritten(cause, _elsewhere(next(_named(place), "")))


def _elsewhere(variable: str) -> str:
    if not variable:
        return ""
    return tr("set {variable} to a folder that can be written", variable=variable)


def _named(place: Path) -> Iterator[str]:
    """The variables of those folders that the place is in, or that are in the place."""
    for variable, folder in _FOLDERS:
        with suppress(SluiceError, OSError):
            own = folder()
            if place.is_relative_to(own) or own.is_relative_to(place):
                yield variable
