"""The heat map of latencies over time, as window and report draw it."""

from __future__ import annotations

from collections.abc import Sequence

import building
import msgspec
import pytest

from core.result.histogram import from_bytes
from core.result.latency_map import COLUMNS, LatencyColumn, LatencyFigure, edges, in_rows, pack
from core.result.result import Trial

pytestmark = pytest.mark.quick

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
