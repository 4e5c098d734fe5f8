"""What does Sluice add to each operation of a reader, beside a plain loop over the same calls?

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_plain_loops.py
        [--only mbtiles,raster] [--threads 1,4] [--rounds 20] [--seconds 0.3] [--folder /dev/shm]

A real trial and a process with a plain loop (`truth_loops`, `truth_readers`) are alive together and
take turns of some tenths of a second, so that what others do on the machine hits both.  The plain
loop's threads share the list of keys and nothing else, and verify nothing.  Tiles of layouts have
the trial's order; objects, windows and chunks an order of their own, all of them in each pass.
Of the trial its own figures are taken, in which no verification is: throughput in its windows, and
the CPU time of its process while its clock runs.  With several threads that has weighing and
counting in it.  With one the clock stands still meanwhile, and while up to 1 MB of results, which
were alive together, is compared; the plain loop throws each away at once.  Most of what one thread
adds is that its operations follow such a pause.

Prints the medians of neighbouring turns' ratios, plain over product in CPU time for each operation
and product over plain in throughput, and what an operation costs more.  Servers are those of a lab
that ends with it; nginx and versitygw have cores of their own in neither figure of CPU time.

Exits with 1 where the median ratio of CPU time is surely below 0.98, or anything failed or was
wrong.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench_clients import started

from core.judge import median_interval
from core.lab.lab_client import Lab, throw_away_lab
from core.language import SluiceError, report_to_nobody
from core.measure import (
    Cancel,
    Count,
    Grace,
    Listener,
    LiveTrial,
    make_dataset,
    reveal,
)
from core.vocabulary import Completed, Dataset, Slot, build, describe, specify
from workloads.arrays.array_kinds import ArrayShape
from workloads.raster.raster_datasets import RasterShape
from workloads.shared.objects import CLIENTS
from workloads.shared.servers import s3_address
from workloads.tiles.layer_catalogue import Layer
from workloads.tiles.layer_in_store import place_layer, placement
from workloads.tiles.make_layer import LayerShape
from workloads.tiles.stores import BY_NAME
from workloads.tiles.tile_keys import GridPlace, first_key
from workloads.tiles.tile_parameters import TileParameters

_GOAL = 0.98
_PLAIN = Path(__file__).with_name("truth_loops.py")
_WARM_UP = 0.3
_WINDOW, _CACHE = 256, 1 << 16
"""Pixels of a window, which is a block, and bytes of decoded blocks that GDAL keeps: less than
one, so that no pass comes out of memory."""


class Turn(NamedTuple):
    """What a side did in a turn: CPU ns for each operation, and operations per second."""

    cpu: float
    rate: float


@dataclass(frozen=True, kw_only=True)
class Case:
    """A reader: the values of a trial, and the plain loop over the same calls."""

    name: str
    workload: str
    dataset: Dataset
    values: Mapping[str, Any]
    loop: str
    arguments: Mapping[str, Any]
    environment: Mapping[str, str] | None = None


# Both sides


@contextmanager
def trial_in_turns(case: Case, threads: int, seconds: float) -> Iterator[Callable[[], Turn]]:
    """A trial that waits; each call gives it one turn of that length."""
    load = {"threads": threads, "warm_up": _WARM_UP, "duration": 86_400.0, "page_cache": "as-is"}
    if case.values.get("store") in ("s3", "http"):
        del load["page_cache"]
    spec = specify(case.workload, case.dataset, {**load, **case.values})
    with ExitStack() as resources:
        cancel = resources.enter_context(closing(Cancel()))
        live = LiveTrial(Slot(0, 0, spec), "loops", Listener(cancel), resources, Grace())
        begun = time.time()

        def require() -> None:
            if live.outcome is not None:
                trial = live.trial(begun)
                raise SluiceError(f"{describe(live.outcome)} {trial.complaints}")

        def turn() -> Turn:
            before = live.block.counts()
            live.resume()
            deque(live.turn(seconds), maxlen=0)
            live.rest()
            deque(live.check(), maxlen=0)
            require()
            return _between(before, live.block.counts())

        deque(live.prepare(), maxlen=0)
        require()
        yield turn
        live.resume()
        deque(live.finish(), maxlen=0)
        trial = live.trial(begun)
        if trial.outcome != Completed() or trial.complaints:
            raise SluiceError(f"{describe(trial.outcome)} {trial.complaints}")


def _between(before: Sequence[Sequence[int]], after: Sequence[Sequence[int]]) -> Turn:
    def gained(count: Count) -> list[int]:
        return [new[count] - old[count] for old, new in zip(before, after, strict=True)]

    if any(gained(Count.WRONG) + gained(Count.ERRORS)):
        raise SluiceError("operations failed or were wrong")
    rates = zip(gained(Count.WINDOW_ITEMS), gained(Count.WINDOW_TIME), strict=True)
    rate = sum(1e3 * items / max(spent, 1) for items, spent in rates)
    return Turn(sum(gained(Count.PROCESS_CPU)) / max(sum(gained(Count.ITEMS)), 1), rate)


@contextmanager
def plain_in_turns(case: Case, threads: int, seconds: float) -> Iterator[Callable[[], Turn]]:
    """The plain loop, which waits in a process of its own."""
    asked = {"loop": case.loop, "arguments": case.arguments, "threads": threads}
    environment = {**os.environ, **(case.environment or {})}
    command = [sys.executable, "-P", str(_PLAIN), json.dumps(asked)]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, env=environment, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def turn(length: float = seconds) -> Turn:
            print(length, file=process.stdin, flush=True)
            operations, cpu, rate = map(float, process.stdout.readline().split())
            return Turn(cpu / operations, rate)

        try:
            turn(_WARM_UP)
            yield turn
        finally:
            process.kill()


class Pair(NamedTuple):
    ours: Turn
    theirs: Turn


def pairs_of(case: Case, threads: int, asked: argparse.Namespace) -> list[Pair]:
    """Turns of both, each going first in every other round."""
    pairs: list[Pair] = []
    with (
        trial_in_turns(case, threads, asked.seconds) as ours,
        plain_in_turns(case, threads, asked.seconds) as theirs,
    ):
        for number in range(asked.rounds):
            sides = [ours, theirs][:: 1 if number % 2 else -1]
            turns = [side() for side in sides][:: 1 if number % 2 else -1]
            pairs.append(Pair(*turns))
    return pairs[1:]


# Cases


def layout_cases(folder: Path, side: int) -> Iterator[Case]:
    """Tiles as opaque bytes in the three layouts."""
    shape = LayerShape(
        columns=32, rows=32, holes=0.0, tile_size=side, bands=1, payload="raw", noise=15
    )
    dataset = make_dataset("tile-layer", shape, folder / "layer")
    with closing(Layer.open(dataset.path)) as layer:
        before = first_key(layer.heading.zoom)
        places = [GridPlace.of(before + key) for key in layer.placed]
    for store in ("xyz", "mbtiles", "pmtiles"):
        values = {"store": store, "address": str(folder / store), "depth": "fetch"}
        parameters = build(TileParameters, values)
        place_layer(dataset, parameters, report_to_nobody)
        name = placement(dataset, parameters).layer
        path = str(folder / store / f"{name}{BY_NAME[store].suffix}")
        yield Case(
            name=store,
            workload="tiles",
            dataset=dataset,
            values=values,
            loop=store,
            arguments={"path": path, "places": places},
        )


def object_cases(folder: Path, lab: Lab, store: str) -> Iterator[Case]:
    """Whole objects of 32 KiB from a server of the lab, by each client."""
    shape = LayerShape(columns=32, rows=32, holes=0.0, tile_size=128, bands=1, payload="raw")
    dataset = make_dataset("tile-layer", shape, folder / "objects")
    address = started(lab, store)
    common = {"store": store, "address": address, "depth": "fetch", **(BY_NAME[store].login or {})}
    parameters = build(TileParameters, common)
    place_layer(dataset, parameters, report_to_nobody)
    prefix = f"{placement(dataset, parameters).layer}/"
    with closing(Layer.open(dataset.path)) as layer:
        keys = list(layer.placed)
    environment = None
    where: dict[str, Any] = {"url": f"{address.rstrip('/')}/"}
    if store == "s3":
        there = s3_address(address)
        where = {"endpoint": there.endpoint, "bucket": there.bucket}
        prefix = there.prefix + prefix
        environment = {
            "AWS_ACCESS_KEY_ID": reveal("lab:s3/access-key"),
            "AWS_SECRET_ACCESS_KEY": reveal("lab:s3/secret-key"),
        }
    names = [f"{prefix}{key}" for key in keys]
    for client in [one.name for one in CLIENTS if store in one.speaks]:
        yield Case(
            name=f"{store} {client}",
            workload="tiles",
            dataset=dataset,
            values={**common, "client": client},
            loop=f"{store}_objects",
            arguments={**where, "client": client, "names": names},
            environment=environment,
        )


def raster_cases(folder: Path) -> Iterator[Case]:
    dataset = make_dataset("raster", RasterShape(width=4096, height=4096), folder / "raster")
    values = {"access": "grid", "window": _WINDOW, "windows": 256, "block_cache": _CACHE}
    yield Case(
        name="raster",
        workload="raster",
        dataset=dataset,
        values=values,
        loop="raster",
        arguments={"path": str(dataset.path), "window": _WINDOW, "cache": _CACHE},
    )


def array_cases(folder: Path) -> Iterator[Case]:
    for kind, readers in (("zarr", ("zarr", "zarrs", "tensorstore")), ("hdf5", ("h5py",))):
        dataset = make_dataset(kind, ArrayShape(), folder / kind)
        for reader in readers:
            yield Case(
                name=reader,
                workload="arrays",
                dataset=dataset,
                values={"reader": reader},
                loop="array",
                arguments={"reader": reader, "path": str(dataset.path)},
            )


_SOURCES = ("layouts", "http", "s3", "raster", "arrays")


def cases(folder: Path, lab: Lab, asked: argparse.Namespace) -> Iterator[Case]:
    made: Mapping[str, Callable[[], Iterator[Case]]] = {
        "layouts": partial(layout_cases, folder, asked.side),
        "http": partial(object_cases, folder, lab, "http"),
        "s3": partial(object_cases, folder, lab, "s3"),
        "raster": partial(raster_cases, folder),
        "arrays": partial(array_cases, folder),
    }
    for name in asked.sources.split(","):
        yield from (case for case in made[name]() if asked.only in case.name)


def judged(case: Case, threads: int, pairs: Sequence[Pair]) -> bool:
    """Print a row; whether the goal may be met."""
    cpu = median_interval([theirs.cpu / ours.cpu for ours, theirs in pairs])
    wall = median(ours.rate / theirs.rate for ours, theirs in pairs)
    more = median(ours.cpu - theirs.cpu for ours, theirs in pairs) / 1e3
    bare = median(theirs.cpu for _, theirs in pairs) / 1e3
    print(
        f"{case.name:14} {threads:2} threads  CPU {cpu.value:.3f} ({cpu.low:.3f}–{cpu.high:.3f})"
        f"  wall {wall:.3f}  {bare:8.2f} µs bare, {more:+.2f} µs",
        flush=True,
    )
    return not math.isnan(cpu.value) and cpu.high >= _GOAL


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--sources", default=",".join(_SOURCES))
    asking.add_argument("--only", default="")
    asking.add_argument("--threads", default="1,4")
    asking.add_argument("--rounds", type=int, default=21)
    asking.add_argument("--seconds", type=float, default=0.3)
    asking.add_argument("--side", type=int, default=100, help="pixels of a layout's tile, 2 B each")
    asking.add_argument("--folder", help="where the files are [default: that of temporary files]")
    asked = asking.parse_args()
    passed = True
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        folder = Path(name)
        os.environ["SLUICE_LAB"] = str(folder / "lab")
        os.environ["SLUICE_STATE"] = str(folder / "state")
        with throw_away_lab(folder / "lab") as lab:
            for case in cases(folder, lab, asked):
                for threads in map(int, asked.threads.split(",")):
                    own = {"threads": threads} if case.loop.endswith("objects") else {}
                    whole = Case(**{**vars(case), "arguments": {**case.arguments, **own}})
                    passed = judged(whole, threads, pairs_of(whole, threads, asked)) and passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
