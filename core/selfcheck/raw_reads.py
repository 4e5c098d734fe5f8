"""Do raw reads reach what fio reaches?  Random reads from the page cache, in turns.

fio 3 with `ioengine=psync` (pread, as the workload raw uses) reads the same 256 MiB file with the
same block size: buffered, `invalidate=0` so that it leaves the page cache as it is,
`random_generator=lfsr` so that it reads each block once before any comes again, as raw does (of
blocks drawn anew each time some are still in the processor's cache), `norandommap` and
`randrepeat=0` so that it keeps no map of what it has read, `time_based` after 0.2 s of
`ramp_time`, `numjobs` processes, and its default latency measurement, for Sluice measures latencies
too.  Sluice runs real trials: as many processes of one thread each, page cache warmed, every block
verified with the clock stopped.  They take turns, each going first in every other round, and the
ratio of reads per second is that of neighbours.
"""

from __future__ import annotations

import os
import shutil
import statistics
from collections.abc import Callable
from pathlib import Path

import msgspec

from core.catalog.dataset import Tell, tell_nobody
from core.catalog.generate import written_once
from core.catalog.inspection import find_dataset
from core.errors import SluiceError
from core.host.folders import cache_folder
from core.host.processes.followed import run_program
from core.host.processes.supervisor import Program
from core.language.units import show_rate, show_size
from core.plan.schedule import Slot
from core.plan.specify import specify
from core.result.outcome import describe
from core.selfcheck.goals import GoalRow, median_reaches
from core.trial.cancel import Cancel
from core.trial.parent import run_trial
from core.trial.trial_events import TrialEnded

_MEBIBYTE = 1 << 20
_FILE_SIZE = 256  # MiB
_WARM_UP = 0.2  # s

GOALS: dict[tuple[int, int], float] = {
    (65_536, 1): 0.95,
    (65_536, 2): 0.95,
    (4_096, 1): 0.95,
    (4_096, 2): 0.95,
}
"""By block size in bytes and number of workers."""

type Rate = Callable[[Path, int, int, float], float]
"""Reads per second of a file, by block size, workers and seconds."""


def check_reads(
    rounds: int,
    seconds: float,
    tell: Tell = tell_nobody,
    *,
    pair: tuple[Rate, Rate] | None = None,
    path: Path | None = None,
) -> tuple[GoalRow, ...]:
    """One row for each block size and number of workers, over that many rounds (at least 2).

    `pair`: Sluice and fio, or their stand-ins; `path`: the file to read, or else a generated one.
    """
    if pair is None and shutil.which("fio") is None:
        return (GoalRow(goal="Raw reads ÷ fio", measured="fio is not installed", passed=True),)
    pair = pair or (rate_of_sluice, rate_of_fio)
    path = path or _file(tell)
    rates: dict[tuple[int, int], list[tuple[float, float]]] = {kind: [] for kind in GOALS}
    for number in range(rounds):
        for done, (block, workers) in enumerate(GOALS):
            tell("comparing with fio", number * len(GOALS) + done, rounds * len(GOALS), "pairs")
            order = pair if number % 2 else pair[::-1]
            found = {rate: rate(path, block, workers, seconds) for rate in order}
            rates[block, workers].append((found[pair[0]], found[pair[1]]))
    tell("comparing with fio", rounds * len(GOALS), rounds * len(GOALS), "pairs")
    return tuple(_judge(kind, goal, rates[kind]) for kind, goal in GOALS.items())


def _judge(kind: tuple[int, int], goal: float, rates: list[tuple[float, float]]) -> GoalRow:
    block, workers = kind
    ours, theirs = (statistics.median(side) for side in zip(*rates, strict=True))
    name = f"Raw reads ÷ fio, {show_size(block)}, {workers} worker{'s' if workers > 1 else ''}"
    remark = f"{show_rate(ours)} against {show_rate(theirs)}, {len(rates)} rounds"
    ratios = [one / other for one, other in rates]
    return median_reaches(f"{name}: ≥ {goal:.2f}", ratios, goal, remark)


def _file(tell: Tell) -> Path:
    def write(path: Path) -> None:
        with path.open("wb") as file:
            for done in range(_FILE_SIZE):
                tell("writing a file to read", done, _FILE_SIZE, "MiB")
                file.write(os.urandom(_MEBIBYTE))

    folder = cache_folder() / "selfcheck"
    folder.mkdir(parents=True, exist_ok=True)
    return written_once(folder / f"random-{_FILE_SIZE}MiB", write)


def rate_of_sluice(path: Path, block: int, workers: int, seconds: float) -> float:
    """Reads per second of one real trial; raises SluiceError where it has none."""
    wanted = {
        "access": "random",
        "block_size": block,
        "processes": workers,
        "threads": 1,
        "duration": seconds,
        "warm_up": _WARM_UP,
        "page_cache": "warm",
    }
    spec = specify("raw", find_dataset("raw", path), wanted)
    for event in run_trial(Slot(0, 0, spec), "selfcheck", Cancel()):
        if isinstance(event, TrialEnded) and event.trial.throughput is not None:
            return event.trial.throughput
        if isinstance(event, TrialEnded):
            raise SluiceError(f"a trial of raw reads: {describe(event.trial.outcome)}")
    raise AssertionError("a trial ends with TrialEnded")


class _Reads(msgspec.Struct):
    iops: float


class _Job(msgspec.Struct):
    read: _Reads


class _Answer(msgspec.Struct):
    jobs: list[_Job]


def rate_of_fio(path: Path, block: int, workers: int, seconds: float) -> float:
    """Reads per second of one run of fio; raises SluiceError where it fails."""
    options = {
        "name": "selfcheck",
        "filename": str(path),
        "rw": "randread",
        "bs": block,
        "ioengine": "psync",
        "direct": 0,
        "invalidate": 0,
        "random_generator": "lfsr",
        "norandommap": 1,
        "randrepeat": 0,
        "time_based": 1,
        "ramp_time": f"{round(1000 * _WARM_UP)}ms",
        "runtime": f"{round(1000 * seconds)}ms",
        "numjobs": workers,
        "group_reporting": 1,
        "output-format": "json",
    }
    command = ["fio", "--readonly", *(f"--{name}={value}" for name, value in options.items())]
    done = run_program(Program(arguments=command, cwd=path.parent))
    if not done.well:
        last = done.complaints.splitlines()[-1:]
        raise SluiceError(f"fio ended with {done.code}: {' '.join(last)}")
    text = done.output[done.output.index("{") :]  # it may say something before
    return sum(job.read.iops for job in msgspec.json.decode(text, type=_Answer).jobs)
