"""Who waits for whom in a pipe of programs, seen from outside (Linux).

The kernel tells in which of its functions a thread sleeps: one that reads an empty pipe waits for
the program that writes into it, and one that writes into a full pipe waits for its reader.  Other
programs are known by their standard input and output alone, so that no descriptor is searched.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from core.host.processes.process_tree import name_of


class PipeWaits:
    """Counts looks at a run, and those in which one program waited for another."""

    def __init__(self) -> None:
        self.looks = 0
        """Looks that found programs joined by a pipe."""
        self.waits: Counter[tuple[str, str]] = Counter()
        """By the program that waited, and the one that it waited for."""

    def look(self, pids: Collection[int]) -> None:
        """See what those processes do now; parents come first."""
        # What a shell has started stands in its place: both have the same ends.
        writers = {end: pid for pid in pids if (end := _end(pid, 1))}
        readers = {end: pid for pid in pids if (end := _end(pid, 0))}
        if not any(readers[end] != writers[end] for end in writers.keys() & readers.keys()):
            return
        self.looks += 1
        for pid in pids:
            awaited = {
                other
                for reads, end in _waited_at(pid)
                if (other := (writers if reads else readers).get(end)) not in (None, pid)
            }
            self.waits.update((name_of(pid), name_of(other)) for other in awaited if other)


def _end(pid: int, descriptor: int) -> str:
    """The pipe that a descriptor is an end of; empty for anything else."""
    with suppress(OSError):
        told = str(Path(f"/proc/{pid}/fd/{descriptor}").readlink())
        return told if told.startswith("pipe:") else ""
    return ""


def _waited_at(pid: int) -> Iterator[tuple[bool, str]]:
    """Each pipe that a thread of it sleeps at, and whether it reads there."""
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            folder = f"/proc/{pid}/task/{thread}"
            asleep = _read(f"{folder}/wchan")  # such as anon_pipe_read; pipe_read before 6.16
            if "pipe_" not in asleep:
                continue
            call = _read(f"{folder}/syscall").split()  # its number, and its arguments
            reads = "pipe_read" in asleep
            descriptor = int(call[1], 16) if len(call) > 1 else int(not reads)
            yield reads, _end(pid, descriptor)


def _read(path: str) -> str:
    with suppress(OSError):
        return Path(path).read_text("ascii", "replace")
    return ""
