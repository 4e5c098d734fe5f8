"""Running out of descriptors is recognised by the process's own, whatever a library says."""

from __future__ import annotations

import errno
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from scarcity import in_child, none_left

from core.language import Unavailable
from core.measure import allowed_cores, descriptors, require_cores, shortage
from core.measure.machine.descriptors import Descriptors


def test_that_every_descriptor_is_counted() -> None:
    before = descriptors()
    taken = [os.dup(0) for _ in range(10)]
    after = descriptors()
    for descriptor in taken:
        os.close(descriptor)
    assert before is not None
    assert after is not None
    assert after.used == before.used + 10
    assert not after.used_up


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has chroot")
@pytest.mark.quick
def test_that_descriptors_are_counted_where_no_folder_lists_them(tmp_path: Path) -> None:
    def work() -> str:
        seen = descriptors()
        os.chroot(tmp_path)
        counted = descriptors()
        return str(seen is not None and counted is not None and seen.used == counted.used)

    assert in_child(work) == "True"


def test_that_sqlites_words_are_recognised(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    with none_left(), pytest.raises(sqlite3.OperationalError, match="unable to open") as raised:
        sqlite3.connect(path).execute("create table t (c)")
    assert shortage(raised.value) == ""
    with none_left():
        told = shortage(raised.value)
    assert told.startswith("too many open files, ")
    assert "ulimit -n" in told


@pytest.mark.parametrize("hidden", [False, True])
def test_that_an_error_that_names_it_is_believed_though_some_are_free_again(hidden: bool) -> None:
    error: Exception = OSError(errno.EMFILE, "Too many open files")
    if hidden:
        try:
            raise RuntimeError("could not connect") from error
        except RuntimeError as outer:
            error = outer
    assert shortage(error, lambda: Descriptors(5, 64)).startswith("too many open files")


def test_that_other_errors_are_no_shortage_while_there_are_descriptors() -> None:
    assert shortage(OSError(errno.ENOENT, "No such file"), lambda: Descriptors(40, 64)) == ""
    assert shortage(ValueError("x"), lambda: None) == ""


def test_that_no_more_are_said_to_be_open_than_may_be() -> None:
    told = shortage(OSError(errno.EMFILE, "x"), lambda: Descriptors(53, 50))
    assert told.startswith("too many open files, 50 of at most 50: ")


_BOUND = """
import json, os, subprocess, sys, threading
from core.measure.machine.processor import bind_to_cores

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
