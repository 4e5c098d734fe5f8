"""Whose turn it is to be drawn."""

from __future__ import annotations

from itertools import pairwise

import pytest

from app.plots.time.redraw_turns import Turns
from app.plots.time.span import Span

pytestmark = pytest.mark.window


class Plot:
    """Notes at which ticks it is drawn."""

    def __init__(self, dots: int) -> None:
        self.blank = self.changed = False
        self.dots, self.curves = dots, 1
        self.drawn: list[int] = []
        self.tick = 0

    def draw(self, span: Span) -> None:
        self.drawn.append(self.tick)


def drawn(seconds: float, ticks: int = 20, dots: tuple[int, ...] = (500,) * 5) -> list[list[int]]:
    """At which ticks five plots of that axis are drawn while samples come."""
    plots = [Plot(each) for each in dots]
    turns = Turns(plots, 0.1)  # type: ignore[arg-type]
    turns.draw(Span(0, seconds), 1)
    for tick in range(ticks):
        for plot in plots:
            plot.tick = tick
        turns.draw(Span(0, seconds), tick + 2)
    return [plot.drawn[1:] for plot in plots]


@pytest.mark.parametrize(
    ("seconds", "every"), [(20, 1), (400, 1), (401, 2), (2000, 5), (86_400, 10), (1e7, 10)]
)
def test_that_a_plot_is_drawn_eight_times_for_each_pixel_within_a_tick_and_a_second(
    seconds: float, every: int
) -> None:
    for ticks in drawn(seconds):
        assert len(ticks) == 20 // every
        assert all(later - tick == every for tick, later in pairwise(ticks))


def test_that_plots_that_are_drawn_once_a_second_do_not_fall_on_the_same_tick() -> None:
    ticks = [tick for plot in drawn(86_400) for tick in plot]
    assert len(set(ticks)) == len(ticks) == 10


def test_that_a_wider_plot_is_drawn_more_often() -> None:
    wide, narrow, *_ = drawn(1600, dots=(1000, 500, 500, 500, 500))
    assert len(wide) == 2 * len(narrow)


MANY = 100_000


def test_that_another_view_is_drawn_plot_by_plot_and_all_at_once_where_it_is_asked_for() -> None:
    plots = [Plot(500) for _ in range(5)]
    turns = Turns(plots, 0.1)  # type: ignore[arg-type]
    assert turns.draw(Span(0, 86_400), MANY)
    assert not turns.owing
    for place in range(5):
        assert turns.draw(Span(0, 80_000), MANY) == (place == 4)
        assert [len(plot.drawn) for plot in plots] == [2] * (place + 1) + [1] * (4 - place)
        assert turns.owing == (place < 4)
    turns.all(now=True)
    assert turns.draw(Span(0, 80_000), MANY + 1)
    assert [len(plot.drawn) for plot in plots] == [3] * 5
    assert not turns.draw(Span(0, 80_000), MANY + 2)


def test_that_another_view_of_few_samples_is_drawn_at_once() -> None:
    plots = [Plot(500) for _ in range(5)]
    turns = Turns(plots, 0.1)  # type: ignore[arg-type]
    assert turns.draw(Span(0, 60), 400)
    assert turns.draw(Span(0, 50), 500)
    assert [len(plot.drawn) for plot in plots] == [2] * 5


def test_that_a_view_that_changes_at_each_round_starves_no_plot() -> None:
    plots = [Plot(500) for _ in range(5)]
    turns = Turns(plots, 0.1)  # type: ignore[arg-type]
    turns.draw(Span(0, 86_400), MANY)
    for length in range(80_000, 79_980, -1):
        turns.draw(Span(0, length), MANY)
    assert [len(plot.drawn) for plot in plots] == [5] * 5


def test_that_plots_are_drawn_until_all_show_the_last_sample_and_then_no_more() -> None:
    plots = [Plot(500) for _ in range(5)]
    turns = Turns(plots, 0.1)  # type: ignore[arg-type]
    turns.draw(Span(0, 86_400), 1)
    told = [turns.draw(Span(0, 86_400), 2) for _ in range(30)]
    assert told.index(True) < 10
    assert all(told[told.index(True) :])
    assert [len(plot.drawn) for plot in plots] == [2] * 5


def test_that_a_plot_of_which_nothing_is_seen_is_drawn_at_once() -> None:
    plots = [Plot(500) for _ in range(5)]
    turns = Turns(plots, 0.1)  # type: ignore[arg-type]
    turns.draw(Span(0, 86_400), 1)
    plots[3].blank = True
    turns.draw(Span(0, 86_400), 1)
    assert [len(plot.drawn) for plot in plots] == [1, 1, 1, 2, 1]


def test_that_plots_with_other_curves_are_drawn_one_after_the_other() -> None:
    plots = [Plot(500) for _ in range(5)]
    turns = Turns(plots, 0.1)  # type: ignore[arg-type]
    turns.draw(Span(0, 86_400), MANY)
    for plot in plots:
        plot.changed = True
    turns.draw(Span(0, 86_400), MANY)
    assert [len(plot.drawn) for plot in plots] == [2, 1, 1, 1, 1]
    assert turns.owing


def test_that_plots_of_many_curves_are_drawn_one_after_the_other_however_short() -> None:
    plots = [Plot(500) for _ in range(5)]
    for plot in plots:
        plot.blank, plot.curves = True, 68
    turns = Turns(plots, 0.1)  # type: ignore[arg-type]
    for place in range(5):
        turns.draw(Span(0, 60), 400)
        assert [len(plot.drawn) for plot in plots] == [1] * (place + 1) + [0] * (4 - place)
    turns.all()
    turns.draw(Span(0, 60), 400)
    assert [len(plot.drawn) for plot in plots] == [2, 1, 1, 1, 1]
