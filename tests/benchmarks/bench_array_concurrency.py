"""How many requests at once do zarr-python, zarrs and tensorstore want, and what do 10 and 64 cost?

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_array_concurrency.py
        [--cells s3-0.02] [--seconds 2] [--repeats 3] [--budget 240] [--out array-concurrency.json]

A cell is a library, a place (files, or the lab's S3 at a round trip of 0, 5, 20 or 80 ms) and small
or large chunks: 256 of 16 KiB, or 64 of 1 MiB, all read by one call of an operation.  In each
cell the product searches one or two threads and the number of requests at once, among 4 to 128.
Then, with as many threads, the numbers in TRIED and the searched one are measured, block by block,
and the searched one must reach 95 % of the best.
The last columns say what 10 and 64 reach of the best: the defaults that zarr-python has had.

Exits with 1 where a cell misses that.  `--cells` takes those whose name has this text.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from statistics import geometric_mean
from typing import Any

from core.lab.keeper_messages import Started
from core.lab.lab_client import throw_away_lab
from core.measure import make_dataset
from core.tell.cli.measure_command import requested
from core.tell.cli.terminal_run import Output, carry_out
from core.vocabulary import Dataset, Result
from workloads.arrays.array_kinds import ArrayShape

GOAL = 0.95
READERS = ("zarr", "zarrs", "tensorstore")
PLACES: Mapping[str, float | None] = {"file": None} | {
    f"s3-{seconds}": seconds for seconds in (0.0, 0.005, 0.02, 0.08)
}
"""Seconds of a round trip; None = files."""
CHUNKS: Mapping[str, ArrayShape] = {
    "small": ArrayShape(times=4, rows=512, columns=512, chunks="1x64x64"),
    "large": ArrayShape(times=64, rows=512, columns=512, chunks="4x256x256"),
}
TRIED = (4, 10, 16, 32, 64, 128)
ARGUED = (10, 64)


@contextmanager
def bucket(folder: Path) -> Iterator[dict[str, str]]:
    """How a server of a lab that ends with the block is reached."""
    with throw_away_lab(folder) as lab:
        lab.prepare(["s3"])
        (server,) = (one.server for one in lab.start(["s3"]) if isinstance(one, Started))
        os.environ["SLUICE_LAB"] = str(folder)
        keys = {"access_key": "lab:s3/access-key", "secret_key": "lab:s3/secret-key"}
        yield {"store": "s3", "address": server.address, **keys}


def values_of_cell(place: str, server: Mapping[str, str]) -> dict[str, Any]:
    seconds = PLACES[place]
    return {} if seconds is None else {**server, "round_trip": seconds}


def measured(dataset: Dataset, values: Mapping[str, Any], axes: tuple[str, ...]) -> Any:
    """What came of a question, as the command line carries it out."""
    asked = {
        "dataset": dataset.path,
        "pattern": "all",
        "warm_up": 0.2,
        "floor": False,
        **values,
        "axes": axes,
    }
    with tempfile.TemporaryDirectory() as name:
        done = carry_out(
            requested("arrays", asked), Output(session=Path(name, "cell.sluice"), yes=True)
        )
        done.leave_if_interrupted()
        return done


def rates(results: tuple[Result, ...]) -> dict[int, float]:
    """Operations per second by requests at once; without what failed."""
    return {
        int(str(one.spec.values["concurrency"])): geometric_mean(
            [trial.throughput for trial in one.finished_trials if trial.throughput]
        )
        for one in results
        if one.valid and one.spec.workload == "arrays"
    }


def cell(dataset: Dataset, values: dict[str, Any], wanted: argparse.Namespace) -> dict[str, Any]:
    """The searched number, and what all reach of the best."""
    usual = {**values, "duration": wanted.seconds}
    searched = measured(
        dataset, {**usual, "budget": wanted.budget}, ("threads=1,2", "concurrency=4..128")
    )
    advised = searched.run.advice.values if searched.run.advice else {}
    chosen, threads = int(advised.get("concurrency", 0)), int(advised.get("threads", 1))
    every = sorted({*TRIED, chosen} - {0})
    usual["threads"] = threads
    axes = (f"concurrency={','.join(map(str, every))}",)
    swept = measured(dataset, {**usual, "repeats": wanted.repeats, "everything": True}, axes)
    by_number = rates(swept.results)
    best = max(by_number, key=lambda number: by_number[number])
    share = {number: rate / by_number[best] for number, rate in by_number.items()}
    return {
        "chosen": chosen,
        "threads": threads,
        "best": best,
        "rate": by_number[best],
        "share": share,
        "searched with trials": sum(len(one.trials) for one in searched.results),
    }


def shown(name: str, found: Mapping[str, Any]) -> str:
    share = found["share"]
    at = "  ".join(f"{share.get(number, 0.0):7.1%}" for number in (found["chosen"], *ARGUED))
    return f"{name:28} {found['chosen']:6} {found['best']:6} {found['rate']:9.2f}/s  {at}"


def main() -> int:
    """Measure each cell, print it, judge it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cells", default="")
    parser.add_argument("--seconds", type=float, default=2.0)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--budget", type=float, default=240.0)
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder, bucket(Path(folder, "lab")) as server:
        for size, shape in CHUNKS.items():
            dataset = make_dataset("zarr", shape, Path(folder, size))
            for place, reader in product(PLACES, READERS):
                if wanted.cells not in (name := f"{reader} {place} {size}"):
                    continue
                values = {"reader": reader, **values_of_cell(place, server)}
                found[name] = cell(dataset, values, wanted)
                print(shown(name, found[name]), flush=True)
                if wanted.out:
                    wanted.out.write_text(json.dumps(found, indent=1) + "\n")
    print(
        f"\n{'':28} {'chosen':>6} {'best':>6} {'best rate':>11}  {'chosen':>7}  {'10':>7}  {'64':>7}"
    )
    for name, one in found.items():
        print(shown(name, one))
    missed = [name for name, one in found.items() if one["share"].get(one["chosen"], 0.0) < GOAL]
    print(f"{len(found) - len(missed)} of {len(found)} cells reach {GOAL:.0%} of the best", *missed)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
