"""Where trials are on the time axis, and where they are marked."""

from __future__ import annotations

import pytest

from app.plots.time.time_plot import bars
from app.plots.time.timeline import Span, Timeline

pytestmark = pytest.mark.window


@pytest.fixture
def live() -> Timeline:
    """Trials 7, 3 and 5, of four seconds each; the last one goes on."""
    timeline = Timeline()
    for place, index in enumerate((7, 3, 5)):
        timeline.begin(4.5 * place)
        timeline.join(index, 4.5 * place)
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


def test_that_trials_that_share_a_piece_are_told_apart_by_their_own_parts_of_it() -> None:
    timeline = Timeline()
    timeline.begin(0.0)
    timeline.join(0, 0.0, 8.0)
    timeline.join(1, 0.0, 3.0)
    timeline.join(2, 5.0)
    timeline.begin(10.5)
    timeline.join(3, 10.5)
    assert timeline.between(Span(3.5, 4.5), now=12.0) == (0,)
    assert timeline.between(Span(2.0, 11.0), now=12.0) == (0, 1, 2, 3)
    assert timeline.spans({0, 2}, now=12.0) == [(0.0, 8.0), (5.0, 10.0)]


def test_that_bars_that_touch_become_one_and_none_is_too_short_to_be_seen() -> None:
    spans = [Span(0.0, 0.5), Span(10.0, 12.0), Span(12.0, 20.0), Span(200.0, 210.0)]
    assert bars(spans, pixel=1.0).tolist() == [[0.0, 3.0], [10.0, 20.0], [200.0, 210.0]]
    assert bars(spans, pixel=10.0).tolist() == [[0.0, 42.0], [200.0, 230.0]]
    assert bars([], pixel=1.0).tolist() == []
