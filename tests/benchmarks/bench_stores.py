"""Does the measuring loop slow down requests to the stores of tiles?

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_stores.py
        [--seconds 10] [--threads 1] [--stores file,s3,hdfs,cassandra,accumulo] [--blind]

On real servers of a lab that ends with it, the throughput of the engine's loop is divided by that
of a plain loop over the same calls of the same client; the two take turns of about 20 ms, as in
`python -m core selfcheck`.  The plain loop checks each tile as the engine does, with its
clock stopped: to read 300 kB takes 10 to 20 % longer where other bytes went through the processor's
caches since the last time.  `--blind` is a plain loop that never looks at a tile.

Exits with 1 where a median is below 0.99 for files or 0.97 for servers, or anything failed or was
wrong.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import tempfile
from pathlib import Path

from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab
from core.language import report_to_nobody
from core.measure import Count, SharedCounters, cache_folder
from core.selfcheck.cost import GoalRow, judge_median
from core.selfcheck.loop_in_child import take_turns
from core.vocabulary import Context, Dataset, Load, build, open_dataset
from workloads.tiles.layer_in_store import place_layer
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.stores import BY_NAME
from workloads.tiles.tile_parameters import TileParameters
from workloads.tiles.tiles_workload import TilesOfImagery

GOALS = {"file": 0.99, "s3": 0.97, "hdfs": 0.97, "cassandra": 0.97, "accumulo": 0.97}


def address(lab: Lab, store: str, folder: Path) -> str:
    """Where the store is; its server is started first."""
    if store == "file":
        return str(folder)
    lab.prepare([store])
    (started,) = (one for one in lab.start([store], deadline=300.0) if isinstance(one, Started))
    return started.server.address


def measured(store: str, dataset: Dataset, place: str, asked: argparse.Namespace) -> GoalRow:
    """The engine's loop over a plain one on that store."""
    login = BY_NAME[store].login or {}
    values = {"store": store, "address": place, "depth": "fetch", **login}
    parameters = build(TileParameters, values)
    place_layer(dataset, parameters, report_to_nobody)
    context = Context(
        dataset=dataset,
        parameters=parameters,
        load=Load(threads=asked.threads),
        process=0,
        run_id="bench",
        mark="bench-0-0000",
        cache=cache_folder(),
        report=report_to_nobody,
    )
    block, job = SharedCounters.create(asked.threads), TilesOfImagery().open(context)
    try:
        groups, _ = take_turns(job, block, asked.seconds, checks=not asked.blind)
        slots = [block.slot(index) for index in range(block.slots)]
        bad = sum(slot[Count.ERRORS] + slot[Count.WRONG] for slot in slots)
    finally:
        job.close()
        block.close()
    bare = sum(one.bare for one in groups) / max(sum(one.operations for one in groups), 1)
    name = f"Loop ÷ plain loop, {store}, threads {asked.threads}: ≥ {GOALS[store]}"
    if bad:
        return GoalRow(
            goal=name, measured=f"{bad} operations failed or were wrong", judgement="missed"
        )
    remark = f"{bare / 1e3:.0f} µs a tile"
    return judge_median(
        name, [one.bare / one.harness for one in groups], (GOALS[store], math.inf), remark
    )


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--seconds", type=float, default=10.0)
    asking.add_argument("--threads", type=int, default=1)
    asking.add_argument("--stores", default=",".join(GOALS))
    asking.add_argument("--blind", action="store_true")
    asked = asking.parse_args()
    passed = True
    with tempfile.TemporaryDirectory() as folder, throw_away_lab(Path(folder) / "lab") as lab:
        os.environ["SLUICE_LAB"] = str(Path(folder) / "lab")
        data = Path(folder) / "layer"
        data.mkdir()
        make_layer(LayerShape(columns=8, rows=8, tile_size=256, bands=5), data, report_to_nobody)
        dataset = open_dataset(data, ("tile-layer",))
        for store in asked.stores.split(","):
            row = measured(store, dataset, address(lab, store, Path(folder) / "file"), asked)
            print(f"{row.judgement} {row.goal}: {row.measured}", flush=True)
            passed = passed and row.passed
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
