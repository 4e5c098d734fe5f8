"""Does a tile from a file cost what the file costs?

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_tiles.py [--seconds 10]
        [--folder /dev/shm]

The engine's loop on one thread over the workload `tiles`, beside a plain loop that makes the same
calls and never looks at a tile.  Both take turns of about 20 ms.  What others do on the machine
hits both, so the ratio holds on a busy machine too, with a wider interval.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
import zlib
from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import Any

from truth_readers import tile_schema

from core.language import report_to_nobody
from core.measure import Count, SharedCounters, cache_folder
from core.selfcheck.cost import GoalRow, judge_median
from core.selfcheck.loop_in_child import take_turns
from core.vocabulary import Context, Dataset, Load, build, open_dataset
from workloads.tiles.layer_catalogue import Layer
from workloads.tiles.layer_in_store import place_layer
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.tile_parameters import TileParameters
from workloads.tiles.tiles_workload import TilesOfImagery

_GOAL = 0.95
_READ = os.O_RDONLY | os.O_CLOEXEC
_WRITE = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
_CASES: Mapping[str, Mapping[str, Any]] = {
    "fetch": {"depth": "fetch"},
    "decode": {"depth": "decode"},
    "write": {"direction": "write"},
}


def plain_loops(
    objects: Mapping[int, bytes], folder: Path, size: int
) -> dict[str, Callable[[int], Any]]:
    """What a script would do with the tile of a key, by the names of the cases."""
    from fastavro import schemaless_reader

    folder.mkdir()
    for key, value in objects.items():
        (folder / str(key)).write_bytes(value)
    place = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    room, schema = 5 * 2 * size * size + 1024, tile_schema()

    def fetch(key: int) -> bytes:
        file = os.open(str(key), _READ, dir_fd=place)
        try:
            return os.pread(file, os.fstat(file).st_size, 0)
        finally:
            os.close(file)

    def decode(key: int) -> Any:
        return schemaless_reader(BytesIO(zlib.decompress(fetch(key), bufsize=room)), schema)

    def write(key: int) -> None:
        file = os.open(str(key), _WRITE, 0o644, dir_fd=place)
        try:
            os.write(file, objects[key])
        finally:
            os.close(file)

    return {"fetch": fetch, "decode": decode, "write": write}


def measured(
    dataset: Dataset,
    values: Mapping[str, Any],
    plain: Callable[[int], Any],
    seconds: float,
    name: str,
) -> GoalRow:
    """The engine's loop over the plain one."""
    parameters = build(TileParameters, values)
    place_layer(dataset, parameters, report_to_nobody)
    context = Context(
        dataset=dataset,
        parameters=parameters,
        load=Load(),
        process=0,
        run_id="bench",
        mark="bench-0-0000",
        cache=cache_folder(),
        report=report_to_nobody,
    )
    block, job = SharedCounters.create(1), TilesOfImagery().open(context)
    try:
        groups, _ = take_turns(job, block, seconds, plain=plain)
        bad = block.slot(0)[Count.ERRORS] + block.slot(0)[Count.WRONG]
    finally:
        job.close()
        block.close()
    if bad:
        return GoalRow(
            goal=name, measured=f"{bad} operations failed or were wrong", judgement="missed"
        )
    bare = sum(one.bare for one in groups) / max(sum(one.operations for one in groups), 1)
    ratios = [one.bare / one.harness for one in groups]
    return judge_median(name, ratios, (_GOAL, math.inf), f"{bare / 1e3:.0f} µs a tile")


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--seconds", type=float, default=10.0)
    asking.add_argument("--folder", help="where the files are [default: that of temporary files]")
    asked = asking.parse_args()
    passed = True
    with tempfile.TemporaryDirectory(dir=asked.folder) as name:
        folder = Path(name)
        for size in (64, 256):
            data = folder / f"layer{size}"
            data.mkdir()
            make_layer(
                LayerShape(columns=8, rows=8, tile_size=size, holes=0.0), data, report_to_nobody
            )
            layer = Layer.open(data)
            loops = plain_loops(dict(layer.objects()), folder / f"plain{size}", size)
            layer.close()
            for case, own in _CASES.items():
                values = {"store": "file", "address": str(folder / "tiles"), **own}
                goal = f"Loop ÷ plain loop, {size}², {case}: ≥ {_GOAL}"
                dataset = open_dataset(data, ("tile-layer",))
                row = measured(dataset, values, loops[case], asked.seconds, goal)
                print(f"{row.judgement} {row.goal}: {row.measured}", flush=True)
                passed = passed and row.passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
