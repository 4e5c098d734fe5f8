"""Accumulo's own client where ZooKeeper is gone: each call ends when its time is over."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from driving import need_drivers
from faulty_proxy import faulty
from patience import PATIENCE
from store_conformance import Mistake, Site

from core.errors import SluiceError
from workloads.tiles.stores.store import Store

pytestmark = [pytest.mark.lab("accumulo"), pytest.mark.slow]

LAYER = "without-zookeeper"
TIMEOUTS = (5.0, 20.0, 80.0)
"""Seconds; the first that is enough to connect, on a machine that has more to do."""
TOLD = re.compile(r"no answer within [\d.]+ s, while the client waits for ZooKeeper")
# A put asks no ZooKeeper where the writer knows the tablet server, which is still there.
CALLS: Mapping[str, Callable[[Store], object]] = {
    "get": lambda store: store.get(1),
    "another get": lambda store: store.get(2),
    "get of many": lambda store: store.get_many((1, 2, 3)),
    "manifest": lambda store: store.manifest(),
    "keys": lambda store: list(store.keys()),
}


@pytest.fixture
def without_zookeeper(accumulo_site: Site) -> Iterator[Store]:
    """A store with some tiles, whose ZooKeeper has gone since."""
    need_drivers("tiles", store="accumulo", address="somewhere")
    before, port, after = re.split(r"(?<=127\.0\.0\.1:)(\d+)", accumulo_site.address)
    with faulty(int(port)) as front:
        store = opened_soon(accumulo_site, f"{before}{front}{after}")
        store.put_many([(key, b"tile") for key in range(4)])
    try:
        yield store
    finally:
        store.close()
        with accumulo_site.opened(LAYER) as direct:
            direct.remove()


def opened_soon(site: Site, address: str) -> Store:
    """The store with a timeout as short as can be."""
    for timeout in TIMEOUTS[:-1]:
        try:
            return site.open(LAYER, mistake=Mistake(address, {"timeout": timeout}))
        except SluiceError:
            continue
    return site.open(LAYER, mistake=Mistake(address, {"timeout": TIMEOUTS[-1]}))


def failure_of(call: Callable[[Store], object], store: Store) -> Any:
    """What a call raises once the client has noticed that ZooKeeper is gone."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        try:
            call(store)
        except store.failures as error:
            return error
    raise AssertionError("it never failed")


def test_that_calls_without_zookeeper_end_in_time_and_not_one_after_the_other(
    without_zookeeper: Store,
) -> None:
    with ThreadPoolExecutor(len(CALLS)) as pool:
        ended = {
            name: pool.submit(failure_of, call, without_zookeeper) for name, call in CALLS.items()
        }
        raised = {name: one.result() for name, one in ended.items()}
    # One of them can be the first to hear from the client itself that it has given up.
    assert (
        len([name for name, error in raised.items() if TOLD.search(str(error))]) >= len(raised) - 1
    )
    for name, error in raised.items():
        assert re.search("zookeeper", str(error), re.IGNORECASE), (name, error)
        assert "look whether the server still runs" in without_zookeeper.remedy(error)
