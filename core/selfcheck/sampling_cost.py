"""What does sampling cost?  A child with 20,000 open files, sampled ten times a second."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from core.host.processes.supervisor import PIPE, Program, Supervisor
from core.host.readings import Reading
from core.host.sampler import Sampler
from core.language.reporting import Tell, tell_nobody
from core.selfcheck.goals import GoalRow

FILES = 20_000
LIMIT = 0.005  # of one core
_PERIOD = 0.1

_CHILD = """
import os, resource, sys
SPARE = 16
folder, count = sys.argv[1], int(sys.argv[2])
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
try:
    resource.setrlimit(resource.RLIMIT_NOFILE, (count + SPARE, max(hard, count + SPARE)))
except (ValueError, OSError):
    count = min(count, hard - SPARE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
for index in range(count):
    os.open(f"{folder}/{index % 1000}", os.O_RDONLY | os.O_CREAT)
print(count, flush=True)
sys.stdin.read()
"""


@contextmanager
def child_with_open_files(folder: Path, count: int) -> Iterator[tuple[int, int]]:
    """The pid of a real child and its number of open files, below `count` under a low limit."""
    command = [sys.executable, "-c", _CHILD, str(folder), str(count)]
    with Supervisor() as supervisor:
        child = supervisor.start(Program(arguments=command, stdin=PIPE, stdout=PIPE))
        stdin, (stdout,) = child.popen.stdin, child.pipes
        assert stdin is not None
        with stdin, stdout:
            yield child.pid, int(stdout.readline())


@dataclass(frozen=True, kw_only=True)
class Watched:
    """Readings of one child at 10 Hz, and the seconds of CPU they took."""

    readings: list[Reading]
    seconds: float
    cost: float
    last: Reading
    last_cost: float
    """Of the complete reading at the end, which `cost` leaves out."""

    @property
    def share(self) -> float:
        """Of one core."""
        return self.cost / self.seconds


def watch(seconds: float, files: int = FILES) -> Watched:
    """Sample a child with that many open files for that long."""
    with (
        tempfile.TemporaryDirectory() as name,
        child_with_open_files(Path(name), files) as (pid, _),
        Sampler([pid], [Path(name)]) as sampler,
    ):
        readings: list[Reading | None] = []
        cost = _cost_of(lambda at: readings.append(sampler.read(at)), seconds)
        began = time.thread_time()
        last = sampler.read(seconds, complete=True)
        last_cost = time.thread_time() - began
    assert last is not None
    return Watched(
        readings=[reading for reading in readings if reading is not None],
        seconds=seconds,
        cost=cost,
        last=last,
        last_cost=last_cost,
    )


def floor(seconds: float, files: int = FILES) -> float:
    """The share of one core that bare reads of the same files of /proc take, and nothing else."""
    with (
        tempfile.TemporaryDirectory() as name,
        child_with_open_files(Path(name), files) as (pid, _),
        ExitStack() as opened,
    ):
        held = [os.open(f"/proc/{pid}/{file}", os.O_RDONLY) for file in ("stat", "statm", "fd")]
        for descriptor in held:
            opened.callback(os.close, descriptor)
        stat, statm, fds = held

        def read(_: float) -> None:
            os.pread(stat, 1024, 0)
            os.pread(statm, 1024, 0)
            os.fstat(fds)

        return _cost_of(read, seconds) / seconds


def _cost_of(look: Callable[[float], object], seconds: float) -> float:
    """Seconds of CPU that looks take, ten times a second for that long."""
    pause = threading.Event()
    start = time.perf_counter()
    cost = 0.0
    for index in range(max(1, round(seconds / _PERIOD))):
        pause.wait(max(0.0, start + index * _PERIOD - time.perf_counter()))
        cost -= time.thread_time()
        look(time.perf_counter() - start)
        cost += time.thread_time()
    return cost


def check_watching(
    seconds: float, tell: Tell = tell_nobody, *, watch: Callable[[float], Watched] = watch
) -> GoalRow:
    """The share of one core that sampling takes."""
    tell("measuring what looking costs")
    found = watch(seconds)
    measured = f"{found.share:.3%} of a core with {found.last.fds:,} open files"
    return GoalRow(
        goal=f"Sampling a child at 10 Hz: ≤ {LIMIT:.1%} of a core",
        measured=measured,
        passed=found.share <= LIMIT,
    )
