"""Whole trials, and the command line from the flags to the verdict."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest
from patience import PATIENCE

from core.catalog import registry
from core.cli import main
from core.plan.schedule import Slot
from core.plan.specify import specify
from core.result.outcome import Completed, TimedOut
from core.result.result import Trial
from core.session import Session
from core.trial.cancel import Cancel
from core.trial.parent import run_trial
from core.trial.trial_events import TrialEnded

SHORT = ("--duration", "0.2", "--warm-up", "0", "--no-floor")
SECRET = "hunter2-and-more"


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SLUICE_CACHE", "SLUICE_SESSIONS", "SLUICE_STATE"):
        monkeypatch.setenv(name, str(tmp_path / name))


@pytest.fixture
def data(tmp_path: Path) -> Path:
    file = tmp_path / "lines.txt"
    file.write_text("".join(f"{number * 7919 % 1000}\n" for number in range(1000)))
    return file


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "disk"
    folder.mkdir()
    return folder


def trial(data: Path, **values: Any) -> Trial:
    """A whole trial in a process of its own."""
    load = {"duration": 0.2, "warm_up": 0.0, "deadline": PATIENCE}
    spec = specify("command", registry.open_dataset(data), load | values)
    cancel = Cancel()
    try:
        (ended,) = (
            event.trial
            for event in run_trial(Slot(0, 0, spec), "a-run", cancel)
            if isinstance(event, TrialEnded)
        )
    finally:
        cancel.close()
    return ended


def are_gone(word: str) -> bool:
    """Whether no process has that word among its arguments."""
    found = psutil.process_iter(["cmdline"])
    return not any(word in " ".join(process.info["cmdline"] or ()) for process in found)


def test_that_a_trial_counts_its_runs_and_leaves_nothing(data: Path, out: Path) -> None:
    done = trial(data, run="sort --parallel={threads} {dataset} -o {out}/a", folder=str(out))
    assert done.outcome == Completed()
    assert done.operations > 0
    assert (done.errors, done.wrong, done.unverified) == (0, 0, 0)
    (worker,) = done.workers
    assert worker.bytes == done.operations * data.stat().st_size
    assert done.counters["bytes written"] == worker.bytes
    assert done.counters["CPU seconds"] > 0
    assert list(done.phase_seconds()) == ["prepare", "run"]
    assert list(out.iterdir()) == []


def test_that_what_fails_is_counted_with_its_words(data: Path) -> None:
    done = trial(data, run="sort {dataset} /no/such/file")
    assert done.operations == 0
    assert done.errors > 0
    assert "/no/such/file" in done.complaints[0].text
    assert done.complaints[0].first_item == "run 0 of sort {dataset} /no/such/file"


def test_that_a_trial_that_is_given_up_ends_its_program_and_gives_back_the_disk(
    data: Path, out: Path, eventually: Callable[[Callable[[], bool]], None]
) -> None:
    mark = "987654.25"
    run = f"sh -c 'trap \"\" TERM; echo half > $0/half; setsid sleep {mark} & sleep {mark}' {{out}}"
    done = trial(data, run=run, folder=str(out), deadline=3.0)
    assert isinstance(done.outcome, TimedOut)
    eventually(lambda: are_gone(mark) and not list(out.iterdir()))


@pytest.fixture
def eventually() -> Callable[[Callable[[], bool]], None]:
    """Waits for what a process brings about that is no child of this one."""
    import time

    def wait(condition: Callable[[], bool]) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.05)

    return wait


def test_that_a_secret_reaches_the_program_and_nothing_else(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TOKEN", SECRET)
    monkeypatch.setenv("OTHER_TOKEN", SECRET[::-1])
    session, got = tmp_path / "kept.sluice", tmp_path / "got"
    run = f"printf %s $TOKEN > {got}; echo the token is $TOKEN or $OTHER_TOKEN >&2; exit 1"
    arguments = [
        "run",
        "command",
        "--run",
        run,
        "--shell",
        "--secrets",
        "env:TOKEN env:OTHER_TOKEN",
    ]
    arguments += ["--dataset", str(data), "--repeats", "1", "--session", str(session), *SHORT]
    assert main(arguments) == 1
    assert got.read_text() == SECRET
    exported = tmp_path / "all.json"
    assert main(["export", str(session), "-o", str(exported)]) == 0
    told = capsys.readouterr()
    assert "the token is" in told.out
    for text in (told.out, told.err, exported.read_text()):
        assert SECRET not in text
        assert SECRET[::-1] not in text
    assert SECRET.encode() not in session.read_bytes()


def test_that_tune_ends_in_a_verdict_and_show_names_the_command(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "tuned.sluice"
    run = "sort --parallel={threads} {dataset} -o {out}/sorted"
    arguments = ["tune", "command", "--run", run, "threads=1..2", "--dataset", str(data)]
    arguments += ["--same", "files", "--session", str(session), "--most-trials", "6", *SHORT]
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^(Use|Cannot tell yet, perhaps) [12] threads?", shown, re.MULTILINE)
    assert "imited by" in shown or "does not tell what limits" in shown
    assert main(["show", str(session)]) == 0
    assert run in capsys.readouterr().out.splitlines()
    report = tmp_path / "report.html"
    assert main(["report", str(session), "-o", str(report)]) == 0
    assert "sort --parallel={threads} {dataset}" in report.read_text()
    hyperfine = tmp_path / "x.hyperfine.json"
    assert main(["export", str(session), "-o", str(hyperfine)]) == 0
    commands = [one["command"] for one in msgspec.json.decode(hyperfine.read_bytes())["results"]]
    assert commands == [f"{run} threads=1", f"{run} threads=2"]


def test_that_a_sweep_goes_over_own_placeholders_and_finds_other_output(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "swept.sluice"
    run = "sh -c 'echo $1 $2 > $0/a' {out} {threads} {level:1..9}"
    arguments = ["sweep", "command", "--run", run, "threads=1,2", "level=1..2", "--same", "files"]
    arguments += ["--dataset", str(data), "--repeats", "1", "--session", str(session), *SHORT]
    main(arguments)
    capsys.readouterr()
    with Session.read(session) as opened:
        results = opened.results()
    values = {
        (one.spec.load.threads, one.spec.parameters["values"]): sum(t.wrong for t in one.trials)
        for one in results
    }
    assert set(values) == {(n, f"level={level}") for n in (1, 2) for level in (1, 2)}
    for level in ("level=1", "level=2"):  # whichever of the two came first is the first output
        wrong = sorted(bool(values[threads, level]) for threads in (1, 2))
        assert wrong == [False, True]


def test_that_a_program_that_is_missing_is_a_usage_error(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["run", "command", "--run", "no-such-program {dataset}", "--dataset", str(data)]
    assert main([*arguments, *SHORT]) == 2
    told = capsys.readouterr().err
    assert "no program is named no-such-program (install it, or give its path)" in told


def test_that_a_program_has_the_users_python_path(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PYTHONPATH", raising=False)
    got = tmp_path / "got"
    run = f'printf %s "${{PYTHONPATH-none}}" > {got}'
    assert trial(data, run=run, shell=True).outcome == Completed()
    assert got.read_text() == "none"
    assert "PYTHONPATH" not in os.environ
