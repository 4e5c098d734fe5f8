"""What the cache holds that is made again when it is wanted: how much room it takes, its removal.

The lab's servers and what lies on servers are not among it: `lab` and `leftovers` remove those.
Only names that Sluice gives are touched, since the folder may be one that others use too.
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from core.errors import Unavailable
from core.host.file_lock import lock_at_once
from core.host.folders import cache_folder
from core.language.translation import tr

_OURS: Mapping[str, re.Pattern[str]] = {
    "datasets": re.compile(r"[a-z][a-z0-9-]*-[0-9a-f]{16,}(-as-[a-z0-9-]+)?"),
    "indexes": re.compile(r"[0-9a-f]{16,}"),
    "reports": re.compile(r".*\.html"),
}
"""Names in each folder: samples and conversions, indexes and right answers, reports."""


@dataclass(frozen=True)
class CacheUse:
    """What the cache in a folder holds."""

    folder: Path = field(default_factory=cache_folder)

    def size(self) -> int:
        """Bytes of what `empty` would remove."""
        return sum(_bytes_below(place) for place in _made_again(self.folder))

    def empty(self) -> int:
        """Remove samples, indexes and reports; returns how many bytes they had.

        Raises Unavailable while anything is measured, or where something may not be removed.
        """
        if _measuring(self.folder):
            raise Unavailable(
                tr("something is being measured, perhaps on this data"),
                tr("wait until it has ended"),
            )
        freed = 0
        for place in tuple(_made_again(self.folder)):
            size = _bytes_below(place)
            try:
                shutil.rmtree(place) if place.is_dir() else place.unlink()
            except OSError as error:
                cause = tr("{path} cannot be removed: {why}", path=place, why=error.strerror)
                raise Unavailable(cause) from error
            freed += size
        return freed


def _made_again(cache: Path) -> Iterator[Path]:
    for folder, named in _OURS.items():
        with suppress(OSError):  # not there, or not to be looked at: nothing of ours
            for place in sorted((cache / folder).iterdir()):
                if named.fullmatch(place.name) and not place.is_symlink():
                    yield place


def _bytes_below(place: Path) -> int:
    """Of files only; what links lead to is the user's."""
    files = (Path(folder, name) for folder, _, names in os.walk(place) for name in names)
    return sum(map(_size, files if place.is_dir() else (place,)))


def _size(file: Path) -> int:
    with suppress(OSError):  # gone this moment
        return file.lstat().st_size
    return 0


def _measuring(cache: Path) -> bool:
    """Whether a run holds its mark (`core.execution.recording`)."""
    for mark in (cache / "locks").glob("run-*.lock"):
        with suppress(FileNotFoundError):  # it has ended this moment
            lock = lock_at_once(mark, "r+b")
            if lock is None:
                return True
            lock.close()
    return False
