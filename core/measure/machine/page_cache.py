"""The page cache: how much of a dataset it holds, and how to fill or empty it.

None of this needs root, and none of it raises for a file that is missing, unreadable or not a
regular file: the `problems` of the answer say what could not be done.
"""

from __future__ import annotations

import errno
import functools
import os
import stat
import sys
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import accumulate
from pathlib import Path
from typing import Any

import msgspec

from core.language import show_share, tr
from core.measure.machine.file_system import IN_MEMORY
from core.measure.machine.kernel_files import types_by_device
from core.vocabulary import FileList, Problem, Residency

_CHUNK = 1 << 20
_DONTNEED = 4  # POSIX_FADV_DONTNEED on Linux; the os module names it only where it exists

type Advise = Callable[[int, int, int, int], None]
"""(descriptor, offset, length or 0 for all, advice), as posix_fadvise takes them."""

_POSIX_FADVISE: Advise | None = getattr(os, "posix_fadvise", None)


class Warmed(msgspec.Struct, frozen=True, kw_only=True):
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

    `progress` gets the bytes read and the bytes of all files, after each file and each
    MiB. An error that it raises ends the warming and reaches the caller.
    """
    files = list(paths)
    problems: list[Problem] = []
    total = sum(target.size for target in open_targets(files, []))
    done = 0
    buffer = bytearray(_CHUNK)
    for target in open_targets(files, problems):
        try:
            while count := os.readv(target.descriptor, [buffer]):
                done += count
                if progress is not None:
                    progress(done, max(done, total))
        except OSError as error:
            problems.append(Problem(target.path, error.strerror or str(error)))
    return Warmed(read_bytes=done, after=residency(files), problems=the_first(problems))


def never_evicted(path: Path) -> str:
    """Why files there can never be evicted; empty if they can, by their file system's type."""
    if _POSIX_FADVISE is None:
        return tr("{platform} has no posix_fadvise to drop pages with", platform=sys.platform)
    with suppress(OSError):
        type_name = types_by_device().get(path.stat().st_dev)
        if type_name in IN_MEMORY:
            return tr("{type} holds files in memory only", type=type_name)
    return ""


def evict(paths: Iterable[Path | str], *, advise: Advise | None = _POSIX_FADVISE) -> Evicted:
    """Drops all pages, and tells what the page cache held before and after."""
    files = list(paths)
    before = residency(files)
    if advise is None:
        return Evicted(
            before=before,
            after=before,
            # It goes into sessions, which are in English.
            unsupported=f"{sys.platform} has no posix_fadvise to drop pages with",
        )
    problems = drop(files, advise=advise)
    return Evicted(before=before, after=residency(files), problems=problems)


def drop(
    paths: Iterable[Path | str], *, advise: Advise | None = _POSIX_FADVISE
) -> tuple[Problem, ...]:
    """Writes back what is dirty and asks the kernel to drop every page of the files.

    Pages another process has mapped stay. Returns which files were not evicted, and why.
    """
    problems: list[Problem] = []
    if advise is None:
        return ()
    types = types_by_device()
    for target in open_targets(paths, problems):
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
    return the_first(problems)


type CountPages = Callable[[int, int], int]
"""(descriptor, size in bytes) -> pages in memory; raises OSError if the kernel refuses."""

# The same on every architecture Linux supports but alpha.
_CACHESTAT = 451
# One mapping and its page vector (256 KiB for pages of 4 KiB) at a time.
_WINDOW = 1 << 30
_IN_CORE = bytes(value & 1 for value in range(256))


@functools.cache
def counting_methods() -> dict[str, CountPages]:
    """What this kernel offers, best first; asked once."""
    methods: dict[str, CountPages] = {}
    if sys.platform == "linux" and _knows_cachestat():
        methods["cachestat"] = count_with_cachestat
    if sys.platform in ("linux", "darwin"):
        methods["mincore"] = count_with_mincore
    return methods


def count_with_cachestat(descriptor: int, size: int) -> int:
    """Linux 6.5 and later. Refused with EPERM for files one may neither write nor owns."""
    del size
    call, number, window, counts_type = _cachestat()
    counts = counts_type()
    if call(number, descriptor, window, counts, 0) != 0:
        raise _last_error()
    return int(counts[0])


@functools.cache
def _cachestat() -> tuple[Any, Any, Any, Any]:
    """The call, its number, all of a file, and the type of its answer; made once, not per file."""
    import ctypes

    # {offset, length}; a length of 0 means up to the end.
    window = (ctypes.c_uint64 * 2)(0, 0)
    # {cached, dirty, in writeback, evicted, recently evicted}, in pages
    return _libc().syscall, ctypes.c_long(_CACHESTAT), window, ctypes.c_uint64 * 5


def count_with_mincore(descriptor: int, size: int) -> int:
    """Maps the file without touching it. Refused, as cachestat is, if it would lie."""
    if not _may_count(descriptor):
        # mincore(2) then calls every page resident.
        raise PermissionError(errno.EPERM, os.strerror(errno.EPERM))
    return sum(
        _count_window(descriptor, start, min(_WINDOW, size - start))
        for start in range(0, size, _WINDOW)
    )


def page_size() -> int:
    import mmap

    return mmap.PAGESIZE


def _count_window(descriptor: int, start: int, length: int) -> int:
    import ctypes

    libc = _libc()
    read, shared = 1, 1  # PROT_READ, MAP_SHARED: the same on Linux and macOS
    address = libc.mmap(None, length, read, shared, descriptor, start)
    if address == ctypes.c_void_p(-1).value:
        raise _last_error()
    try:
        vector = ctypes.create_string_buffer(-(-length // page_size()))
        if libc.mincore(address, length, vector) != 0:
            raise _last_error()
        # Only the lowest bit says "in core"; macOS uses the others too.
        in_core: bytes = vector.raw
        return in_core.translate(_IN_CORE).count(1)
    finally:
        libc.munmap(address, length)


def _may_count(descriptor: int) -> bool:
    if sys.platform != "linux":
        return True
    owner = os.fstat(descriptor).st_uid
    if os.geteuid() in (0, owner):
        return True
    return os.access(f"/proc/self/fd/{descriptor}", os.W_OK, effective_ids=True)


def _knows_cachestat() -> bool:
    # A kernel that knows the call complains of the descriptor; an older one, or a
    # container that forbids it, complains of the call.
    try:
        count_with_cachestat(-1, 0)
    except OSError as error:
        return error.errno == errno.EBADF
    return False


def _last_error() -> OSError:
    import ctypes

    number = ctypes.get_errno()
    return OSError(number, os.strerror(number))


@functools.cache
def _libc() -> Any:
    import ctypes

    libc = ctypes.CDLL(None, use_errno=True)
    size, address, number = ctypes.c_size_t, ctypes.c_void_p, ctypes.c_int
    libc.syscall.restype = ctypes.c_long
    libc.mmap.restype = address
    libc.mmap.argtypes = (address, size, number, number, number, ctypes.c_long)
    libc.munmap.argtypes = (address, size)
    libc.mincore.argtypes = (address, size, ctypes.c_char_p)
    return libc


# Not waiting, should a pipe take the file's place between looking and opening.
_FLAGS = os.O_RDONLY | os.O_NONBLOCK


_MOST_PROBLEMS = 20


def the_first(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Some of the problems, and how many more there are: each file of a dataset can have one."""
    more = len(problems) - _MOST_PROBLEMS
    if more <= 1:
        return tuple(problems)
    return (*problems[:_MOST_PROBLEMS], Problem("…", f"and {more:,} more"))


class Target(msgspec.Struct, frozen=True, kw_only=True):
    path: str
    descriptor: int
    size: int
    device: int


def residency(
    paths: Iterable[Path | str], *, methods: Mapping[str, CountPages] | None = None
) -> Residency:
    """Looks without reading; directories are not descended into."""
    methods = counting_methods() if methods is None else methods
    files = resident_pages = total_pages = resident_bytes = total_bytes = 0
    used: dict[str, None] = {}
    problems: list[Problem] = []
    size_of_page = page_size()
    for target in open_targets(paths, problems):
        # The cache works in pages; a large folio may reach past the end of the file.
        pages = -(-target.size // size_of_page)
        counted = _count(target, methods) if target.size else (0, None)
        if isinstance(counted, str):
            problems.append(Problem(target.path, counted))
            continue
        count = min(counted[0], pages)
        if counted[1]:
            used[counted[1]] = None
        files += 1
        resident_pages += count
        total_pages += pages
        resident_bytes += min(count * size_of_page, target.size)
        total_bytes += target.size
    return Residency(
        files=files,
        resident_pages=resident_pages,
        total_pages=total_pages,
        resident_bytes=resident_bytes,
        total_bytes=total_bytes,
        method="+".join(used) or "none",
        problems=the_first(problems),
    )


_PLACES = 4096


def share_in_memory(files: FileList) -> float | None:
    """The share of files that is in the page cache; None where that is not known.

    Of very many files those at evenly spaced places in all pages are looked at, which is right to
    one part in a hundred.
    """
    if len(files) <= _PLACES or not any(files.sizes):
        resident = residency(files.names)
        return resident.fraction if resident.files else None
    size_of_page = page_size()
    ends = list(accumulate(-(-size // size_of_page) for size in files.sizes))
    places = ((2 * place + 1) * ends[-1] // (2 * _PLACES) for place in range(_PLACES))
    times = Counter(bisect_right(ends, place) for place in places)
    looks = {index: residency([files.names[index]]) for index in times}
    readable = [index for index, look in looks.items() if look.files]
    if not readable:
        return None
    resident_places = sum(looks[index].fraction * times[index] for index in readable)
    return resident_places / sum(times[index] for index in readable)


_SOME = 0.01
"""Share of the data from which on it is said that no disk has it."""


def not_on_disk(paths: Iterable[Path | str]) -> str:
    """Why a part of these files is read without any disk; empty where all is on one.

    Of parts that were allocated and never written, only those that are not in memory are seen.
    """
    whole = written = 0
    if not hasattr(os, "SEEK_DATA"):
        return ""
    for target in open_targets(paths, []):
        whole += target.size
        written += _data_in(target)
    share = 1 - written / whole if whole else 0.0
    if share < _SOME:
        return ""
    return tr(
        "{share} of the data is on no disk: holes, and parts that were never written, are read as "
        "zeros without one.",
        share=show_share(share),
    )


def _data_in(target: Target) -> int:
    """Bytes that are no holes; all of them if the file system does not report holes."""
    at = size = 0
    try:
        while at < target.size:
            start = os.lseek(target.descriptor, at, os.SEEK_DATA)
            at = os.lseek(target.descriptor, start, os.SEEK_HOLE)
            size += at - start
    except OSError as error:
        return size if error.errno == errno.ENXIO else target.size  # a hole up to the end
    return min(size, target.size)


def open_targets(paths: Iterable[Path | str], problems: list[Problem]) -> Iterator[Target]:
    """Opens each regular file once, closes it again, and notes what cannot be opened."""
    identities: set[tuple[int, int]] = set()
    for path in FileList.names_in(paths):
        try:
            # Looked at before opening: opening a pipe waits, opening a device may do anything.
            status = os.stat(path)
            if not stat.S_ISREG(status.st_mode):
                problems.append(Problem(path, _kind(status.st_mode)))
                continue
            identity = (status.st_dev, status.st_ino)
            if identity in identities:
                continue
            descriptor = os.open(path, _FLAGS)
        except (OSError, ValueError) as error:
            problems.append(Problem(path, _say(error)))
            continue
        identities.add(identity)
        try:
            yield Target(
                path=path, descriptor=descriptor, size=status.st_size, device=status.st_dev
            )
        finally:
            os.close(descriptor)


def _kind(mode: int) -> str:
    """What it is if it is not a regular file."""
    kinds = {
        stat.S_IFDIR: "is a directory",
        stat.S_IFIFO: "is a pipe, not a file",
        stat.S_IFSOCK: "is a socket, not a file",
        stat.S_IFBLK: "is a device, not a file",
        stat.S_IFCHR: "is a device, not a file",
    }
    return kinds.get(stat.S_IFMT(mode), "is not a regular file")


def _count(target: Target, methods: Mapping[str, CountPages]) -> tuple[int, str] | str:
    """Pages and the method that counted them, or why none did."""
    reason = "this platform does not tell what is in its page cache"
    for name, count in methods.items():
        try:
            return count(target.descriptor, target.size), name
        except PermissionError:
            reason = "the kernel tells only owners and those who may write the file"
        except OSError as error:
            reason = _say(error)
    return reason


def _say(error: OSError | ValueError) -> str:
    # ValueError: a name with a null byte in it.
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
