"""The gate at which workers wait for their turns: who runs, and what their clocks say."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Sequence
from contextlib import AbstractContextManager
from time import perf_counter_ns
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.measure import Count, Queue, Share, SharedCounters, Worker
from core.measure.trial.counters import ENDLESS, TALLIED, Head, State, doubles
from core.measure.trial.turn_gate import TurnGate, WakeFor
from core.vocabulary import Job, Step, Weight

pytestmark = pytest.mark.quick

type Checking = Literal["later", "between", "again"]


class Counting(Job[int, int]):
    """Whose operations are counted as they happen."""

    items = range(10**9)
    checking: Checking = "later"

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


class Later(Counting):
    """Whose results are held, and take some time to verify."""

    def check(self, item: int, result: int) -> str:
        return "" if sum(range(200)) else "never"


class Sleeping(Counting):
    """Whose operations wait for something else than a core."""

    def perform(self, item: int) -> int:
        time.sleep(0.001)
        return super().perform(item)


class Computing(Later):
    """Whose results are verified in between."""

    checking = "between"


class Bench:
    """One worker in its thread, and its block."""

    def __init__(
        self, operations: int = ENDLESS, job: Counting | None = None, first: Step | None = None
    ) -> None:
        """`first`: a step before that of the job."""
        self.job = job or Counting()
        block = SharedCounters.unshared(1)
        self.words, self.head = block.slot(0), block.words
        self.gate = TurnGate(1)
        step = Step("count", self.job.perform)
        steps = (first, step) if first else (step,)
        worker = Worker(self.job, steps, self.words, self.head, room=2**30)

        def live() -> None:
            worker.run_in_turns(Share(0, 1, operations), self.gate)
            self.gate.leave()

        self.thread = threading.Thread(target=live)
        self.thread.start()
        assert self.gate.returned()

    def turn(self, seconds: float, run_in: float = 0.0) -> bool:
        self.head[Head.TURN_LENGTH] = round((run_in + seconds) * 1e9)
        self.head[Head.RUN_IN] = round(run_in * 1e9)
        self.head[Head.WINDOW_BEGIN] = self.head[Head.TURN_END] = 0
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
    assert bench.job.done == 0
    assert bench.words[Count.STATE] == State.WAITING
    assert bench.turn(0.02)
    done, active = bench.job.done, bench.active
    assert bench.words[Count.OPERATIONS] == done > 0  # all is counted when the turn is over
    threading.Event().wait(0.05)
    assert (bench.job.done, bench.active) == (done, active)
    assert bench.turn(0.02)
    assert bench.job.done > done
    bench.end()
    assert bench.words[Count.STATE] == State.DONE


def test_that_the_clock_of_a_worker_stands_still_while_it_waits() -> None:
    bench = Bench()
    begun, in_turns = perf_counter_ns(), 0
    for _ in range(5):
        threading.Event().wait(0.05)
        since = perf_counter_ns()
        assert bench.turn(0.02)
        in_turns += perf_counter_ns() - since
    assert 0 < bench.active <= in_turns < perf_counter_ns() - begun
    bench.end()


@pytest.mark.parametrize("job", [Counting, Verifying])
@pytest.mark.parametrize("operations", [ENDLESS, 1])
def test_that_an_only_worker_tells_where_its_clock_stands(
    job: type[Counting], operations: int
) -> None:
    bench = Bench(operations, job())
    assert bench.words[Count.OWN] == bench.words[Count.STARTED] > 0
    for goes_on in (operations > 1, operations > 1):
        assert bench.turn(0.02) == goes_on
        assert bench.words[Count.OWN] - bench.words[Count.STARTED] == bench.active > 0
        assert bench.words[Count.BEHIND] == 0
    bench.end()


def test_that_the_clock_of_an_only_worker_runs_once_it_has_prepared() -> None:
    runs: list[bool] = []

    def note(item: int) -> int:
        runs.append(bench.words[Count.BEHIND] != 0)
        return item

    class Noting(Counting):
        def perform(self, item: int) -> int:
            return super().perform(note(item))

    bench = Bench(operations=1, job=Noting(), first=Step("prepare", note, apart=True))
    assert not bench.turn(1)
    assert runs == [False, True]
    bench.end()


def test_that_a_turn_that_is_over_before_it_is_heard_of_has_an_operation() -> None:
    bench = Bench()
    assert bench.turn(-1.0)
    assert bench.job.done == 1
    bench.end()


def test_that_nobody_is_left_to_give_a_turn_to_once_all_is_done() -> None:
    bench = Bench(operations=100)
    assert not bench.turn(60)
    assert bench.job.done == 100
    bench.thread.join()


def test_that_a_worker_that_waits_is_stopped() -> None:
    bench = Bench()
    bench.end()
    assert bench.job.done == 0


def test_that_a_broken_worker_is_told_though_others_wait() -> None:
    gate = TurnGate(2)
    waiting = threading.Thread(target=gate.wait)
    waiting.start()
    gate.leave(broken=True)
    assert not gate.returned()
    gate.release()
    waiting.join()


def test_that_a_turn_ends_in_time_also_where_verification_takes_most_of_it() -> None:
    bench = Bench(job=Verifying())
    for _ in range(4):  # the pace is learned
        assert bench.turn(0.02)
    before = bench.job.done
    assert bench.turn(0.2)
    # A worker that ends late runs on alone while the others wait.
    assert 0 < bench.job.done - before <= 0.2 / 0.002 + 1
    bench.end()


@pytest.mark.parametrize("job", [Counting, Verifying])
def test_that_a_turns_first_half_is_noted(job: type[Counting]) -> None:
    bench = Bench(job=job())
    # Where much else runs, all that a turn does can be over as late as its first half.
    while not 0 < doubles(bench.words)[Count.EARLY_ITEMS] < TALLIED * bench.job.done:
        assert bench.turn(0.1)
    assert 0 < bench.words[Count.EARLY_TIME] < bench.active
    bench.end()


def test_that_the_only_worker_is_measured_by_its_own_clock() -> None:
    bench = Bench(job=Verifying())
    for _ in range(3):
        assert bench.turn(0.05)
    words = bench.words
    assert doubles(words)[Count.WINDOW_OPERATIONS] == TALLIED * bench.job.done
    assert words[Count.WINDOW_TIME] == bench.active < words[Count.PAUSED]
    bench.end()


def test_that_the_only_worker_s_cpu_is_that_of_its_own_clock() -> None:
    """Verification between batches, which computes most of the time, is no work."""
    bench = Bench(job=Computing())
    assert bench.turn(0.1)
    bench.end()
    assert bench.words[Count.PAUSED] > bench.words[Count.WINDOW_TIME]
    assert 0 < bench.words[Count.WINDOW_CPU] < 2 * bench.words[Count.WINDOW_TIME]


def test_that_what_is_said_of_an_error_is_no_cpu_of_the_only_worker() -> None:
    class Failing(Counting):
        def perform(self, item: int) -> int:
            if super().perform(item) % 2:
                raise OSError("no such record")
            return item

        def describe(self, item: int) -> str:
            return str(sum(range(50_000)))

    bench = Bench(job=Failing())
    assert bench.turn(0.1)
    bench.end()
    assert bench.words[Count.ERRORS] > 0
    assert 0 < bench.words[Count.WINDOW_CPU] < 4 * bench.words[Count.WINDOW_TIME]


@pytest.mark.skipif(sys.platform != "linux", reason="another system does not count waits")
def test_that_a_turn_counts_how_often_its_worker_gave_its_core_up() -> None:
    sleeping, computing = Bench(job=Sleeping()), Bench(job=Counting())
    for bench in (sleeping, computing):
        assert bench.turn(0.1)
        bench.end()
    words = sleeping.words
    assert words[Count.WINDOW_WAITS] >= 0.9 * sleeping.job.done - 2
    assert words[Count.WINDOW_QUEUED] <= words[Count.WINDOW_TIME]
    assert computing.words[Count.WINDOW_WAITS] < computing.job.done / 100


def test_that_workers_verify_in_the_rest_and_that_this_is_no_work() -> None:
    bench = Bench(job=Later())
    assert bench.turn(0.02)
    assert bench.words[Count.UNVERIFIED] > 0
    cpu, active = bench.words[Count.CPU], bench.active
    bench.gate.give(WakeFor.CHECK)
    assert bench.gate.returned()
    assert bench.words[Count.UNVERIFIED] == 0
    assert (bench.words[Count.CPU], bench.active) == (cpu, active)
    bench.end()


class Together:
    """Several workers of one trial in turns, whose operations take a known time."""

    def __init__(self, workers: int, job: Counting, room: int = 2**20) -> None:
        self.block = SharedCounters.unshared(workers)
        self.gate = TurnGate(workers)
        self.block.words[Head.WORKERS] = workers
        self.workers = [
            Worker(
                job,
                (Step("count", job.perform),),
                self.block.slot(index),
                self.block.words,
                room,
                alone=False,
            )
            for index in range(workers)
        ]
        lock = threading.Lock()

        def live(worker: Worker) -> None:
            worker.run_in_turns(Queue(self.block, ENDLESS, lock, alone=True), self.gate)
            self.gate.leave()

        self.threads = [threading.Thread(target=live, args=(one,)) for one in self.workers]
        for thread in self.threads:
            thread.start()
        assert self.gate.returned()

    def turn(self, seconds: float, run_in: float = 0.0) -> None:
        self.block.give_turn(round(1e9 * seconds), round(1e9 * run_in))
        self.gate.give()
        assert self.gate.returned()

    def check(self) -> None:
        self.gate.give(WakeFor.CHECK)
        assert self.gate.returned()

    def end(self) -> None:
        self.gate.release()
        for thread in self.threads:
            thread.join()

    def total(self, count: Count) -> int:
        return sum(slot[count] for slot in self.block.counts())


class Abounding(Counting):
    """Each operation is of many values, and they are what counts."""

    values = 10**14

    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(len(results) * self.values, 0)


class Dozing(Counting):
    """Each operation takes a millisecond."""

    def perform(self, item: int) -> int:
        threading.Event().wait(0.001)
        return item


class Asleep(Counting):
    """Each operation takes 20 ms."""

    def perform(self, item: int) -> int:
        threading.Event().wait(0.02)
        return item


def test_that_all_workers_have_the_same_window() -> None:
    together = Together(4, Asleep())
    for _ in range(3):
        together.turn(0.1)
    times = {slot[Count.WINDOW_TIME] for slot in together.block.counts()}
    assert times == {3 * 10**8}
    together.end()


def test_that_an_operation_that_runs_over_an_end_counts_by_the_share_inside() -> None:
    """Four workers at 50 operations a second, and windows of two and a half of them."""
    together = Together(4, Asleep())
    for _ in range(4):
        together.turn(0.05)
    done, items = together.total(Count.WINDOW_OPERATIONS), together.total(Count.ITEMS)
    # More than asked for was done, as each is finished; on a busy machine they take longer.
    assert 0 < done < TALLIED * items
    assert done <= 4 * 4 * 0.05 / 0.02 * TALLIED
    together.end()


def test_that_operations_of_many_values_are_all_counted() -> None:
    """Whole millionths in 64 bits end at 9.2 · 10¹²: a job that counts the values it sums has them
    within hours."""
    together = Together(2, Abounding())
    together.turn(0.05)
    together.end()
    done, counted = together.total(Count.OPERATIONS), together.total(Count.WINDOW_OPERATIONS)
    assert 0 < counted <= TALLIED * done
    assert counted >= TALLIED * Abounding.values


def test_that_what_is_done_before_the_window_is_uncounted() -> None:
    together = Together(2, Asleep())
    together.turn(0.02, run_in=0.3)
    assert together.total(Count.ITEMS) >= 2
    assert together.total(Count.WINDOW_OPERATIONS) <= 2 * TALLIED
    assert together.total(Count.WINDOW_TIME) == 2 * 2 * 10**7
    together.end()


def test_that_a_window_ends_for_all_where_one_has_no_room_for_more_results() -> None:
    together = Together(2, Dozing(), room=20_000)
    together.turn(600.0)
    assert together.total(Count.UNVERIFIED) == together.total(Count.ITEMS) > 0
    together.check()
    assert together.total(Count.UNVERIFIED) == together.total(Count.COMPARED) == 0
    together.end()


def test_that_results_are_dropped_where_a_window_has_no_room_for_them() -> None:
    together = Together(2, Later(), room=20_000)
    together.turn(0.05)
    assert together.total(Count.WINDOW_TIME) == 2 * 5 * 10**7
    together.block.words[Head.CHECK_TIME] = 10_000_000
    together.check()
    assert 0 < together.total(Count.COMPARED) <= together.total(Count.ITEMS)
    assert together.total(Count.UNVERIFIED) == 0
    together.end()


def test_that_results_that_were_dropped_are_compared_again_between_windows() -> None:
    job = Verifying()
    together = Together(2, job)
    together.turn(0.02)
    done = together.total(Count.ITEMS)
    assert together.total(Count.UNVERIFIED) == done == job.done > 0
    together.block.words[Head.CHECK_TIME] = 10_000_000
    together.check()
    assert 0 < together.total(Count.COMPARED) <= done
    assert together.total(Count.ITEMS) == done
    assert together.total(Count.UNVERIFIED) == 0
    together.end()


class Behind(Counting):
    """Operations behind one mutex, so that their rate is known whatever the number of workers; each
    is verified for some time, without the mutex."""

    def __init__(self, milliseconds: float, verification: float, checking: Checking) -> None:
        super().__init__()
        self.checking = checking
        self._mutex = threading.Lock()
        self._seconds, self._verification = milliseconds / 1000, verification * milliseconds / 1000

    def perform(self, item: int) -> int:
        with self._mutex:
            time.sleep(self._seconds)
        return item

    def check(self, item: int, result: int) -> str:
        time.sleep(self._verification)
        return ""


@settings(max_examples=12, deadline=None)
@given(
    workers=st.integers(2, 16),
    milliseconds=st.floats(0.2, 4.0),
    verification=st.sampled_from([0.0, 0.25, 1.0, 9.0]),
    checking=st.sampled_from(["later", "between", "again"]),
    pauses=st.lists(st.floats(0.0, 0.02), min_size=2, max_size=4),
)
def test_that_workers_behind_one_mutex_are_no_faster_together_than_it_lets_them(
    workers: int, milliseconds: float, verification: float, checking: Checking, pauses: list[float]
) -> None:
    """Clocks that stand still one by one while results are verified say many times more."""
    together = Together(workers, Behind(milliseconds, verification, checking))
    together.block.words[Head.CHECK_TIME] = 10_000_000
    for pause in pauses:
        together.turn(0.06, run_in=2 * workers * milliseconds / 1000)
        together.check()
        time.sleep(pause)
    together.end()
    seconds = together.total(Count.WINDOW_TIME) / workers / 1e9
    done = together.total(Count.WINDOW_OPERATIONS) / TALLIED
    assert seconds == pytest.approx(0.06 * len(pauses))
    # What ran over an end of a window is counted by its share.  Behind a window nobody begins anew:
    # who still waits has the mutex sooner than within, so a little more of it counts.
    assert done <= seconds / (milliseconds / 1000) + len(pauses) * (2 + 0.25 * workers)
    assert done > 0
