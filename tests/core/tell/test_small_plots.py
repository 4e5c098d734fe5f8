"""The small plots of a report: what is in each of them, and where."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import building
import msgspec
import numpy as np
import pytest
from page import Page
from test_report import ATTRIBUTES, SHOWN, page

from core.judge import TimePlot
from core.tell.report.small_plots import DrawnPlot, OverTime, panels_of
from core.vocabulary.latency_map import LatencyColumn, pack

UNKNOWN = float("nan")


def drawn(called: str, *curves: list[float]) -> ElementTree.Element:
    """The plot of that title with these curves, a value for each second."""
    (plot,) = (one for one in TimePlot.all(("retries",)) if one.called == called)
    series = OverTime(
        trial=building.trial(building.spec()),
        at=tuple(map(float, range(1, len(curves[0]) + 1))),
        plots=(DrawnPlot(plot, plot.drawn[: len(curves)], np.array(curves).T),),
    )
    (panel,) = panels_of(series)
    return ElementTree.fromstring(panel.svg)


def numbers(svg: ElementTree.Element) -> list[str | None]:
    return [one.text for one in svg.iter("text")]


def curves(svg: ElementTree.Element) -> list[str]:
    """The paths of the curves."""
    lines = [one for one in svg.iter("path") if "--line-" in one.attrib["style"]]
    return [one.attrib["d"] for one in lines]


def points(path: str) -> list[tuple[float, float]]:
    pairs = re.findall(r"[ML]([\d.]+) ([\d.]+)", path)
    return [(float(x), float(y)) for x, y in pairs]


def test_that_values_stand_where_the_numbers_of_their_axes_are() -> None:
    svg = drawn("Throughput", [150.0, 300.0, 0.0, 300.0])
    assert numbers(svg) == ["0", "150", "300", "0 s", "1 s", "2 s", "3 s", "4 s"]
    zero, half, whole, *below = list(svg.iter("text"))
    (path,) = curves(svg)
    # The foot of a number is half a digit below its place.
    heights = [float(one.attrib["y"]) - 4.6 for one in (half, whole, zero, whole)]
    places = [float(one.attrib["x"]) for one in below[1:]]
    found = points(path)
    assert [x for x, _ in found] == pytest.approx(places, abs=0.1)
    assert [y for _, y in found] == pytest.approx(heights, abs=0.1)


def test_that_a_curve_breaks_where_nothing_is_known() -> None:
    (path,) = curves(drawn("Throughput", [1.0, 2.0, UNKNOWN, 3.0, 4.0]))
    assert re.sub(r"[\d. ]", "", path) == "MLML"


def test_that_of_a_flat_part_only_the_ends_are_written() -> None:
    (path,) = curves(drawn("Throughput", [5.0] * 100))
    assert re.sub(r"[\d. ]", "", path) == "MH"


def test_that_counts_go_up_and_down_in_steps() -> None:
    (path,) = curves(drawn("Open files", [1.0, 3.0, 3.0, UNKNOWN, 2.0]))
    assert re.sub(r"[\d. ]", "", path) == "MHVHHM"


def test_that_latencies_are_a_decade_apart_and_what_is_zero_lies_on_the_axis() -> None:
    svg = drawn("Latency", [0.001, 0.1, 0.0])
    assert {"1 ms", "10 ms", "100 ms"} <= set(numbers(svg))
    (path,) = curves(svg)
    (_, low), (_, high), (_, zero) = points(path)
    axis = max(points(one.attrib["d"])[0][1] for one in svg.iter("path"))
    assert high < low < zero == axis


def test_that_sizes_have_numbers_at_powers_of_two() -> None:
    svg = drawn("Memory", [float(3 << 20), float(5 << 20)])
    assert numbers(svg)[:3] == ["0 B", "2.0 MiB", "4.0 MiB"]


@pytest.mark.parametrize("value", [0.0, 7.0])
def test_that_curves_which_lie_over_each_other_have_a_plot(value: float) -> None:
    svg = drawn("Memory", [value] * 3, [value] * 3)
    assert len(curves(svg)) == 2
    assert len(set(curves(svg))) == 1


def test_that_no_name_within_a_plot_can_meet_that_of_another() -> None:
    svg = drawn("Latency", [0.001, 0.1])
    assert not [one for one in svg.iter() if "id" in one.attrib]
    assert svg.attrib["aria-label"] == "Latency over time. The numbers are in the table below."


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
    } - {"fill:var(--muted);fill-opacity:0.85"}  # the bar of a setting that has no other beside it
    assert all("var(--line-0)" in style for style in inks)
    assert len(inks) > 1


def test_that_too_few_columns_make_no_plot() -> None:
    assert "Latency over time" not in shown(1).texts
