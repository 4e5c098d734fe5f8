"""What a client's own threads count: exact, at once, and only while the clock runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from unittest import mock

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.catalog.workload_job import Context, Fault
from core.result.histogram import Histogram, bucket_of
from core.trial.counters import Count, SharedCounters
from core.trial.meters import Meters, Tallies
from core.trial.observer import Observer

pytestmark = pytest.mark.quick

BROKEN = Fault("broken", "a file", wrong_data=False)


@pytest.fixture
def block() -> Iterator[SharedCounters]:
    made = SharedCounters.create(3)
    yield made
    made.close()


def running(block: SharedCounters) -> tuple[Meters, Tallies]:
    tallies = Tallies(block, 1, 2)
    tallies.declare(("503",))
    tallies.counting = True
    return Meters(block, 1, 2, tallies), tallies


def test_that_many_threads_lose_no_count(block: SharedCounters) -> None:
    meters, _ = running(block)
    meter = meters.of(1)

    def work() -> None:
        for _ in range(500):
            begun = meter.begin()
            meter.moved(3)
            meter.done(begun)
            meter.failed(BROKEN)
            meter.count("503")

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    meters.flush()
    words = block.slot(2)
    assert words[Count.OPERATIONS] == words[Count.ITEMS] == words[Count.TIMED] == 4000
    assert words[Count.UNVERIFIED] == words[Count.TIMED_SQUARES] == words[Count.ERRORS] == 4000
    assert words[Count.BYTES] == 12_000
    assert block.latencies().sum() == 4000
    assert block.tallies(("503",)) == {"503": 4000}
    (complaint,) = meters.complaints().found.values()
    assert (complaint.count, complaint.first_item) == (4000, "a file")
    assert not any(block.slot(0))
    assert not any(block.slot(1))


def test_that_nothing_counts_while_the_clock_stands(block: SharedCounters) -> None:
    meters, tallies = running(block)
    tallies.counting = False
    meter = meters.of(0)
    meter.moved(1)
    meter.done(meter.begin())
    meter.failed(BROKEN)
    meter.count("503")
    assert not any(block.slot(1))
    assert not meters.complaints().found


@pytest.mark.parametrize("operations", [0, 2])
def test_that_no_latency_is_left_where_one_cannot_be_told(
    block: SharedCounters, operations: int
) -> None:
    meters, _ = running(block)
    meter = meters.of(0)
    meter.done(meter.begin())
    if operations:
        meter.done(meter.begin(), operations)
    else:
        meter.done(0)
    meter.done(meter.begin())
    words = block.slot(1)
    assert words[Count.OPERATIONS] == 2 + (operations or 1)
    assert words[Count.TIMED] == words[Count.TIMED_SQUARES] == block.latencies().sum() == 0


def test_that_bytes_count_with_the_operation_that_moved_them(block: SharedCounters) -> None:
    meters, tallies = running(block)
    meters.of(0).done(meters.of(0).begin(), size=7)
    tallies.counting = False
    meters.of(0).done(meters.of(0).begin(), size=7)
    words = block.slot(1)
    assert (words[Count.OPERATIONS], words[Count.BYTES]) == (1, 7)


def test_that_latencies_held_back_are_sorted_in_after_the_clock_has_stopped(
    block: SharedCounters,
) -> None:
    meters, tallies = running(block)
    meter = meters.of(0)
    for _ in range(3):  # the first is sorted in at once, the others wait for the next time
        meter.done(meter.begin() - 5_000_000)
    tallies.counting = False
    meters.flush()
    words = block.slot(1)
    assert words[Count.TIMED] == words[Count.TIMED_SQUARES] == block.latencies().sum() == 3


def test_that_latencies_held_back_are_forgotten_too(block: SharedCounters) -> None:
    meters, _ = running(block)
    meter = meters.of(0)
    for operations in (1, 1, 2):
        meter.done(meter.begin(), operations)
    meters.flush()
    assert block.slot(1)[Count.TIMED] == block.latencies().sum() == 0


@given(
    st.lists(
        st.tuples(st.integers(1, 10**9), st.integers(0, 2**40), st.integers(0, 2**30)), min_size=1
    ),
    st.integers(0, 3),
)
def test_that_operations_told_at_once_count_as_those_told_one_by_one(
    one_by_one: list[tuple[int, int, int]], unknown: int
) -> None:
    told = [(begun, begun + took, size) for begun, took, size in one_by_one]
    told[unknown % len(told)] = (0 if unknown else 1, 7, 3)
    single, together = (SharedCounters.unshared(3) for _ in range(2))
    for block in (single, together):
        meters, _ = running(block)
        with mock.patch("core.trial.meters.perf_counter_ns") as clock:
            for begun, ended, size in told if block is single else ():
                clock.return_value = ended
                meters.of(0).done(begun, size=size)
            clock.return_value = max(ended for _, ended, _ in told)
            if block is together:
                meters.of(0).done_all(told)
        meters.flush()
    assert list(single.slot(1)) == list(together.slot(1))
    assert single.slot(1)[Count.OPERATIONS] == len(told)


def test_that_nothing_told_at_once_counts_while_the_clock_stands(block: SharedCounters) -> None:
    meters, tallies = running(block)
    meters.of(0).done_all(())
    tallies.counting = False
    meters.of(0).done_all([(1, 2, 3)])
    assert not any(block.slot(1))


def test_that_a_latency_lasts_from_its_begin_to_its_end(block: SharedCounters) -> None:
    meters, _ = running(block)
    meter = meters.of(0)
    meter.done(meter.begin() - 2_000_000_000)
    (bucket,) = Histogram.of(block.latencies()).buckets
    assert bucket >= bucket_of(2_000_000_000)


def test_that_wrong_data_is_no_error(block: SharedCounters) -> None:
    meters, _ = running(block)
    meters.of(0).failed(Fault("other bytes", "a file"))
    assert (block.slot(1)[Count.WRONG], block.slot(1)[Count.ERRORS]) == (1, 0)


def test_that_bytes_are_a_movement(block: SharedCounters) -> None:
    meters, _ = running(block)
    observer = Observer(block)
    before = observer.movement()
    meters.of(0).moved(1)
    assert observer.movement() != before


def test_that_a_client_learns_that_the_trial_is_to_end(block: SharedCounters) -> None:
    meters, _ = running(block)
    assert not meters.of(0).stopping
    block.stop()
    assert meters.of(0).stopping


def test_that_a_meter_where_nobody_looks_can_be_called() -> None:
    meter = Context.meter(0)
    meter.moved(1)
    meter.done(meter.begin())
    meter.failed(BROKEN)
    meter.count("503")
    assert not meter.stopping
