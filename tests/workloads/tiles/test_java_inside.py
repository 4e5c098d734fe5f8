"""The Java machine inside a process of Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from driving import need_drivers
from patience import PATIENCE
from store_conformance import Site

pytestmark = pytest.mark.lab("accumulo")

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
