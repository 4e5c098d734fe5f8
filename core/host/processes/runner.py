"""Runs the programs of one process, several at a time where several threads ask for them."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path
from time import perf_counter, sleep
from typing import override

from core.host.processes.command_run import Command, CommandRun, Ran, Watch
from core.host.processes.process_tree import (
    children_of,
    collect,
    descendants_of,
    group_of,
    has_ended,
    kill,
    name_of,
    stamp_of,
    take_in_orphans,
)
from core.host.processes.supervisor import Program, Supervised, Supervisor
from core.host.users_environment import users_environment
from core.language.units import Seconds

_LAGGING: Seconds = 1.0
"""How long a process may outlive its program without being one that was left behind."""
_BETWEEN_LOOKS: Seconds = 0.002
_ROUNDS = 20
"""How often orphans are looked for: one that is killed may just have started another."""


class Commands(Supervisor):
    """The measured programs of this process, to which `folder` belongs."""

    def __init__(self, mark: str, folder: Path) -> None:
        """`mark`: in the stamps of its programs; raises OSError where no shell can be started."""
        self._others = frozenset(children_of(os.getpid()))
        take_in_orphans(yes=True)
        super().__init__(mark, folder)
        self._folder = folder

    @property
    def environment(self) -> Mapping[str, str]:
        """The variables that programs of the user's own get."""
        return users_environment()

    def run(self, command: Command, watch: Watch = lambda cpu: None) -> Ran:
        """Run a program until it and all that it has started have ended; raises OSError."""
        with (command.stdin or Path(os.devnull)).open("rb", buffering=0) as stdin:
            process = self.start(
                Program(
                    arguments=command.arguments,
                    environment=command.environment,
                    stdin=stdin,
                    stdout=subprocess.PIPE if command.digested else subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    measured=True,
                )
            )
        run = CommandRun(process, command, watch)
        try:
            run.follow()
        except BaseException:
            process.signal(signal.SIGKILL)
            raise
        finally:
            if not run.cut:
                self._let_end(process)
            with self.lock:
                left = tuple(self._end_left(process).values())
            ran = run.collect(left)
        return ran

    @override
    def close(self) -> None:
        """End what still runs, and remove the folder."""
        super().close()
        shutil.rmtree(self._folder, ignore_errors=True)
        for orphan in self._orphans():
            kill(orphan)
            collect(orphan)
        take_in_orphans(yes=False)

    def _let_end(self, leader: Supervised) -> None:
        """Wait a moment for processes that end right after their program."""
        until = perf_counter() + _LAGGING
        while perf_counter() < until:
            with self.lock:
                found = [pid for pid in self._orphans() if self._is_of(pid, leader)]
            if all(map(has_ended, found)):
                return
            sleep(_BETWEEN_LOOKS)

    def _end_left(self, leader: Supervised) -> Mapping[int, str]:
        """Kill what a program that has ended left running; returns the names by process id."""
        left: dict[int, str] = {}
        for _ in range(_ROUNDS):
            found = [pid for pid in self._orphans() if self._is_of(pid, leader)]
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
        started = {*self.running, *self._others, self.guard.pid}
        return [pid for pid in children_of(os.getpid()) if pid not in started]

    def _is_of(self, pid: int, leader: Supervised) -> bool:
        """Whether an orphan comes from that program; one that hides it may be of the only one."""
        if set(self.running) == {leader.pid} or has_ended(pid) or group_of(pid) == leader.pid:
            return True
        return f"{stamp_of(pid)}/".startswith(f"{leader.stamp}/")
