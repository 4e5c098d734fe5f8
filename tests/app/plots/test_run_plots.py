"""The live plots, driven as a user would."""

from __future__ import annotations

import math
from collections.abc import Callable

import building
import msgspec
import pytest
from pixels import inks
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QImage, QWheelEvent
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from showing import exposed

from app.plots.time.run_plots import RunPlots
from app.style.theme import THEMES, Theme
from core.language import show
from core.measure import describe_limits
from core.vocabulary import Moment

pytestmark = pytest.mark.window


def moment(at: float, workers: int = 2) -> Moment:
    done = round(at * 1000)
    return Moment(
        at=at, operations=(done,) * workers, cpu=(round(at * 6e8),) * workers, bytes=done * 4096,
        errors=0, wrong=0, p50=2_000_000, p99=9_000_000, reading=building.reading(at),
    )  # fmt: skip


def fill(plots: RunPlots, seconds: float = 20.0, trial: int = 0) -> None:
    for tenth in range(1, round(seconds * 10) + 1):
        plots.add(trial, moment(tenth / 10))
    plots.redraw()


def lively(at: float) -> Moment:
    """A moment like no other."""
    wave = math.sin(at * at)
    done = round(at * 1000 + 80 * wave)
    return msgspec.structs.replace(
        moment(at),
        operations=(done, done + 50),
        p50=round(2e6 * (2 + wave)),
        p99=round(9e6 * (2 + wave) ** 2),
    )


def hours(plots: RunPlots) -> None:
    """A history on whose axis a pixel holds half a minute."""
    for step in range(1, 2001):
        plots.add(0, moment(10.0 * step))
    plots.redraw()


def spike(plots: RunPlots) -> None:
    """A moment that no plot has room for."""
    base = moment(20_000.1)
    reading = msgspec.structs.replace(base.reading, fds=9000, rss_anonymous=2**40)
    plots.add(
        0,
        msgspec.structs.replace(
            base,
            operations=(21_000_000,) * 2,
            cpu=tuple(cpu + 10**9 for cpu in base.cpu),
            p99=9_000_000_000,
            reading=reading,
        ),
    )


def see(plots: RunPlots, panel: int) -> None:
    """Have that plot shown, and drawn."""
    if plots.shown is not plots.panels[panel]:
        plots.show_plot(plots.panels[panel])
        QApplication.sendPostedEvents()
        plots.redraw()


def top(plots: RunPlots) -> float:
    """Where the axis of values ends in the plot that is seen."""
    return float(plots.shown.sheet.plotItem.vb.viewRange()[1][1])


def picture(plots: RunPlots) -> QImage:
    return plots.shown.sheet.grab().toImage()


def place(plots: RunPlots, time: float, panel: int = 0) -> QPoint:
    sheet = plots.panels[panel].sheet
    return QPoint(round(sheet.x_of(time)), sheet.height() // 2)


def entries(plots: RunPlots, panel: int) -> dict[str, str]:
    see(plots, panel)
    return {one.name: one.note for one in plots.shown.sheet.labels.shown.ends}


def test_that_the_timer_rests_once_everything_is_drawn(qtbot: QtBot, plots: RunPlots) -> None:
    plots.add(0, moment(0.1))
    assert plots.busy
    qtbot.waitUntil(lambda: not plots.busy)
    assert entries(plots, 2)["all"] == "20"


def test_that_a_hidden_window_draws_nothing_and_catches_up_when_it_is_shown(
    qtbot: QtBot, plots: RunPlots
) -> None:
    plots.hide()
    plots.add(0, moment(0.1))
    plots.add(0, moment(0.2))
    assert not plots.busy
    plots.show()
    assert plots.busy
    qtbot.waitUntil(lambda: not plots.busy)
    assert entries(plots, 0)["operations"] == "2,000/s"


def test_that_nothing_is_drawn_before_its_time(qtbot: QtBot) -> None:
    plots = exposed(qtbot, RunPlots(period=60_000))
    fill(plots, 1)
    before = entries(plots, 0)
    plots.add(0, moment(9.0))
    QApplication.processEvents()
    assert plots.busy
    assert entries(plots, 0) == before
    assert plots.panels[0].content.table().row(-1)[0] == "0:01.0"


def test_that_plots_drawn_on_are_those_drawn_at_once(qtbot: QtBot, plots: RunPlots) -> None:
    anew = exposed(qtbot, RunPlots(), plots.width(), plots.height())
    for step in range(1, 25_001):
        for each in (plots, anew):
            each.add(0, lively(step / 10))
        if step > 24_900:
            plots.redraw()
            plots.grab()
    for each in (plots, anew):
        each.redraw()
    assert picture(plots) == picture(anew)


def test_that_on_a_long_axis_a_spike_is_told_at_once_and_seen_within_a_second(
    plots: RunPlots,
) -> None:
    plots.buttons.all.click()
    see(plots, 2)
    hours(plots)
    before = top(plots)
    spike(plots)
    plots.turn()
    assert entries(plots, 2)["all"] == "9,000"
    for _ in range(9):
        plots.turn()
    assert top(plots) > before


def test_that_the_plot_shows_the_last_sample_once_the_timer_rests(
    qtbot: QtBot, plots: RunPlots
) -> None:
    plots.buttons.all.click()
    hours(plots)
    spike(plots)
    qtbot.waitUntil(lambda: not plots.busy)
    seen = picture(plots)
    plots.redraw()
    assert picture(plots) == seen


def test_that_on_a_short_axis_every_sample_is_drawn_at_once(plots: RunPlots) -> None:
    fill(plots)
    before = picture(plots)
    plots.add(0, moment(20.1))
    plots.turn()
    seen = picture(plots)
    assert seen != before
    plots.redraw()
    assert picture(plots) == seen


def test_that_the_last_minute_is_followed_until_all_is_wanted(plots: RunPlots) -> None:
    fill(plots, 100)
    assert ranges(plots) == [40, 100]
    plots.buttons.all.click()
    plots.redraw()
    assert ranges(plots) == [0, 120]
    plots.buttons.minute.click()
    plots.redraw()
    assert ranges(plots) == [40, 100]


def test_that_a_zoom_is_left_by_a_button_that_says_so(plots: RunPlots) -> None:
    fill(plots, 100)
    assert not plots.buttons.back.isEnabled()
    wheel(plots, 70, 5)
    assert plots.buttons.back.isEnabled()
    assert not plots.buttons.minute.isChecked()
    plots.buttons.back.click()
    plots.redraw()
    assert ranges(plots) == [40, 100]
    assert plots.buttons.minute.isChecked()
    assert not plots.buttons.back.isEnabled()


def test_that_small_rates_are_seen_beside_large_ones_on_a_logarithmic_axis(plots: RunPlots) -> None:
    fill(plots)
    assert not plots.buttons.log.isChecked()
    plots.buttons.log.click()
    plots.redraw()
    assert top(plots) < 5  # decades
    assert entries(plots, 0)["operations"] == "2,000/s"
    see(plots, 1)
    assert plots.buttons.log.isChecked()  # as latencies always were
    plots.buttons.log.click()
    plots.redraw()
    assert 0 < top(plots) < 0.1  # seconds


def enlarge(plots: RunPlots) -> None:
    plots.resize(1100, 800)
    QApplication.processEvents()


@pytest.mark.parametrize(
    "change",
    [
        lambda plots: plots.zoom(20_000.0, 0.9),
        lambda plots: plots.pointing.select(10.0, 20.0),
        lambda plots: plots.set_theme(THEMES[1]),
        lambda plots: plots.begin_trial(1, "another"),
        enlarge,
    ],
    ids=["zoom", "selection", "theme", "trial", "size"],
)
def test_that_a_change_is_drawn_without_waiting_for_the_next_tick(
    plots: RunPlots, change: Callable[[RunPlots], None]
) -> None:
    plots.buttons.all.click()
    hours(plots)
    before = top(plots)
    spike(plots)
    change(plots)
    plots.turn()
    assert top(plots) > before


def test_that_curves_of_further_workers_are_drawn_at_once(plots: RunPlots) -> None:
    plots.buttons.all.click()
    see(plots, 4)
    hours(plots)
    for tenth in range(1, 3):
        plots.add(0, moment(20_000 + tenth / 10, workers=3))
    plots.turn()
    assert QColor(THEMES[0].curves[0]).name() in inks(plots.shown.sheet)


def test_that_a_plot_is_written_with_all_that_is_known(plots: RunPlots) -> None:
    hours(plots)
    before = top(plots)
    spike(plots)
    plots.figures()
    assert top(plots) > before


def limit_of_files() -> str:
    limit = describe_limits().open_files_soft
    assert limit is not None
    return show(limit, "count")


def test_that_every_value_is_told_above_its_plot(plots: RunPlots) -> None:
    fill(plots)
    assert entries(plots, 0) == {"operations": "2,000/s"}
    assert plots.shown.sheet.labels.shown.heading == "4.10 MB/s · Trial 1"
    assert entries(plots, 1) == {"p50": "2.00 ms", "p99": "9.00 ms"}
    assert entries(plots, 2) == {"all": "20", "dataset": "12"}
    assert entries(plots, 3) == {
        "anonymous": "32.0 MiB", "file-backed": "32.0 MiB", "resident": "64.0 MiB",
    }  # fmt: skip
    assert entries(plots, 4) == {"#1": "60 %", "#2": "60 %"}


def test_that_more_workers_than_can_be_told_apart_are_summed_up(plots: RunPlots) -> None:
    for tenth in range(1, 5):
        plots.add(0, moment(tenth / 10, workers=40))
    plots.redraw()
    assert list(entries(plots, 4)) == ["busiest", "median", "idlest"]


def test_that_the_limit_on_open_files_is_told(plots: RunPlots) -> None:
    plots.redraw()
    plots.show_plot(plots.panels[2])
    plots.redraw()
    heading = plots.shown.sheet.labels.shown.heading
    assert heading.startswith(f"of {limit_of_files()} allowed")


def test_that_the_crosshair_tells_the_values_of_its_time_in_every_plot(
    qtbot: QtBot, plots: RunPlots
) -> None:
    plots.begin_trial(0, "one")
    fill(plots, 5)
    plots.begin_trial(1, "two")
    for tenth in range(1, 50):
        plots.add(1, moment(tenth / 20))
    plots.redraw()
    qtbot.mouseMove(plots.shown.sheet.viewport(), place(plots, 2.0))
    assert entries(plots, 0)["operations"] == "2,000/s"
    assert entries(plots, 1)["p50"] == "2.00 ms"


def test_that_a_drag_selects_a_piece_of_time_in_every_plot(qtbot: QtBot, plots: RunPlots) -> None:
    fill(plots)
    view = plots.panels[0].sheet.viewport()
    with qtbot.waitSignal(plots.pointing.selected) as caught:
        qtbot.mousePress(view, Qt.MouseButton.LeftButton, pos=place(plots, 5))
        qtbot.mouseMove(view, place(plots, 8))
        qtbot.mouseMove(view, place(plots, 12))
        qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, pos=place(plots, 12))
    assert caught.args == pytest.approx([5, 12], abs=0.1)
    assert "0:05" in plots.summary()
    with qtbot.waitSignal(plots.pointing.unselected):
        qtbot.keyClick(plots, Qt.Key.Key_Escape)


def test_that_a_click_selects_nothing(qtbot: QtBot, plots: RunPlots) -> None:
    fill(plots)
    with qtbot.assertNotEmitted(plots.pointing.selected):
        qtbot.mouseClick(
            plots.panels[0].sheet.viewport(), Qt.MouseButton.LeftButton, pos=place(plots, 5)
        )


def test_that_a_click_ends_a_selection(qtbot: QtBot, plots: RunPlots) -> None:
    fill(plots)
    plots.pointing.select(5, 12)
    view = plots.panels[0].sheet.viewport()
    with qtbot.waitSignal(plots.pointing.unselected):
        qtbot.mouseClick(view, Qt.MouseButton.LeftButton, pos=place(plots, 8))


def test_that_a_selection_tells_its_medians_until_the_crosshair_points_elsewhere(
    qtbot: QtBot, plots: RunPlots
) -> None:
    for tenth in range(1, 101):  # twice as fast in the second half
        at = tenth / 10
        done = round(1000 * (at + max(at - 5, 0)))
        plots.add(0, msgspec.structs.replace(moment(at), operations=(done,)))
    plots.redraw()
    plots.pointing.select(1, 4)
    assert entries(plots, 0)["operations"] == "1,000/s"
    plots.pointing.select(6, 9)
    assert entries(plots, 0)["operations"] == "2,000/s"
    for time in (3.0, 2.0):  # the mouse may have been at one of them before
        qtbot.mouseMove(plots.panels[0].sheet.viewport(), place(plots, time))
    assert entries(plots, 0)["operations"] == "1,000/s"


def test_that_recorded_trials_are_shown_behind_each_other_and_brought_into_sight(
    qtbot: QtBot, plots: RunPlots
) -> None:
    spec = building.spec()
    trials = [(building.trial(spec, index=n), f"number {n}") for n in range(3)]
    plots.show_trials(trials)
    qtbot.waitUntil(lambda: not plots.busy)
    assert plots.panels[0].content.table().plain_row(-1)[0] == pytest.approx(3 * 0.9 + 2 * 0.5)
    assert plots.trials_between(1.0, 1.2) == ()
    assert plots.trials_between(1.2, 3.0) == (1, 2)
    whole = marked(plots)
    plots.highlight({1}, look=True)
    plots.redraw()
    assert marked(plots) > whole
    plots.highlight((), look=True)
    plots.redraw()
    assert marked(plots) == whole == 0


def marked(plots: RunPlots) -> int:
    """How many pixels in the uppermost row of a plot are in the colour of the bars."""
    sheet = plots.panels[0].sheet
    image = sheet.viewport().grab().toImage()
    row = round(sheet.mapFromScene(sheet.plotItem.vb.sceneBoundingRect().topLeft()).y()) + 2
    colour = QColor(THEMES[0].text)
    return sum(image.pixelColor(x, row) == colour for x in range(image.width()))


def wheel(plots: RunPlots, time: float, turns: int) -> None:
    view = plots.panels[0].sheet.viewport()
    at = QPointF(place(plots, time))
    event = QWheelEvent(
        at, QPointF(view.mapToGlobal(at.toPoint())), QPoint(), QPoint(0, 120 * turns),
        Qt.MouseButton.NoButton, Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase,
        False,
    )  # fmt: skip
    QApplication.sendEvent(view, event)
    plots.redraw()


def ranges(plots: RunPlots) -> list[float]:
    return list(plots.shown.sheet.plotItem.vb.viewRange()[0])


def test_that_the_wheel_zooms_every_plot_around_the_mouse(plots: RunPlots) -> None:
    fill(plots)
    wheel(plots, 10, 5)
    start, end = ranges(plots)
    see(plots, 3)
    assert ranges(plots) == [start, end]
    assert start < 10 < end
    assert end - start == pytest.approx(20 * 0.8**5, rel=0.01)


def test_that_a_double_click_shows_all_again(qtbot: QtBot, plots: RunPlots) -> None:
    fill(plots)
    wheel(plots, 10, 5)
    qtbot.mouseDClick(
        plots.panels[0].sheet.viewport(), Qt.MouseButton.LeftButton, pos=place(plots, 10)
    )
    plots.redraw()
    assert ranges(plots) == [0, 20]


def test_that_a_shift_drag_moves_the_view(qtbot: QtBot, plots: RunPlots) -> None:
    fill(plots)
    wheel(plots, 10, 5)
    start = ranges(plots)[0]
    view = plots.panels[0].sheet.viewport()
    shift = Qt.KeyboardModifier.ShiftModifier
    qtbot.mousePress(view, Qt.MouseButton.LeftButton, shift, place(plots, 10))
    qtbot.mouseMove(view, place(plots, 9))
    qtbot.mouseRelease(view, Qt.MouseButton.LeftButton, shift, place(plots, 9))
    plots.redraw()
    assert ranges(plots)[0] == pytest.approx(start + 1, abs=0.1)


def test_that_everything_can_be_done_from_the_keyboard(qtbot: QtBot, plots: RunPlots) -> None:
    fill(plots)
    qtbot.keyClick(plots, Qt.Key.Key_Left)
    with qtbot.waitSignal(plots.pointing.selected) as caught:
        qtbot.keyClick(plots, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert caught.args == pytest.approx([19.8, 19.9], abs=0.05)
    qtbot.keyClick(plots, Qt.Key.Key_Plus)
    plots.redraw()
    assert ranges(plots)[1] - ranges(plots)[0] == pytest.approx(16)
    qtbot.keyClick(plots, Qt.Key.Key_Home)
    plots.redraw()
    assert ranges(plots) == [0, 20]


def test_that_trials_stand_one_after_the_other(plots: RunPlots) -> None:
    fill(plots, 5, trial=3)
    fill(plots, 5, trial=7)
    assert plots.trials_between(1, 2) == (3,)
    assert plots.trials_between(4, 8) == (3, 7)
    assert plots.trials_between(7, 9) == (7,)


def test_that_a_recorded_trial_fills_its_plots_from_end_to_end(
    qtbot: QtBot, plots: RunPlots
) -> None:
    fill(plots)
    moments = tuple(moment(tenth / 10) for tenth in range(1, 12_001))
    trial = building.trial(building.spec(), index=4, moments=moments)
    plots.show_trials([(trial, "five")])
    qtbot.waitUntil(lambda: not plots.busy)
    assert ranges(plots) == [0, 1200]
    assert len(plots.panels[0].content.table()) == 12_000
    assert plots.trials_between(0, 1200) == (4,)


def test_that_a_trial_without_moments_is_shown_as_nothing(plots: RunPlots) -> None:
    plots.show_trials([(building.trial(building.spec(), moments=()), "empty")])
    plots.redraw()
    assert "nothing measured" in plots.summary()


def test_that_every_plot_has_a_summary_and_the_same_data_as_a_table(plots: RunPlots) -> None:
    fill(plots, 2)
    assert "p99 lowest 9.00 ms" in plots.panels[1].content.summary()
    table = plots.panels[1].content.table()
    assert table.titles == ("time", "p50", "p99")
    assert table.row(len(table) - 1) == ("0:02.0", "2.00 ms", "9.00 ms")
    assert len(plots.summary().splitlines()) == 5
    assert all(panel.accessibleName() for panel in plots.panels)


def test_that_clear_forgets_everything(plots: RunPlots) -> None:
    fill(plots)
    plots.pointing.select(1, 2)
    plots.clear()
    plots.redraw()
    assert entries(plots, 0)["operations"] == "–"
    assert plots.trials_between(0, 100) == ()
    assert "nothing measured yet" in plots.summary()


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_that_curves_have_exactly_the_colours_of_their_theme(plots: RunPlots, theme: Theme) -> None:
    plots.set_theme(theme)
    see(plots, 1)
    fill(plots)
    drawn = {QColor(colour).name() for colour in (theme.background, *theme.curves[:2])}
    assert drawn <= inks(plots.shown.sheet)


def test_that_little_cpu_is_drawn_as_high_as_much(plots: RunPlots) -> None:
    for tenth in range(1, 50):
        base = moment(tenth / 10)
        plots.add(0, msgspec.structs.replace(base, cpu=(5_000_000 * tenth,) * 2))
    plots.redraw()
    assert entries(plots, 4) == {"#1": "5.00 %", "#2": "5.00 %"}
    assert top(plots) < 0.1
    fill(plots, trial=1)
    assert top(plots) > 0.5
