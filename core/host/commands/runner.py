"""Runs the programs of one process, several at a time where several threads ask for them."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from threading import Lock
from time import perf_counter, sleep

from core.host.commands.command_run import Command, CommandRun, Ran, Watch
from core.host.commands.guard import Guard
from core.host.commands.process_tree import (
    STAMP,
    carries,
    children_of,
    collect,
    descendants_of,
    has_ended,
    kill,
    name_of,
    session_of,
    signal_group,
    take_in_orphans,
)
from core.language.units import Seconds

_LAGGING: Seconds = 1.0
"""How long a process may outlive its program without being one that was left behind."""
_BETWEEN_LOOKS: Seconds = 0.002
_ROUNDS = 20
"""How often orphans are looked for: one that is killed may just have started another."""


class Commands:
    """The programs of this process; all of them end with it, and `folder` goes with them."""

    def __init__(self, mark: str, folder: Path) -> None:
        """`mark` is that of the trial; raises OSError where no shell can be started."""
        self._others = frozenset(children_of(os.getpid()))
        take_in_orphans(yes=True)
        self._mark = f"{mark}-{os.getpid()}"
        self._guard = Guard(self._mark, folder)
        self._folder = folder
        self._numbers = count()
        self._running: set[int] = set()
        # Else another thread took a program that is just being started for an orphan.
        self._lock = Lock()

    def run(self, command: Command, watch: Watch = lambda cpu: None) -> Ran:
        """Run a program until it and all that it has started have ended; raises OSError."""
        stamp = f"{self._mark}.{next(self._numbers)}"
        stamped = replace(command, environment={**command.environment, STAMP: stamp})
        with self._lock:
            self._guard.require()
            run = CommandRun(stamped, watch)
            self._running.add(run.pid)
        self._guard.add(run.pid)
        try:
            run.follow()
        except BaseException:
            signal_group(run.pid, signal.SIGKILL)
            raise
        finally:
            ran = self._collect(run, f"{STAMP}={stamp}")
        return ran

    def _collect(self, run: CommandRun, stamp: str) -> Ran:
        if not run.cut:
            self._let_end(run.pid, stamp)
        with self._lock:
            left = tuple(self._end_left(run.pid, stamp).values())
        # Before it is collected: until then no other process group can have its number.
        signal_group(run.pid, signal.SIGKILL)
        ran = run.collect(left)
        with self._lock:
            self._running.discard(run.pid)
        self._guard.remove(run.pid)
        return ran

    def close(self) -> None:
        """End what still runs, and remove the folder."""
        self._guard.close()
        shutil.rmtree(self._folder, ignore_errors=True)  # somebody may have killed the guard
        for orphan in self._orphans():
            kill(orphan)
            collect(orphan)
        take_in_orphans(yes=False)

    def _let_end(self, leader: int, stamp: str) -> None:
        """Wait a moment for processes that end right after their program."""
        until = perf_counter() + _LAGGING
        while perf_counter() < until:
            with self._lock:
                found = [pid for pid in self._orphans() if self._is_of(pid, leader, stamp)]
            if all(map(has_ended, found)):
                return
            sleep(_BETWEEN_LOOKS)

    def _end_left(self, leader: int, stamp: str) -> Mapping[int, str]:
        """Kill what a program that has ended left running; returns the names by process id."""
        left: dict[int, str] = {}
        for _ in range(_ROUNDS):
            found = [pid for pid in self._orphans() if self._is_of(pid, leader, stamp)]
            for pid in found:
                below = [] if has_ended(pid) else [pid, *descendants_of(pid)]
                for one in below:
                    left.setdefault(one, name_of(one))
                    kill(one)
                collect(pid)
            if not found:
                break
        return left

    def _orphans(self) -> list[int]:
        """Children of this process that nobody here has started."""
        started = {*self._running, *self._others, self._guard.pid}
        return [pid for pid in children_of(os.getpid()) if pid not in started]

    def _is_of(self, pid: int, leader: int, stamp: str) -> bool:
        """Whether an orphan comes from that program; one that hides it may be of the only one."""
        alone = self._running == {leader}
        return alone or has_ended(pid) or session_of(pid) == leader or carries(pid, stamp)
