"""People think of a program in seconds for each run: that is its first figure everywhere."""

from __future__ import annotations

import building
import pytest

from core import Result
from core.analysis.trust import doubts_about
from core.catalog.registry import leading
from core.cli.progress_output import trial_line
from core.language.units import scale_of_time
from core.output.report.report_card import facts
from core.output.report.report_tables import trials_grid
from core.result.metrics import METRICS
from core.tables.results_table import summarise
from core.tables.trials_table import tabulate_trials

pytestmark = pytest.mark.quick


def program(threads: int, *seconds: float) -> Result:
    """A program that took so long in each trial."""
    spec = building.spec("command", parameters={"run": "gzip {dataset}"}, threads=threads)
    return building.result(
        spec,
        [
            building.trial(spec, index=at, rate=1 / each, seconds=8 * each, unit="run")
            for at, each in enumerate(seconds)
        ],
    )


def test_that_the_table_of_a_program_begins_with_its_seconds_and_bytes() -> None:
    table = summarise([program(1, 2.0, 2.01, 2.02), program(2, 0.4, 0.41, 0.42)])
    assert [column.title for column in table.columns][:5] == [
        "Threads", "Trials", "Time per run", "Bytes", "Throughput",
    ]  # fmt: skip
    assert [cell.text for cell in table.column("time_each")] == [
        "2.01 ± 0.02 s/run", "410 ± 25 ms/run",
    ]  # fmt: skip
    assert [cell.text for cell in table.column("ratio")] == ["1.00×", "4.90×"]


def test_that_runs_per_second_are_for_those_who_ask() -> None:
    for table in (summarise([program(1, 2.0)]), tabulate_trials([program(1, 2.0)])):
        (throughput,) = (one for one in table.columns if one.key == "throughput")
        assert throughput.folded


def test_that_the_report_of_a_program_begins_with_its_seconds() -> None:
    result = program(1, 2.0, 2.01, 2.02)
    assert facts([result], result)[0] == ("Time per run", "2.01 ± 0.02 s/run", "")
    grid = trials_grid([result], {result.spec.digest: "it"})
    assert grid.titles[4:6] == ("Time per run", "Bytes")


def test_that_the_line_of_a_trial_begins_with_its_seconds() -> None:
    result = program(1, 2.0)
    assert trial_line(result.trials[0], result.spec).startswith("2 s/run, ")


def test_that_other_workloads_begin_with_their_throughput() -> None:
    result = building.good(building.spec(), 500.0, 508.0, 518.0)
    keys = [column.key for column in summarise([result, program(1, 2.0)]).columns]
    assert "throughput" in keys
    assert "time_each" not in keys
    assert trial_line(result.trials[0], result.spec).startswith("500 sequences/s, ")
    assert leading("no.such:Workload") == ("throughput",)


def test_that_seconds_and_throughput_are_the_same_figure() -> None:
    (trial,) = program(1, 0.25).trials
    assert METRICS["time_each"].of(trial) == pytest.approx(0.25)
    assert METRICS["throughput"].of(trial) == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("seconds", "unit"), [(2e-7, "ns"), (2e-4, "µs"), (0.2, "ms"), (2.0, "s"), (200.0, "s")]
)
def test_that_a_time_is_told_in_a_unit_of_its_size(seconds: float, unit: str) -> None:
    assert scale_of_time(seconds)[1] == unit


def test_that_a_wide_interval_of_a_program_is_told_in_its_seconds() -> None:
    result = program(1, 1.0, 4.0, 20.0)
    (doubt,) = doubts_about([result], (result,))
    assert "the trials reached 1 s/run to 20 s/run" in doubt.text
