"""What stands below a table in the terminal."""

from __future__ import annotations

import building
import pytest

from core.cli.terminal_tables import print_results


@pytest.mark.parametrize("workload", ["raw", "fasta"])
def test_that_a_remark_says_which_of_several_results_it_is_about(
    workload: str, capsys: pytest.CaptureFixture[str]
) -> None:
    results = [
        building.result(spec, [building.trial(spec, notes=("a remark",))])
        for spec in (building.spec(workload, threads=threads) for threads in (1, 2))
    ]
    print_results(results)
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if "a remark" in line] == [
        "threads 1: a remark",
        "threads 2: a remark",
    ]
