"""The heat map in the report."""

from __future__ import annotations

import building
import msgspec
from page import Page
from test_report import ATTRIBUTES, SHOWN, page

from core.result.latency_map import LatencyColumn, pack


def shown(columns: int) -> Page:
    spec = building.spec()
    counts = [{60: 1000, 70: number % 7} for number in range(1, columns + 1)]
    told = pack([LatencyColumn(at / 10, one) for at, one in enumerate(counts, 1)])
    trial = msgspec.structs.replace(building.trial(spec), latency_map=told)
    return page([building.result(spec, [trial])])


def test_that_a_trial_has_its_latencies_over_time_as_a_plot_of_nothing_but_paths() -> None:
    found = shown(100)
    assert "Latency over time" in found.texts
    (label,) = (
        one["aria-label"]
        for tag, one in found.elements
        if tag == "svg" and one.get("aria-label", "").startswith("Heat map")
    )
    assert label.startswith("Heat map: latencies over time, from ")
    assert found.tags <= SHOWN
    assert {name for _, one in found.elements for name in one} <= ATTRIBUTES
    inks = {
        one["style"]
        for tag, one in found.elements
        if tag == "path" and "opacity" in one.get("style", "")
    }
    assert all("var(--line-0)" in style for style in inks)
    assert len(inks) > 1


def test_that_too_few_columns_make_no_plot() -> None:
    assert "Latency over time" not in shown(1).texts
