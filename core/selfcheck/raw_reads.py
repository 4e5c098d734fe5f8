"""Raw reads beside fio: random reads from the page cache.

fio 3 with `ioengine=psync` (pread, as the workload raw uses) reads the same 256 MiB file with the
same block size: buffered, `invalidate=0` so that it leaves the page cache as it is,
`random_generator=lfsr` so that it reads each block once before any comes again, as raw does (of
blocks drawn anew each time some are still in the processor's cache), `norandommap` and
`randrepeat=0` so that it keeps no map of what it has read, `time_based` after 0.2 s of
`ramp_time`, `numjobs` threads, and its default latency measurement, for Sluice measures latencies
too.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from core.catalog.dataset import Dataset
from core.catalog.local_datasets import find_dataset
from core.errors import SluiceError
from core.host.folders import cache_folder
from core.host.processes.followed import run_program
from core.host.processes.supervisor import Program
from core.host.shared_files import written_once
from core.language.reporting import Tell
from core.language.units import show_size
from core.selfcheck.goals import GoalRow
from core.selfcheck.truth import WARM_UP, Comparison, rate_of_trial, thread_counts

_MEBIBYTE = 1 << 20
_FILE_SIZE = 256  # MiB
_BLOCKS = (65_536, 4_096)  # bytes
_LOW = 0.95
_IMPOSSIBLE = 1.5
"""Some of fio's own work for each read can be saved, but that is less than half of the shortest."""


def without_fio() -> Sequence[GoalRow]:
    """A row that says so where fio is not installed."""
    if shutil.which("fio"):
        return ()
    return (GoalRow(goal="Raw reads ÷ fio", measured="fio is not installed", passed=True),)


def reads_beside_fio(dataset: Dataset) -> Sequence[Comparison]:
    """Reads of blocks of two sizes, at each number of threads; none where there is no fio."""
    if without_fio():
        return ()
    shapes = [(block, threads) for block in _BLOCKS for threads in thread_counts()]
    return [
        Comparison(
            name=f"Raw reads ÷ fio, {show_size(block)}, {threads} thread{'s'[: threads > 1]}",
            ours=rate_of_trial(
                "raw",
                dataset,
                {
                    "access": "random",
                    "block_size": block,
                    "threads": threads,
                    "page_cache": "warm",
                },
            ),
            theirs=partial(rate_of_fio, dataset.path, block, threads),
            low=_LOW,
            high=_IMPOSSIBLE,
        )
        for block, threads in shapes
    ]


def file_to_read(tell: Tell) -> Dataset:
    """A file of random bytes, which is made once."""

    def write(path: Path) -> None:
        with path.open("wb") as file:
            for done in range(_FILE_SIZE):
                tell("writing a file to read", done, _FILE_SIZE, "MiB")
                file.write(os.urandom(_MEBIBYTE))

    folder = cache_folder() / "selfcheck"
    return find_dataset("raw", written_once(folder / f"random-{_FILE_SIZE}MiB", write))


class _Reads(msgspec.Struct):
    iops: float


class _Job(msgspec.Struct):
    read: _Reads


class _Answer(msgspec.Struct):
    jobs: list[_Job]


def rate_of_fio(path: Path, block: int, threads: int, seconds: float) -> float:
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
        "ramp_time": f"{round(1000 * WARM_UP)}ms",
        "runtime": f"{round(1000 * seconds)}ms",
        "thread": 1,
        "numjobs": threads,
        "group_reporting": 1,
        "output-format": "json",
    }
    command = ["fio", "--readonly", *(f"--{name}={value}" for name, value in options.items())]
    done = run_program(Program(arguments=command, cwd=path.parent, measured=True))
    if not done.well:
        last = done.complaints.splitlines()[-1:]
        raise SluiceError(f"fio ended with {done.code}: {' '.join(last)}")
    text = done.output[done.output.index("{") :]  # it may say something before
    return sum(job.read.iops for job in msgspec.json.decode(text, type=_Answer).jobs)
