"""The live plots of settings that take turns, driven as a user would."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from pixels import inks
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot
from showing import exposed
from turned import Turned, spec, tell

from app.plots.time.run_plots import RunPlots
from app.style.theme import THEMES, Theme

pytestmark = pytest.mark.window


def race(plots: RunPlots, threads: Sequence[int], blocks: int = 1, rounds: int = 20) -> Turned:
    """Settings of so many threads take turns: each is as many thousands of operations fast."""
    measured = Turned()
    for _ in range(blocks):
        measured.block([spec(count) for count in threads], rounds=rounds)
    tell(plots, measured.events)
    QApplication.processEvents()
    plots.redraw()
    return measured


def legend(plots: RunPlots) -> list[str]:
    """The labels at the curves, then what is counted of the others."""
    names = [one.name for one in plots.shown.sheet.labels.shown.ends if plots.shown.content.several]
    return [*names, *filter(None, plots.counts.split(" · "))]


def head(plots: RunPlots) -> str:
    return plots.shown.sheet.labels.shown.heading


def values(plots: RunPlots, panel: int = 0) -> list[tuple[int | None, str]]:
    if plots.shown is not plots.panels[panel]:
        plots.show_plot(plots.panels[panel])
        plots.redraw()
    return [(one.rank, one.note) for one in plots.panels[panel].sheet.labels.shown.ends]


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_that_every_setting_has_a_curve_in_its_own_colour(plots: RunPlots, theme: Theme) -> None:
    plots.set_theme(theme)
    race(plots, (1, 2, 3, 4))
    assert legend(plots) == ["threads 1", "threads 2", "threads 3", "threads 4"]
    assert [rank for rank, _ in values(plots)] == [0, 1, 2, 3]
    for panel in range(5):
        assert len(plots.panels[panel].content.lines) == 4
    assert {QColor(colour).name() for colour in theme.curves[:4]} <= inks(plots.shown.sheet)
    assert "each setting in its turns" in head(plots)


def test_that_settings_have_the_colours_of_their_answer(plots: RunPlots) -> None:
    plots.colour({spec(1).digest: 3, spec(2).digest: 0})
    race(plots, (1, 2, 4))
    assert [rank for rank, _ in values(plots)] == [3, 0, 2]


def test_that_throughput_files_and_memory_are_seen_together(plots: RunPlots) -> None:
    race(plots, (1, 2))
    seen = [one for one in plots.panels if one.isVisible()]
    assert [one.plot.title for one in seen] == ["Throughput", "Open files", "Memory"]
    assert all(one.height() >= 160 for one in seen)


def test_that_the_values_of_all_settings_stand_above_each_plot(plots: RunPlots) -> None:
    race(plots, (1, 2, 3))
    assert values(plots) == [(0, "1,000/s"), (1, "2,000/s"), (2, "3,000/s")]
    assert values(plots, 1) == [(0, "3.00 ms"), (1, "6.00 ms"), (2, "9.00 ms")]
    assert plots.panels[1].sheet.labels.shown.title == "Latency · p99"


def test_that_the_crosshair_tells_the_values_of_its_time_for_all_settings(
    qtbot: QtBot, plots: RunPlots
) -> None:
    race(plots, (1, 2), blocks=2)
    plots.decide([spec(1).digest])
    plots.redraw()
    sheet = plots.shown.sheet
    qtbot.mouseMove(sheet.viewport(), QPoint(round(sheet.x_of(2.0)), 20))
    assert values(plots) == [(1, "2,000/s")]
    plots.decide([])
    plots.redraw()
    assert values(plots) == [(0, "1,000/s"), (1, "2,000/s")]
    assert "at 0:0" in head(plots)


def test_that_between_two_blocks_nothing_is_known(qtbot: QtBot, plots: RunPlots) -> None:
    race(plots, (1, 2), blocks=2)
    sheet = plots.panels[0].sheet
    qtbot.mouseMove(sheet.viewport(), QPoint(round(sheet.x_of(4.3)), 20))
    assert values(plots) == [(0, "–"), (1, "–")]


def test_that_of_many_settings_the_fastest_are_in_colour_and_the_others_counted(
    plots: RunPlots,
) -> None:
    race(plots, range(1, 12))
    assert legend(plots) == [
        *(f"threads {count}" for count in range(7, 12)),
        "6 more",
    ]
    assert len(plots.panels[0].content.lines) == 11
    assert THEMES[0].roles["border"] in inks(plots.shown.sheet)
    told = plots.summary()
    assert all(f"threads {count}" in told for count in range(1, 12))


def test_that_selected_trials_put_their_settings_into_colour(plots: RunPlots) -> None:
    measured = race(plots, range(1, 12), blocks=2)
    slow = {trial.index for trial in measured.trials if trial.spec_digest == spec(2).digest}
    plots.highlight(slow, look=False)
    plots.redraw()
    assert legend(plots) == ["threads 2", "10 more"]
    assert values(plots) == [(1, "2,000/s")]
    plots.highlight((), look=False)
    plots.redraw()
    assert len(legend(plots)) == 6


def test_that_decided_settings_are_muted_and_counted_and_their_curves_end(plots: RunPlots) -> None:
    race(plots, (1, 2, 3))
    plots.decide([spec(1).digest, spec(2).digest])
    plots.redraw()
    assert legend(plots) == ["threads 3", "✓ 2 not measured any more"]
    assert "threads 1 (not measured any more) lowest" in plots.summary()
    plots.decide([spec(2).digest])
    plots.redraw()
    assert legend(plots) == ["threads 1", "threads 3", "✓ 1 not measured any more"]


def test_that_once_all_are_decided_the_fastest_are_in_colour_again(plots: RunPlots) -> None:
    race(plots, (1, 2))
    plots.decide([spec(1).digest, spec(2).digest])
    plots.redraw()
    assert legend(plots) == ["threads 1", "threads 2"]


def test_that_a_selected_piece_of_time_tells_medians_and_names_its_trials(
    qtbot: QtBot, plots: RunPlots
) -> None:
    race(plots, (1, 2), blocks=2)
    with qtbot.waitSignal(plots.pointing.selected):
        plots.pointing.select(0.5, 3.0)
    assert values(plots) == [(0, "1,000/s"), (1, "2,000/s")]
    assert plots.trials_between(0.5, 3.0) == (0, 1)
    assert head(plots).endswith("medians of 0:00.5 – 0:03.0")
    assert "0:00 to 0:03" in plots.summary().splitlines()[0]


def test_that_the_summary_and_the_table_tell_settings_apart(plots: RunPlots) -> None:
    race(plots, (1, 2))
    first = plots.summary().splitlines()[0]
    assert first.startswith("Throughput · operations, 0:00 to 0:04: threads 1 lowest 1,000/s")
    assert "; threads 2 lowest 2,000/s" in first
    table = plots.panels[1].content.table()
    assert table.titles == ("time", "setting", "p50", "p99")
    assert table.plain_titles == ("time (s)", "setting", "p50 (s)", "p99 (s)")
    assert len(table) == 40
    assert table.row(0) == ("0:00.1", "threads 2", "2.00 ms", "6.00 ms")
    assert table.row(1) == ("0:00.2", "threads 1", "1.00 ms", "3.00 ms")
    assert table.plain_row(1) == (pytest.approx(0.2), "threads 1", 0.001, 0.003)
    assert [figure.title for figure in plots.figures()][:2] == [
        "Throughput · operations",
        "Latency · p99",
    ]


def test_that_a_recording_is_drawn_as_it_was_live(qtbot: QtBot, plots: RunPlots) -> None:
    again = exposed(qtbot, RunPlots(), plots.width(), plots.height())
    measured = race(plots, (1, 2, 3), blocks=2)
    names = {spec(count).digest: f"threads {count}" for count in (1, 2, 3)}
    again.show_trials([(trial, names[trial.spec_digest]) for trial in measured.trials])
    qtbot.waitUntil(lambda: not again.busy)
    for each in (plots, again):
        each.look_at(0.0, 12.0)
        each.redraw()
    assert again.shown.sheet.grab().toImage() == plots.shown.sheet.grab().toImage()
    assert legend(again) == legend(plots)
    assert again.summary() == plots.summary()
    again.hide()


def test_that_a_run_goes_on_behind_the_blocks_that_were_kept(plots: RunPlots) -> None:
    measured = Turned()
    measured.block([spec(1), spec(2)], rounds=5)
    kept = [(trial, f"threads {trial.index + 1}") for trial in measured.trials]
    plots.go_on_from(kept)
    plots.begin_trial(2, "threads 1", spec(1).digest)
    plots.begin_trial(3, "threads 2", spec(2).digest)
    plots.begin_round((2, 3))
    plots.add(2, measured.trials[0].moments[0])
    plots.begin_round((2, 3))
    plots.redraw()
    assert plots.trials_between(0.5, 0.9) == (0, 1)
    assert plots.trials_between(1.5, 1.6) == (2,)
    assert legend(plots) == ["threads 1", "threads 2"]


def test_that_a_setting_beside_bare_files_is_drawn_as_one_alone(plots: RunPlots) -> None:
    plots.show_plot(plots.panels[1])
    race(plots, (2,))
    assert [one.name for one in plots.panels[1].sheet.labels.shown.ends] == ["p50", "p99"]
    assert head(plots).endswith("threads 2")


def test_that_clear_forgets_settings_and_what_was_decided(plots: RunPlots) -> None:
    race(plots, (1, 2))
    plots.decide([spec(1).digest])
    plots.clear()
    plots.redraw()
    assert legend(plots) == []
    race(plots, (1, 2))
    assert legend(plots) == ["threads 1", "threads 2"]


def test_that_a_low_window_shows_the_chosen_plot_alone_and_as_high_as_it_can(
    qtbot: QtBot, plots: RunPlots
) -> None:
    race(plots, (1, 2))
    plots.resize(800, 280)
    qtbot.waitUntil(lambda: [one for one in plots.panels if one.isVisible()] == [plots.shown])
    qtbot.waitUntil(lambda: plots.shown.height() > 230)
    plots.resize(1000, 700)
    qtbot.waitUntil(lambda: sum(one.isVisible() for one in plots.panels) == 3)
