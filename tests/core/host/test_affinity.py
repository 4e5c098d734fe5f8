"""Processes bound to some of the cores that they may run on."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from core.errors import Unavailable
from core.host.processor import allowed_cores, require_cores

_BOUND = """
import json, os, subprocess, sys, threading
from core.host.processor import bind_to_cores

begun, go = [], threading.Event()
def look():
    go.wait()
    begun.append(sorted(os.sched_getaffinity(0)))

before = threading.Thread(target=look)
before.start()
found = bind_to_cores(1)
after = threading.Thread(target=look)
after.start()
go.set()
before.join(), after.join()
program = [sys.executable, "-c", "import os; print(sorted(os.sched_getaffinity(0)))"]
print(json.dumps([found, *begun, json.loads(subprocess.check_output(program))]))
"""


def test_that_threads_from_before_and_programs_from_after_are_bound_too() -> None:
    told = subprocess.run([sys.executable, "-c", _BOUND], capture_output=True, check=True)
    first = [min(os.sched_getaffinity(0))]
    assert json.loads(told.stdout) == 4 * [first]


@pytest.mark.quick
def test_that_the_allowed_cores_are_those_of_this_process() -> None:
    assert set(allowed_cores()) == os.sched_getaffinity(0)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("count", "allowed", "told"),
    [
        (3, (0, 5), "3 cores were asked for, and 2 may be used here"),
        (1, (), "this system does not bind programs to cores"),
    ],
)
def test_that_cores_that_cannot_be_had_are_refused(
    count: int, allowed: tuple[int, ...], told: str
) -> None:
    with pytest.raises(Unavailable, match=told):
        require_cores(count, allowed)


@pytest.mark.quick
@pytest.mark.parametrize(("count", "allowed"), [(0, ()), (0, (1,)), (2, (0, 5))])
def test_that_others_are_not(count: int, allowed: tuple[int, ...]) -> None:
    require_cores(count, allowed)
