"""Is anything left in a store, or of a process, after kill -9 at random?  On the lab's servers.

    PYTHONPATH=.:tests .venv/bin/python tests/benchmarks/bench_kills.py [--kills 50]
        [--stores file,s3,cassandra,hdfs,accumulo] [--seed 1]

Real runs of `tiles` write into each store in turn, or read a layer that they place first.  At a
drawn moment the run itself is killed, or the child of a trial, or the server (of Accumulo's that
with the tiles), which comes back with its data.
Then `leftovers --remove` has to remove what is left.  Looked for are: names in the store that were
not there before, lines of the ledger, processes, sessions that cannot be read or saved.  Of a
layer that is used again by its digest a part may be there, which the next run has to complete.

Printed are a line for each kill and a table.  Exit code 1 where anything was left.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from killable_stores import OF_STORES, VICTIMS, in_files, target_of
from killing import SERVER, After, Killing, Target, draw_kills

from core.lab.keeper_messages import Started
from core.lab.lab_client import failures, throw_away_lab
from core.language import report_to_nobody
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.stores import BY_NAME

SHAPE = LayerShape(columns=6, rows=4, tile_size=16, holes=0.25, level=1)
DEADLINE = 300.0


@contextmanager
def targets(names: Sequence[str], folder: Path) -> Iterator[dict[str, Target]]:
    """The stores, whose servers are stopped at the end."""
    found: dict[str, Target] = {}
    with throw_away_lab(folder / "lab") as lab:
        servers = [name for name in names if name != "file"]
        lab.prepare(servers)
        answers = list(lab.start(servers, deadline=DEADLINE)) if servers else []
        for failed in failures(answers):
            raise SystemExit(f"{failed.server}: {failed.cause}")
        states = {one.server.name: one.server for one in answers if isinstance(one, Started)}
        try:
            for name in names:
                found[name] = (
                    in_files(folder / "tiles")
                    if name == "file"
                    else target_of(
                        states[name], folder / "lab", kill_server=SERVER in OF_STORES[name]
                    )
                )
            yield found
        finally:
            for one in found.values():
                if one.server is not None:
                    one.server.end()


def table(done: Sequence[After]) -> str:
    """Kills by store and victim, those that left something in brackets."""
    kills = Counter((one.kill.store, one.kill.victim) for one in done)
    bad = Counter((one.kill.store, one.kill.victim) for one in done if one.left)
    lines = [f"{'':<10}" + "".join(f"{victim:>12}" for victim in VICTIMS)]
    for store in dict.fromkeys(one.kill.store for one in done):
        cells = (f"{kills[store, one]} ({bad[store, one]} left)" for one in VICTIMS)
        lines.append(f"{store:<10}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(lines)


def kill_all(wanted: argparse.Namespace, folder: Path) -> list[After]:
    """All kills; a line each."""
    layer = folder / "layer"
    layer.mkdir()
    make_layer(SHAPE, layer, report_to_nobody)
    names = wanted.stores.split(",")
    victims = {name: OF_STORES[name] for name in names}
    done = []
    with targets(names, folder) as stores:
        killing = Killing(folder, layer, folder / "state")
        for kill in draw_kills(victims, wanted.kills, random.Random(wanted.seed)):
            begun = time.monotonic()
            done.append(killing.run(kill, stores[kill.store]))
            print(f"{done[-1]} ({time.monotonic() - begun:.0f} s)", flush=True)
    return done


def main() -> int:
    """Print a line for each kill and the table; 0 where nothing was left."""
    parser = argparse.ArgumentParser(description="Kill runs and servers.")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--stores", default=",".join(BY_NAME))
    parser.add_argument("--seed", type=int, default=1)
    wanted = parser.parse_args()
    # So that servers are stopped then, too.
    signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["SLUICE_STATE"] = str(folder / "state")
        os.environ["SLUICE_LAB"] = str(folder / "lab")
        done = kill_all(wanted, folder)
    bad = sum(bool(one.left) for one in done)
    print(table(done))
    hit = sum(one.hit for one in done)
    print(f"{len(done)} kills, {hit} of them before the end of the run; something left after {bad}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
