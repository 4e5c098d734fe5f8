"""Starts processes, and ends them with all that they have started.

A process has a process group of its own, so what it sends to that does not reach us.  What is
measured has our session, as from a user's shell: with a session of its own it had a share of the
cores of its own (`autogroup` in sched(7)), of which one thread gets more than several.  All else
has a session of its own, and so no terminal.

Each carries a stamp in its environment, as does all that it starts; those of nested supervisors
follow each other: `/trial.0/command.3`.  It dies with us, whatever ends us: a guard finds it by its
stamp, and the kernel kills its group at once where it has a `Life`.
"""

from __future__ import annotations

import os
import resource
import secrets
import select
import signal
import subprocess
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from threading import RLock
from time import monotonic, perf_counter, sleep
from typing import IO, Self

from core.language import Seconds
from core.measure.machine.descendants import STAMP, descendants_of, is_guard
from core.measure.machine.end_signals import tie
from core.measure.machine.processes.process_tree import (
    Guard,
    end_all,
    end_of,
    has_ended,
    kill_stamped,
    kill_tree,
    signal_group,
)
from core.measure.machine.processes.survivors import Survivor, running_process

PIPE, STDOUT = subprocess.PIPE, subprocess.STDOUT
"""Streams of a `Program`, so that nobody else needs the module."""
_KILLED: Seconds = 5.0
_LONGEST: Seconds = 3600.0
"""What poll(2) may be asked for."""
_GLANCE: Seconds = 0.01
"""Between two looks for the end, if the kernel does not report it."""


class Life:
    """A pipe: the kernel kills the group that holds one end as soon as ours closes (Linux).

    The end that a process inherits is one of its open files, so what is measured has none.
    """

    def __init__(self) -> None:
        self.theirs, self.ours = os.pipe()


@dataclass(frozen=True, kw_only=True)
class Program:
    arguments: Sequence[str | Path]
    """The program, by name or path, and its arguments."""
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ)
    stdin: int | IO[bytes] = subprocess.DEVNULL
    stdout: int | IO[bytes] = subprocess.DEVNULL
    stderr: int | IO[bytes] = subprocess.DEVNULL
    cwd: str | Path | None = None
    pass_fds: Sequence[int] = ()
    life: Life | None = None
    """Of this one alone; it is closed even where the start fails."""
    measured: bool = False
    """Whether it is to have our session."""
    fork: Callable[[str, Sequence[int]], int] | None = None
    """Forks a child of ours in our session in place of a start.

    It gets the stamp, the descriptors, and last that of the output; 0 = the program is started.
    """


class _Forked(subprocess.Popen[bytes]):
    """What stands for a child of ours that was forked, and not started here."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self.stdin = self.stdout = self.stderr = None


class Supervised:
    """A process of ours; its number, and that of its group, stay its own until it is collected."""

    def __init__(
        self,
        owner: Supervisor,
        popen: subprocess.Popen[bytes],
        stamp: str,
        began: float,
        life: Life | None,
    ) -> None:
        self.popen = popen
        self.pid = popen.pid
        """Of the process, and of its group."""
        self.stamp = stamp
        self.began = began
        """By `perf_counter`, just before it was started."""
        self._life = life
        self._owner = owner
        self._lock = RLock()
        self._members: dict[int, Survivor] = {}
        """It and what was below it when it was about to be ended."""

    @property
    def code(self) -> int | None:
        """Its exit code, the negative number of the signal that ended it; None while it runs.

        Once it has ended, what is left of its group is killed before its number is given back.
        """
        with self._lock:
            if self.popen.returncode is None and has_ended(self.pid):
                self.collect()
        return self.popen.returncode

    @property
    def pipes(self) -> Sequence[IO[bytes]]:
        """Those of its stdout and stderr that are pipes."""
        return [pipe for pipe in (self.popen.stdout, self.popen.stderr) if pipe is not None]

    @property
    def running(self) -> bool:
        return self.code is None

    def wait(self, limit: Seconds) -> bool:
        until = monotonic() + limit
        while self.running and (time_left := until - monotonic()) > 0:
            _wait_for_end(self.pid, min(time_left, _LONGEST))
        return not self.running

    def signal(self, number: signal.Signals) -> None:
        with self._lock:
            if self.popen.returncode is None:
                self._see()
                signal_group(self.pid, number)

    def kill(self) -> bool:
        """Kill it, its group, and what of its descendants has left that.

        Returns whether it may be killed: not if it has become another user's.
        """
        with self._lock:
            if self.popen.returncode is None:
                self._see()
                return kill_tree(self.pid)
        return True

    def abandon(self) -> None:
        """Wait for it no longer: it cannot be ended."""
        with self._lock:
            if self.popen.returncode is not None:
                return
            self.popen.returncode = -signal.SIGKILL
        if self._life is not None:
            os.close(self._life.ours)
        self._owner.forget(self)

    def _see(self) -> None:
        self.see((self.pid, *descendants_of(self.pid)))

    def see(self, pids: Iterable[int]) -> None:
        """Count these among the processes that it has started, and that have to end with it.

        A guard ends by itself, once what it guards is removed.
        """
        for pid in {*pids} - self._members.keys():
            if (member := running_process(pid)) is not None and not is_guard(pid):
                self._members[pid] = member

    def survivors(self) -> tuple[Survivor, ...]:
        """What of it and its descendants still runs though it was to be ended."""
        members = self._members.values()
        return tuple(end_all(lambda: [now for one in members if (now := one.now) is not None]))

    def end(self) -> bool:
        """Kill it and all that it has started, wherever that has gone; whether it is over."""
        self.kill()
        over = self.wait(_KILLED)  # the kernel may hold it, as on a dead server's file
        kill_stamped(f"{self.stamp}/")
        return over

    def collect(self) -> resource.struct_rusage | None:
        """Kill what is left of its group, and wait for its end; returns what it has used.

        None if it was collected before.
        """
        with self._lock:
            if self.popen.returncode is not None:
                return None
            # Before it is collected: until then no other process group can have its number.
            signal_group(self.pid, signal.SIGKILL)
            _, status, usage = os.wait4(self.pid, 0)
            self.popen.returncode = os.waitstatus_to_exitcode(status)
        if self._life is not None:
            os.close(self._life.ours)
        self._owner.forget(self)
        return usage


class Supervisor:
    """Processes that end with us; a context, at whose end nothing is left of them."""

    def __init__(self, mark: str = "", *folders: Path) -> None:
        """`folders` are removed where we die; raises OSError if no shell can be started."""
        self._mark = f"{mark or secrets.token_hex(8)}-{os.getpid()}"
        self.guard = Guard(self._mark, *folders)
        self._numbers = count()
        self._running: dict[int, Supervised] = {}
        # Else another thread took a program that is just being started for an orphan.
        self.lock = RLock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    @property
    def supervised(self) -> Collection[Supervised]:
        """What was started and not collected."""
        return self._running.values()

    @property
    def running(self) -> Collection[int]:
        """The numbers of what was started and not collected."""
        return self._running.keys()

    def start(self, program: Program) -> Supervised:
        """Start one; raises OSError, and then nothing of it is left."""
        stamp = f"{os.environ.get(STAMP, '')}/{self._mark}.{next(self._numbers)}"
        life, pass_fds = program.life, program.pass_fds
        with ExitStack() as theirs, ExitStack() as ours:
            if life is not None:
                theirs.callback(os.close, life.theirs)
                ours.callback(os.close, life.ours)
                pass_fds = (*pass_fds, life.theirs)
            with self.lock:
                self.guard.require()
                began = perf_counter()
                popen = _forked(program, stamp, pass_fds) or subprocess.Popen(
                    program.arguments,
                    env={**program.environment, STAMP: stamp},
                    stdin=program.stdin,
                    stdout=program.stdout,
                    stderr=program.stderr,
                    cwd=program.cwd,
                    pass_fds=pass_fds,
                    start_new_session=not program.measured,
                    process_group=0 if program.measured else None,
                    bufsize=0,
                )
                started = Supervised(self, popen, stamp, began, life)
                self._running[popen.pid] = started
            ours.pop_all()
            if life is not None:
                tie(popen.pid, life.theirs)
        self.guard.add(popen.pid)
        return started

    def forget(self, ended: Supervised) -> None:
        with self.lock:
            self._running.pop(ended.pid, None)
        self.guard.remove(ended.pid)

    def close(self) -> None:
        """End what still runs, wherever it has gone."""
        running = tuple(self._running.values())
        for one in running:
            one.kill()
        until = monotonic() + _KILLED
        for one in running:
            one.wait(until - monotonic())
        kill_stamped(f"/{self._mark}.")
        self.guard.close()


def _forked(program: Program, stamp: str, descriptors: Sequence[int]) -> _Forked | None:
    if program.fork is None or isinstance(program.stdout, int):
        return None
    pid = program.fork(stamp, (*descriptors, program.stdout.fileno()))
    if not pid:
        return None
    with suppress(OSError):  # it does so, too, or has ended
        os.setpgid(pid, pid)
    return _Forked(pid)


def _wait_for_end(pid: int, limit: Seconds) -> None:
    """Return once it has ended, or a moment later if that is unknown; or after that time."""
    end = end_of(pid)
    if end < 0:
        sleep(min(limit, _GLANCE))
        return
    try:
        poll = select.poll()
        poll.register(end, select.POLLIN)
        poll.poll(1000 * limit)
    finally:
        os.close(end)
