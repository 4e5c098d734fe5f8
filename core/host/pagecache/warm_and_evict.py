"""Filling the page cache with files, and emptying it of them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import msgspec

from core.host.environment.file_system import IN_MEMORY
from core.host.environment.kernel_files import types_by_device
from core.host.pagecache.cache_residency import Problem, Residency, open_targets, residency
from core.language.translation import tr

_CHUNK = 1 << 20
_DONTNEED = 4  # POSIX_FADV_DONTNEED on Linux; the os module names it only where it exists

type Advise = Callable[[int, int, int, int], None]
"""(descriptor, offset, length or 0 for all, advice), as posix_fadvise takes them."""

_POSIX_FADVISE: Advise | None = getattr(os, "posix_fadvise", None)


class Warmed(msgspec.Struct, frozen=True, kw_only=True):
    """What was read once so that the page cache holds it."""

    read_bytes: int
    after: Residency
    problems: tuple[Problem, ...] = ()


class Evicted(msgspec.Struct, frozen=True, kw_only=True):
    """What the page cache held of some files before and after it was asked to drop them."""

    before: Residency
    after: Residency
    problems: tuple[Problem, ...] = ()
    """Files that were not evicted, and why."""
    unsupported: str | None = None
    """Why nothing at all could be evicted on this platform."""


def warm(paths: Iterable[Path | str], progress: Callable[[int, int], None] | None = None) -> Warmed:
    """Reads every file once, from start to end.

    `progress` is told the bytes read and the bytes there are, after each file and each
    MiB. What it raises ends the warming and reaches the caller.
    """
    files = list(paths)
    problems: list[Problem] = []
    total = sum(target.size for target in open_targets(files, []))
    done = 0
    buffer = bytearray(_CHUNK)
    for target in open_targets(files, problems):
        try:
            while count := _read_into(target.descriptor, buffer):
                done += count
                if progress is not None:
                    progress(done, max(done, total))
        except OSError as error:
            problems.append(Problem(target.path, error.strerror or str(error)))
    return Warmed(read_bytes=done, after=residency(files), problems=tuple(problems))


def never_evicted(path: Path) -> str:
    """Why files there can never be evicted, whatever they hold; empty where they can, as far as
    the file system tells.
    """
    if _POSIX_FADVISE is None:
        return tr("{platform} has no posix_fadvise to drop pages with", platform=sys.platform)
    with suppress(OSError):
        type_name = types_by_device().get(path.stat().st_dev)
        if type_name in IN_MEMORY:
            return tr("{type} holds files in memory only", type=type_name)
    return ""


def evict(paths: Iterable[Path | str], *, advise: Advise | None = _POSIX_FADVISE) -> Evicted:
    """Writes back what is dirty and asks the kernel to drop every page of the files.

    Pages another process has mapped stay; `after` tells.
    """
    files = list(paths)
    before = residency(files)
    if advise is None:
        return Evicted(
            before=before,
            after=before,
            # It goes into sessions, which are in English.
            unsupported=f"{sys.platform} has no posix_fadvise to drop pages with",
        )
    problems: list[Problem] = []
    types = types_by_device()
    for target in open_targets(files, problems):
        type_name = types.get(target.device)
        if type_name in IN_MEMORY:
            problems.append(Problem(target.path, f"cannot be evicted on {type_name}"))
            continue
        try:
            # Dirty pages are never dropped.
            os.fsync(target.descriptor)
            advise(target.descriptor, 0, 0, _DONTNEED)
        except OSError as error:
            problems.append(Problem(target.path, error.strerror or str(error)))
    return Evicted(before=before, after=residency(files), problems=tuple(problems))


def _read_into(descriptor: int, buffer: bytearray) -> int:
    if sys.platform == "win32":
        return len(os.read(descriptor, len(buffer)))
    return os.readv(descriptor, [buffer])
