"""The map of runs at once by threads each: measured, told by neighbours, or not fitting."""

from __future__ import annotations

import math
from collections.abc import Collection

import building
import pytest

from core.tell.jobs_grid import jobs_grid
from core.tell.report.report_plots import figure_grid
from core.vocabulary import GridFigure, Result, RunSpec, build, values_of
from workloads.command.command_parameters import CommandParameters

pytestmark = pytest.mark.quick
NUMBERS = (1, 2, 4, 8)
CORES = 8
"""Of the machine in `building`."""


def pigz(jobs: int, threads: int) -> RunSpec:
    values = values_of(build(CommandParameters, {"run": "pigz -p {threads} -c {each}"}))
    return building.spec("command", parameters=values, threads=threads, processes=jobs)


def rate(jobs: int, threads: int) -> float:
    """Files a second; threads bring less than files at once."""
    return 100.0 * jobs * threads**0.5


def measured(jobs: int, threads: int) -> Result:
    return building.good(pigz(jobs, threads), *(rate(jobs, threads) * f for f in (0.99, 1, 1.01)))


def grid(cells: Collection[tuple[int, int]]) -> GridFigure:
    fits = [(one, two) for one in NUMBERS for two in NUMBERS if one * two <= CORES]
    specs = [pigz(*cell) for cell in fits]
    figure = jobs_grid(specs, [measured(*cell) for cell in cells])
    assert figure is not None
    return figure


def texts(figure: GridFigure) -> dict[tuple[str, str], str]:
    return {(figure.rows[c.row], figure.columns[c.column]): c.text for c in figure.cells}


def test_that_cells_are_files_an_hour_with_the_most_at_once_on_top() -> None:
    figure = grid([(1, 1), (4, 2)])
    assert figure.rows == ("8", "4", "2", "1")
    assert figure.columns == ("1", "2", "4", "8")
    hour = float(texts(figure)["1", "1"].replace(",", ""))
    assert hour == pytest.approx(3600 * rate(1, 1), rel=0.01)
    (best,) = (one for one in figure.cells if one.ring == "best")
    assert (figure.rows[best.row], figure.columns[best.column]) == ("4", "2")
    assert best.share == 1.0


def test_that_only_what_lies_between_measured_cells_is_told_by_them() -> None:
    figure = grid([(1, 1), (1, 4), (4, 1)])
    between = {key for key, text in texts(figure).items() if text.startswith("~")}
    assert between == {("1", "2"), ("2", "1")}
    guess = float(texts(figure)["1", "2"].removeprefix("~").replace(",", ""))
    assert guess == pytest.approx(3600 * math.sqrt(rate(1, 1) * rate(1, 4)), rel=0.01)
    assert {"2", "4"} == {row for row, column in between | {("4", "1")} if column == "1"}
    assert ("2", "2") not in texts(figure)
    assert ("8", "1") not in texts(figure)


def test_that_cells_with_more_threads_than_cores_say_so_once() -> None:
    figure = grid([(1, 1), (2, 2)])
    unfit = {(figure.rows[c.row], figure.columns[c.column]) for c in figure.cells if not c.text}
    assert unfit == {(str(a), str(b)) for a in NUMBERS for b in NUMBERS if a * b > CORES}
    ((row, first, last, text),) = figure.reasons
    assert (row, first, last) == (0, 1, 3)
    assert str(CORES) in text


def test_that_the_facts_name_the_settings_one_chooses_between() -> None:
    heads, pairs, hour, *_ = grid([(1, 1), (1, 8), (8, 1)]).facts
    assert heads[1] == "fastest"
    assert heads[-1] == "one by one"
    assert pairs == ("", "8 × 1", "1 × 8")
    assert hour[0] == "Files an hour"


def test_that_there_is_no_map_unless_both_numbers_vary_and_nothing_else() -> None:
    line = [pigz(1, threads) for threads in NUMBERS]
    assert jobs_grid(line, [measured(1, threads) for threads in NUMBERS]) is None
    assert jobs_grid([pigz(1, 1), pigz(2, 2)], []) is None
    raw = [
        building.spec("raw", parameters={}, threads=t, processes=p) for t in (1, 2) for p in (1, 2)
    ]
    assert jobs_grid(raw, [building.good(one, 100.0, 101.0) for one in raw]) is None


def test_that_the_report_draws_the_same_numbers() -> None:
    figure = grid([(1, 1), (1, 4), (4, 1), (8, 1)])
    drawn = figure_grid(figure, "Heat map")
    assert all(f">{one.text}<" in drawn for one in figure.cells if one.text)
    ((*_, reason),) = figure.reasons
    assert f">{reason}<" in drawn
