"""How long threads wait for a core, and how often they give one up, is the kernel's own account."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from core.measure.machine.run_queue import waits_are_known, waits_of, waits_so_far

pytestmark = [
    pytest.mark.quick,
    pytest.mark.skipif(sys.platform != "linux", reason="another system has no such account"),
]


def test_that_a_thread_that_sleeps_gives_its_core_up_each_time() -> None:
    before = waits_so_far()
    for _ in range(20):
        time.sleep(0.001)
    after = waits_so_far()
    assert after.times - before.times >= 20
    assert after.queued >= before.queued


def test_that_programs_on_one_core_wait_for_it_in_turn() -> None:
    assert waits_are_known()
    core = min(os.sched_getaffinity(0))
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        for loop in loops:
            os.sched_setaffinity(loop.pid, {core})
        pids, reached = [loop.pid for loop in loops], 0.0
        until = time.monotonic() + 60.0
        while reached < 0.2 and time.monotonic() < until:  # one of two always waits
            time.sleep(0.02)
            waits = waits_of(pids)
            assert waits is not None
            reached = waits.queued / 1e9
        assert reached >= 0.2
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def test_that_a_process_that_has_ended_has_no_account() -> None:
    assert waits_of([2**22 + 1]) is None
