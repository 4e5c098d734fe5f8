"""How much of what a store gives does each client reach?

    PYTHONPATH=.:tests/benchmarks .venv/bin/python tests/benchmarks/bench_clients.py
        [--objects 10000] [--seconds 3] [--repeats 3] [--threads 1,4,16,64] [--warp PATH] [--loops]

On the lab's S3 and nginx, which end with it, whole objects of 32 KiB are read by each client with
as many requests at once as there are threads.  Beside them stands a public client on the same
server: `warp get`, where `--warp` names the program (`go install github.com/minio/warp@latest`),
and with `--loops` bare loops over obstore and http.client in threads that share a queue.  Prints
Markdown: objects per second, geometric means of the repeats.

Exits with 1 where the compiled client reaches less than 0.9 of the fastest other one at any number
of threads, or a trial failed.
"""

from __future__ import annotations

import argparse
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import perf_counter
from urllib.parse import urlsplit

from core.lab.keeper_messages import Started
from core.lab.lab_client import Lab, throw_away_lab
from core.language import report_to_nobody
from core.measure import Cancel, reveal
from core.run.task import task_of_plan
from core.vocabulary import Completed, Dataset, Plan, TrialEnded, describe, open_dataset, specify
from workloads.shared.objects import CLIENTS
from workloads.tiles.layer_catalogue import Layer
from workloads.tiles.layer_in_store import layer_of
from workloads.tiles.make_layer import LayerShape, make_layer
from workloads.tiles.stores import BY_NAME

_GOAL = 0.9
_WARP_RATE = re.compile(r"([\d.]+) obj/s")

type Rates = dict[tuple[str, str], dict[int, float]]
"""Objects per second by store and client, and threads."""


def started(lab: Lab, store: str) -> str:
    lab.prepare([store])
    answers = [*lab.start([store], deadline=300.0)]
    (address,) = (one.server.address for one in answers if isinstance(one, Started))
    return address


def by_sluice(dataset: Dataset, store: str, address: str, asked: argparse.Namespace) -> Rates:
    """All clients in turns, one block after the other."""
    clients = [one.name for one in CLIENTS if store in one.speaks]
    common = {
        "store": store,
        "address": address,
        "depth": "fetch",
        "duration": asked.seconds,
        **(BY_NAME[store].login or {}),
    }
    specs = [
        specify("tiles", dataset, {**common, "client": client, "threads": threads})
        for client in clients
        for threads in asked.threads
    ]
    plan = Plan(title="clients", specs=tuple(specs), repeats=asked.repeats, turns="auto")
    rates: dict[str, list[float]] = defaultdict(list)
    for event in task_of_plan(plan).carry_out(Cancel()):
        if isinstance(event, TrialEnded):
            if event.trial.outcome != Completed() or not event.trial.throughput:
                sys.exit(
                    f"a trial failed: {describe(event.trial.outcome)} {event.trial.complaints}"
                )
            rates[event.trial.spec_digest].append(event.trial.throughput)
    found: Rates = defaultdict(dict)
    for spec in specs:
        found[store, str(spec.parameters["client"])][spec.load.threads] = _mean(rates[spec.digest])
    return found


def _mean(values: Sequence[float]) -> float:
    return math.exp(sum(map(math.log, values)) / len(values))


def by_warp(program: str, address: str, asked: argparse.Namespace) -> dict[int, float]:
    """`warp get` on the same server, with objects of its own."""
    parts = urlsplit(address)
    host = parts.query.partition("http://")[2]
    keys = [reveal(f"lab:s3/{name}") for name in ("access-key", "secret-key")]
    rates = {}
    for threads in asked.threads:
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [
                    *(program, "get", f"--host={host}", f"--bucket={parts.netloc}"),
                    *("--obj.size=32KiB", f"--objects={asked.objects}", f"--concurrent={threads}"),
                    *(f"--duration={asked.seconds * asked.repeats:g}s", "--prefix=warp"),
                    *("--noclear", "--no-color", f"--benchdata={folder}/data"),
                ],
                env={**os.environ, "WARP_ACCESS_KEY": keys[0], "WARP_SECRET_KEY": keys[1]},
                capture_output=True,
                text=True,
                check=True,
            )
        rates[threads] = float(_WARP_RATE.findall(done.stdout)[-1])
    return rates


def by_loop(
    make: Callable[[], Callable[[str], object]], names: Sequence[str], asked: argparse.Namespace
) -> dict[int, float]:
    """Threads that share a queue of names, until the time is over."""
    rates = {}
    for threads in asked.threads:
        until = perf_counter() + asked.seconds * asked.repeats
        queue = _endless(names)

        def work(_: int) -> int:
            get, done = make(), 0
            for name in queue:  # noqa: B023 -- all threads of this round
                get(name)
                done += 1
                if perf_counter() > until:  # noqa: B023
                    return done
            return done

        begun = perf_counter()
        with ThreadPoolExecutor(threads) as pool:
            done = sum(pool.map(work, range(threads)))
        rates[threads] = done / (perf_counter() - begun)
    return rates


class _endless:  # noqa: N801 -- an iterator whose next is one step, so that threads can share it
    def __init__(self, names: Sequence[str]) -> None:
        self._names, self._at = names, iter(range(1 << 62))

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        return self._names[next(self._at) % len(self._names)]


def bare_s3(address: str) -> Callable[[], Callable[[str], object]]:
    import obstore
    from obstore.store import S3Store

    parts = urlsplit(address)
    store = S3Store(
        parts.netloc,
        config={
            "endpoint": parts.query.partition("=")[2],
            "access_key_id": reveal("lab:s3/access-key"),
            "secret_access_key": reveal("lab:s3/secret-key"),
            "region": "us-east-1",
        },
        client_options={"allow_http": True},
    )
    return lambda: lambda name: obstore.get(store, name).bytes()


def bare_http(address: str) -> Callable[[], Callable[[str], object]]:
    from http.client import HTTPConnection

    host = urlsplit(address).netloc

    def make() -> Callable[[str], object]:
        connection = HTTPConnection(host)

        def get(name: str) -> bytes:
            connection.request("GET", f"/{name}")
            return connection.getresponse().read()

        return get

    return make


def table(rates: Mapping[tuple[str, str], Mapping[int, float]], threads: Sequence[int]) -> str:
    head = ["Server", "Client", *(f"{count} at once" for count in threads)]
    rows = [head, ["---", "---", *["---:"] * len(threads)]]
    rows += [
        [store, client, *(f"{values[count]:,.0f}" for count in threads)]
        for (store, client), values in rates.items()
    ]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> int:
    asking = argparse.ArgumentParser(description=__doc__)
    asking.add_argument("--objects", type=int, default=10_000)
    asking.add_argument("--seconds", type=float, default=3.0)
    asking.add_argument("--repeats", type=int, default=3)
    asking.add_argument("--threads", default="1,4,16,64")
    asking.add_argument("--warp", default="")
    asking.add_argument("--loops", action="store_true")
    asked = asking.parse_args()
    asked.threads = [int(one) for one in asked.threads.split(",")]
    rates: Rates = {}
    with tempfile.TemporaryDirectory() as folder, throw_away_lab(Path(folder) / "lab") as lab:
        os.environ["SLUICE_LAB"] = str(Path(folder) / "lab")
        os.environ["SLUICE_STATE"] = str(Path(folder) / "state")
        data = Path(folder) / "layer"
        data.mkdir()
        side = math.isqrt(asked.objects)
        shape = LayerShape(
            columns=side, rows=side, holes=0.0, tile_size=128, bands=1, payload="raw", repeat=16
        )
        make_layer(shape, data, report_to_nobody)
        dataset = open_dataset(data, ("tile-layer",))
        layer = Layer.open(data)
        names = [f"{layer_of(layer.heading)}/{key}" for key in layer.placed]
        layer.close()
        for store, bare in (("s3", bare_s3), ("http", bare_http)):
            address = started(lab, store)
            rates |= by_sluice(dataset, store, address, asked)
            if asked.warp and store == "s3":
                rates[store, "warp get"] = by_warp(asked.warp, address, asked)
            if asked.loops:
                rates[store, "bare loop"] = by_loop(bare(address), names, asked)
            lab.stop([store])
    print(table(rates, asked.threads))
    return 0 if all(_fast_enough(rates, store, asked.threads) for store in ("s3", "http")) else 1


def _fast_enough(rates: Rates, store: str, threads: Sequence[int]) -> bool:
    others = [values for (at, client), values in rates.items() if at == store]
    return all(
        rates[store, "obstore"][count] >= _GOAL * max(values[count] for values in others)
        for count in threads
    )


if __name__ == "__main__":
    sys.exit(main())
