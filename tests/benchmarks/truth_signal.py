"""Signals of `make truth`: packages of Python beside plain loops, C beside published programs."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import bench_signal as published_signal
from truth_cases import THREADS, Case, Grid, plain_rate, real_case, trial_rate

from core.language import Unavailable
from core.measure import find_dataset, make_dataset
from core.vocabulary import Dataset
from workloads.signal.make_signal import SignalShape
from workloads.signal.signal_parameters import POD5_DRIVER, PYSLOW5_DRIVER
from workloads.signal.slow5_records_oracle import records

_GRID = {
    ("blow5-python", 4): Grid.SHORT,
    ("blow5-python", 1): Grid.USUAL,
    ("pod5-io", 1): Grid.USUAL,
    ("pod5-mmap", 4): Grid.USUAL,
}
_READS = 4_000
_BATCH = 500
_PUBLISHED_READS = 12_000


def signal_cases(folder: Path) -> Iterator[Case]:
    """pyslow5 and pod5, which a plain loop calls as their documentation shows."""
    PYSLOW5_DRIVER.require()
    POD5_DRIVER.require()
    data = make_dataset("signal", SignalShape(reads=_READS, variants=False), folder / "signal").path
    blow5, pod5 = data / published_signal.BLOW5, data / published_signal.POD5
    loop = {"path": str(blow5), "batch": _BATCH}
    yield from reader_cases("blow5-python", blow5, loop)
    for reader in ("pod5-io", "pod5-mmap"):
        yield from reader_cases(reader, pod5, {"path": str(pod5), "mapped": reader == "pod5-mmap"})


def reader_cases(reader: str, file: Path, arguments: Mapping[str, Any]) -> Iterator[Case]:
    """A reader in the order of the file, for all numbers of threads."""
    dataset, kind = find_dataset("signal", file), reader.partition("-")[0]
    for threads in THREADS:
        values = {"reader": reader, "batch_size": _BATCH, "threads": threads}
        # pyslow5's threads are its own: one of Python's has them all.  Those that read POD5 have
        # a share of a batch each, so that both sides hold about as many reads at a time.
        own = kind == "blow5"
        reads = _BATCH if own else max(1, _BATCH // threads)
        given = {**arguments, "threads": threads, **({} if own else {"share": reads})}
        loop = {"loop": kind, "arguments": given, "threads": 1 if own else threads, "processes": 1}
        yield real_case(
            f"signal {reader}",
            threads,
            trial_rate("signal", dataset, values),
            partial(reads_rate, loop, reads),
            grid=_GRID.get((reader, threads), Grid.ALL),
        )


def reads_rate(loop: Mapping[str, Any], reads: int, seconds: float) -> float:
    """Reads per second of a plain loop whose operations are so many."""
    return reads * plain_rate(loop, seconds)


def program_cases(folder: Path, *, published: Path | None) -> Iterator[Case]:
    """The readers in C beside the programs that `bench_signal` builds."""
    if published is None:
        raise Unavailable(
            "signal ÷ the published programs, which are not here",
            "clone what bench_signal.py names into a folder, and give --published FOLDER",
        )
    built = folder / "programs"
    built.mkdir()
    clones = [published / name for name in ("published", "slow5lib", "pod5")]
    programs = published_signal.Programs(*clones, built)
    shape = SignalShape(reads=_PUBLISHED_READS, variants=False)
    data = make_dataset("signal", shape, folder / "signal-published").path
    ids = folder / "ids.txt"
    ids.write_text("\n".join(shuffled_ids(data / published_signal.BLOW5)))
    for order in ("sequential", "random"):
        listed = {"read_list": str(ids)} if order == "random" else {}
        for pair in published_signal.PAIRS:
            dataset: Dataset = find_dataset("signal", data / pair.file)
            for threads in (1, 2):
                values = {
                    "reader": pair.reader,
                    "access": order,
                    "batch_size": published_signal.BATCH,
                    "threads": threads,
                    **listed,
                }
                given = (pair, order, data / pair.file, ids, threads)
                yield real_case(
                    f"signal {pair.reader} ÷ {pair.program} {order}",
                    threads,
                    trial_rate("signal", dataset, values),
                    partial(programs_rate, programs, given),
                    grid=Grid.USUAL if threads == 2 else Grid.ALL,
                )


def shuffled_ids(file: Path) -> list[str]:
    """Of all reads of a BLOW5 file."""
    found = [one.read.read_id for one in records(file, 10**9) if one.read is not None]
    random.Random(1).shuffle(found)
    return found


def programs_rate(programs: published_signal.Programs, given: Any, _: float) -> float:
    """Reads per second of a pass over the file: as long as that takes."""
    return programs.rate(*given)
