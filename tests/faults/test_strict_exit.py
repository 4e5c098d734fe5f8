"""What a pipeline hears of a sweep in which some settings had wrong data."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.tell.cli import main

RIGGED = ("rigged:Rigged", "--no-floor", "--repeats", "1", "--duration", "0.1", "--warm-up", "0")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, ...]:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    (tmp_path / "data").write_bytes(b"data")
    return ("--dataset", str(tmp_path / "data"), "--session", str(tmp_path / "x.sluice"))


@pytest.mark.parametrize(
    ("answers", "strict", "code"),
    [
        ("right,wrong", False, 0),
        ("right,wrong", True, 1),
        ("wrong,short", False, 1),
        ("right", True, 0),
    ],
)
def test_that_a_sweep_fails_for_one_setting_only_where_it_is_strict(
    place: tuple[str, ...], answers: str, strict: bool, code: int
) -> None:
    sweep = ("measure", *RIGGED, *place, f"answer={answers}", *(["--strict"] if strict else []))
    assert main([*sweep, "--json"]) == code


def test_that_what_the_user_gave_wrong_is_exit_code_2_also_where_only_a_trial_sees_it(
    tmp_path: Path, place: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").write_bytes(b">chr1\nACGT\n")
    (tmp_path / "regions").write_text("chr1\n1:2-3\n")
    asked = ("measure", "fasta", *place, "--regions", str(tmp_path / "regions"), *RIGGED[1:2])
    assert main([*asked, "--repeats", "3", "--operations", "1", "--duration", "0"]) == 2
    shown = capsys.readouterr()
    assert shown.err.count("line 2: the dataset has no sequence 1:2-3") == 1


@pytest.mark.parametrize("command", ["measure", "study"])
def test_that_the_help_says_which_exit_code_that_is(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "seqrepo-fd-cache" if command == "study" else "raw"
    assert main([command, name, "--help"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "--strict Exit with 1 if any setting has wrong data or errors" in told
