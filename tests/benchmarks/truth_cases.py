"""What `make truth` compares: a case, its two sides, and the reads of `raw` beside those of fio."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import Any

from core.language import SluiceError, Unavailable, show_size
from core.measure import find_dataset
from core.selfcheck.truth import Rate, rate_of_fio, rate_of_trial
from core.vocabulary import Dataset

_PLAIN = Path(__file__).with_name("truth_loops.py")
_WARM_UP = 0.3  # s


class Grid(IntEnum):
    """How much is measured; each includes those before it."""

    SHORT = 0
    USUAL = 1
    ALL = 2


@dataclass(frozen=True, kw_only=True)
class Case:
    """One comparison: what Sluice reports, and what an independent loop does."""

    name: str
    threads: int
    processes: int = 1
    ours: Rate
    theirs: Rate
    low: float
    """Least ratio of ours to theirs, at the median of rounds."""
    high: float
    """Largest one."""
    grid: Grid = Grid.USUAL
    """The smallest grid that it belongs to."""
    seconds: float = 2.0
    """What a side takes besides the seconds for which it is measured: a guess for the first ETA."""

    @property
    def key(self) -> str:
        """By which `--only` finds it."""
        return f"{self.name} {self.threads}x{self.processes}"

    @property
    def goal(self) -> str:
        """In words."""
        return f"{self.low:.2f}–{self.high:.2f}"

    def met(self, ratio: float) -> bool:
        """Whether a ratio is within the goal."""
        return self.low <= ratio <= self.high


def trial_rate(workload: str, dataset: Dataset, values: Mapping[str, Any]) -> Rate:
    """Of ours: the throughput that a user is shown."""
    load = {"warm_up": _WARM_UP, "page_cache": "as-is"}
    return rate_of_trial(workload, dataset, load | dict(values))


def output_of(command: Sequence[str], **options: Any) -> str:
    """What a program of theirs writes to stdout."""
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    if done.returncode:
        last = done.stderr.strip().splitlines()[-1:]
        raise SluiceError(f"{Path(command[0]).name} ended with {done.returncode}: {''.join(last)}")
    return done.stdout


def plain_rate(asked: Mapping[str, Any], seconds: float, **options: Any) -> float:
    """Operations per second of the plain loop in processes of its own."""
    whole = dict(asked) | {"seconds": seconds, "warm_up": _WARM_UP}
    told = output_of([sys.executable, "-P", str(_PLAIN), json.dumps(whole)], **options)
    try:
        return float(told.splitlines()[-1])
    except (IndexError, ValueError) as error:
        raise SluiceError(f"the plain loop said {told!r}") from error


# Real readers and programs

THREADS = {1: Grid.USUAL, 2: Grid.ALL, 4: Grid.SHORT, 8: Grid.ALL, 16: Grid.USUAL, 64: Grid.ALL}


def real_case(name: str, threads: int, ours: Rate, theirs: Rate, **rest: Any) -> Case:
    """Within five per cent, which is what two processes of the same program differ by."""
    grid = rest.pop("grid", THREADS[threads])
    return Case(
        name=name, threads=threads, ours=ours, theirs=theirs, low=0.95, high=1.05, grid=grid, **rest
    )


# Raw reads

MIB = 1 << 20
FILE_SIZE = 256 * MIB
BLOCKS = (4096, 16_384, 65_536, 262_144, MIB, 4 * MIB)

_IMPOSSIBLE = 1.5
"""Of fio's rate.  Being faster than fio is fine, since its own work for each read can be saved.
That is less than half of its shortest reads: more is no reader's merit but a wrong figure."""

_SHORT_RAW = {(4096, "random", 1), (4096, "random", 64), (65_536, "random", 2)} | {
    (65_536, "random", threads) for threads in (1, 4, 64)
}
_USUAL_RAW = {(block, "random") for block in (4096, 65_536)}
_FILES = 600
"""More than a process may have open twice by most systems' default of 1,024 descriptors."""
_MOST_THREADS = 16
"""On many files: each thread of fio opens all of them by itself, and 64 pass most limits."""
_USUAL_THREADS = {(MIB, "sequential"): (1, 2, 8, 64), (65_536, "sequential"): (2, 16)}


def raw_cases(folder: Path) -> Iterator[Case]:
    """Reads of a warm file through the page cache; raises Unavailable where there is no fio."""
    if shutil.which("fio") is None:
        raise Unavailable("raw, since fio is not installed", "apt-get install fio")
    file = folder / "file" / "random"
    file.parent.mkdir()
    with file.open("wb") as out:
        for _ in range(FILE_SIZE // MIB):
            out.write(os.urandom(MIB))
    dataset = find_dataset("raw", file)
    for block in BLOCKS:
        for access in ("random", "sequential"):
            for threads in THREADS:
                yield raw_case(dataset, [file], (block, access, threads))
    yield from _direct_cases(dataset, file)
    yield from _cases_of_many_files(folder / "files")


_FLIGHTS = {"pread": (1, 0), "1 in flight": (1, 1), "16 in flight": (16, 16)}
"""Reads in flight of ours and of fio's io_uring; 0: fio reads by pread, as we do with one."""


def _direct_cases(dataset: Dataset, file: Path) -> Iterator[Case]:
    """From the disk past the page cache, and many at once in it."""
    for block in (4096, 65_536):
        for direct in (True, False):
            for name, (ours, theirs) in _FLIGHTS.items():
                values = {"access": "random", "block_size": block, "direct": direct}
                yield Case(
                    name=f"raw {show_size(block)} {'direct' if direct else 'cached'}, {name}",
                    threads=1,
                    ours=trial_rate("raw", dataset, values | {"queue_depth": ours}),
                    theirs=partial(rate_of_fio, [file], block, 1, direct=direct, depth=theirs),
                    low=0.95,
                    high=_IMPOSSIBLE,
                    grid=Grid.USUAL if direct else Grid.ALL,
                )


def _cases_of_many_files(folder: Path) -> Iterator[Case]:
    folder.mkdir()
    files = [folder / f"{number:03}" for number in range(_FILES)]
    for each in files:
        each.write_bytes(os.urandom(FILE_SIZE // _FILES // 4096 * 4096))
    dataset = find_dataset("raw", folder)
    for threads in THREADS:
        if threads <= _MOST_THREADS:
            yield raw_case(dataset, files, (4096, "random", threads))


def raw_case(dataset: Dataset, files: Sequence[Path], shape: tuple[int, str, int]) -> Case:
    block, access, threads = shape
    values = {"access": access, "block_size": block, "threads": threads}
    several = f", {len(files)} files" if len(files) > 1 else ""
    return Case(
        name=f"raw {show_size(block)} {access}{several}",
        threads=threads,
        ours=trial_rate("raw", dataset, values),
        theirs=partial(rate_of_fio, files, block, threads, access=access),
        low=0.95,
        high=_IMPOSSIBLE,
        grid=_raw_grid(shape),
    )


def _raw_grid(shape: tuple[int, str, int]) -> Grid:
    if shape in _SHORT_RAW:
        return Grid.SHORT
    block, access, threads = shape
    usual = (block, access) in _USUAL_RAW or threads in _USUAL_THREADS.get((block, access), ())
    return Grid.USUAL if usual else Grid.ALL
