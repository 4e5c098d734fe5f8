"""The plot of two results: what is drawn is what is said."""

from __future__ import annotations

from typing import Any

import building
import msgspec
import pytest
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot

from app.style.theme import THEMES
from app.views.comparison_view import ComparisonChart
from core.desk import Compared
from core.desk.comparisons import RatioRow
from core.vocabulary import Result, Verdict, VerdictKind

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
    made.set_theme(THEMES[0])
    return made


def compared(*ratios: tuple[float, float | None, float | None]) -> Compared:
    rows = tuple(
        RatioRow(title=f"row {at}", verdict=verdict(*each), text="1 → 2")
        for at, each in enumerate(ratios)
    )
    return Compared(verdict=verdict(*ratios[0]), rows=rows)


def test_that_every_row_has_its_figures(chart: ComparisonChart) -> None:
    chart.show_compared(compared((1.85, 1.7, 2.0), (0.5, None, None)))
    assert chart.rows() == [("row 0", "1 → 2"), ("row 1", "1 → 2")]
    assert "row 1 1 → 2" in chart.accessibleDescription()
    chart.show_compared(None)
    assert chart.rows() == []


@pytest.mark.parametrize(
    "ratios",
    [[(1.0, None, None)], [(0.001, 1e-9, 1e9), (1.0, 0.9, 1.1)], [(1.0, 0.0, float("inf"))]],
)
def test_that_any_interval_is_drawn_within_the_plot(
    chart: ComparisonChart, ratios: list[tuple[float, float | None, float | None]]
) -> None:
    chart.show_compared(compared(*ratios))
    chart.resize(600, 30 * (len(ratios) + 2))
    ink = QColor(THEMES[0].roles["ink3"])
    picture = chart.grab().toImage()
    middles = [30 * at + 45 for at in range(len(ratios))]
    places = [x for x in range(picture.width()) for y in middles if picture.pixelColor(x, y) == ink]
    assert places
    assert max(places) < picture.width() - 1


def sided(rate: float, first: int, **spec: Any) -> Result:
    rates = (rate * (1 + 0.001 * (-1) ** at) for at in range(6))
    return building.good(building.spec(threads=1, **spec), *rates, first=first)


def test_that_two_runs_have_their_names_and_are_likely_at_most() -> None:
    one, two = sided(100.0, 0), sided(300.0, 20)
    apart = msgspec.structs.replace(
        two, trials=tuple(msgspec.structs.replace(t, started=t.started + 1e6) for t in two.trials)
    )
    of_runs = Compared.of(one, apart, ("run 2", "run 3"))
    assert of_runs.sentence.startswith("Run 3 is faster than run 2: 3.00× (")
    assert of_runs.how_sure == "likely, not in turns"
    assert [row.title for row in of_runs.rows][:2] == ["Throughput", "p50"]
    assert of_runs.rows[0].text == of_runs.verdict.figures
    beside = Compared.of(one, sided(300.0, 0, parameters={"cache": "lru"}))
    assert beside.how_sure == "sure"


def test_that_two_runs_are_compared_at_each_number_of_threads_and_have_a_curve_each() -> None:
    def measured(threads: int, rate: float, first: int) -> Result:
        rates = (rate * (1 + 0.001 * (-1) ** at) for at in range(6))
        return building.good(building.spec(threads=threads), *rates, first=first)

    before = [measured(count, 100.0 * count, 10 * count) for count in (1, 2, 4)]
    after = [measured(count, 110.0 * count, 100 + 10 * count) for count in (1, 2, 8)]
    found = Compared.of(before[1], after[1], ("run 2", "run 3"), (before, after))
    assert [curve.name for curve in found.curves.curves] == ["run 3", "run 2"]
    assert found.curves.places == [1, 2, 4, 8]
    titles = [row.title for row in found.rows]
    assert titles[:4] == ["Throughput", "1 thread", "2 threads", "With 2 threads"]
    assert found.rows[1].text.startswith("1.10×")
    one_each = Compared.of(before[1], after[1], ("run 2", "run 3"), (before[1:2], after[1:2]))
    assert not one_each.curves.curves
