"""Accumulo's own client, and Java in a process of Python: without ZooKeeper, with little memory."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import without_zookeeper
from driving import need_drivers
from faulty_proxy import faulty
from patience import PATIENCE
from store_conformance import Site
from without_zookeeper import LAYER

pytestmark = pytest.mark.lab("accumulo")

TOLD = re.compile(r"no answer within [\d.]+ s, while the client waits for ZooKeeper")


@pytest.fixture
def told(accumulo_site: Site) -> Iterator[dict[str, tuple[str, str]]]:
    """What each call raises where ZooKeeper is gone, and what the store advises then."""
    need_drivers("tiles", store="accumulo", address="somewhere")
    before, port, after = re.split(r"(?<=127\.0\.0\.1:)(\d+)", accumulo_site.address)
    child = subprocess.Popen(
        [sys.executable, without_zookeeper.__file__],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        with faulty(int(port)) as front:
            asked = {"address": f"{before}{front}{after}", "parameters": accumulo_site.parameters}
            child.stdin.write(json.dumps(asked) + "\n")
            child.stdin.flush()
            assert child.stdout.readline() == "ready\n"
        found, _ = child.communicate("gone\n")
        yield {name: (error, advice) for name, (error, advice) in json.loads(found).items()}
    finally:
        child.kill()
        child.communicate()
        with accumulo_site.opened(LAYER) as direct:
            direct.remove()


@pytest.mark.slow
def test_that_calls_without_zookeeper_end_in_time_and_not_one_after_the_other(
    told: dict[str, tuple[str, str]],
) -> None:
    in_time = [name for name, (error, _) in told.items() if TOLD.search(error)]
    # One of them can be the first to hear from the client itself that it has given up.
    assert len(in_time) >= len(told) - 1
    for name, (error, advice) in told.items():
        assert re.search("zookeeper", error, re.IGNORECASE), (name, error)
        assert "look whether the server still runs" in advice


DEEP = """
import ctypes, sys
from workloads.tiles.stores.accumulo_store import start_java

start_java([], 64 << 20)
sys.setrecursionlimit(100_000)
sort = ctypes.CDLL(None).qsort
compare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
two = (ctypes.c_int * 2)(2, 1)

def down(levels):
    if levels:
        sort(two, 2, 4, compare(lambda *_: (down(levels - 1), 0)[1]))

down(4000)
print("came back")
"""
"""Takes a few MiB of the stack, where Python and C call each other in turn."""


def test_that_the_main_thread_keeps_its_whole_stack() -> None:
    done = subprocess.run(
        [sys.executable, "-c", DEEP],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.stdout == "came back\n", f"{done.returncode}: {done.stderr[-2000:]}"


FULL = """
import json, sys
from store_conformance import Mistake, Site

asked = json.loads(sys.stdin.readline())
site = Site("accumulo", asked["address"], asked["parameters"])
small = Mistake(site.address, {"java_heap": 64 << 20})
store = site.open("full-heap", mistake=small)
try:
    store.put(1, bytes(24 << 20))
except store.failures as error:
    print(store.remedy(error))
finally:
    store.remove()
    store.close()
"""
"""A tile of which Java needs a few copies at a time."""


def test_that_where_the_clients_memory_is_full_its_size_is_advised(accumulo_site: Site) -> None:
    need_drivers("tiles", store="accumulo", address="somewhere")
    asked = {"address": accumulo_site.address, "parameters": accumulo_site.parameters}
    done = subprocess.run(
        [sys.executable, "-c", FULL],
        input=json.dumps(asked) + "\n",
        cwd=Path(__file__).parents[3],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        text=True,
        timeout=4 * PATIENCE,
        check=False,
    )
    assert "a larger java_heap" in done.stdout, f"{done.returncode}: {done.stderr[-2000:]}"
