"""What was measured on a cluster is shown by node, and measured again."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.cli import main
from core.session import Session
from core.tables.nodes_table import tabulate_nodes


@pytest.fixture
def measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session with two settings on one and on two nodes, by the command line."""
    monkeypatch.setenv("COLUMNS", "300")
    data = tmp_path / "some.bin"
    data.write_bytes(bytes(2**20))
    session = tmp_path / "a.sluice"
    words = ["sweep", "raw", "nodes=1,2", f"--dataset={data}", "--cluster=local:2", "--no-floor"]
    short = ["--repeats=1", "--budget=0", "--duration=0", "--operations=400", "--warm-up=0"]
    assert main([*words, *short, f"--session={session}"]) == 0
    return session


def test_that_each_node_of_each_trial_has_a_row(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Session.read(measured) as session:
        results = session.results()
    table = tabulate_nodes(results)
    assert sorted(cell.value for cell in table.column("node")) == [1, 1, 2]
    assert sum(int(str(cell.value)) for cell in table.column("operations")) == 800
    assert {cell.text for cell in table.column("ending")} == {"completed"}
    capsys.readouterr()
    assert main(["show", str(measured), "--nodes"]) == 0
    told = capsys.readouterr().out
    assert all(cell.text in told for cell in table.column("address"))
    assert "Started after" in told
    report = tmp_path / "report.html"
    assert main(["report", str(measured), "-o", str(report)]) == 0
    assert "Nodes of the cluster, by trial." in report.read_text("utf-8")


def test_that_settings_of_a_cluster_are_compared_again_on_one(
    measured: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sides = [f"{measured}#nodes={count}" for count in (1, 2)]
    again = ["compare", *sides, "--again", "--repeats=1", f"--session={tmp_path / 'b.sluice'}"]
    assert main(again) == 2
    assert "2 nodes need a cluster (add --cluster tcp://HOST:PORT" in capsys.readouterr().err
    assert main([*again, "--cluster=local:2"]) in {0, 3, 4}
    with Session.read(tmp_path / "b.sluice") as session:
        assert sorted(len(trial.nodes) for one in session.results() for trial in one.trials) == [
            1,
            2,
        ]


def test_that_a_run_without_a_cluster_says_that_it_had_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "some.bin"
    data.write_bytes(bytes(2**20))
    session = tmp_path / "a.sluice"
    short = ["--duration=0", "--operations=20", "--warm-up=0", "--no-floor", "--repeats=1"]
    assert main(["run", "raw", f"--dataset={data}", *short, f"--session={session}"]) == 0
    assert main(["show", str(session), "--nodes"]) == 0
    assert "nothing of this run was measured on a cluster" in capsys.readouterr().out
