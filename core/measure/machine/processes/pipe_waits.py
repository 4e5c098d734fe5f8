"""Which programs of a pipe wait for which.

A program waits on a full pipe for whoever reads it, and on an empty one for whoever writes it.  One
that computes in another thread meanwhile does not wait: `bwa mem` reads, aligns and writes at once.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from core.measure.machine.processes.process_tree import name_of

type _Ends = tuple[str, str]
"""The pipes that a program reads from and writes into.  What a shell starts has those of the shell,
which stands in its place."""


class PipeWaits:
    """Counts looks at a run, and those in which one program waited for another."""

    def __init__(self) -> None:
        self.looks = 0
        """Looks that found programs joined by a pipe."""
        self.joined: Counter[tuple[str, str]] = Counter()
        """Looks at each pair of neighbours: who writes, and who reads."""
        self.waits: Counter[tuple[str, str]] = Counter()
        """By the program that waited, and the one that it waited for."""

    def look(self, pids: Collection[int]) -> None:
        """See what those processes do now; parents come first."""
        members: dict[_Ends, list[int]] = {}
        for pid in pids:
            members.setdefault((_end(pid, 0), _end(pid, 1)), []).append(pid)
        writers = {ends[1]: ends for ends in members if ends[1]}
        readers = {ends[0]: ends for ends in members if ends[0]}
        pairs = [(writers[end], readers[end]) for end in writers.keys() & readers.keys()]
        pairs = [(writer, reader) for writer, reader in pairs if writer != reader]
        if not pairs:
            return
        self.looks += 1
        names = _names(members, dict(pairs))
        self.joined.update((names[writer], names[reader]) for writer, reader in pairs)
        for ends, own in members.items():
            awaited = {(writers if reads else readers).get(end) for reads, end in _waited_at(own)}
            others = awaited - {None, ends}
            self.waits.update((names[ends], names[other]) for other in others if other)


def _names(
    members: Mapping[_Ends, list[int]], reader_of: Mapping[_Ends, _Ends]
) -> dict[_Ends, str]:
    """What each is called, in the order of the pipe: `samtools`, `samtools (2)`."""
    firsts = [ends for ends in members if ends not in {*reader_of.values()}]
    in_order: dict[_Ends, None] = {}
    for each in firsts:
        following: _Ends | None = each
        while following is not None and following not in in_order:
            in_order[following] = None
            following = reader_of.get(following)
    counted: Counter[str] = Counter()
    names = {}
    for ends in [*in_order, *(one for one in members if one not in in_order)]:
        name = name_of(members[ends][-1])
        counted[name] += 1
        names[ends] = name if counted[name] == 1 else f"{name} ({counted[name]})"
    return names


def _end(pid: int, descriptor: int) -> str:
    """The pipe that a descriptor is an end of; empty for anything else."""
    with suppress(OSError):
        target = str(Path(f"/proc/{pid}/fd/{descriptor}").readlink())
        return target if target.startswith("pipe:") else ""
    return ""


def _waited_at(pids: Collection[int]) -> Collection[tuple[bool, str]]:
    """Each pipe that threads of a program sleep at, and whether they read there.

    None where one of its threads runs, or is ready to.
    """
    waits = []
    for pid, folder in _threads(pids):
        asleep = _read(f"{folder}/wchan")  # such as anon_pipe_read; pipe_read before 6.16
        if asleep == "0":
            return ()
        if "pipe_" in asleep:
            reads = "read" in asleep
            spliced = "pipe_wait_" in asleep and not reads  # splice(from, _, into, …)
            call = _read(f"{folder}/syscall").split()  # its number, and its arguments
            place = 3 if spliced else 1
            descriptor = int(call[place], 16) if len(call) > place else int(not reads)
            waits.append((reads, _end(pid, descriptor)))
    return waits


def _threads(pids: Collection[int]) -> Iterator[tuple[int, str]]:
    for pid in pids:
        with suppress(OSError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                yield pid, f"/proc/{pid}/task/{thread}"


def _read(path: str) -> str:
    with suppress(OSError):
        return Path(path).read_text("ascii", "replace").strip()
    return ""
