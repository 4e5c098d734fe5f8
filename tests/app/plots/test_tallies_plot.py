"""What a workload counts live has a plot of its own, and takes no room where there is nothing."""

from __future__ import annotations

import building
import numpy as np
import pytest

from app.plots.base.samples import Samples
from app.plots.time.run_plots import RunPlots
from core.judge import TimePlot
from core.vocabulary import Moment

pytestmark = pytest.mark.window


def moment(at: float, **tallies: float) -> Moment:
    return Moment(
        at=at, operations=(round(at * 100),), cpu=(round(at * 5e8),), bytes=0, errors=0, wrong=0,
        p50=1000, p99=3000, reading=building.reading(at), tallies=tallies,
    )  # fmt: skip


def fill(plots: RunPlots, trial: int = 0, **per_second: float) -> None:
    for tenth in range(1, 41):
        told = {name.replace("_", " "): rate * tenth / 10 for name, rate in per_second.items()}
        plots.add(trial, moment(tenth / 10, **told))
    plots.redraw()


def test_that_what_is_counted_has_a_plot_with_its_names_and_rates(plots: RunPlots) -> None:
    fill(plots, retries=20.0, backoff_seconds=0.25)
    assert len(plots.panels) == 6
    panel = plots.panels[-1]
    plots.show_plot(panel)
    plots.redraw()
    told = {one.name: one.note for one in panel.sheet.labels.shown.ends}
    assert told == {"retries": "20.0/s", "backoff seconds": "250 ms/s"}
    assert len(panel.content.lines) == 2
    assert panel.isVisible()
    assert "Counted live" in [figure.title for figure in plots.figures()]
    assert "retries lowest 20.0/s" in panel.content.summary()


def test_that_without_any_there_is_no_such_plot(plots: RunPlots) -> None:
    fill(plots)
    assert len(plots.panels) == 5
    assert "Counted live" not in plots.summary()


def test_that_a_later_trial_that_counts_more_keeps_what_was_seen_before(plots: RunPlots) -> None:
    fill(plots, retries=20.0)
    fill(plots, trial=1, retries=10.0, wrong_turns=5.0)
    panel = plots.panels[-1]
    plots.show_metric("retries")
    assert plots.shown is panel
    plots.redraw()
    assert [one.name for one in panel.sheet.labels.shown.ends] == ["retries", "wrong turns"]
    assert "retries lowest 10.0/s, median" in panel.content.summary()
    assert "highest 20.0/s" in panel.content.summary()
    plots.clear()
    assert len(plots.panels) == 5


def test_that_rates_of_tallies_follow_all_other_columns() -> None:
    moments = [moment(1.0, retries=2.0), moment(2.0, retries=5.0)]
    plain = TimePlot.values(moments, None)[1]
    told = TimePlot.values(moments, None, ("retries", "503"))[1]
    np.testing.assert_array_equal(told[:, : plain.shape[1]], plain)
    assert told[1, -2] == 3.0
    assert np.isnan(told[:, -1]).all()


def test_that_samples_that_are_widened_keep_their_curves() -> None:
    samples = Samples(1)
    times = np.arange(5000.0)
    samples.extend(times, np.sin(times).reshape(-1, 1))
    before = samples.query(0.0, 5000.0, 100)[0]
    samples.widen(2)
    kept, fresh = samples.query(0.0, 5000.0, 100)
    np.testing.assert_array_equal(kept.y, before.y)
    assert np.isnan(fresh.y).all()
    samples.extend([5001.0], [[1.0, 7.0]])
    assert samples.values[-1].tolist() == [1.0, 7.0]
