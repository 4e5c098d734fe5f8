"""Where trials are on the time axis, and where they are marked."""

from __future__ import annotations

import building
import numpy as np
import pytest

from app.plots.time.bands import bars
from app.plots.time.time_plot import Span
from app.plots.time.timeline import Timeline

pytestmark = pytest.mark.window


@pytest.fixture
def live() -> Timeline:
    """Trials 7, 3 and 5, of four seconds each; the last one goes on."""
    timeline = Timeline()
    for place, index in enumerate((7, 3, 5)):
        timeline.begin(index, f"trial {index}", 4.5 * place)
    return timeline


@pytest.mark.parametrize(
    ("start", "end", "found"),
    [
        (0.0, 2.0, (7,)),
        (3.0, 6.0, (7, 3)),
        (4.1, 4.4, ()),
        (4.1, 4.6, (3,)),
        (0.0, 99.0, (7, 3, 5)),
        (12.5, 99.0, ()),
    ],
)
def test_that_a_piece_of_time_has_the_trials_that_have_a_part_in_it(
    live: Timeline, start: float, end: float, found: tuple[int, ...]
) -> None:
    assert live.between(Span(start, end), now=12.0) == found


def test_that_trials_are_found_in_the_order_of_the_axis(live: Timeline) -> None:
    assert live.spans({5, 7, 99}, now=12.0) == [(0.0, 4.0), (9.0, 12.0)]
    assert live.holds({5, 7})
    assert not live.holds({5, 99})


def test_that_recorded_trials_stand_behind_each_other_and_empty_ones_nowhere() -> None:
    spec = building.spec()
    whole = building.trial(spec, index=0)
    empty = building.trial(spec, index=1, moments=())
    again = building.trial(spec, index=2)
    timeline = Timeline()
    pending = timeline.record([(whole, "one"), (empty, "two"), (again, "three")])
    assert [start for start, _ in pending] == pytest.approx([0.0, 1.4])
    assert not timeline.holds({1})
    assert timeline.spans({2}, now=0.0) == [pytest.approx((1.4, 2.3))]


def test_that_bars_that_touch_become_one_and_none_is_too_short_to_be_seen() -> None:
    starts, ends = np.array([0.0, 10.0, 12.0, 200.0]), np.array([0.5, 12.0, 20.0, 210.0])
    left, right = bars(starts, ends, (0.0, 100.0))
    assert left.tolist() == [0.0, 10.0]
    assert right.tolist() == [3.0, 20.0]
