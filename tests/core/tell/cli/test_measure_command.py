"""`measure` from the command line, on real files with real trials."""

from __future__ import annotations

import random
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest
from parsing import parsed

from core.language import PROGRAM
from core.run import Request, Session
from core.tell.cli import main


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "data.bin"
    file.write_bytes(random.Random(1).randbytes(1 << 20))
    return file


ANSWER = r"^((Use|Leading (so far|for now):) )?\d+ threads?\b"
"""The last where others want the cores."""
SHORT = ("--duration", "0.3", "--warm-up", "0.05", "--no-floor")


MANY = (f"threads={','.join(map(str, range(1, 26)))}", "--budget", "0", "--most-trials", "10")
"""More than are all measured, so that they are searched; trials end it, and not the time."""


def test_that_many_settings_are_searched_and_end_in_a_card(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "tuned.sluice"
    arguments = ["measure", "raw", *MANY, "--dataset", str(data), "--session", str(session)]
    assert main([*arguments, *SHORT]) == 0
    shown = capsys.readouterr()
    assert re.search(ANSWER, shown.out, re.MULTILINE)
    assert "measuring all 25 settings takes 75 (3 of each) in about " in shown.out
    assert "imited by" in shown.out or "does not tell what limits" in shown.out
    assert re.match(
        r"Searches 25 settings for the best: usually \d+ trials in about .+\.\n", shown.err
    )
    with Session.read(session) as opened:
        assert opened.run(1).plan.adaptive
        assert opened.run(1).plan.turns == "auto"
        trials = opened.trials(1)
    assert 5 <= len(trials) <= 10
    assert all(trial.turns for trial in trials)
    assert len({trial.spec_digest for trial in trials if trial.block == 0}) > 1


def test_that_a_search_goes_without_turns_too(tmp_path: Path, data: Path) -> None:
    session = tmp_path / "tuned.sluice"
    arguments = ["measure", "raw", *MANY, "--dataset", str(data), "--session", str(session)]
    assert main([*arguments, *SHORT, "--turns", "off"]) == 0
    with Session.read(session) as opened:
        assert opened.run(1).plan.turns == "off"
        assert not any(trial.turns for trial in opened.trials(1))


def test_that_data_in_place_of_a_workload_asks_the_first_question_about_it(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "asked.sluice"
    further = ("threads=1,2", "--repeats", "2", "--budget", "0", *SHORT)
    assert main(["measure", str(data), "--session", str(session), *further]) == 0
    first, *_ = capsys.readouterr().err.splitlines()
    assert " measure raw --dataset " in first
    with Session.read(session) as opened:
        specs = opened.run(1).plan.specs
    assert [(one.workload, one.load.threads) for one in specs] == [("raw", 1), ("raw", 2)]
    assert main(["measure", "gopher://host/reads"]) == 2
    assert "no work here reads gopher://host/reads" in capsys.readouterr().err


def test_that_few_combinations_are_all_measured_and_end_in_a_card(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "swept.sluice"
    arguments = ["measure", "raw", "threads=1,2", "--dataset", str(data), "--session", str(session)]
    assert main([*arguments, "--repeats", "2", "--most-files", "1", *SHORT]) == 0
    shown = capsys.readouterr()
    out = shown.out
    assert re.match(r"Measures both combinations: 4 trials in about \d+ s\.\n", shown.err)
    assert "over the limit on open files" in out
    assert "Cannot tell: no thread count ran" in out


def test_that_an_interrupted_search_keeps_what_it_has_and_says_so(
    tmp_path: Path, data: Path
) -> None:
    session = tmp_path / "stopped.sluice"
    command = [sys.executable, "-m", "core", "measure", "raw", *MANY[:-2], "--json"]
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


def test_that_a_run_tells_why(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = str(tmp_path / "why.sluice")
    arguments = ["measure", "raw", "--why", "--repeats", "1", "--dataset", str(data)]
    assert main([*arguments, "--session", session, *SHORT]) == 0
    settings = ["1 thread: ", "2 threads: ", "2 processes: "]
    told, said = capsys.readouterr()
    assert re.match(r"Measures one setting: 3 trials in about \d+ s\.\n", said)
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
    arguments = ["measure", "fasta", "--repeats", "2", "--dataset", str(data), *SHORT[:-1]]
    assert main([*arguments, "--session", str(tmp_path / "floor.sluice")]) == 0
    shown = capsys.readouterr().out
    assert "compared, all right" in shown
    assert "configurations measured so far" not in shown


def asked(*words: str) -> Request:
    """What the real command line takes these words behind `measure` for."""
    return parsed(f"{' '.join(PROGRAM)} measure {' '.join(words)}")


def test_that_all_combinations_are_measured_on_demand() -> None:
    many = ("raw", "threads=1..64", "block-size=4KiB,64KiB,128KiB,1MiB")
    searched, whole = asked(*many), asked(*many, "--all", "--repeats", "2")
    assert (searched.search, whole.search) == (True, False)
    assert [len(axis.values) for axis in whole.axes] == [7, 4]
    assert whole.repeats == 2


def test_that_a_search_counts_up_a_range_of_threads_and_of_processes() -> None:
    searched = asked("raw", "threads=2..40", "processes=1..9", "--budget", "9s")
    values = {axis.name: axis.values for axis in searched.axes}
    assert values == {"threads": tuple(range(2, 41)), "processes": tuple(range(1, 10))}
    few = asked("raw", "threads=2..40")
    assert [axis.values for axis in few.axes] == [(2, 4, 8, 16, 32, 40)]


def test_that_values_of_placeholders_go_with_axes_of_others() -> None:
    run = shlex.quote("tool {a} {b} {level} {reference}")
    values = shlex.quote("reference=genome.fa level=3")
    split = asked("command", "a+b=3", "--run", run, "--values", values)
    (axis,) = split.axes
    assert axis.values == (
        "a=1 b=2 reference=genome.fa level=3",
        "a=2 b=1 reference=genome.fa level=3",
    )
    assert "values" not in split.values


def test_that_a_command_is_tried_once_and_nothing_is_measured(
    tmp_path: Path, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "tried.sluice"
    words = ["--try", "--dataset", str(data), "--session", str(session)]
    run = "sh -c 'echo says-$1; echo made > $2/made.txt; exit 3' - {threads} {out}"
    assert main(["measure", "command", "threads=2,4", "--run", run, *words]) == 0
    shown = capsys.readouterr().out
    assert "exit code 3" in shown
    assert "says-2" in shown
    assert "made.txt" in shown
    assert not session.exists()
    assert main(["measure", "command", "--run", "no-such-program {dataset}", *words]) == 2
    assert "no-such-program" in capsys.readouterr().err
