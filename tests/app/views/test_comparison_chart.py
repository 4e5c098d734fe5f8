"""The plot of two results: what is drawn is what is said."""

from __future__ import annotations

import building
import msgspec
import pytest
from PySide6.QtGui import QColor, QPalette
from pytestqt.qtbot import QtBot

from app.views.comparison_view import ComparisonChart
from core.desk import Compared
from core.desk.comparisons import LatencyPair, latency_pairs
from core.vocabulary import Verdict, VerdictKind

pytestmark = pytest.mark.window


def verdict(ratio: float | None, low: float | None = None, high: float | None = None) -> Verdict:
    return Verdict(
        kind=VerdictKind.UNDECIDED,
        metric="throughput",
        margin=0.05,
        baseline="cache none",
        candidate="cache lru",
        ratio=ratio,
        low=low,
        high=high,
    )


@pytest.fixture
def chart(qtbot: QtBot) -> ComparisonChart:
    made = ComparisonChart()
    qtbot.addWidget(made)
    made.resize(600, 200)
    return made


PAIRS = (
    LatencyPair(percent=50.0, baseline=0.002, candidate=0.001),
    LatencyPair(percent=99.0, baseline=0.020, candidate=0.030),
)


def test_that_every_row_has_its_figures(chart: ComparisonChart) -> None:
    chart.show_compared(Compared(verdict=verdict(1.85, 1.7, 2.0), latencies=PAIRS))
    assert chart.isVisibleTo(None)
    assert [title for title, _ in chart.rows()] == ["ratio", "p50", "p99"]
    assert "1.85× (1.70× to 2.00×)" in chart.accessibleDescription()
    assert "2.00 ms → 1.00 ms" in chart.accessibleDescription()


def test_that_nothing_is_drawn_of_what_cannot_be_compared(chart: ComparisonChart) -> None:
    chart.show_compared(Compared(verdict=verdict(None)))
    assert not chart.isVisibleTo(None)
    chart.show_compared(Compared(verdict=verdict(1.0)))
    assert chart.isVisibleTo(None)
    chart.show_compared(None)
    assert not chart.isVisibleTo(None)
    assert chart.rows() == []


@pytest.mark.parametrize(
    "compared",
    [
        Compared(verdict=verdict(1.0)),
        Compared(verdict=verdict(0.001, 1e-9, 1e9), latencies=PAIRS),
        Compared(verdict=verdict(None), latencies=PAIRS),
    ],
)
def test_that_any_interval_is_drawn_within_the_plot(
    chart: ComparisonChart, compared: Compared
) -> None:
    chart.show_compared(compared)
    accent = chart.palette().color(QPalette.ColorRole.Highlight)
    picture = chart.grab().toImage()
    places = [
        x
        for x in range(0, picture.width(), 2)
        for y in range(picture.height())
        if QColor(picture.pixel(x, y)) == accent
    ]
    assert places
    assert max(places) < picture.width() - 1


def test_that_only_percentiles_of_both_are_compared() -> None:
    spec = building.spec(threads=1)
    one, two = building.good(spec, 100.0, 101.0), building.good(spec, 200.0, 201.0, first=10)
    pairs = latency_pairs(one, two)
    assert [pair.title for pair in pairs][:2] == ["p50", "p90"]
    for pair in pairs:  # twice the rate is half the time
        assert pair.candidate == pytest.approx(pair.baseline / 2, rel=0.05)
    empty = msgspec.structs.replace(two, trials=())
    assert latency_pairs(one, empty) == latency_pairs(empty, one) == ()
