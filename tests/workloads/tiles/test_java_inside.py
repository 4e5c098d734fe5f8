"""The Java machine inside a process of Python."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

pytestmark = pytest.mark.lab("accumulo")

DEEP = """
import ctypes, sys
from workloads.tiles.stores.jvm import start_java

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
