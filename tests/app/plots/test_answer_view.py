"""The answer as a plot: curves, a map, or bars, whichever is legible."""

from __future__ import annotations

import building
import pytest
from pytestqt.qtbot import QtBot

from app.plots.base.export import png
from app.plots.counts.answer_view import AnswerView
from core.analysis.advisor import advise
from core.output.comparisons import standings
from core.output.result_figures import throughput_figure
from core.result.result import Result

pytestmark = pytest.mark.window


def sweep(caches: int) -> list[Result]:
    """Two numbers of threads with so many kinds of cache."""
    specs = [
        building.spec(parameters={"cache": f"kind {cache}", "cache_size": 128}, threads=threads)
        for cache in range(caches)
        for threads in (1, 2)
    ]
    return [building.good(of, 900.0 + place, 1000.0 + place) for place, of in enumerate(specs)]


@pytest.fixture
def view(qtbot: QtBot) -> AnswerView:
    widget = AnswerView()
    qtbot.addWidget(widget)
    widget.resize(700, 450)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget


def show(view: AnswerView, results: list[Result]) -> None:
    advice = advise(results)
    standing = standings(results, advice, None, over=True)
    view.show_answer(throughput_figure(results, advice), standing, results[0].unit)


def test_that_many_curves_become_a_map_that_scrolls_and_takes_no_room_from_the_window(
    qtbot: QtBot, view: AnswerView
) -> None:
    show(view, sweep(2))
    assert view.figures()[0].widget is view.scaling
    low = view.minimumSizeHint().height()
    show(view, sweep(60))
    assert view.figures()[0].widget is view.map
    assert view.map.isVisible()
    qtbot.waitUntil(lambda: view.map.height() > view.height())
    assert view.minimumSizeHint().height() < 2 * low  # the frame of what scrolls is a few pixels


def test_that_a_picture_of_the_map_shows_all_of_its_rows(view: AnswerView) -> None:
    show(view, sweep(20))
    before = png(view.map)
    slower = sweep(20)
    slower[-1] = building.good(slower[-1].spec, 90.0, 100.0)
    show(view, slower)
    assert png(view.map) != before
