"""The gate at which workers wait for their turns: who runs, and what their clocks say."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from contextlib import AbstractContextManager
from time import perf_counter_ns

import pytest

from core.catalog.workload import Job, Step, Weight
from core.trial.counters import ENDLESS, HEADER, SLOT, Count, Head, Share, State
from core.trial.gate import Gate
from core.trial.worker import Worker

pytestmark = pytest.mark.quick


class Counting(Job[int, int]):
    """Whose operations are counted as they happen."""

    items = range(10**9)

    def __init__(self) -> None:
        self.done = 0

    def perform(self, item: int) -> int:
        self.done += 1
        return item

    def worker(self, index: int) -> AbstractContextManager[tuple[Step, ...]]:
        raise AssertionError("the worker is made here")

    def check(self, item: int, result: int) -> str:
        return ""

    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(len(results), 0)


class Verifying(Counting):
    """Whose results are verified in between, which takes longer than the operations."""

    checking = "between"

    def check(self, item: int, result: int) -> str:
        threading.Event().wait(0.002)
        return ""


class Slow(Counting):
    """Each of whose operations outlasts a run-in."""

    def perform(self, item: int) -> int:
        threading.Event().wait(0.05)
        return super().perform(item)


class Bench:
    """One worker in its thread, and its block."""

    def __init__(
        self, operations: int = ENDLESS, job: Counting | None = None, seconds: float = 0.0
    ) -> None:
        self.job = job or Counting()
        self.words = memoryview(bytearray(8 * SLOT)).cast("q")
        self.head = memoryview(bytearray(8 * HEADER)).cast("q")
        self.gate = Gate(1)
        worker = Worker(
            self.job, (Step("count", self.job.perform),), self.words, self.head, room=2**20
        )

        def live() -> None:
            until = perf_counter_ns() + round(1e9 * seconds) if seconds else ENDLESS
            worker.run(Share(0, 1, operations), until, passage=worker.passage(self.gate))
            self.gate.leave()

        self.thread = threading.Thread(target=live)
        self.thread.start()

    def turn(self, seconds: float, run_in: float = 0.0) -> bool:
        self.head[Head.TURN_LENGTH] = round((run_in + seconds) * 1e9)
        self.head[Head.RUN_IN] = round(run_in * 1e9)
        self.head[Head.TURN_END] = 0
        self.gate.give()
        return self.gate.returned()

    def end(self) -> None:
        self.head[Head.STOP] = 1
        self.gate.release()
        self.thread.join()

    @property
    def active(self) -> int:
        return self.words[Count.ENDED] - self.words[Count.STARTED] - self.words[Count.PAUSED]


def test_that_a_worker_does_nothing_before_its_first_turn_and_between_two() -> None:
    bench = Bench()
    assert bench.gate.returned()
    assert bench.job.done == 0
    assert bench.words[Count.STATE] == State.WAITING
    assert bench.turn(0.02)
    done, active = bench.job.done, bench.active
    assert done > 0
    assert bench.words[Count.OPERATIONS] == done  # all is counted when the turn is over
    assert threading.Event().wait(0.05) is False
    assert (bench.job.done, bench.active) == (done, active)
    assert bench.turn(0.02)
    assert bench.job.done > done
    bench.end()
    assert bench.words[Count.STATE] == State.DONE


def test_that_the_clock_of_a_worker_stands_still_while_it_waits() -> None:
    bench = Bench()
    assert bench.gate.returned()
    begun = perf_counter_ns()
    in_turns = 0
    for _ in range(5):
        threading.Event().wait(0.05)
        since = perf_counter_ns()
        assert bench.turn(0.02)
        in_turns += perf_counter_ns() - since
    assert 0 < bench.active <= in_turns < perf_counter_ns() - begun
    bench.end()


def test_that_a_turn_that_is_over_before_it_is_heard_of_has_an_operation() -> None:
    bench = Bench()
    assert bench.gate.returned()
    assert bench.turn(-1.0)
    assert bench.job.done == 1
    bench.end()


def test_that_nobody_is_left_to_give_a_turn_to_once_all_is_done() -> None:
    bench = Bench(operations=100)
    assert bench.gate.returned()
    assert not bench.turn(60)
    assert bench.job.done == 100
    bench.thread.join()


def test_that_a_worker_that_waits_is_stopped() -> None:
    bench = Bench()
    assert bench.gate.returned()
    bench.end()
    assert bench.job.done == 0


def test_that_a_broken_worker_is_told_though_others_wait() -> None:
    gate = Gate(2)
    waiting = threading.Thread(target=gate.wait)
    waiting.start()
    gate.leave(broken=True)
    assert not gate.returned()
    gate.release()
    waiting.join()


def test_that_a_turn_ends_in_time_also_where_verification_takes_most_of_it() -> None:
    bench = Bench(job=Verifying())
    assert bench.gate.returned()
    for _ in range(4):  # the pace is learned
        assert bench.turn(0.02)
    before = bench.job.done
    assert bench.turn(0.2)
    # A worker that ends late runs on alone while the others wait.
    assert 0 < bench.job.done - before <= 0.2 / 0.002 + 1
    bench.end()


def test_that_a_turns_first_half_is_noted() -> None:
    bench = Bench()
    assert bench.gate.returned()
    # Where much else runs, all that a turn does can be over as late as its first half.
    while not 0 < bench.words[Count.EARLY_ITEMS] < bench.job.done:
        assert bench.turn(0.1)
    assert 0 < bench.words[Count.EARLY_TIME] < bench.active
    bench.end()


def test_that_a_run_in_is_work_as_any_other_and_noted_apart() -> None:
    bench = Bench()
    assert bench.gate.returned()
    words = bench.words
    # Where much else runs, a turn can be over before its run-in was noticed to be.
    while not 0 < words[Count.RUN_IN_OPERATIONS] < bench.job.done:
        assert bench.turn(0.1, run_in=0.05)
    assert words[Count.OPERATIONS] == bench.job.done
    assert words[Count.RUN_IN_ITEMS] == words[Count.RUN_IN_OPERATIONS]
    assert 0 < words[Count.RUN_IN_TIME] < bench.active
    bench.end()


def test_that_the_first_half_is_that_of_what_counts() -> None:
    bench = Bench()
    assert bench.gate.returned()
    words = bench.words
    while not words[Count.EARLY_ITEMS]:
        assert bench.turn(0.1, run_in=0.1)
    assert words[Count.EARLY_ITEMS] + words[Count.RUN_IN_ITEMS] <= bench.job.done
    assert words[Count.EARLY_TIME] + words[Count.RUN_IN_TIME] <= bench.active
    bench.end()


def test_that_a_turn_of_operations_longer_than_its_run_in_counts_from_the_start() -> None:
    bench = Bench(job=Slow())
    assert bench.gate.returned()
    for _ in range(3):
        assert bench.turn(0.01, run_in=0.01)
    assert bench.job.done > 0
    assert bench.words[Count.RUN_IN_TIME] == 0
    bench.end()


def test_that_a_run_in_extends_the_run() -> None:
    """So that as much of its time counts as without."""
    bench = Bench(seconds=0.2)
    assert bench.gate.returned()
    begun, turns, going = perf_counter_ns(), 1, True
    while going:
        going = bench.turn(0.02, run_in=0.05)
        turns += going
    assert perf_counter_ns() - begun >= 1e9 * (0.15 + 0.05 * turns)
    bench.thread.join()
