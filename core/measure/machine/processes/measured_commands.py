"""Runs the programs of a process, several at a time where several threads ask for them.

Each is followed by the thread that asked for it, from its start to its end.

The thread waits for output, for the end, and for the next look at the whole process tree at once,
so a run costs no other thread.

The peaks are those of these looks, and not of a control group: what that calls its peak holds the
page cache of all that was read and written too.  For `cp` of 300 MiB, which needs 2 MiB, it says
610 MiB, and for a `sort` that needs 302 MiB it says 425.  Without its page cache the group's agrees
with ours within 3 % for that `sort` and for three generations of processes; of a small program it
holds the kernel's own memory, too, some MiB.
`tests/benchmarks/bench_peaks.py` measures that.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from time import perf_counter, sleep, thread_time
from typing import IO, override

from core.language import Seconds
from core.measure.machine.descendants import children_of, descendants_of, stamp_of
from core.measure.machine.out_of_memory import kernel_kills
from core.measure.machine.processes.followed_program import (
    MOST_AT_ONCE,
    Cut,
    Drain,
    Followed,
    LastWords,
)
from core.measure.machine.processes.pipe_waits import PipeWaits
from core.measure.machine.processes.process_tree import (
    collect,
    group_of,
    has_ended,
    kill,
    name_of,
    take_in_orphans,
)
from core.measure.machine.processes.supervisor import Program, Supervised, Supervisor
from core.measure.machine.processes.survivors import Survivor, running_process
from core.measure.machine.processes.thread_limits import thread_limits
from core.measure.machine.program_versions import users_environment
from core.measure.machine.removal import bytes_below, remove_tree
from core.measure.machine.run_queue import waits_of
from core.measure.machine.sampler import Sampler
from core.measure.machine.shortages import limit_behind
from core.vocabulary import Reading

_FIRST_LOOK: Seconds = 0.01
_BETWEEN_LOOKS: Seconds = 0.02
_FIRST_GLANCE: Seconds = 0.001
"""At the kernel's own peak, which takes some 30 us for a process; each next one comes twice as
late, until looks have told enough."""
_TOLD = 2
"""In so many looks a run must have been seen.  One may find a program that has only just begun."""
_SEEN, _FEW = (2, 8, 32), 4
"""Looks at which it is seen by what threads are limited, and of how many processes."""
_BETWEEN_FOLDERS: Seconds = 0.1
"""Between two looks at the disk space; more where there are many files."""
_SHARE = 25
"""Looks take at most the 25th part of one core."""
_INHERITED = 1.1
_FAST: Seconds = 0.1
"""For which a program that has filled half of its pipe at once is followed without a rest."""

type Watch = Callable[[Seconds], object]
"""Takes the CPU time so far of all processes of a run that are alive, at each look."""


@dataclass(frozen=True, kw_only=True)
class Command:
    arguments: Sequence[str]
    """The program, by name or path, and its arguments."""
    environment: Mapping[str, str]
    stdin: Path | None = None
    """The file that it reads there; None = one without content."""
    stdout: Path | None = None
    """The file that it writes there; None = a pipe that is emptied."""
    timeout: Seconds = 0.0
    """It is ended after this time; 0 = never."""
    stall: Seconds = 0.0
    """It is ended where its processes do not compute, read or write for this time; 0 = never."""
    digested: bool = False
    """Whether what it writes to stdout is digested; else it is only counted."""
    folders: Sequence[Path] = ()
    """Whose files are the disk space that it takes; as few as it writes to."""


@dataclass(kw_only=True)
class Peaks:
    """The most that all processes of a run had together in any look, and in how many looks.

    0 = not known: the run ended before it was seen twice.  Memory is known of shorter ones, too.
    """

    memory: int = 0
    """Bytes resident; on Linux what several share counts once.  Where the largest process alone had
    more, as the kernel says, then those."""
    processes: int = 0
    threads: int = 0
    computing: int = 0
    """Threads that ran at least a tenth as long as the busiest one."""
    files: int = 0
    """Open files, pipes and sockets."""
    disk: int = 0
    """Bytes of all files in the command's folders, also of a run that was not seen twice.  What a
    program has deleted and still holds open is not in them."""
    looks: int = 0


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A program that has ended, and all it has started with it."""

    code: int
    """Its exit code; the negative number of the signal that killed it."""
    cut: Cut
    """Why it was ended; empty = by itself."""
    limit: str = ""
    """The limit of this process for which a signal ended it, or a part of it, and what to do."""
    seconds: Seconds
    cpu: Seconds
    """CPU time of the program, and of what it has started and waited for."""
    system: Seconds = 0.0
    """The part of it that the kernel took."""
    queued: Seconds | None = None
    """For how long all its threads together were ready to run, but waited for a core; that of
    threads which ended before it is not in it.  None = not known."""
    gave_up: float = 0.0
    """How often those that compute gave a core up to wait for something else, as above."""
    sha256: str
    """Of what it wrote to stdout; empty unless that was to be digested."""
    output: int
    """Bytes of that; 0 where they went into a file."""
    last_words: str
    """The end of what it wrote to stderr."""
    out_of_memory: bool = False
    """Whether the kernel killed it for want of memory, as its shell says or its own end."""
    left: tuple[str, ...]
    """Names of processes that it left running; they were killed."""
    survivors: tuple[Survivor, ...] = ()
    """Those that could not be."""
    peaks: Peaks
    limits: frozenset[str] = frozenset()
    """Variables that limit its threads, as far as they are seen."""
    pipe_looks: int
    """Looks that found programs of it joined by a pipe."""
    joined: Mapping[tuple[str, str], int]
    """In how many of them one wrote into the pipe that the other reads, by the names of both."""
    waits: Mapping[tuple[str, str], int]
    """In how many of them one program waited for another, by the names of both."""


class Counted(Drain):
    """Bytes that are only counted."""

    def __init__(self, pipe: IO[bytes], nowhere: int) -> None:
        """`nowhere`: a descriptor of `os.devnull`."""
        super().__init__(pipe)
        self._nowhere = nowhere
        self._large = False
        self._fast_until = 0.0
        if sys.platform == "linux":
            with suppress(OSError):  # more than an unprivileged user may have in all pipes
                self._large = fcntl.fcntl(self.fd, fcntl.F_SETPIPE_SZ, MOST_AT_ONCE) >= MOST_AT_ONCE

    @property
    def sha256(self) -> str:
        """Of all bytes so far, as hex digits; empty unless they are digested."""
        return ""

    @override
    def take(self) -> bool:
        if sys.platform != "linux":
            return super().take()
        try:  # without copying them, which would take a core's time from the program
            moved = os.splice(self.fd, self._nowhere, MOST_AT_ONCE)
        except BlockingIOError:
            return True
        self.bytes += moved
        now = perf_counter()
        if moved > MOST_AT_ONCE // 2:  # during a rest the pipe would be full, and the program wait
            self._fast_until = now + _FAST
        self.rests = self._large and now > self._fast_until
        return moved > 0

    @override
    def keep(self, read: bytes | memoryview) -> None:
        """They are thrown away."""


class Digest(Counted):
    """Bytes that are counted and digested."""

    def __init__(self, pipe: IO[bytes], nowhere: int) -> None:
        super().__init__(pipe, nowhere)
        self._sha256 = hashlib.sha256()
        self._room = memoryview(bytearray(MOST_AT_ONCE))

    @property
    @override
    def sha256(self) -> str:
        return self._sha256.hexdigest()

    @override
    def take(self) -> bool:
        return Drain.take(self)

    @override
    def read(self) -> memoryview:
        return self._room[: os.readv(self.fd, [self._room])]

    @override
    def keep(self, read: bytes | memoryview) -> None:
        self._sha256.update(read)


class CommandRun(Followed):
    def __init__(self, process: Supervised, command: Command, watch: Watch, nowhere: int) -> None:
        pipes = process.popen
        assert pipes.stderr is not None
        self._complaints = LastWords(pipes.stderr)
        self._output: Counted | None = None
        if pipes.stdout is not None:
            self._output = (Digest if command.digested else Counted)(pipes.stdout, nowhere)
        drains = [one for one in (self._complaints, self._output) if one is not None]
        super().__init__(process, drains, timeout=command.timeout)
        self._sample_at, self._glance_at = process.began + _FIRST_LOOK, _FIRST_GLANCE
        self.look_at = process.began + _FIRST_GLANCE
        self._stall = command.stall
        self._folders, self._measured_at = command.folders, process.began
        self._limits: frozenset[str] = frozenset()
        self._watch = watch
        self._peaks = Peaks()
        self._pipes = PipeWaits()
        self._glanced = 0
        """The most bytes that one of its processes had, as the kernel knows it."""
        self._sampler: Sampler | None = None
        self._queued: float | None = None
        """Threads that waited for a core on average, until the last look."""
        self._gave_up = 0.0
        """How many times a second threads gave a core up, until then."""
        self._moved: tuple[object, ...] = ()
        self._moved_at = process.began

    @override
    def follow(self) -> None:
        try:
            super().follow()
        finally:
            if self._sampler is not None:
                self._sampler.close()

    def collect(self, killed: tuple[str, ...], survivors: tuple[Survivor, ...]) -> Ran:
        """Take the rest of its output and its rusage, once all that it has left is killed."""
        if not survivors:  # they may write without end
            self.drain_rest()
        for pipe in self.process.pipes:
            pipe.close()
        usage = self.process.collect()
        disk = max(self._peaks.disk, bytes_in(self._folders))
        if self._peaks.looks < _TOLD:
            self._peaks = Peaks(looks=self._peaks.looks, memory=self._glanced)
        self._peaks.disk = disk
        # The kernel hands this process's peak on to its children, counted roughly: what is not
        # well above it is not their own.
        unit = 1 if sys.platform == "darwin" else 1024
        largest = usage.ru_maxrss * unit if usage is not None else 0
        if largest > _INHERITED * own_peak():
            self._peaks.memory = max(self._peaks.memory, largest)
        return Ran(
            code=self.process.popen.returncode,
            cut=self.cut,
            limit=limit_behind(self.process.popen.returncode),
            seconds=self.seconds,
            cpu=usage.ru_utime + usage.ru_stime if usage is not None else 0.0,
            system=usage.ru_stime if usage is not None else 0.0,
            queued=None if self._queued is None else self._queued * self.seconds,
            gave_up=self._gave_up * self.seconds,
            sha256=self._output.sha256 if self._output is not None else "",
            output=self._output.bytes if self._output is not None else 0,
            last_words=self._complaints.text,
            left=killed,
            survivors=survivors,
            peaks=self._peaks,
            limits=self._limits,
            pipe_looks=self._pipes.looks,
            joined=self._pipes.joined,
            waits=self._pipes.waits,
        )

    @override
    def look(self, now: float) -> None:
        began = self.process.began
        if now >= began + self._glance_at:
            pids = (self.process.pid, *descendants_of(self.process.pid))
            self._glanced = max(self._glanced, *map(peak_of, pids))
            self._glance_at = 2 * self._glance_at if self._peaks.looks < _TOLD else inf
        if now >= self._sample_at:
            # CPU time: a look that waits for a core takes nothing from anybody.
            begun = thread_time()
            self._sample(now)
            took = thread_time() - begun
            self._sample_at = now + max(_BETWEEN_LOOKS, _SHARE * took)
        self.look_at = min(self._sample_at, began + self._glance_at)
        if self._stall and now - self._moved_at > self._stall:
            self.ask("stall", now)

    def _sample(self, now: float) -> None:
        if self._sampler is None:
            self._sampler = Sampler((self.process.pid,), ())
        reading = self._sampler.read(now - self.process.began, complete=True)
        if reading is None:
            return
        peaks = self._peaks
        peaks.looks += 1
        peaks.memory = max(peaks.memory, self._memory(reading))
        peaks.processes = max(peaks.processes, reading.processes)
        peaks.threads = max(peaks.threads, reading.threads)
        peaks.files = max(peaks.files, reading.fds or 0)
        pids = [self.process.pid, *descendants_of(self.process.pid)]
        if reading.processes > 1:
            self._pipes.look(pids)
        if (waits := waits_of(pids)) is not None and reading.at > 0:
            self._queued = waits.queued / 1e9 / reading.at
            self._gave_up = waits.times / reading.at
            if peaks.looks > 1:  # before, all of them have only begun
                peaks.computing = max(peaks.computing, waits.computing)
        if peaks.looks in _SEEN and reading.threads > reading.processes:
            self._limits |= thread_limits(pids[:_FEW])
        if self._folders and now >= self._measured_at:
            begun = thread_time()
            peaks.disk = max(peaks.disk, bytes_in(self._folders))
            self._measured_at = now + max(_BETWEEN_FOLDERS, _SHARE * (thread_time() - begun))
        self._note_movement(reading, now)
        self._watch(reading.cpu_user + reading.cpu_system)

    def _memory(self, reading: Reading) -> int:
        """Of one process what it has; of several what they share only once.

        To find that takes milliseconds, so it is looked for only where it can be a new peak.
        """
        if self._sampler is None or reading.processes < 2 or reading.rss <= self._peaks.memory:
            return reading.rss
        shared = self._sampler.proportional()
        return reading.rss if shared is None else min(reading.rss, shared)

    def _note_movement(self, reading: Reading, now: float) -> None:
        moved = (
            reading.processes,
            reading.cpu_user + reading.cpu_system,
            reading.read_chars,
            reading.written_chars,
            reading.read_bytes,
            self._complaints.bytes,
        )
        if moved != self._moved:
            self._moved, self._moved_at = moved, now


def bytes_in(folders: Sequence[Path]) -> int:
    """Of all files in them, as far as they can be looked at."""
    return sum(map(bytes_below, folders))


def own_peak() -> int:
    """The most bytes of this process that were resident at once since its program began."""
    return peak_of(os.getpid()) or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def peak_of(pid: int) -> int:
    """The most bytes of a process that were resident at once; 0 if that is unknown."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    kibibytes = status.partition("VmHWM:")[2].split(None, 1)  # one that has ended has none
    return 1024 * int(kibibytes[0]) if kibibytes else 0


_KILLED = (-signal.SIGKILL, 128 + signal.SIGKILL)
"""Exit codes of what was killed, and of a shell that has run that."""
_LAGGING: Seconds = 1.0
"""How long a process may outlive its program without being one that was left behind."""
_BETWEEN_ORPHANS: Seconds = 0.002
_ROUNDS = 20
"""How often orphans are looked for: one that is killed may just have started another."""


class Commands(Supervisor):
    """The measured programs of this process, to which `folder` belongs."""

    def __init__(self, mark: str, folder: Path, *others: Path) -> None:
        """`mark`: in the stamps of its programs; `others`: more folders that go with it.

        Raises OSError if no shell can be started.
        """
        self._others = set(children_of(os.getpid()))
        """Children that are no affair of its programs, and those that cannot be ended."""
        take_in_orphans(yes=True)
        super().__init__(mark, folder, *others)
        self._folder = folder
        self._kills = kernel_kills()
        self._suspects: dict[int, set[str]] = {}
        """By the pid of an orphan without a stamp, those of all programs that may have begun it."""
        self._nowhere = os.open(os.devnull, os.O_WRONLY)

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that programs of the user's own get."""
        return users_environment()

    def run(self, command: Command, watch: Watch = lambda cpu: None) -> Ran:
        """Run a program until it and all that it has started have ended; raises OSError."""
        with ExitStack() as files:
            stdin = files.enter_context((command.stdin or Path(os.devnull)).open("rb", buffering=0))
            # Programs that see /dev/null there take short cuts: grep stops at the first match, and
            # tar reads nothing.
            stdout: int | IO[bytes] = subprocess.PIPE
            if command.stdout is not None:
                stdout = files.enter_context(command.stdout.open("wb", buffering=0))
            process = self.start(
                Program(
                    arguments=command.arguments,
                    environment=command.environment,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=subprocess.PIPE,
                    measured=True,
                )
            )
        run = CommandRun(process, command, watch, self._nowhere)
        try:
            run.follow()
        except BaseException:
            process.signal(signal.SIGKILL)
            raise
        finally:
            if not run.cut:
                self._let_end(process)
            with self.lock:
                killed, survivors = self._end_left(process)
            ran = run.collect(killed, survivors)
        return replace(ran, out_of_memory=self._was_short_of_memory(ran))

    def _was_short_of_memory(self, ran: Ran) -> bool:
        if ran.cut or ran.code not in _KILLED:
            return False
        with self.lock:
            before, self._kills = self._kills, kernel_kills()
            return self._kills > before

    @override
    def close(self) -> None:
        """End what still runs, and remove the folder."""
        super().close()
        remove_tree(self._folder)
        for orphan in self._orphans():
            if kill(orphan):
                collect(orphan)
        take_in_orphans(yes=False)
        if self._nowhere >= 0:
            os.close(self._nowhere)
            self._nowhere = -1

    def _let_end(self, leader: Supervised) -> None:
        """Wait a moment for processes that end right after their program."""
        until = perf_counter() + _LAGGING
        while perf_counter() < until:
            with self.lock:
                self._suspect(leader)
                pids = [pid for pid in self._orphans() if self._is_of(pid, leader)]
            if all(map(has_ended, pids)):
                return
            sleep(_BETWEEN_ORPHANS)

    def _end_left(self, leader: Supervised) -> tuple[tuple[str, ...], tuple[Survivor, ...]]:
        """Kill what a program that has ended left running.

        Returns the names of what was killed, and what could not be.
        """
        killed: dict[int, str] = {}
        survivors: list[Survivor] = []
        self._suspect(leader)
        for _ in range(_ROUNDS):
            pids = [pid for pid in self._orphans() if self._is_of(pid, leader)]
            for pid in pids:
                below = [] if has_ended(pid) else [pid, *descendants_of(pid)]
                for one in below:
                    killed.setdefault(one, name_of(one))
                    kill(one)
                if not (kill(pid) and collect(pid)):
                    self._others.add(pid)
                    if (survivor := running_process(pid)) is not None:
                        survivors.append(survivor)
                        killed.pop(pid, None)
            if not pids:
                break
        return tuple(killed.values()), tuple(survivors)

    def _orphans(self) -> list[int]:
        """Children of this process that nobody here has started."""
        started = {*self.running, *self._others, self.guard.pid}
        return [pid for pid in children_of(os.getpid()) if pid not in started]

    def _is_of(self, pid: int, leader: Supervised) -> bool:
        """Whether an orphan comes from that program.

        One that hides it comes from one of those that ran when it was first seen: the last of them
        to end has left it.
        """
        if set(self.running) == {leader.pid} or has_ended(pid) or group_of(pid) == leader.pid:
            return True
        if stamp := stamp_of(pid):
            return f"{stamp}/".startswith(f"{leader.stamp}/")
        return self._suspects.get(pid) == {leader.stamp}

    def _suspect(self, leader: Supervised) -> None:
        """Note the possible origins of orphans without a stamp, now that a program has ended."""
        running = {one.stamp for one in self.supervised}
        hidden = [pid for pid in self._orphans() if not (has_ended(pid) or stamp_of(pid))]
        suspects = {pid: self._suspects.get(pid, running) for pid in hidden}
        self._suspects = {
            pid: stamps - {leader.stamp} or stamps for pid, stamps in suspects.items()
        }
