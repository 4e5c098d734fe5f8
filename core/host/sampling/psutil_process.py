"""One process seen through psutil, where there is no /proc to read directly."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection
from typing import Any

from core.host.sampling.readings import InputOutput, Look, Process, Switches, Totals


def open_process(pid: int) -> Process | None:
    """The process, or None when it has ended."""
    import psutil  # type: ignore[import-untyped, unused-ignore]

    try:
        return PsutilProcess(psutil.Process(pid))
    except psutil.NoSuchProcess:
        return None


class PsutilProcess:
    """`Process` on macOS and Windows, and on Linux for the sake of its tests."""

    def __init__(self, process: Any) -> None:
        self._process = process

    def look(self) -> Look | None:
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
                return Look(
                    rss=memory.rss,
                    threads=self._process.num_threads(),
                    cpu_user=cpu.user + getattr(cpu, "children_user", 0.0),
                    cpu_system=cpu.system + getattr(cpu, "children_system", 0.0),
                )
        except psutil.Error:
            # A process we started becomes unreadable only by ending.
            return None

    def total(self) -> Totals:
        import psutil

        try:
            memory = self._process.memory_info()
            return Totals(peak_rss=getattr(memory, "peak_wset", None), io=self._look_at_io())
        except psutil.Error:
            return Totals()

    def count_fds(self) -> int | None:
        return None

    def list_fds(self) -> int | None:
        import psutil

        # Windows counts handles of every kind, which are not open files.
        if not hasattr(self._process, "num_fds"):
            return None
        try:
            return int(self._process.num_fds())
        except psutil.Error:
            return None

    def count_fds_below(self, roots: Collection[str]) -> int | None:
        import psutil

        # psutil's own documentation calls the answer unreliable on Windows.
        if sys.platform == "win32":
            return None
        try:
            paths = [file.path for file in self._process.open_files()]
        except psutil.Error:
            return None
        below = tuple(root.rstrip(os.sep) + os.sep for root in roots)
        return sum(1 for path in paths if path in roots or path.startswith(below))

    def proportional(self) -> int | None:
        return None

    def count_switches(self) -> Switches | None:
        import psutil

        try:
            switches = self._process.num_ctx_switches()
        except psutil.Error:
            return None
        return Switches(voluntary=switches.voluntary, involuntary=switches.involuntary)

    def children(self) -> Collection[int]:
        import psutil

        try:
            return [child.pid for child in self._process.children()]
        except psutil.Error:
            return ()

    def close(self) -> None:
        """Nothing is held open."""

    def _look_at_io(self) -> InputOutput:
        import psutil

        if not hasattr(self._process, "io_counters"):
            return InputOutput()
        try:
            io = self._process.io_counters()
        except psutil.AccessDenied:
            return InputOutput()
        # Windows counts what calls transfer, whether or not storage was touched.
        chars = hasattr(io, "read_chars")
        return InputOutput(
            read_bytes=io.read_bytes if chars else None,
            written_bytes=io.write_bytes if chars else None,
            read_chars=io.read_chars if chars else io.read_bytes,
            written_chars=io.write_chars if chars else io.write_bytes,
            read_calls=io.read_count,
            write_calls=io.write_count,
        )
