"""What is seen of workers from look to look, whenever they tell what they have used."""

from __future__ import annotations

from itertools import pairwise
from time import perf_counter_ns

import pytest

from core.result.histogram import bucket_of, from_bytes
from core.result.latency_map import in_rows, unpack
from core.trial.counters import COUNTS, Count, SharedCounters
from core.trial.observer import Observer

SECOND = 1_000_000_000


class Blind:
    """Looks at no process."""

    def read(self, at: float, *, complete: bool) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def block() -> SharedCounters:
    """Of two workers that have begun."""
    made = SharedCounters.unshared(2)
    for index in range(2):
        made.slot(index)[Count.STARTED] = 1
    return made


def looking(block: SharedCounters, cores: float) -> Observer:
    made = Observer(block, cores)
    made.clock_started(Blind())
    return made


@pytest.mark.parametrize(("cores", "most"), [(2, 1.0), (1, 0.5)])
def test_that_workers_are_seen_with_no_more_cores_than_there_are(
    block: SharedCounters, cores: int, most: float
) -> None:
    observer = looking(block, cores)
    moments = [observer.look()]
    for _ in range(20):
        for index in range(2):
            block.slot(index)[Count.CPU] += 1000 * SECOND  # of a whole turn, told at its end
        moments.append(observer.look())
    for before, now in pairwise(moments):
        elapsed = SECOND * (now.at - before.at)
        for used in (after - first for first, after in zip(before.cpu, now.cpu, strict=True)):
            assert 0 <= used <= most * elapsed + 1


def test_that_what_a_worker_tells_late_is_seen_in_the_time_after(block: SharedCounters) -> None:
    observer = looking(block, 2)
    observer.look()
    block.slot(0)[Count.CPU] = 3000 * SECOND
    observer.stood_still(-SECOND)  # a second goes by
    first, _ = observer.look().cpu
    assert SECOND <= first < 3000 * SECOND
    observer.stood_still(-5000 * SECOND)
    assert observer.look().cpu == (3000 * SECOND, 0)


def test_that_a_worker_that_has_not_begun_is_not_seen(block: SharedCounters) -> None:
    observer = looking(block, 2)
    block.slot(0)[Count.STARTED] = 0
    block.slot(1)[Count.CPU] = 5
    assert observer.look().cpu == (5,)


def test_that_moments_of_an_only_worker_are_by_its_own_clock() -> None:
    block = SharedCounters.unshared(1)
    words, begun = block.slot(0), perf_counter_ns()
    words[Count.STARTED] = 1
    observer = looking(block, 2)
    assert observer.look().at < 1
    words[Count.OWN], words[Count.BEHIND] = begun + 5 * SECOND, 0  # it stands still
    first = observer.look().at
    assert first == pytest.approx(5, abs=0.5)
    assert observer.look().at == first
    words[Count.BEHIND] = -7 * SECOND  # it runs again
    assert observer.look().at == pytest.approx(7, abs=2)
    words[Count.OWN], words[Count.BEHIND] = begun + 6 * SECOND, 0
    assert observer.look().at == pytest.approx(7, abs=2), "what was seen of a pause is not undone"


def test_that_the_latencies_over_time_are_those_of_the_histogram(block: SharedCounters) -> None:
    observer = looking(block, 2)
    for number in range(1, 30):
        block.slot(number % 2)[COUNTS + bucket_of(1000 * number)] += 3
        observer.stood_still(-SECOND // 10)  # a tenth of a second goes by
        if number < 29:  # the last ones come after the last look
            observer.look()
    columns = unpack(observer.latency_map())
    told: dict[int, int] = {}
    for column in columns:
        for row, count in column.counts.items():
            told[row] = told.get(row, 0) + count
    assert told == in_rows(from_bytes(observer.histogram()))
    assert len(columns) == 28
    assert columns[-1].end >= 2.8
