"""Follows a program from its start to its end, by the thread that asked for it.

The thread waits for output, for the end, and for its next look at once, so a run costs no other
thread.  Output is read in constant memory.
"""

from __future__ import annotations

import codecs
import io
import math
import os
import select
import signal
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from subprocess import PIPE
from time import perf_counter
from typing import IO, Literal, override

from core.language import Seconds, printed_lines
from core.measure.machine.processes.process_tree import end_of, has_ended
from core.measure.machine.processes.supervisor import Program, Supervised, Supervisor

_ASKED: Seconds = 2.0
"""How long a program may take to end where it is asked to."""
_UNTIL_GONE: Seconds = 10.0
"""How long one may take that is killed: the kernel may hold it, or give back much memory."""
_DRAINED_MS = 1000
_GLANCE: Seconds = 0.005
"""Between two looks for the end, if the kernel does not report it."""
_BETWEEN_LOOKS: Seconds = 0.25
_REST: Seconds = 0.001
"""Without it, a program that writes 4 KiB at a time wakes its follower with each."""

_KEPT = 4096  # bytes of the last words
_BEGINNING = 4 << 20
MOST_AT_ONCE = 1 << 20

type Cut = Literal["", "timeout", "stall", "flood", "unwanted"]
"""Why a program was ended; empty = by itself."""


class Drain(ABC):
    """The reading end of a program's output."""

    rests = False
    """Whether nobody needs to look for some time, as the pipe has room for what comes."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self.fd = pipe.fileno()
        self.bytes = 0
        os.set_blocking(self.fd, False)

    def take(self) -> bool:
        """Take what is there now, at most a megabyte; False at its end."""
        try:
            read = self.read()
        except BlockingIOError:
            return True
        self.bytes += len(read)
        self.keep(read)
        return len(read) > 0

    def read(self) -> bytes | memoryview:
        return os.read(self.fd, MOST_AT_ONCE)

    @abstractmethod
    def keep(self, read: bytes | memoryview) -> None:
        """Do with it what is done; nothing is read at the end."""


class LastWords(Drain):
    """Text of which only the end is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(pipe)
        self._text = b""

    @property
    def text(self) -> str:
        end = self._text
        if self.bytes > _KEPT:
            end = end.partition(b"\n")[2] or end
        return "\n".join(printed_lines(end.decode("utf-8", "replace"))).strip()

    @override
    def keep(self, read: bytes | memoryview) -> None:
        self._text = (self._text + read)[-_KEPT:]


class Beginning(Drain):
    """Text of which only the beginning is kept."""

    def __init__(self, pipe: IO[bytes]) -> None:
        super().__init__(pipe)
        self._text = bytearray()

    @property
    def full(self) -> bool:
        return len(self._text) >= _BEGINNING

    @property
    def text(self) -> str:
        return self._text.decode("utf-8", "replace")

    @override
    def keep(self, read: bytes | memoryview) -> None:
        self._text += read[: _BEGINNING - len(self._text)]


class Lines(Drain):
    """Text that a function gets line by line, each without its end."""

    def __init__(self, pipe: IO[bytes], tell: Callable[[str], object]) -> None:
        super().__init__(pipe)
        self._tell = tell
        utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._decoder = io.IncrementalNewlineDecoder(utf8, translate=True)
        self._begun = ""
        self.text = ""
        """Nothing is kept."""

    @override
    def keep(self, read: bytes | memoryview) -> None:
        *lines, self._begun = (self._begun + self._decoder.decode(read, not read)).split("\n")
        if self._begun and (not read or len(self._begun) > MOST_AT_ONCE):
            lines.append(self._begun)
            self._begun = ""
        for line in lines:
            self._tell(line)


class Followed:
    def __init__(
        self, process: Supervised, drains: Sequence[Drain], *, timeout: Seconds = 0.0
    ) -> None:
        """It is ended after that time; 0 = never."""
        self.process = process
        self.cut: Cut = ""
        self.look_at = math.inf
        """When `look` is called next; as `perf_counter` tells."""
        self.seconds: Seconds = 0.0
        """From its start to its end."""
        self._drains = {drain.fd: drain for drain in drains}
        self._resting: list[int] = []
        """The drains that are not looked at before `_REST` is over."""
        self._ends_at = process.began + timeout if timeout else math.inf
        self._kill_at = math.inf
        self._killed = False
        self.survives = False
        """It cannot be ended, and is not waited for any longer."""

    def follow(self) -> None:
        """Take its output and look at it until it has ended; it is not collected yet."""
        watch = end_of(self.process.pid)
        poll = select.poll()
        for fd in (*self._drains, *((watch,) if watch >= 0 else ())):
            poll.register(fd, select.POLLIN)
        try:
            while not self.survives and not self._has_ended(poll, watch):
                now = perf_counter()
                if now >= self.look_at:
                    self.look(now)
                self._limit(now)
        finally:
            self.seconds = perf_counter() - self.process.began
            if watch >= 0:
                os.close(watch)

    def look(self, now: float) -> None:
        """What is done at `look_at`, which it sets anew; what it raises ends the following."""

    def ask(self, cut: Cut, now: float) -> None:
        """Ask it to end, unless it was; some time later it is killed with all that it started."""
        if not self.cut:
            self.cut, self._kill_at = cut, now + _ASKED
            self.process.signal(signal.SIGTERM)

    def drain_rest(self) -> None:
        """Take the rest of its output, once all that could write more is killed."""
        if self.survives:  # it may write without end
            return
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

    def _has_ended(self, poll: select.poll, watch: int) -> bool:
        """Wait for what comes first; take what there is to take."""
        wait = max(0.0, min(self.look_at, self._ends_at, self._kill_at) - perf_counter())
        if watch < 0:
            wait = min(wait, _GLANCE)
        if self._resting:
            wait = min(wait, _REST)
        ready = [fd for fd, _ in poll.poll(None if math.isinf(wait) else 1000 * wait)]
        while self._resting:
            poll.register(self._resting.pop(), select.POLLIN)
        for fd in ready:
            if fd not in self._drains:
                continue
            goes_on = self._drains[fd].take()
            if not goes_on or self._drains[fd].rests:
                poll.unregister(fd)
            if goes_on and self._drains[fd].rests:
                self._resting.append(fd)
        return watch in ready if watch >= 0 else has_ended(self.process.pid)

    def _limit(self, now: float) -> None:
        if now >= self._ends_at:
            self.ask("timeout", now)
        if now >= self._kill_at:
            self._kill_at = now + _UNTIL_GONE
            if self._killed or not self.process.kill():
                self.survives = True
                self.process.abandon()
            self._killed = True


@dataclass(frozen=True, kw_only=True)
class ProgramOutput:
    """A program that has ended, and what it wrote."""

    code: int
    """Its exit code; the negative number of the signal that killed it."""
    cut: Cut
    output: str
    """To stdout; empty if a function gets its lines."""
    complaints: str
    """The end of what it wrote to stderr; empty if a function gets its lines."""

    @property
    def well(self) -> bool:
        """Whether it ended by itself, and with success."""
        return not (self.code or self.cut)


def run_program(
    program: Program,
    *,
    timeout: Seconds = 0.0,
    wanted: Callable[[], object] = lambda: None,
    line: Callable[[str], object] | None = None,
    complaint: Callable[[str], object] | None = None,
) -> ProgramOutput:
    """Run a program that is not measured; returns when it and all that it has started have ended.

    It is ended after `timeout`, if it writes without end, and once `wanted`, which is called four
    times a second, returns False.  `line` and `complaint` are called with each line that it
    writes to stdout and to stderr.  Raises OSError, and what these raise, once all is ended.
    """
    merged = program.stderr == subprocess.STDOUT
    piped = replace(program, stdout=PIPE, stderr=program.stderr if merged else PIPE)
    with ExitStack() as pipes:
        with Supervisor() as supervisor:
            process = supervisor.start(piped)
            ends = [pipes.enter_context(end) for end in process.pipes]
            output = Lines(ends[0], line) if line else Beginning(ends[0])
            complaints = Lines(ends[-1], complaint) if complaint else LastWords(ends[-1])
            drains = (output,) if merged else (output, complaints)
            run = _Plain(process, drains, timeout, wanted)
            run.follow()
        run.drain_rest()
    flooded = isinstance(output, Beginning) and output.full
    return ProgramOutput(
        code=process.popen.returncode,
        cut=run.cut or ("flood" if flooded else ""),
        output=output.text,
        complaints="" if merged else complaints.text,
    )


class _Plain(Followed):
    """A run that ends once `wanted`, which is called now and then, returns False."""

    def __init__(
        self,
        process: Supervised,
        drains: Sequence[Drain],
        timeout: Seconds,
        wanted: Callable[[], object],
    ) -> None:
        super().__init__(process, drains, timeout=timeout)
        self.look_at = process.began
        self._outputs = drains
        self._wanted = wanted

    @override
    def look(self, now: float) -> None:
        self.look_at = now + _BETWEEN_LOOKS
        if self._wanted() is False:
            self.ask("unwanted", now)
        elif any(isinstance(one, Beginning) and one.full for one in self._outputs):
            self.ask("flood", now)
