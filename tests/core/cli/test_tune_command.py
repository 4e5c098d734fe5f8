"""`tune` and `sweep` from the command line, on real files with real trials."""

from __future__ import annotations

import random
import re
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from core.cli import main
from core.session import Session


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "data.bin"
    file.write_bytes(random.Random(1).randbytes(1 << 20))
    return file


ANSWER = r"^((Use|Leading so far:) )?[12] threads?\b|^How many threads are best cannot be told"
"""The last where others want the cores."""
SHORT = ("--duration", "0.15", "--warm-up", "0.05", "--no-floor")


def test_that_tune_ends_in_a_card(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "tuned.sluice"
    arguments = ["tune", "raw", "threads=1,2", "--dataset", str(data), "--session", str(session)]
    assert main([*arguments, "--most-trials", "6", *SHORT]) == 0
    shown = capsys.readouterr()
    assert re.search(ANSWER, shown.out, re.MULTILINE)
    assert "a sweep of the same 2 settings takes 6 (3 of each)" in shown.out
    assert "imited by" in shown.out or "does not tell what limits" in shown.out
    assert "The values are few, so that each is measured." in shown.err
    with Session.read(session) as opened:
        assert opened.run(1).plan.adaptive


def test_that_a_sweep_over_threads_ends_in_a_card(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "swept.sluice"
    arguments = ["sweep", "raw", "threads=1,2", "--dataset", str(data), "--session", str(session)]
    assert main([*arguments, "--repeats", "2", "--most-files", "1", *SHORT]) == 0
    out = capsys.readouterr().out
    assert "over the limit on open files" in out
    assert "Cannot tell: no thread count ran" in out


def test_that_an_interrupted_search_keeps_what_it_has_and_says_so(
    tmp_path: Path, data: Path
) -> None:
    session = tmp_path / "stopped.sluice"
    command = [sys.executable, "-m", "core", "tune", "raw", "threads=1..4", "--json"]
    command += ["--dataset", str(data), "--session", str(session), *SHORT]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        told = []
        for line in process.stdout:
            event = msgspec.json.decode(line)
            told.append(event)
            if [one["type"] for one in told].count("trial-ended") == 3:
                process.send_signal(signal.SIGINT)
                told += [msgspec.json.decode(rest) for rest in process.stdout]
                break
    assert process.returncode == 130
    (advised,) = [event for event in told if event["type"] == "advised"]
    assert advised["advice"]["stopped"]
    assert advised["advice"]["trials"] >= 3
    assert told[-1]["type"] == "run-ended"
    with Session.read(session) as opened:
        assert opened.run(1).how == "cancelled"
        assert len(opened.trials(1)) >= 3


PAIR = ((1, 1), (2, 1), (1, 2))


def test_that_a_run_tells_why(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = str(tmp_path / "why.sluice")
    arguments = ["run", "raw", "--why", "--repeats", "1", "--dataset", str(data)]
    assert main([*arguments, "--session", session, *SHORT]) == 0
    settings = [f"threads {threads} · processes {processes}: " for threads, processes in PAIR]
    told = capsys.readouterr().out
    assert sum(told.count(setting) for setting in settings) == 1  # of the one that is advised
    assert main(["show", session, "--why"]) == 0
    shown = capsys.readouterr().out
    assert [shown.count(setting) for setting in settings] == [1, 1, 1]


def test_that_a_run_beside_its_floor_is_done_when_it_ends(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    data = tmp_path / "data.fa"
    data.write_text("".join(f">s{number}\n{'ACGT' * 15}\n" for number in range(50)))
    arguments = ["run", "fasta", "--repeats", "2", "--dataset", str(data), *SHORT[:-1]]
    assert main([*arguments, "--session", str(tmp_path / "floor.sluice")]) == 0
    shown = capsys.readouterr().out
    assert "0 wrong in" in shown
    assert "configurations measured so far" not in shown
