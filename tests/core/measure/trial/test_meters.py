"""What workloads and their clients' threads count live: exact, and only while the clock runs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from unittest import mock
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.measure import Count, Observer, SharedCounters
from core.measure.trial.counters import MOST_TALLIES, TALLIES
from core.measure.trial.meters import Meters, Tallies
from core.measure.trial.operation_timer import Complaints
from core.vocabulary import Context, Fault, Histogram, bucket_of

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
    (complaint,) = meters.complaints().by_kind.values()
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
    assert not meters.complaints().by_kind


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
        with mock.patch("core.measure.trial.meters.perf_counter_ns") as clock:
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


NAMES = ("503", "retries", "backoff seconds")


def tallies(block: SharedCounters, first: int = 0, workers: int = 2) -> Tallies:
    made = Tallies(block, first, workers)
    made.declare(NAMES)
    made.counting = True
    return made


def test_that_workers_and_processes_are_summed_by_name(block: SharedCounters) -> None:
    one, two = tallies(block), tallies(block, first=2, workers=1)
    one.of(0).add("503")
    one.of(1).add("retries", 3)
    two.of(0).add("retries")
    two.of(0).add("backoff seconds", 0.125)
    two.of(0).add("backoff seconds", 0.25)
    assert block.tallies(NAMES) == {"503": 1, "retries": 4, "backoff seconds": 0.375}
    assert list(block.tallies(NAMES)) == list(NAMES)
    assert block.tallies(()) == {}


def test_that_nothing_is_counted_while_the_clock_stands(block: SharedCounters) -> None:
    made = Tallies(block, 0, 1)
    made.of(0).add("before the job has names")
    made.declare(NAMES)
    made.of(0).add("503")
    made.counting = True
    made.of(0).add("503")
    made.counting = False
    made.of(0).add("503")
    assert block.tallies(NAMES)["503"] == 1


def test_that_threads_of_one_client_lose_no_count(block: SharedCounters) -> None:
    tally = tallies(block).of(1)

    def add() -> None:
        for _ in range(2000):
            tally.add("retries")

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert block.tallies(NAMES)["retries"] == 16_000


@pytest.mark.parametrize("by", [9e12, 1e20])
def test_that_no_tally_is_too_large_to_be_kept(block: SharedCounters, by: float) -> None:
    """A sparse file of 10 TB, written by a program, was the end of its trial."""
    for index in (0, 1):
        tallies(block).of(index).add("retries", by)
        tallies(block).of(index).add("retries", by)
    assert block.tallies(NAMES)["retries"] == 4 * by


def test_that_a_name_that_was_not_declared_is_a_mistake_of_the_workload(
    block: SharedCounters,
) -> None:
    with pytest.raises(TypeError, match="'429' is not among the tallies"):
        tallies(block).of(0).add("429")


@pytest.mark.parametrize("names", [("a", "a"), tuple(map(str, range(MOST_TALLIES + 1)))])
def test_that_too_many_or_repeated_names_are_refused(
    block: SharedCounters, names: tuple[str, ...]
) -> None:
    with pytest.raises(TypeError, match="at most 8 tallies"):
        Tallies(block, 0, 1).declare(names)


def test_that_who_counts_a_retry_has_moved(block: SharedCounters) -> None:
    observer = Observer(block)
    before = observer.movement()
    tallies(block).of(1).add("503")
    assert observer.movement() != before


def test_that_the_words_of_tallies_lie_between_phases_and_latencies(block: SharedCounters) -> None:
    tallies(block).of(0).add("503")
    assert [place for place, word in enumerate(block.slot(0)) if word] == [TALLIES]


@given(numbers=st.lists(st.integers(0, 10**9), min_size=1, max_size=50))
def test_that_complaints_that_differ_in_numbers_only_are_one_kind(numbers: list[int]) -> None:
    complaints = Complaints()
    for number in numbers:
        complaints.add(wrong_data=True, text=f"{number} of 5 bases", item=str(number))
    (one,) = complaints.by_kind.values()
    assert (one.count, one.text) == (len(numbers), f"{numbers[0]} of 5 bases")
    assert one.first_item == str(numbers[0])


def test_that_complaints_that_differ_in_uuids_only_are_one_kind() -> None:
    complaints = Complaints()
    for name in (uuid4(), UUID(int=0), uuid4()):
        complaints.add(wrong_data=True, text=f"read {name} differs: samples", item="batch")
    (one,) = complaints.by_kind.values()
    assert one.count == 3


def test_that_an_item_is_called_alike_however_often_complaints_are_merged() -> None:
    complaints, others = Complaints(), Complaints()
    others.add(wrong_data=True, text="differs", item="read 'a' of reads.blow5")
    complaints.merge(others)
    assert [one.first_item for one in complaints.by_kind.values()] == ["read 'a' of reads.blow5"]


def test_that_kinds_of_complaints_are_bounded_and_none_is_lost() -> None:
    complaints, others = Complaints(), Complaints()
    for number in range(100):
        text = "x" * (number + 1)
        complaints.add(wrong_data=False, text=text, item=str(number))
        others.add(wrong_data=False, text=text, item=str(number))
    complaints.merge(others)
    assert len(complaints.by_kind) <= 22
    assert sum(one.count for one in complaints.by_kind.values()) == 200
    assert all(len(one.text) <= 500 for one in complaints.by_kind.values())
