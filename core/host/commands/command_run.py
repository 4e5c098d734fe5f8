"""One program from its start to its end, followed by the thread that asked for it.

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

import os
import resource
import select
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from pathlib import Path
from time import perf_counter, thread_time
from typing import Literal

from core.host.commands.drains import Digest, Drain, LastWords
from core.host.commands.process_tree import descendants_of, kill, signal_group
from core.host.sampling import Reading, Sampler
from core.language.units import Seconds

_FIRST_LOOK: Seconds = 0.01
_BETWEEN_LOOKS: Seconds = 0.02
_FIRST_GLANCE: Seconds = 0.001
"""At the kernel's own peak, which takes some 30 us for a process; each next one comes twice as
late, until looks have told enough."""
_TOLD = 2
"""In so many looks a run must have been seen.  One may find a program that has only just begun."""
_SHARE = 25
"""Looks take at most the 25th part of one core."""
_ASKED: Seconds = 2.0
"""How long a program may take to end where it is asked to."""
_DRAINED_MS = 1000
_INHERITED = 1.1
_GLANCE: Seconds = 0.005
"""Between two looks for the end, where the kernel does not tell of it."""

type Cut = Literal["", "timeout", "stall"]
type Watch = Callable[[Seconds], object]
"""Takes the CPU time so far of all processes of a run that are alive, at each look."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """What to run, and for how long."""

    arguments: Sequence[str]
    """The program, by name or path, and its arguments."""
    environment: Mapping[str, str]
    stdin: Path | None = None
    """The file that it reads there; None = one without content."""
    timeout: Seconds = 0.0
    """It is ended after this time; 0 = never."""
    stall: Seconds = 0.0
    """It is ended where its processes do not compute, read or write for this time; 0 = never."""
    digested: bool = False
    """Whether what it writes to stdout is digested; else it is thrown away unread."""


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
    files: int = 0
    """Open files, pipes and sockets."""
    looks: int = 0


@dataclass(frozen=True, kw_only=True)
class Ran:
    """A program that has ended, and all it has started with it."""

    code: int
    """Its exit code; the negative number of the signal that killed it."""
    cut: Cut
    """Why it was ended; empty = by itself."""
    seconds: Seconds
    cpu: Seconds
    """CPU time of the program, and of what it has started and waited for."""
    sha256: str
    """Of what it wrote to stdout; empty unless that was to be digested."""
    output: int
    """Bytes of that."""
    last_words: str
    """The end of what it wrote to stderr."""
    left: tuple[str, ...]
    """Names of processes that it left running; they were killed."""
    peaks: Peaks


class CommandRun:
    """A program that runs now."""

    def __init__(self, command: Command, watch: Watch) -> None:
        """Raises OSError where it cannot be started."""
        self._command = command
        self._watch = watch
        self.began = perf_counter()
        with (command.stdin or Path(os.devnull)).open("rb", buffering=0) as stdin:
            self._popen = subprocess.Popen(
                command.arguments,
                env=command.environment,
                stdin=stdin,
                stdout=subprocess.PIPE if command.digested else subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,
                bufsize=0,
            )
        self.pid = self._popen.pid
        self._drains: dict[int, Drain] = {}
        assert self._popen.stderr is not None
        self._complaints = LastWords(self._popen.stderr)
        self._drains[self._complaints.fd] = self._complaints
        self._digest = Digest(self._popen.stdout) if self._popen.stdout is not None else None
        if self._digest is not None:
            self._drains[self._digest.fd] = self._digest
        self._peaks = Peaks()
        self._glanced = 0
        """The most bytes that one of its processes had, as the kernel knows it."""
        self._sampler: Sampler | None = None
        self.cut: Cut = ""
        """Why it is being ended."""
        self._kill_at = 0.0
        self._moved: tuple[object, ...] = ()
        self._moved_at = self.began
        self._seconds = 0.0

    def follow(self) -> None:
        """Take its output and look at its processes until it has ended; it is not collected yet."""
        watch = os.pidfd_open(self.pid) if sys.platform == "linux" else -1
        poll = select.poll()
        for fd in (*self._drains, *((watch,) if watch >= 0 else ())):
            poll.register(fd, select.POLLIN)
        look_at, glance = self.began + _FIRST_LOOK, _FIRST_GLANCE
        try:
            while not self._has_ended(poll, watch, min(look_at, self.began + glance)):
                now = perf_counter()
                if now >= self.began + glance:
                    self._glance()
                    glance = 2 * glance if self._peaks.looks < _TOLD else inf
                if now >= look_at:
                    # CPU time: a look that waits for a core takes nothing from anybody.
                    begun = thread_time()
                    self._look(now)
                    took = thread_time() - begun
                    look_at = now + max(_BETWEEN_LOOKS, _SHARE * took)
                self._limit(now)
        finally:
            self._seconds = perf_counter() - self.began
            if watch >= 0:
                os.close(watch)
            if self._sampler is not None:
                self._sampler.close()

    def collect(self, left: tuple[str, ...]) -> Ran:
        """Take the rest of its output and its rusage, once all that it has left is killed."""
        self._drain_rest()
        _, status, usage = os.wait4(self.pid, 0)
        self._popen.returncode = os.waitstatus_to_exitcode(status)
        self._close_pipes()
        if self._peaks.looks < _TOLD:
            self._peaks = Peaks(looks=self._peaks.looks, memory=self._glanced)
        # The kernel hands this process's peak on to its children, counted roughly: what is not
        # well above it is not their own.
        largest = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
        if largest > _INHERITED * own_peak():
            self._peaks.memory = max(self._peaks.memory, largest)
        return Ran(
            code=self._popen.returncode,
            cut=self.cut,
            seconds=self._seconds,
            cpu=usage.ru_utime + usage.ru_stime,
            sha256=self._digest.sha256 if self._digest is not None else "",
            output=self._digest.bytes if self._digest is not None else 0,
            last_words=self._complaints.text,
            left=left,
            peaks=self._peaks,
        )

    def _has_ended(self, poll: select.poll, watch: int, look_at: float) -> bool:
        """Wait for what comes first; take what there is to take."""
        due = min(at for at in (look_at, self._ends_at, self._kill_at) if at)
        wait = max(0.0, due - perf_counter())
        ready = [fd for fd, _ in poll.poll(1000 * (wait if watch >= 0 else min(wait, _GLANCE)))]
        for fd in ready:
            if fd in self._drains and not self._drains[fd].take():
                poll.unregister(fd)
        return watch in ready if watch >= 0 else _is_zombie(self.pid)

    @property
    def _ends_at(self) -> float:
        return self.began + self._command.timeout if self._command.timeout else 0.0

    def _glance(self) -> None:
        found = (self.pid, *descendants_of(self.pid))
        self._glanced = max(self._glanced, *map(peak_of, found))

    def _look(self, now: float) -> None:
        if self._sampler is None:
            self._sampler = Sampler((self.pid,), ())
        reading = self._sampler.read(now - self.began, complete=True)
        if reading is None:
            return
        peaks = self._peaks
        peaks.looks += 1
        peaks.memory = max(peaks.memory, self._memory(reading))
        peaks.processes = max(peaks.processes, reading.processes)
        peaks.threads = max(peaks.threads, reading.threads)
        peaks.files = max(peaks.files, reading.fds or 0)
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

    def _limit(self, now: float) -> None:
        """End it where it takes too long: it is asked, then killed with all that it started."""
        command = self._command
        if not self.cut:
            if command.timeout and now >= self._ends_at:
                self._ask("timeout", now)
            elif command.stall and now - self._moved_at > command.stall:
                self._ask("stall", now)
        elif self._kill_at and now >= self._kill_at:
            self._kill_at = now + _ASKED
            below = list(descendants_of(self.pid))
            # All of the group at once: a shell that outlives what it waits for may end well.
            signal_group(self.pid, signal.SIGKILL)
            for pid in below:
                kill(pid)

    def _ask(self, cut: Cut, now: float) -> None:
        self.cut, self._kill_at = cut, now + _ASKED
        signal_group(self.pid, signal.SIGTERM)

    def _drain_rest(self) -> None:
        poll = select.poll()
        for fd in self._drains:
            poll.register(fd, select.POLLIN)
        waiting = len(self._drains)
        while waiting:
            ready = poll.poll(_DRAINED_MS)
            if not ready:  # a process that nobody could find has it open
                break
            for fd, _ in ready:
                if not self._drains[fd].take():
                    poll.unregister(fd)
                    waiting -= 1

    def _close_pipes(self) -> None:
        for pipe in (self._popen.stdout, self._popen.stderr):
            if pipe is not None:
                pipe.close()


def own_peak() -> int:
    """The most bytes of this process that were resident at once since its program began."""
    return peak_of(os.getpid()) or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def peak_of(pid: int) -> int:
    """The most bytes of a process that were resident at once; 0 where that is not known."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    kibibytes = status.partition("VmHWM:")[2].split(None, 1)  # one that has ended has none
    return 1024 * int(kibibytes[0]) if kibibytes else 0


def _is_zombie(pid: int) -> bool:
    import psutil

    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return True
