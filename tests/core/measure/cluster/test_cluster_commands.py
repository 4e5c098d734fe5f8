"""What was measured on a cluster is shown by node, and measured again."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest
from marking import arguments_of
from patience import PATIENCE, until

from core.run import Session
from core.tell.cli import main
from core.tell.tables.result_tables import tabulate_nodes
from core.vocabulary import Dataset


@pytest.fixture
def raw(data: Dataset) -> list[str]:
    """The beginning of a command that measures plain reads."""
    return ["measure", "raw", f"--dataset={data.location}", "--no-floor"]


@pytest.fixture
def measured(raw: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A session with two settings on one and on two nodes, by the command line."""
    monkeypatch.setenv("COLUMNS", "300")
    session = tmp_path / "a.sluice"
    words = [*raw, "nodes=1,2", "--cluster=local:2"]
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


def test_that_a_cluster_that_does_not_answer_is_named_and_leaves_no_run_to_be_resumed(
    raw: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "a.sluice"
    with socket.socket() as nobody:  # bound, and nobody listens
        nobody.bind(("127.0.0.1", 0))
        address = f"tcp://127.0.0.1:{nobody.getsockname()[1]}"
        words = [*raw, f"--cluster={address}"]
        assert main([*words, f"--session={session}"]) == 1
    told = capsys.readouterr().err
    assert f"connecting to the cluster {address}" in told
    assert f"the cluster {address} does not answer" in told
    with Session.read(session) as read:
        (run,) = read.runs()
        assert (run.how, run.trials) == ("cancelled", 0)


def test_that_ctrl_c_on_a_cluster_of_this_machine_is_told_once(
    raw: list[str], tmp_path: Path
) -> None:
    words = [*raw, "--cluster=local:2", "--nodes=2"]
    session = tmp_path / "a.sluice"
    with (tmp_path / "said.txt").open("w") as said:
        run = subprocess.Popen(
            [sys.executable, "-m", "core", *words, "--duration=300", f"--session={session}"],
            stdout=said,
            stderr=said,
            start_new_session=True,  # as a shell does, for what a terminal's Ctrl+C reaches
        )
    until(lambda: any("spawn_main" in str(arguments_of(one)) for one in family(run.pid)))
    until(lambda: any("core.measure.trial" in str(arguments_of(one)) for one in family(run.pid)))
    started = family(run.pid)
    os.killpg(run.pid, signal.SIGINT)
    assert run.wait(PATIENCE) == 130
    told = (tmp_path / "said.txt").read_text("utf-8")
    assert "Traceback" not in told
    assert "KeyboardInterrupt" not in told
    assert "interrupted; the results so far are kept" in told
    assert not psutil.wait_procs(started, PATIENCE)[1]


def family(pid: int) -> list[psutil.Process]:
    try:
        return psutil.Process(pid).children(recursive=True)
    except psutil.NoSuchProcess:
        return []


def test_that_a_run_without_a_cluster_says_that_it_had_none(
    raw: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "a.sluice"
    short = ["--duration=0", "--operations=20", "--warm-up=0", "--repeats=1"]
    assert main([*raw, *short, f"--session={session}"]) == 0
    assert main(["show", str(session), "--nodes"]) == 0
    assert "nothing of this run was measured on a cluster" in capsys.readouterr().out
