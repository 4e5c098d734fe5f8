"""A plot is seen alone, and its curves come and go, as the user wants."""

from __future__ import annotations

import building
import pytest
from pixels import inks
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from turned import Turned, spec, tell

from app.plots.base.plot_surface import Sheet
from app.plots.time.emphasis import MOST, MOST_MUTED, Emphasis
from app.plots.time.run_plots import RunPlots
from app.plots.time.trace import Trace
from app.style.theme import LIGHT
from core import Moment

pytestmark = pytest.mark.window


def measure(plots: RunPlots) -> None:
    for tenth in range(1, 100):
        plots.add(
            0,
            Moment(
                at=tenth / 10, operations=(100 * tenth,), cpu=(10**8 * tenth,), bytes=0, errors=0,
                wrong=0, p50=2_000_000, p99=9_000_000, reading=building.reading(tenth / 10),
            ),
        )  # fmt: skip
    plots.redraw()


def click(qtbot: QtBot, sheet: Sheet, name: str) -> None:
    """Click on the label of that name."""
    area = next(area for one, area in sheet.labels.placed() if one.name == name)
    place = sheet.mapFromScene(sheet.labels.mapToScene(area.center()))
    qtbot.mouseClick(sheet.viewport(), Qt.MouseButton.LeftButton, pos=place)


def colours(plots: RunPlots, panel: int) -> set[str]:
    if plots.shown is not plots.panels[panel]:
        plots.show_plot(plots.panels[panel])
        QApplication.sendPostedEvents()
        plots.redraw()
    return inks(plots.shown.sheet)


def curve(rank: int) -> str:
    return QColor(LIGHT.curves[rank]).name()


def test_that_a_click_on_a_name_hides_its_curve_and_another_shows_it(
    qtbot: QtBot, plots: RunPlots
) -> None:
    measure(plots)
    sheet = plots.panels[1].sheet
    assert {curve(0), curve(1)} <= colours(plots, 1)
    click(qtbot, sheet, "p99")
    plots.redraw()
    assert curve(0) in colours(plots, 1)
    assert curve(1) not in colours(plots, 1)
    assert [(one.name, one.hidden) for one in sheet.labels.shown.ends] == [
        ("p50", False),
        ("p99", True),
    ]
    click(qtbot, sheet, "p99")
    plots.redraw()
    assert curve(1) in colours(plots, 1)


def test_that_the_axis_is_that_of_the_curves_in_sight(qtbot: QtBot, plots: RunPlots) -> None:
    plots.show_plot(plots.panels[1])
    measure(plots)
    panel = plots.panels[1]
    before = panel.sheet.plotItem.vb.viewRange()[1][1]
    click(qtbot, panel.sheet, "p99")
    plots.redraw()
    assert panel.sheet.plotItem.vb.viewRange()[1][1] < before


def test_that_a_setting_hidden_by_its_label_is_hidden_in_every_plot(
    qtbot: QtBot, plots: RunPlots
) -> None:
    measured = Turned()
    measured.block([spec(1), spec(2)], rounds=9)
    tell(plots, measured.events)
    assert curve(1) in colours(plots, 0)
    click(qtbot, plots.shown.sheet, "threads 2")
    plots.redraw()
    for panel in range(5):
        assert curve(1) not in colours(plots, panel)
    assert curve(0) in colours(plots, 0)
    assert plots.shown.sheet.labels.shown.ends[1].hidden
    plots.clear()
    assert not plots._emphasis.hidden


def test_that_number_keys_show_another_plot_in_the_place_of_the_one_before(
    qtbot: QtBot, plots: RunPlots
) -> None:
    measure(plots)
    qtbot.keyClick(plots, Qt.Key.Key_4)
    assert plots.shown is plots.panels[3]
    qtbot.keyClick(plots, Qt.Key.Key_3)
    assert [each.isVisible() for each in plots.panels] == [True, False, True, True, False]
    assert plots.figures()[0].title == "Open files"
    assert len(plots.figures()) == 5  # the data of all of them can be read


def traces(*rates: float) -> dict[str, Trace]:
    """Settings a, b, c… that are so fast."""
    found = {}
    for letter, rate in zip("abcdefghijklmnop", rates, strict=False):
        found[letter] = Trace(f"setting {letter}")
        found[letter].count(round(1000 * rate), 1000.0)
    return found


def test_that_few_settings_have_the_colours_of_their_places() -> None:
    found = Emphasis().choose(traces(1, 9, 5))
    assert found.ranks == {"a": 0, "b": 1, "c": 2}


def test_that_a_single_setting_is_not_compared() -> None:
    assert Emphasis().choose(traces(7)).ranks == {}


def test_that_of_many_settings_the_fastest_have_colours_all_of_them_different() -> None:
    found = Emphasis().choose(traces(*range(16)))
    assert set(found.ranks) == set("lmnop")
    assert sorted(found.ranks.values()) == list(range(MOST))


def test_that_a_setting_is_not_replaced_by_one_that_is_hardly_faster() -> None:
    emphasis = Emphasis()
    emphasis.choose(traces(*[100] * MOST, 90))
    assert "f" not in emphasis.choose(traces(*[100] * MOST, 104)).ranks
    assert "f" in emphasis.choose(traces(*[100] * MOST, 106)).ranks


def test_that_picked_settings_alone_have_colours_however_slow_they_are() -> None:
    emphasis = Emphasis()
    emphasis.picked = ("c",)
    assert emphasis.choose(traces(9, 8, 1, 7)).ranks == {"c": 2}


def test_that_decided_settings_have_no_colours_until_all_are_decided() -> None:
    emphasis = Emphasis()
    emphasis.decided = frozenset({"a", "b", "of another run"})
    found = emphasis.choose(traces(9, 8, 1))
    assert found.ranks == {"c": 2}
    assert found.decided == {"a", "b"}
    emphasis.decided = frozenset("abc")
    assert list(emphasis.choose(traces(9, 8, 1)).ranks) == ["a", "b", "c"]


def test_that_of_a_thousand_settings_some_from_all_over_are_drawn_beside_those_in_colour() -> None:
    many = {str(place): Trace(str(place)) for place in range(1000)}
    found = Emphasis().choose(many)
    assert MOST_MUTED / 2 < len(found.muted) <= MOST_MUTED
    assert not set(found.muted) & set(found.ranks)
    assert max(map(int, found.muted)) > 900
    few = {str(place): Trace(str(place)) for place in range(20)}
    assert len(Emphasis().choose(few).muted) == 20 - MOST
