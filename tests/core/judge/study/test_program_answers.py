"""A study of programs tells of each how many threads it wants here, and names what is missing."""

from __future__ import annotations

from pathlib import Path

import building
import pytest

from core.judge import Study, load_study, reproduction_of
from core.run import SampleData
from core.run.budget import questions_of
from core.tell.card_text import sum_up
from core.tell.cli import main
from core.tell.report.page import render_report
from core.tell.report.report_content import Chapter, Report
from core.vocabulary import Result, build, registry
from workloads.command.command_parameters import commands_of

NAMES = {"run", "check", "shell", "timeout"}
STEADY = (0.99, 1.0, 1.01, 0.995, 1.005)


@pytest.fixture
def study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Study:
    """The study on two cores, where only some of its programs are installed."""
    for name in ("zstd", "gzip", "cp", "sort"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    return load_study("commands-here", 2.0)


def measured(study: Study, rates: dict[str, float]) -> list[Result]:
    """Results of these cells, in runs a second."""
    found = []
    for label, rate in rates.items():
        (cell,) = (cell for cell in study.cells if cell.label == label)
        workload = registry.load_workload("command")
        parameters = {
            name: value for name, value in (study.base | cell.at).items() if name in NAMES
        }
        spec = building.spec("command", parameters=parameters, threads=int(cell.at["threads"]))
        assert build(workload.parameters, parameters)
        trials = [
            building.trial(spec, index=at, rate=factor * rate, seconds=100.0, unit="run")
            for at, factor in enumerate(STEADY)
        ]
        found.append(building.result(spec, trials))
    return found


RATES = {
    "zstd, 1 thread": 10.0,
    "zstd, 2 threads": 20.0,
    "zstd, 4 threads": 12.0,
    "gzip": 3.0,
    "cp": 100.0,
}


def test_that_each_program_has_its_threads_with_interval_and_reason(study: Study) -> None:
    results = measured(study, RATES)
    found = reproduction_of(study, results)
    zstd, sort, gzip, cp = found.board.rows
    assert zstd[:2] == ("zstd", "2")
    assert "±" in zstd[2] or " to " in zstd[2] or zstd[2] != "–"
    assert zstd[3] == "2.00×"
    assert zstd[4].startswith("The best measured, 67 % faster than the next, 4 threads; surely ")
    assert sort == ("sort", "–", "–", "–", "not measured")
    assert (gzip[1], gzip[4]) == ("–", "it has no threads: for comparison")
    assert cp[0] == "cp"
    assert found.remarks[0] == "not installed: pigz, xz, bgzip, samtools, fio, s5cmd"
    headline = sum_up(results, len(results), reproduction=found)
    assert headline.text == "Threads to use here: zstd 2 threads."


def test_that_in_a_report_no_program_stands_for_all(study: Study) -> None:
    results = tuple(measured(study, RATES))
    page = render_report(
        Report(title="tools", chapters=(Chapter(title="tools", results=results, study=study),))
    )
    assert "The best measured, 67 % faster than the next, 4 threads; surely " in page
    assert "Measured with" not in page
    assert "What limits it" not in page


def test_that_a_budget_is_spent_on_programs_whose_threads_are_open(study: Study) -> None:
    results = measured(study, {**RATES, "sort, 1 thread": 7.0, "sort, 2 threads": 7.001})
    plan = building.plan([one.spec for one in results], study="commands-here")
    sort = [one for one in results if "sort" in str(one.spec.parameters["run"])]
    wavering = [
        building.trial(one.spec, index=at, rate=7.0 * (0.6 + 0.4 * ((at + place) % 3)), unit="run")
        for place, one in enumerate(sort)
        for at in range(len(STEADY))
    ]
    steady = [trial for one in results if one not in sort for trial in one.trials]
    (still_open,) = questions_of(plan)([*steady, *wavering])
    assert still_open == {one.spec.digest for one in sort}


def test_that_every_command_of_the_study_can_be_read(study: Study) -> None:
    workload = registry.load_workload("command")
    for cell in study.cells:
        values = {k: v for k, v in (study.base | cell.at).items() if k in NAMES}
        asked = commands_of(build(workload.parameters, values))
        assert f"{cell.program} " in asked.run.arguments(dict.fromkeys(asked.run.names, "1"))[2]
        assert ("threads" in asked.run.names) == (cell.program not in {"gzip", "cp"})


def test_that_only_what_is_installed_is_measured(study: Study) -> None:
    found = study.specs(building.dataset(), {})
    assert {label.partition(",")[0] for label in found} == {"zstd", "sort", "gzip", "cp"}


def test_that_its_file_is_text_of_some_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path))
    dataset = SampleData("", "commands-here").make()
    assert 8 << 20 < dataset.path.stat().st_size < 20 << 20
    assert dataset.path.read_bytes()[:1] == b">"


def test_that_it_is_listed_without_a_family(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["studies"]) == 0
    (row,) = (line for line in capsys.readouterr().out.splitlines() if "commands-here" in line)
    assert row.split()[0] == "–"
