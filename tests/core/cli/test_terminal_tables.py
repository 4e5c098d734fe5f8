"""What stands below a table in the terminal."""

from __future__ import annotations

import building
import pytest

from core.cli.terminal_tables import print_results, print_study
from core.study.preset import load_study


@pytest.mark.parametrize("workload", ["raw", "fasta"])
def test_that_a_remark_says_which_of_several_results_it_is_about(
    workload: str, capsys: pytest.CaptureFixture[str]
) -> None:
    results = [
        building.result(
            spec, [building.trial(spec, notes=(f"a remark {spec.load.threads}", "of all"))]
        )
        for spec in (building.spec(workload, threads=threads) for threads in (1, 2))
    ]
    print_results(results)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "a remark" in line or "of all" in line] == [
        "of all",
        "threads 1: a remark 1",
        "threads 2: a remark 2",
    ]


def test_that_bare_files_beside_a_finished_study_leave_nothing_to_be_measured(
    capsys: pytest.CaptureFixture[str],
) -> None:
    measured = building.study_of_costs()
    bare = building.good(building.spec("raw", parameters={}), 100.0, 101.0)
    print_study(load_study("svfs-threads"), [*measured, bare])
    assert "so far" not in capsys.readouterr().out
    print_study(load_study("svfs-threads"), measured)
    assert "so far" not in capsys.readouterr().out
