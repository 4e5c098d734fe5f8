"""Calls of a store on Accumulo whose ZooKeeper goes away, in a process of their own.

On a busy machine other clients in the same process went on to ask at the address that was gone, so
Accumulo's client must keep something of it for the whole process.

Reads `{"address": …, "parameters": …}`, writes `ready` once there are tiles, and waits for another
line, which means that ZooKeeper is gone.  Then it writes, by the name of each call, what this
raised and what the store advises: `{"get": ["…", "…"], …}`.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from patience import PATIENCE
from store_conformance import Mistake, Site

from core.language import SluiceError
from workloads.tiles.stores.store import Store

LAYER = "without-zookeeper"
TIMEOUTS = (5.0, 20.0, 80.0)
"""Seconds; the first that is enough to connect, on a machine that has more to do."""
# A put asks no ZooKeeper where the writer knows the tablet server, which is still there.
CALLS: Mapping[str, Callable[[Store], object]] = {
    "get": lambda store: store.get(1),
    "another get": lambda store: store.get(2),
    "get of many": lambda store: store.get_many((1, 2, 3)),
    "manifest": lambda store: store.manifest(),
    "keys": lambda store: list(store.keys()),
}


def opened_soon(site: Site) -> Store:
    """The store with a timeout as short as can be."""
    for timeout in TIMEOUTS[:-1]:
        try:
            return site.open(LAYER, mistake=Mistake(site.address, {"timeout": timeout}))
        except SluiceError:
            continue
    return site.open(LAYER, mistake=Mistake(site.address, {"timeout": TIMEOUTS[-1]}))


def failure_of(call: Callable[[Store], object], store: Store) -> Any:
    """What a call raises once the client has noticed that ZooKeeper is gone."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            call(store)
        except store.failures as error:
            return error
    raise AssertionError("it never failed")


def main() -> None:
    """Open, wait, call, tell."""
    asked = json.loads(sys.stdin.readline())
    store = opened_soon(Site("accumulo", asked["address"], asked["parameters"]))
    store.put_many([(key, b"tile") for key in range(4)])
    print("ready", flush=True)
    sys.stdin.readline()
    with ThreadPoolExecutor(len(CALLS)) as pool:
        ended = {name: pool.submit(failure_of, call, store) for name, call in CALLS.items()}
        raised = {name: one.result() for name, one in ended.items()}
    told = {name: [str(error), store.remedy(error)] for name, error in raised.items()}
    print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
