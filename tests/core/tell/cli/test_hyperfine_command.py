"""`measure hyperfine …` measures what the line asks, and writes what hyperfine would."""

from __future__ import annotations

import json
import shlex
import statistics
import sys
from pathlib import Path

import pytest

from core.run import Session
from core.tell.cli import main
from core.tell.exchange.imported import Imported, read


def test_that_a_line_is_measured_and_its_export_comes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    program = tmp_path / "a tool.py"
    program.write_text("import sys; assert sys.argv[1:] in (['1', '{x}'], ['3', '{x}'])")
    session, told = tmp_path / "x.sluice", tmp_path / "x.json"
    run = f"{shlex.join([sys.executable, str(program)])} {{level}} '{{x}}'"
    words = ["-N", "-P", "level", "1", "3", "-D", "2", "-r", "3", "-w", "1", "--style", "basic"]
    ours = ["--session", str(session), "--export-json", str(told), "--all"]
    assert main(["measure", "hyperfine", *words, *ours, run]) == 2
    assert "it has no option --all" in capsys.readouterr().err
    assert main(["measure", "hyperfine", *words, *ours[:-1], run]) == 0
    assert "nothing here does the same: --style basic." in capsys.readouterr().err
    results = json.loads(told.read_text())["results"]
    assert [one["parameters"] for one in results] == [{"level": "1"}, {"level": "3"}]
    for one in results:
        assert one["mean"] == pytest.approx(statistics.fmean(one["times"]))
        assert one["median"] == pytest.approx(statistics.median(one["times"]))
        assert (len(one["times"]), one["exit_codes"]) == (3, [0, 0, 0])
        assert 0 < one["min"] <= one["median"] <= one["max"]
        assert one["user"] > 0 < one["system"]
        assert one["stddev"] > 0
    with Session.read(session) as opened:
        assert all(trial.operations == 1 for trial in opened.trials(1))
    back = [one for one in read(told) if isinstance(one, Imported)]
    assert [len(one.values) for one in back] == [3, 3]


def test_that_a_quoted_line_and_an_export_that_cannot_be_written_are_understood(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", "hyperfine -r 0 'true'"]) == 2
    assert "--runs is 0" in capsys.readouterr().err
    assert main(["measure", "hyperfine 'true"]) == 2
    assert "a quote is not closed" in capsys.readouterr().err
    nowhere = str(tmp_path / "nowhere" / "x.json")
    assert main(["measure", "hyperfine -r 1 true", "--export-json", nowhere]) == 2
    assert "does not exist (create it first)" in capsys.readouterr().err
