"""Latencies over the time of a trial: kept small, and drawn as a heat map."""

from __future__ import annotations

import random
import zlib
from collections.abc import Sequence
from itertools import pairwise

import building
import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

from core.vocabulary import BUCKETS, Histogram, LatencyFigure, LatencyRecorder, Trial, bucket_of
from core.vocabulary.histogram import from_bytes
from core.vocabulary.latency_map import (
    COLUMNS,
    MOST,
    ROWS,
    LatencyColumn,
    edges,
    in_rows,
    pack,
    unpack,
)

pytestmark = pytest.mark.quick


def recorded(looks: int, *, seed: int = 1) -> tuple[LatencyRecorder, NDArray[np.int64]]:
    """Some operations of a tenth of a millisecond before each look, and a few that are longer."""
    draw = random.Random(seed)
    made, counts = LatencyRecorder(), np.zeros(BUCKETS, np.int64)
    for number in range(1, looks + 1):
        counts[bucket_of(round(draw.lognormvariate(11.5, 0.5)))] += 40
        counts[bucket_of(round(draw.lognormvariate(14.0, 0.5)))] += 1
        made.take(number / 10, counts)
    return made, counts


def sums(columns: tuple[LatencyColumn, ...]) -> dict[int, int]:
    found: dict[int, int] = {}
    for column in columns:
        for row, count in column.counts.items():
            found[row] = found.get(row, 0) + count
    return found


@pytest.mark.parametrize("looks", [1, MOST - 1, MOST, 1_000, 20_000])
def test_that_no_operation_is_lost_however_long_a_trial_is(looks: int) -> None:
    made, counts = recorded(looks)
    columns = unpack(made.packed)
    assert sums(columns) == in_rows(Histogram.of(counts))
    assert len(columns) <= MOST
    assert len(columns) >= min(looks, MOST // 2)
    assert columns[-1].end == pytest.approx(looks / 10)


def test_that_half_an_hour_is_packed_into_some_thousand_bytes() -> None:
    assert len(recorded(20_000)[0].packed) < 8_000


def test_that_a_time_in_which_no_operation_ended_is_an_empty_column() -> None:
    made, counts = LatencyRecorder(), np.zeros(BUCKETS, np.int64)
    for at in (0.1, 0.2, 0.3, 0.4):
        counts[bucket_of(1000)] += at in (0.1, 0.4)
        made.take(at, counts)
    columns = unpack(made.packed)
    assert [one.end for one in columns] == [0.1, 0.2, 0.3, 0.4]
    assert [sum(one.counts.values()) for one in columns] == [1, 0, 0, 1]


def test_that_what_ends_while_the_clock_stands_belongs_to_the_last_column() -> None:
    made, counts = LatencyRecorder(), np.zeros(BUCKETS, np.int64)
    for at in (0.1, 0.1, 0.1):
        counts[bucket_of(1000)] += 1
        made.take(at, counts)
    (column,) = unpack(made.packed)
    assert column.end == 0.1
    assert sum(column.counts.values()) == 3


def test_that_rows_cover_all_latencies_without_a_gap() -> None:
    ends = [edges(row) for row in range(ROWS)]
    assert all(high == low for (_, high), (low, _) in pairwise(ends))
    assert ends[0][0] == 1e-9
    assert ends[-1][1] > 4_000


def test_that_nothing_is_packed_into_nothing() -> None:
    assert LatencyRecorder().packed == b""
    assert pack([LatencyColumn(1.0, {})]) == b""
    assert unpack(b"") == ()


@pytest.mark.parametrize(
    "rows",
    [
        [[100, 5, 1], [100, 5, 1]],
        [[0, 5, 1]],
        [[100, ROWS, 1]],
        [[100, 5, -1]],
        [[100, 5, 2**60]],
        [[100]],
        [[number, 5, 1] for number in range(1, MOST + 2)],
        [["100", 5, 1]],
    ],
)
def test_that_what_no_trial_has_is_refused(rows: list[list[int]]) -> None:
    with pytest.raises(ValueError, match="latencies over time"):
        unpack(zlib.compress(msgspec.msgpack.encode(rows)))


def test_that_bytes_that_are_no_map_are_refused() -> None:
    for packed in (b"x", zlib.compress(b"x"), zlib.compress(bytes(10_000_000))):
        with pytest.raises(ValueError, match="latencies over time"):
            unpack(packed)


SPEC = building.spec(threads=1)


def row_of(latency: int) -> int:
    (row,) = in_rows(from_bytes(building.histogram([latency])))
    return row


FAST, SLOW = row_of(100_000), row_of(10_000_000)


def trial(columns: Sequence[LatencyColumn], index: int = 0) -> Trial:
    return msgspec.structs.replace(building.trial(SPEC, index=index), latency_map=pack(columns))


def evenly(count: int, counts: dict[int, int]) -> list[LatencyColumn]:
    return [LatencyColumn(number / 10, counts) for number in range(1, count + 1)]


def test_that_what_goes_on_evenly_is_one_cell_for_each_row() -> None:
    figure = LatencyFigure.of([trial(evenly(50, {FAST: 1000, SLOW: 1}))])
    assert figure is not None
    fast, slow = figure.cells
    assert (fast.start, fast.end, slow.start, slow.end) == pytest.approx((0, 5, 0, 5))
    assert (fast.low, fast.high) == edges(FAST)
    assert (slow.low, slow.high) == edges(SLOW)
    assert fast.ink == 1.0
    assert slow.ink == 0.125, "one in a thousand is seen"


def test_that_a_pause_has_no_cells_and_a_change_begins_new_ones() -> None:
    columns = [*evenly(10, {FAST: 100}), LatencyColumn(2.0, {}), LatencyColumn(3.0, {SLOW: 1000})]
    figure = LatencyFigure.of([trial(columns)])
    assert figure is not None
    fast, slow = figure.cells
    assert (fast.start, fast.end) == pytest.approx((0, 1))
    assert (slow.start, slow.end) == pytest.approx((2, 3))
    assert figure.length == 3


def test_that_trials_follow_each_other_and_share_the_columns() -> None:
    whole = evenly(COLUMNS, {FAST: 10, SLOW: 1})
    figure = LatencyFigure.of([trial(whole, index) for index in range(4)])
    assert figure is not None
    assert figure.ends == pytest.approx([16.0, 32.0, 48.0, 64.0])
    assert max(cell.end for cell in figure.cells) == pytest.approx(figure.length)
    starts = {cell.start for cell in figure.cells}
    assert starts == {0.0, 16.0, 32.0, 48.0}


def test_that_ticks_are_round_and_inside() -> None:
    figure = LatencyFigure.of([trial(evenly(3, {FAST: 10, SLOW: 1}))])
    assert figure is not None
    assert [text for _, text in figure.ticks] == ["100 µs", "1 ms", "10 ms"]
    assert all(figure.low <= value <= figure.high for value, _ in figure.ticks)
    narrow = LatencyFigure.of([trial(evenly(3, {FAST: 10}))])
    assert narrow is not None
    assert narrow.high >= 4 * narrow.low
    assert [text for _, text in narrow.ticks] == ["100 µs", "200 µs"]


def test_that_trials_of_older_sessions_are_a_column_each() -> None:
    one, other = (building.trial(SPEC, index=index) for index in (0, 1))
    assert LatencyFigure.of([one]) is None
    figure = LatencyFigure.of([one, other])
    assert figure is not None
    assert len(figure.ends) == 2
    assert figure.cells


def test_that_nothing_is_shown_where_nothing_was_timed() -> None:
    untimed = building.trial(SPEC, histogram=building.histogram([]))
    assert LatencyFigure.of([]) is None
    assert LatencyFigure.of([untimed, untimed]) is None
