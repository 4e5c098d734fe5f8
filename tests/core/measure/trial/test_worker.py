"""The measuring loop: every operation is counted once, and only operations stand in their time."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.measure import Count, Share, SharedCounters, Worker
from core.measure.trial.counters import COUNTS, Head, State, WorkerNote
from core.measure.trial.operation_timer import pause_after
from core.measure.trial.worker import SHORT
from core.vocabulary import (
    BUCKETS,
    AtOnce,
    Fault,
    Histogram,
    Job,
    Latencies,
    Step,
    Weight,
    bucket_of,
)

pytestmark = pytest.mark.quick

NEVER = 2**62
NO_LIMIT = 2**40


class Doubling(Job[int, int]):
    """Doubles numbers; the check knows better than the operation."""

    def __init__(
        self,
        size: int = 10_000,
        checking: Literal["later", "between"] = "later",
        held: int | None = None,
        operations: int = 1,
    ) -> None:
        self.items: Sequence[int] = range(size)
        self.checking = checking
        self.held = held
        self.operations = operations
        self.checked: list[int] = []

    def worker(self, index: int) -> AbstractContextManager[tuple[Step, ...]]:
        raise AssertionError("tests bring their own steps")

    def check(self, item: int, result: int) -> str:
        self.checked.append(item)
        return "" if result == 2 * item else f"{result} is not twice {item}"

    def weigh(self, results: Sequence[int]) -> Weight:
        return Weight(self.operations * len(results), 8 * len(results))


def double(item: int) -> int:
    return 2 * item


class Bench:
    """A worker with a block of its own."""

    def __init__(
        self,
        *performs: Callable[[Any], Any] | Step,
        job: Any = None,
        room: int = 2**30,
    ) -> None:
        self.job = job or Doubling()
        block = SharedCounters.unshared(1)
        self.words, self.head = block.slot(0), block.words
        steps = (
            perform if isinstance(perform, Step) else Step(f"step {n}", perform)
            for n, perform in enumerate(performs)
        )
        self.worker = Worker(self.job, tuple(steps), self.words, self.head, room)

    def run(self, operations: int, until: int = NEVER) -> Bench:
        self.worker.run(Share(0, 1, operations), until)
        return self

    def __getitem__(self, count: Count) -> int:
        return self.words[count]

    @property
    def timed(self) -> int:
        """How many operations those that were timed on their own stand for."""
        return sum(self.words[COUNTS : COUNTS + BUCKETS])

    @property
    def complaints(self) -> dict[str, int]:
        return {one.text: one.count for one in self.worker.complaints.by_kind.values()}


class Failing:
    """Raises at some calls, whichever item they are for."""

    def __init__(self, at: Callable[[int], bool], error: BaseException | None = None) -> None:
        self._calls = itertools.count()
        self._at = at
        self._error = error or OSError("no such record")

    def __call__(self, item: int) -> int:
        if self._at(next(self._calls)):
            raise self._error
        return 2 * item


def slow(item: int) -> int:
    time.sleep(3 * SHORT / 1e9)
    return 2 * item


@given(operations=st.integers(0, 3000), size=st.integers(1, 700), held=st.integers(0, 300))
@settings(max_examples=40, deadline=None)
def test_that_every_operation_is_counted_and_checked_once(
    operations: int, size: int, held: int
) -> None:
    bench = Bench(double, job=Doubling(size, held=held or None, operations=2)).run(operations)
    assert bench[Count.OPERATIONS] == 2 * operations  # in the job's unit
    assert bench[Count.ITEMS] == operations
    assert bench[Count.BYTES] == 8 * operations
    assert bench[Count.ERRORS] == bench[Count.WRONG] == 0
    assert not bench.job.checked
    bench.worker.verify()
    assert bench.job.checked == [position % size for position in range(operations)]
    assert bench[Count.STATE] == State.DONE
    assert bench[Count.STARTED] <= bench[Count.ENDED]


@given(
    operations=st.integers(1, 2000),
    failing=st.sets(st.integers(0, 1999), max_size=60),
    steps=st.integers(1, 2),
    stops=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_that_an_error_loses_no_other_operation(
    operations: int, failing: set[int], steps: int, stops: bool
) -> None:
    error = StopIteration() if stops else OSError("no such record")
    perform = Failing(failing.__contains__, error)
    more = [int] * (steps - 1)
    bench = Bench(perform, *more, job=Doubling(checking="between")).run(operations)
    failed = [place for place in range(operations) if place in failing]
    assert bench[Count.ERRORS] == len(failed)
    assert bench[Count.ITEMS] == operations - len(failed)
    assert bench[Count.TIMED] <= operations - len(failed)
    assert bench[Count.WRONG] == 0
    assert bench.job.checked == [item for item in range(operations) if item not in failing]
    assert sum(bench.complaints.values()) == len(failed)
    if failed:
        (complaint,) = bench.worker.complaints.by_kind.values()
        assert complaint.first_item == str(failed[0])


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Pauses that a worker would have made, in seconds."""
    waits: list[float] = []
    monkeypatch.setattr("core.measure.trial.operation_timer.sleep", waits.append)
    return waits


def test_that_a_store_that_refuses_at_once_is_asked_less_and_less(waits: list[float]) -> None:
    refusing = Bench(Failing(lambda call: True), job=Doubling(held=1))
    refusing.run(40)
    assert waits == [pause_after(errors) for errors in range(3, 41)]
    assert waits[0] < 0.01
    assert waits == sorted(waits)
    assert len(set(waits)) > 5
    assert waits[-1] == waits[-10] <= 0.5


def test_that_errors_of_whole_chunks_are_in_a_row_too(waits: list[float]) -> None:
    Bench(Failing(lambda call: True)).run(10_000)
    assert waits == sorted(waits)
    assert waits[-1] == pause_after(10_000)


def test_that_single_errors_and_successes_after_them_make_nobody_wait(waits: list[float]) -> None:
    for failing in (lambda call: call % 3 < 2, lambda call: call == 0, lambda call: False):
        for held in (1, None):
            assert Bench(Failing(failing), job=Doubling(held=held)).run(500)[Count.ITEMS]
    assert waits == []


def test_that_waiting_for_a_store_that_fails_is_no_pause_of_the_clock() -> None:
    bench = Bench(Failing(lambda call: True), job=Doubling(held=1)).run(8)
    waited = sum(pause_after(errors) for errors in range(3, 9))
    assert bench[Count.ENDED] - bench[Count.STARTED] - bench[Count.PAUSED] >= 0.9e9 * waited


def test_that_an_item_that_is_a_text_is_told_as_it_is_and_not_as_its_repr() -> None:
    told = "read 'a' of x\\y"
    assert Job.describe(Doubling(), told) == told  # type: ignore[arg-type]


def test_that_an_operation_in_which_all_fail_is_never_work_done() -> None:
    bench = Bench(Failing(lambda call: True)).run(20)
    assert bench[Count.ERRORS] == 20
    assert bench[Count.ITEMS] == bench[Count.OPERATIONS] == bench[Count.BYTES] == bench.timed == 0
    assert bench[Count.TIMED] == 0


@pytest.mark.parametrize("checking", ["later", "between"])
def test_that_wrong_results_are_counted_when_they_are_checked(
    checking: Literal["later", "between"],
) -> None:
    bench = Bench(lambda item: 2 * item + (item % 10 == 0), job=Doubling(checking=checking))
    bench.run(1000)
    assert bench[Count.WRONG] == (100 if checking == "between" else 0)
    bench.worker.verify()
    assert bench[Count.WRONG] == 100
    assert bench.complaints == {"1 is not twice 0": 100}
    assert bench[Count.ITEMS] == 1000


@given(
    operations=st.integers(0, 2000),
    checking=st.sampled_from(["later", "between"]),
    room=st.sampled_from([0, 5000, 2**30]),
)
@settings(max_examples=30, deadline=None)
def test_that_results_are_unverified_until_they_are_checked(
    operations: int, checking: Literal["later", "between"], room: int
) -> None:
    bench = Bench(double, job=Doubling(checking=checking), room=room).run(operations)
    assert bench[Count.UNVERIFIED] == operations - len(bench.job.checked)
    bench.worker.verify()
    assert bench[Count.UNVERIFIED] == 0


def test_that_results_whose_check_breaks_stay_unverified() -> None:
    class Broken(Doubling):
        def check(self, item: int, result: int) -> str:
            raise OSError("the oracle is gone")

    bench = Bench(double, job=Broken(checking="between"))
    with pytest.raises(OSError, match="oracle"):
        bench.run(10)
    assert bench[Count.UNVERIFIED] == bench[Count.ITEMS] > 0


class Batching(Doubling):
    """Asks for many things at once: each result may have faults of either kind."""

    def __init__(self, faults: Mapping[int, tuple[Fault, ...]], **rest: Any) -> None:
        super().__init__(**rest)
        self.wrong = faults

    def check(self, item: int, result: int) -> str:
        raise AssertionError("faults are asked for instead")

    def faults(self, item: int, result: int) -> Iterable[Fault]:
        return iter(self.wrong.get(item, ()))


@pytest.mark.parametrize("checking", ["later", "between"])
def test_that_an_operation_with_several_faults_is_one_wrong_one_and_each_fault_is_told(
    checking: Literal["later", "between"],
) -> None:
    job = Batching(
        {
            3: (Fault("tile lost", "tile 30"), Fault("tile cut", "tile 31"), Fault("tile lost")),
            5: (Fault("503", wrong_data=False), Fault("tile lost", "tile 50")),
            7: (Fault("503", wrong_data=False), Fault("503", wrong_data=False)),
        },
        checking=checking,
    )
    bench = Bench(double, job=job).run(10)
    bench.worker.verify()
    assert (bench[Count.WRONG], bench[Count.ERRORS], bench[Count.UNVERIFIED]) == (2, 1, 0)
    assert bench[Count.ITEMS] == 10
    assert bench.complaints == {"tile lost": 3, "tile cut": 1, "503": 3}
    told = bench.worker.complaints.by_kind.values()
    assert {one.first_item for one in told} == {"tile 30", "tile 31", "5"}


def test_that_dropped_results_are_weighed_by_their_lengths_where_the_job_gives_them() -> None:
    class Measured(Doubling):
        length = staticmethod(lambda result: result % 7)
        weighed = 0

        def weigh(self, results: Sequence[int]) -> Weight:
            self.weighed += len(results)
            return Weight(len(results), sum(map(self.length, results)))

    job = Measured(100)
    job.checking = "again"  # type: ignore[assignment]
    bench = Bench(double, job=job).run(100)
    assert job.weighed == 0
    assert bench[Count.BYTES] == sum(2 * item % 7 for item in range(100))
    bench.worker.verify()
    assert sorted(job.checked) == list(range(100))
    assert (bench[Count.COMPARED], job.weighed) == (100, 0)


def test_that_a_check_gives_one_fault_and_faults_give_a_check() -> None:
    assert list(Doubling().faults(3, 5)) == [Fault("5 is not twice 3")]
    assert list(Doubling().faults(3, 6)) == []

    class Faulty(Doubling):
        check = Job.check

        def faults(self, item: int, result: int) -> Iterable[Fault]:
            yield Fault("one")
            yield Fault("two")

    assert Faulty().check(3, 6) == "one; two"


def test_that_a_job_which_checks_nothing_says_so() -> None:
    class Careless(Doubling):
        check = Job.check

    with pytest.raises(NotImplementedError, match="Careless checks nothing"):
        Careless().check(3, 6)


def test_that_results_without_room_are_checked_at_once() -> None:
    bench = Bench(double, room=5000).run(1000)
    at_once = len(bench.job.checked)
    assert 0 < at_once < 1000
    bench.worker.verify()
    assert sorted(bench.job.checked) == list(range(1000))


def test_that_checking_stands_in_no_operation_s_time_and_in_no_bookkeeping() -> None:
    class Thorough(Doubling):
        def check(self, item: int, result: int) -> str:
            time.sleep(0.001)
            return ""

    bench = Bench(double, job=Thorough(checking="between"))
    bench.run(200)
    spent = bench[Count.PAUSED]
    assert spent >= 200 * 1_000_000
    assert bench[Count.ENDED] - bench[Count.STARTED] >= spent
    assert bench[Count.BOOKKEEPING] < spent / 2


def test_that_of_short_operations_some_are_timed_on_their_own() -> None:
    bench = Bench(double).run(200_000)
    assert bench[Count.BATCH] > 8
    assert 8 <= bench[Count.TIMED] < 100_000
    assert bench[Count.TIMED] < bench.timed <= bench[Count.TIMED_SQUARES]


def test_that_each_long_operation_is_timed_on_its_own() -> None:
    bench = Bench(slow).run(50)
    assert bench[Count.BATCH] == 0
    lowest = next(place for place, count in enumerate(bench.words[COUNTS:]) if count)
    assert lowest > bucket_of(2 * SHORT)
    assert bench.timed == bench[Count.TIMED] == bench[Count.TIMED_SQUARES] == 50


def test_that_few_long_operations_do_not_lengthen_the_many_short_ones() -> None:
    calls = itertools.count()

    def stalling(item: int) -> int:
        if next(calls) % 50 == 0:
            time.sleep(0.001)
        return 2 * item

    for _ in range(10):  # a machine that is robbed of its cores can leave a percentile untold
        bench = Bench(stalling).run(40_000)
        found = Latencies(
            histogram=Histogram.of(np.frombuffer(bench.words[COUNTS : COUNTS + BUCKETS], np.int64)),
            squares=bench[Count.TIMED_SQUARES],
        )
        p50, p99 = found.percentile(50), found.percentile(99)
        if p50 is not None and p99 is not None:
            break
    assert p50 is not None
    assert p99 is not None
    assert p50.value < 10_000  # a mean would be 20,000
    assert p99.value > 1_000_000


@pytest.mark.parametrize("performs", [[double], [slow], [double, double]])
def test_that_an_item_of_several_operations_has_the_latency_of_none(
    performs: list[Callable[[Any], Any]],
) -> None:
    bench = Bench(*performs, job=Doubling(operations=7)).run(300)
    assert bench[Count.OPERATIONS] == 7 * 300
    assert bench.timed == bench[Count.TIMED] == 0
    assert Bench(*performs).run(300)[Count.TIMED] > 0


def test_that_the_clock_stands_still_for_a_step_that_only_prepares() -> None:
    bench = Bench(Step("manifest", slow, apart=True), Step("move", int)).run(100)
    assert bench[Count.OPERATIONS] == bench[Count.TIMED] == 100
    assert bench[Count.PHASES] > 100 * SHORT
    assert bench[Count.PAUSED] >= bench[Count.PHASES]
    bench.worker.verify()
    assert bench[Count.WRONG] == 0


def test_that_steps_are_timed_apart_and_never_in_batches() -> None:
    bench = Bench(double, slow, job=Doubling()).run(100)
    assert bench[Count.BATCH] == 0
    first, second = bench.words[Count.PHASES], bench.words[Count.PHASES + 1]
    assert second > 100 * SHORT
    assert 0 <= first < second
    assert bench.words[Count.PHASES + 2] == 0


def test_that_no_more_results_are_alive_than_the_job_holds() -> None:
    alive: list[int] = []

    class Holding(Doubling):
        def weigh(self, results: Sequence[int]) -> Weight:
            alive.append(len(results))
            return super().weigh(results)

    Bench(double, job=Holding(held=7)).run(5000)
    assert max(alive) == 7


def test_that_the_clock_ends_a_run() -> None:
    for attempt in range(6):  # a crowded machine may use the time up
        span = 20_000_000 * 4**attempt
        bench = Bench(slow)
        begun = time.perf_counter_ns()
        bench.run(NO_LIMIT, until=begun + span)
        if bench[Count.ITEMS]:
            break
    assert bench[Count.ITEMS] > 0
    assert bench[Count.ENDED] >= begun + span


def test_that_the_stop_flag_ends_a_run_and_what_was_done_is_counted() -> None:
    calls = itertools.count()

    def stopping(item: int) -> int:
        if next(calls) == 100:
            bench.head[Head.STOP] = 1
        return 2 * item

    bench = Bench(stopping)
    bench.run(NO_LIMIT)
    assert 100 < bench[Count.ITEMS] == next(calls) < 100_000


def test_that_a_run_whose_time_is_over_performs_nothing() -> None:
    bench = Bench(double).run(100, until=0)
    assert bench[Count.ITEMS] == 0
    assert bench[Count.STATE] == State.DONE


def test_that_a_warm_up_is_forgotten_and_concerns_nobody_else() -> None:
    bench = Bench(Failing(lambda call: call % 3 == 0), job=Doubling())
    bench.worker.run(Share(0, 1, 900), NEVER)
    assert bench[Count.ERRORS] == 300
    assert not bench.head[Head.DRAINED]
    bench.worker.reset()
    assert not any(bench.words)
    assert not bench.worker.complaints.by_kind
    bench.worker.verify()
    assert not bench.job.checked
    bench.run(300)
    assert bench[Count.ITEMS] + bench[Count.ERRORS] == 300


def test_that_what_is_no_error_of_an_operation_ends_the_run() -> None:
    class Panic(BaseException):
        pass

    bench = Bench(Failing(lambda call: call == 50, Panic()))
    with pytest.raises(Panic):
        bench.run(1000)
    assert 0 < bench[Count.ITEMS] <= 50


def test_that_an_error_that_cannot_say_what_it_is_counts_like_any_other() -> None:
    class UnspeakableError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    bench = Bench(Failing(lambda call: True, UnspeakableError())).run(10)
    assert bench.complaints == {"UnspeakableError: <exception str() failed>": 10}


class Shifting(Job[tuple[int, int], tuple[int, int]]):
    """Hands pairs on; the check knows which pair it was."""

    def __init__(self) -> None:
        self.items = [(number, 1) for number in range(1000)]
        self.checking = "between"

    def worker(self, index: int) -> AbstractContextManager[tuple[Step, ...]]:
        raise AssertionError("tests bring their own steps")

    def check(self, item: tuple[int, int], result: tuple[int, int]) -> str:
        return "" if result == item else "another pair"

    def weigh(self, results: Sequence[tuple[int, int]]) -> Weight:
        return Weight(len(results), 16 * len(results))


@given(
    operations=st.integers(1, 3000),
    failing=st.sets(st.integers(0, 2999), max_size=40),
    stops=st.booleans(),
)
@settings(max_examples=60, deadline=None)
def test_that_an_error_among_spread_items_loses_no_other_operation(
    operations: int, failing: set[int], stops: bool
) -> None:
    calls = itertools.count()

    def spread(number: int, one: int) -> tuple[int, int]:
        if next(calls) in failing:
            raise StopIteration if stops else OSError("no such record")
        return number, one

    step = Step("call", lambda pair: spread(*pair), spread=spread)
    bench = Bench(step, job=Shifting(), room=0).run(operations)
    failed = sum(place in failing for place in range(operations))
    assert bench[Count.ERRORS] == failed
    assert bench[Count.ITEMS] == operations - failed
    assert bench[Count.WRONG] == 0


def test_that_a_worker_notes_what_it_is_at_until_it_is_done() -> None:
    notes: list[str] = []
    bench = Bench(lambda item: notes.append(WorkerNote(bench.words).read()), job=Doubling())
    bench.run(40)
    assert len(notes) == 40
    for place, note in enumerate(notes):
        first, _, more = note.partition(" and ")
        assert (
            int(first) <= bench.job.items[place] <= int(first) + int((more or "0 more").split()[0])
        )
    assert WorkerNote(bench.words).read() == ""


class Advised(Doubling):
    """Knows what to do about errors."""

    def remedy(self, error: Exception) -> str:
        return "start the server" if isinstance(error, ConnectionError) else ""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ConnectionError("nobody there"), "ConnectionError: nobody there (start the server)"),
        (ConnectionError("x" * 900), f"ConnectionError: {'x' * 483} (start the server)"),
        (ValueError("odd"), "ValueError: odd"),
    ],
    ids=["short", "long", "unknown"],
)
def test_that_an_error_is_told_with_what_to_do_behind_its_words(
    error: Exception, told: str
) -> None:
    def fail(item: int) -> int:
        raise error

    assert Bench(fail, job=Advised()).run(3).complaints == {told: 3}


@pytest.mark.parametrize(("in_flight", "most"), [(1, 20), (3, 60), (64, 100)])
def test_that_more_is_claimed_where_several_operations_are_in_flight(
    in_flight: int, most: int
) -> None:
    """They all end with a call, so that of small claims few would be in flight for long."""
    claims: list[int] = []

    def double_all(items: Sequence[int], comparing: bool) -> AtOnce:
        claims.append(len(items))
        took = [1_000_000] * len(items)
        return AtOnce([2 * item for item in items], took, sum(took))

    bench = Bench(Step("double", double, at_once=double_all, in_flight=in_flight))
    assert bench.run(1000)[Count.OPERATIONS] == 1000
    assert max(claims) == most
