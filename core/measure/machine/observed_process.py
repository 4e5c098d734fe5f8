"""One process seen through /proc, or through psutil where there is none.

The files of /proc are opened once and read again with pread: the kernel writes them anew
for every read from offset 0. That saves the path lookup, and a descriptor opened for a
process stays with it, so a reused pid is never mistaken for the old process.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Collection
from typing import Any

from core.measure.machine.readings import (
    InputOutput,
    Process,
    ProcessSample,
    ProcessTotals,
    Switches,
)

# More than any of these files holds: a read from offset 0 returns all there is.
_ROOM = 65536
_ROOM_FOR_STAT, _ROOM_FOR_STATM = 1024, 256

_ENDED = (FileNotFoundError, ProcessLookupError)


def open_process(pid: int) -> Process | None:
    """The process, or None when it has ended; through /proc where there is one."""
    return (open_linux_process if sys.platform == "linux" else open_psutil_process)(pid)


def open_linux_process(pid: int) -> Process | None:
    try:
        folder = os.open(f"/proc/{pid}", os.O_RDONLY | os.O_DIRECTORY)
    except _ENDED:
        return None
    try:
        return LinuxProcess(pid, folder)
    except _ENDED:
        return None


class LinuxProcess:
    """`Process` on Linux. Takes over the descriptor of its folder in /proc."""

    def __init__(self, pid: int, folder: int) -> None:
        self._pid = pid
        self._folder = folder
        self._descriptors = [folder]
        self._seconds_per_tick = 1 / os.sysconf("SC_CLK_TCK")
        self._page = os.sysconf("SC_PAGE_SIZE")
        self._shared_memory = 0
        self._size_is_count = False
        try:
            self._stat = self._hold("stat")
            self._statm = self._hold("statm")
            self._status = self._hold("status")
            self._io = self._hold_if_allowed("io")
            self._fds = self._hold_if_allowed("fd")
        except OSError:
            self.close()
            raise

    def sample(self) -> ProcessSample | None:
        try:
            stat = os.pread(self._stat, _ROOM_FOR_STAT, 0)
            _, resident, shared, _ = os.pread(self._statm, _ROOM_FOR_STATM, 0).split(None, 3)
            # The name before the last bracket may itself hold brackets and spaces.
            after_name = stat[stat.rindex(b")") + 2 :].split(None, 18)
        except (ProcessLookupError, ValueError):  # ended: they fail, or are empty
            return None
        if after_name[0] in b"ZX":
            return None
        rss, backed = int(resident) * self._page, int(shared) * self._page
        return ProcessSample(
            rss=rss,
            rss_anonymous=rss - backed,
            # The kernel counts memory without a file that processes share as backed by one.
            rss_file=max(backed - self._shared_memory, 0),
            threads=int(after_name[17]),
            cpu_user=(int(after_name[11]) + int(after_name[13])) * self._seconds_per_tick,
            cpu_system=(int(after_name[12]) + int(after_name[14])) * self._seconds_per_tick,
        )

    def total(self) -> ProcessTotals:
        status = _read(self._status) or b""
        self._shared_memory = _kibibytes(status, b"\nRssShmem:") or 0
        return ProcessTotals(
            peak_rss=_kibibytes(status, b"\nVmHWM:") or 0, io=_parse_io(_read(self._io))
        )

    def count_fds(self) -> int | None:
        # Linux 6.2 and later give the count as the directory's size; before, it was 0.
        if self._fds is None:
            return None
        try:
            count = os.fstat(self._fds).st_size
        except _ENDED:
            return 0
        except OSError:
            return None
        self._size_is_count = self._size_is_count or count > 0
        return count if self._size_is_count else None

    def list_fds(self) -> int | None:
        names = self._list("fd")
        return None if names is None else len(names)

    def count_fds_below(self, roots: Collection[str]) -> int | None:
        paths = [os.fsencode(root) for root in roots]
        return self._look("fd", lambda folder: _count_links_below(folder, paths), 0)

    def count_switches(self) -> Switches | None:
        threads = self._list("task")
        if not threads:
            return None
        voluntary = involuntary = 0
        queued: int | None = 0
        for thread in threads:
            status = self._read_once(f"task/{thread}/status") or b""
            start = status.rfind(b"\nvoluntary_ctxt_switches:")
            if start >= 0:
                _, waits, _, preemptions = status[start:].split()[:4]
                voluntary += int(waits)
                involuntary += int(preemptions)
            # On a core, in the queue for one (both ns), time slices; empty without accounting.
            spent = (self._read_once(f"task/{thread}/schedstat") or b"").split()
            queued = queued + int(spent[1]) if queued is not None and len(spent) == 3 else None
        return Switches(
            voluntary=voluntary,
            involuntary=involuntary,
            queued=None if queued is None else queued / 1e9,
        )

    def proportional(self) -> int | None:
        # Summed up by the kernel since Linux 4.14.
        try:
            descriptor = os.open("smaps_rollup", os.O_RDONLY, dir_fd=self._folder)
        except ProcessLookupError:
            return 0
        except OSError:
            return None
        try:
            return _kibibytes(os.read(descriptor, _ROOM), b"\nPss:") or 0
        except _ENDED:
            return 0
        except OSError:
            return None
        finally:
            os.close(descriptor)

    def children(self) -> Collection[int]:
        # Each thread lists what it has started itself.
        threads = self._list("task") or ()
        lists = [self._read_once(f"task/{thread}/children") for thread in threads]
        texts = [pids for pids in lists if pids is not None]
        # A kernel without CONFIG_PROC_CHILDREN: psutil looks at every process there is.
        if not texts and threads and (process := open_psutil_process(self._pid)):
            return process.children()
        return [int(pid) for pids in texts for pid in pids.split()]

    def close(self) -> None:
        while self._descriptors:
            os.close(self._descriptors.pop())

    def _hold(self, name: str) -> int:
        descriptor = os.open(name, os.O_RDONLY, dir_fd=self._folder)
        self._descriptors.append(descriptor)
        return descriptor

    def _hold_if_allowed(self, name: str) -> int | None:
        try:
            return self._hold(name)
        except (PermissionError, FileNotFoundError):
            # Another user's process, or a kernel built without I/O accounting.
            return None

    def _read_once(self, name: str) -> bytes | None:
        return self._look(name, lambda file: os.read(file, _ROOM), None)

    def _list(self, name: str) -> list[str] | None:
        """Names in a folder, none of an ended process, or None when that is refused."""
        return self._look(name, os.listdir, [])

    def _look[T, Default](
        self, name: str, read: Callable[[int], T], of_ended: Default
    ) -> T | Default | None:
        """What `read` returns for a file or folder of the process; None if that is refused."""
        try:
            descriptor = os.open(name, os.O_RDONLY, dir_fd=self._folder)
            try:
                return read(descriptor)
            finally:
                os.close(descriptor)
        except _ENDED:
            return of_ended
        except OSError:
            return None


def _read(descriptor: int | None) -> bytes | None:
    """What the file says now, or None when its process has ended."""
    if descriptor is None:
        return None
    try:
        return os.pread(descriptor, _ROOM, 0)
    except (ProcessLookupError, PermissionError):
        return None


def _kibibytes(status: bytes, label: bytes) -> int | None:
    """The bytes behind a label of /proc/PID/status.

    The label starts with the line break: a process may be named `VmRSS:`, but the kernel
    escapes line breaks in names.
    """
    start = status.find(label)
    if start < 0:
        return None
    start += len(label)
    return 1024 * int(status[start : status.index(b" kB", start)])


def _parse_io(text: bytes | None) -> InputOutput:
    if not text:
        return InputOutput()
    words = text.split()
    values = dict(zip(words[::2], map(int, words[1::2]), strict=True))
    return InputOutput(
        read_bytes=values.get(b"read_bytes:"),
        written_bytes=values.get(b"write_bytes:"),
        read_chars=values.get(b"rchar:"),
        written_chars=values.get(b"wchar:"),
        read_calls=values.get(b"syscr:"),
        write_calls=values.get(b"syscw:"),
    )


def _count_links_below(folder: int, roots: Collection[bytes]) -> int:
    # A deleted file is still open; the kernel then marks its name.
    same = {name for root in roots for name in (root, root + b" (deleted)")}
    below = tuple(root.rstrip(b"/") + b"/" for root in roots)
    count = 0
    readlink = os.readlink
    for name in os.listdir(folder):
        try:
            target = readlink(name.encode(), dir_fd=folder)
        except OSError:
            continue
        if target.startswith(below) or target in same:
            count += 1
    return count


def open_psutil_process(pid: int) -> Process | None:
    import psutil  # type: ignore[import-untyped, unused-ignore]

    try:
        return PsutilProcess(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return None


class PsutilProcess:
    """`Process` on macOS, and on Linux for the sake of its tests."""

    def __init__(self, process: Any) -> None:
        self._process = process

    def sample(self) -> ProcessSample | None:
        import psutil

        try:
            # psutil compares start times only here and in a few other calls.
            if not self._process.is_running():
                return None
            with self._process.oneshot():
                if self._process.status() in (psutil.STATUS_ZOMBIE, psutil.STATUS_DEAD):
                    return None
                memory = self._process.memory_info()
                cpu = self._process.cpu_times()
                return ProcessSample(
                    rss=memory.rss,
                    threads=self._process.num_threads(),
                    cpu_user=cpu.user + getattr(cpu, "children_user", 0.0),
                    cpu_system=cpu.system + getattr(cpu, "children_system", 0.0),
                )
        except psutil.Error:
            # A process we started becomes unreadable only by ending.
            return None

    def total(self) -> ProcessTotals:
        counters = getattr(self._process, "io_counters", None)  # not on macOS
        io = self._answer(counters) if counters else None
        if io is None:
            return ProcessTotals()
        return ProcessTotals(
            io=InputOutput(
                read_bytes=io.read_bytes,
                written_bytes=io.write_bytes,
                read_chars=io.read_chars,
                written_chars=io.write_chars,
                read_calls=io.read_count,
                write_calls=io.write_count,
            )
        )

    def count_fds(self) -> int | None:
        return None

    def list_fds(self) -> int | None:
        count: int | None = self._answer(self._process.num_fds)
        return count

    def count_fds_below(self, roots: Collection[str]) -> int | None:
        files = self._answer(self._process.open_files)
        if files is None:
            return None
        paths: list[str] = [file.path for file in files]
        below = tuple(root.rstrip(os.sep) + os.sep for root in roots)
        return sum(path in roots or path.startswith(below) for path in paths)

    def proportional(self) -> int | None:
        return None

    def count_switches(self) -> Switches | None:
        counts = self._answer(self._process.num_ctx_switches)
        if counts is None:
            return None
        return Switches(voluntary=counts.voluntary, involuntary=counts.involuntary)

    def children(self) -> Collection[int]:
        return [child.pid for child in self._answer(self._process.children) or ()]

    def close(self) -> None:
        """Nothing is held open."""

    def _answer(self, question: Callable[[], Any]) -> Any:
        """The answer of psutil; None if the process has ended, or hides it."""
        import psutil

        try:
            return question()
        except psutil.Error:
            return None
