"""What is seen of workers from look to look, of the same windows as the answer."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from time import perf_counter_ns

import pytest

from core.judge import LiveFigure, TimePlot
from core.measure import Cancel, Count, Observer, SharedCounters, run_trial
from core.measure.trial.counters import COUNTS, TALLIED, State, doubles
from core.vocabulary import Moment, Slot, TrialEnded, bucket_of, open_dataset, specify
from core.vocabulary.histogram import from_bytes
from core.vocabulary.latency_map import in_rows, unpack
from core.vocabulary.moments import are_sound

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


def test_that_a_worker_that_has_not_begun_is_not_seen() -> None:
    block = SharedCounters.unshared(3)
    observer = looking(block, 2)
    for index in (1, 2):
        block.slot(index)[Count.STARTED] = 1
        block.slot(index)[Count.CPU] = 5
    assert observer.look().cpu == (5, 5)


def test_that_moments_of_an_only_worker_are_by_its_own_clock() -> None:
    block = SharedCounters.unshared(1)
    words, begun = block.slot(0), perf_counter_ns()
    observer = looking(block, 2)
    observer.stood_still(-100 * SECOND)  # it was woken long before it began
    words[Count.OWN] = words[Count.STARTED] = begun
    assert observer.look().at == 0
    words[Count.OWN] = begun + 5 * SECOND  # it stands still
    assert observer.look().at == observer.look().at == 5
    words[Count.BEHIND] = -7 * SECOND  # it runs again
    seen = observer.look().at
    assert 7 <= seen <= 7 + (perf_counter_ns() - begun) / SECOND
    words[Count.OWN], words[Count.BEHIND] = begun + 6 * SECOND, 0
    assert observer.look().at == seen, "what was seen of a pause is not undone"


@pytest.mark.parametrize("slots", [1, 3])
def test_that_moments_of_an_only_worker_go_on_from_where_its_clock_begins(slots: int) -> None:
    """It stands still while the first items are made, and the one on the wall does not."""
    block = SharedCounters.unshared(slots)
    words = block.slot(0)
    observer = looking(block, 1)
    began = perf_counter_ns()
    words[Count.STARTED] = began
    observer.stood_still(-3 * SECOND)  # so long goes by on the wall
    observer.look()
    words[Count.OWN] = began + SECOND  # so long by its own clock
    observer.look()
    assert are_sound(list(observer.moments))
    assert observer.moments[-1].at == 1


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


WORKERS = 2


class Looks:
    """Workers that rest between turns of 0.1 s, each of which has a run-in as long again."""

    def __init__(self, duration: float = 0.0) -> None:
        self.block = SharedCounters.unshared(WORKERS)
        self.observer = Observer(self.block, duration=duration)
        self.observer.clock_started(Blind())
        self.moments: list[Moment] = []
        for index in range(WORKERS):
            words = self.block.slot(index)
            words[Count.STARTED], words[Count.STATE] = 1, State.WAITING

    def turn(self, operations: float, before: float = 0.0, *, complete: bool = False) -> Moment:
        """One in which each worker does so many in its window, and so many in its run-in."""
        for index in range(WORKERS):
            words = self.block.slot(index)
            words[Count.WINDOW_TIME] += SECOND // 10
            doubles(words)[Count.WINDOW_OPERATIONS] += TALLIED * operations
            words[Count.OPERATIONS] += round(operations + before)
        self.moments.append(self.observer.look(complete=complete))
        return self.moments[-1]

    def drawn(self) -> Sequence[float]:
        """The curve of the throughput."""
        return [float(value) for value in TimePlot.values(self.moments, None)[1][:, 0]]


def test_that_the_curve_is_of_windows_and_not_of_what_was_done_beside_them() -> None:
    looks = Looks()
    for number in range(30):
        looks.turn(50, before=number % 7 * 10)
    drawn = looks.drawn()
    assert all(map(math.isnan, drawn[:9]))
    assert drawn[9:] == pytest.approx([WORKERS * 500] * 21)


def test_that_each_point_is_of_a_second_and_the_latest_one() -> None:
    looks = Looks()
    for _ in range(20):
        looks.turn(50)
    for _ in range(10):
        looks.turn(100)
    drawn = looks.drawn()
    assert drawn[19] == pytest.approx(1000)
    assert drawn[24] == pytest.approx(1500)
    assert drawn[29] == pytest.approx(2000)


def test_that_of_slow_operations_each_point_has_five() -> None:
    looks = Looks()
    for number in range(200):
        looks.turn(0.5 if number % 10 == 9 else 0)  # one a second
    drawn = looks.drawn()
    first = next(place for place, value in enumerate(drawn) if not math.isnan(value))
    assert first == 49
    assert drawn[first:] == pytest.approx([1.0] * (200 - first), rel=0.21)
    assert drawn[199] == pytest.approx(1.0)


def test_that_the_curve_falls_while_nothing_ends() -> None:
    looks = Looks()
    for _ in range(20):
        looks.turn(50)
    for _ in range(30):
        looks.turn(0)
    assert looks.drawn()[-1] < 100


def test_that_a_short_trial_has_points_of_a_third_of_its_time() -> None:
    looks = Looks(duration=0.6)
    for _ in range(6):
        looks.turn(50)
    assert [math.isnan(value) for value in looks.drawn()] == [True, *[False] * 5]


def test_that_the_end_of_a_trial_has_a_point_though_too_little_was_done_for_one() -> None:
    looks = Looks()
    looks.turn(1)
    assert looks.turn(1, complete=True).rate == pytest.approx(4 / 0.2)


def test_that_the_tile_is_the_curve_s_newest_point() -> None:
    looks = Looks()
    for _ in range(20):
        before = looks.turn(50, before=30)
    after = looks.turn(50, before=5000)
    (tile,) = (one for one in LiveFigure.all() if one.live.tile == "Throughput")
    assert tile.text(tile.value(after, before)) == "1,000/s"


@pytest.mark.parametrize("threads", [1, 2])
def test_that_what_was_seen_last_is_the_answer(tmp_path: Path, threads: int) -> None:
    place = tmp_path / "some.bin"
    place.write_bytes(bytes(1 << 22))
    load = {"duration": 0.5, "warm_up": 0.1, "threads": threads}
    slot, cancel = Slot(0, 0, specify("raw", open_dataset(place), load)), Cancel()
    (trial,) = (
        event.trial for event in run_trial(slot, "a-run", cancel) if isinstance(event, TrialEnded)
    )
    cancel.close()
    operations, seconds = trial.moments[-1].work
    assert operations / seconds == pytest.approx(trial.throughput, rel=1e-3)
