"""`tune` in turns, from the command line, with real children on real files."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from core.cli import main
from core.session import Session


@pytest.fixture
def arguments(tmp_path: Path) -> list[str]:
    """Of a search over two numbers of threads, without its command."""
    file = tmp_path / "data.bin"
    file.write_bytes(random.Random(1).randbytes(1 << 20))
    short = ["--duration", "0.4", "--warm-up", "0.05", "--no-floor", "--most-trials", "6"]
    session = ["--session", str(tmp_path / "tuned.sluice")]
    return ["raw", "threads=1,2", "--dataset", str(file), *session, *short]


def test_that_the_settings_of_a_round_take_turns(
    tmp_path: Path, arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["tune", *arguments]) == 0
    with Session.read(tmp_path / "tuned.sluice") as opened:
        assert opened.run(1).plan.turns == "auto"
        trials = opened.trials(1)
    assert 4 <= len(trials) <= 6
    assert all(len(trial.turns) > 1 for trial in trials)
    by_block = {block: {t.spec_digest for t in trials if t.block == block} for block in (0, 1)}
    assert all(len(met) == 2 for met in by_block.values())
    out = capsys.readouterr().out
    assert " a sweep of the same 2 settings takes 6 (3 of each) in about " in out


def test_that_turns_can_be_switched_off(tmp_path: Path, arguments: list[str]) -> None:
    assert main(["tune", *arguments, "--turns", "off"]) == 0
    with Session.read(tmp_path / "tuned.sluice") as opened:
        assert opened.run(1).plan.turns == "off"
        assert not any(trial.turns for trial in opened.trials(1))
