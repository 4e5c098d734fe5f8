"""How worker threads meet, and whether Python's global lock can be had by one that asks."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable

import pytest

from core.measure import Count
from core.measure.trial.counters import SLOT
from core.measure.trial.worker_threads import Meeting, WorkerGroup, watched


def looked(work: Callable[[], object], seconds: float = 1.0) -> tuple[int, int]:
    """How often was looked, and how often in vain, while a thread does this over and over."""
    words = memoryview(bytearray(8 * SLOT)).cast("q")
    end = threading.Event()

    def busy() -> None:
        while not end.is_set():
            work()

    worker = threading.Thread(target=busy)
    with watched(words):
        worker.start()
        end.wait(seconds)
        end.set()
        worker.join()
    return words[Count.GIL_LOOKS], words[Count.GIL_HELD]


def in_python() -> int:
    return sum(range(3000))


MANY = 0.25
"""Share of the looks."""
BLOCK = bytes(4 << 20)


def outside_the_lock() -> int:
    return zlib.crc32(BLOCK)


def test_that_a_loop_in_python_holds_on_to_the_lock() -> None:
    # Where other programs have the cores, the holder may wait for one when it could take the lock
    # again: beside twenty of them it was in vain in six looks of ten, and in one run in none.
    runs = [looked(in_python) for _ in range(4)]
    assert all(looks >= 2 for looks, _ in runs)
    assert sum(held for _, held in runs) >= MANY * sum(looks for looks, _ in runs)


def test_that_a_library_that_lets_go_of_the_lock_is_not_taken_for_a_holder() -> None:
    looks, held = looked(outside_the_lock)
    assert looks >= 2
    assert held < MANY * looks


def test_that_looking_ends_with_the_block() -> None:
    looked(in_python, seconds=0.0)
    assert not [one for one in threading.enumerate() if one.name == "gil"]


def test_that_threads_that_wait_for_different_meetings_are_told() -> None:
    group = WorkerGroup(2)
    group.start(lambda index: group.wait(Meeting.ENDED if index else Meeting.WARM))
    with pytest.raises(RuntimeError, match="different meetings: ENDED, WARM"):
        group.wait(Meeting.WARM)
    with pytest.raises(RuntimeError, match="different meetings"):
        group.join()
