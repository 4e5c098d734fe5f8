"""`resume` goes on with a run, and asks first where somebody else has chosen what it runs; `watch`
follows a real run of another process, here or through ssh."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import building
import foreign_sessions
import pytest
from patience import PATIENCE

from core.measure import Inspection, sessions_folder
from core.run import Request, Session, begin_recording, task_of
from core.tell.cli import main

ROOT = Path(__file__).parents[4]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("SLUICE_STATE", "SLUICE_CACHE", "SLUICE_SESSIONS"):
        monkeypatch.setenv(name, str(tmp_path / name))
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))  # no terminal
    return tmp_path


def own(path: Path, data: Path) -> Path:
    """A session of a run begun here, with the first of its three trials."""
    data.mkdir()
    (data / "one.bin").write_bytes(bytes(1 << 16))
    values = {"duration": 0.05, "warm_up": 0.0, "block_size": 4096}
    asked = Request(workload="raw", values=values, repeats=3, floor=False)
    plan = task_of(asked, Inspection.of(data, "raw").dataset).plan
    with Session.create(path) as session:
        number = begin_recording(plan, session, ("sluice", "measure", "raw"))
        slot = plan.slots()[0]
        session.append(number, building.trial(slot.spec, index=0, block=0))
    return path


def sent(tmp_path: Path) -> tuple[Path, Path]:
    """A session of somebody else's, and what appears when its program runs."""
    mark = tmp_path / "ran"
    ways = {
        name: (specs, command) for name, specs, command in foreign_sessions.ways_in(tmp_path, mark)
    }
    return foreign_sessions.write(tmp_path / "sent.sluice", *ways["program"]), mark


def trials_in(path: Path) -> int:
    with Session.read(path) as session:
        return session.runs()[-1].trials


def test_that_ones_own_run_goes_on_without_a_question(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own(tmp_path / "own.sluice", tmp_path / "data")
    assert main(["resume", str(path)]) == 0
    told = capsys.readouterr()
    assert "look out" not in told.err
    assert "1 thread" in told.err
    assert trials_in(path) == 3
    assert main(["resume", str(path)]) == 2
    assert "nothing left to measure" in capsys.readouterr().err


def test_that_changed_data_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = own(tmp_path / "own.sluice", tmp_path / "data")
    (tmp_path / "data" / "one.bin").write_bytes(bytes(1 << 17))
    main(["resume", str(path)])
    assert "has changed since it was measured" in capsys.readouterr().err


def test_that_a_run_from_elsewhere_is_shown_and_refused_without_a_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, mark = sent(tmp_path)
    assert main(["resume", str(path)]) == 2
    told = capsys.readouterr().err
    assert f"run: /usr/bin/touch {mark}" in told
    assert "--yes" in told.splitlines()[-1]
    assert not mark.exists()
    assert trials_in(path) == 2


def answered(path: Path, answers: str) -> tuple[int, str]:
    """Exit code, and what is said, of resuming it on a terminal where somebody types this."""
    ours, theirs = pty.openpty()
    os.write(ours, answers.encode())
    with subprocess.Popen(
        [sys.executable, "-m", "core", "resume", str(path), "--json"],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=theirs,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    ) as asking:
        os.close(theirs)
        code = asking.wait(PATIENCE)
    told = os.read(ours, 1 << 16).decode()
    os.close(ours)
    return code, told


@pytest.mark.parametrize(("answer", "code"), [("\n", 2), ("n\n", 2), ("y\n", 0)])
def test_that_on_a_terminal_the_last_line_asks_and_only_yes_runs_it(
    tmp_path: Path, answer: str, code: int
) -> None:
    path, mark = sent(tmp_path)
    ended, told = answered(path, answer)
    assert ended == code
    assert "Run it? The 5 lines above say what. [y/N]:" in told
    assert "all the same" not in told
    assert mark.exists() is (code == 0)


@pytest.mark.parametrize(("answers", "code"), [("y\nn\n", 2), ("y\ny\n", 0)])
def test_that_data_that_is_not_that_of_the_sender_is_asked_about_besides(
    tmp_path: Path, answers: str, code: int
) -> None:
    path, mark = sent(tmp_path)
    (tmp_path / foreign_sessions.DATA / "one.bin").write_bytes(bytes(2000))
    ended, told = answered(path, answers)
    assert ended == code
    assert "has changed since it was measured" in told
    assert "Run it anyway? [y/N]:" in told
    assert mark.exists() is (code == 0)


def test_that_yes_runs_it_and_is_remembered(tmp_path: Path) -> None:
    path, mark = sent(tmp_path)
    before = path.read_bytes()
    assert main(["resume", str(path), "--yes"]) == 0
    assert mark.exists()
    assert path.read_bytes() == before
    own = sessions_folder() / path.name
    assert trials_in(own) == 6
    mark.unlink()
    again = foreign_sessions.write(tmp_path / "again.sluice", *_parts(path))
    assert main(["resume", str(again)]) == 0
    assert mark.exists()


def _parts(path: Path) -> tuple[tuple[object, ...], tuple[str, ...]]:
    with Session.read(path) as session:
        run = session.runs()[-1]
    return run.plan.specs, run.command


def test_that_comparing_again_asks_too_and_comparing_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, mark = sent(tmp_path)
    sides = [f"{path}#threads=1", "#threads=2"]
    assert main(["compare", *sides]) in (0, 3, 4)
    assert main(["compare", *sides, "--yes"]) == 2
    assert "belongs to --again" in capsys.readouterr().err
    assert main(["compare", *sides, "--again"]) == 2
    assert f"run: /usr/bin/touch {mark}" in capsys.readouterr().err
    for command in (["show"], ["export", "--format", "json"], ["report", "-o", "-"]):
        assert main([*command, str(path)]) == 0
    assert not mark.exists()


def test_that_no_command_runs_anything_of_60_hostile_sessions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    mark, ran = tmp_path / "ran", []
    sessions = list(foreign_sessions.hostile(tmp_path, mark))
    files = sorted(tmp_path.glob("**/*.sluice"))
    for name, path, whole in sessions:
        kept = foreign_sessions.trials_in(path)
        again = ["compare", f"{path}#threads=1", "#threads=2", "--again"]
        assert main(again if whole else ["resume", str(path)]) == 2, name
        assert "--yes" in capsys.readouterr().err.splitlines()[-1], name
        assert main(["show", str(path)]) == 0, name
        if (
            mark.exists()
            or foreign_sessions.trials_in(path) != kept
            or foreign_sessions.MODULE in sys.modules
        ):
            ran.append(name)
    assert not ran
    assert sorted(tmp_path.glob("**/*.sluice")) == files


def test_that_a_search_and_an_empty_session_cannot_go_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Session.create(tmp_path / "one.sluice") as session:
        pass
    assert main(["resume", str(tmp_path / "one.sluice")]) == 2
    with Session.open(tmp_path / "one.sluice") as session:
        plan = building.plan([building.spec("raw")], adaptive=True)
        session.begin_run(plan, building.environment(), {}, ())
    assert main(["resume", str(tmp_path / "one.sluice")]) == 2
    assert "start it again" in capsys.readouterr().err


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """An own home, and data for the raw workload."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "one.bin").write_bytes(bytes(1 << 20))
    return os.environ | {
        "SLUICE_SESSIONS": str(tmp_path),
        "SLUICE_CACHE": str(tmp_path / "cache"),
        "PYTHONPATH": str(ROOT),
    }


def sluice(*words: str) -> list[str]:
    return [sys.executable, "-m", "core", *words]


@contextmanager
def measuring(
    tmp_path: Path, surroundings: dict[str, str], repeats: int
) -> Iterator[subprocess.Popen[str]]:
    """A run that has its first trial behind it; ended with the context."""
    command = sluice(
        "measure", "raw", "--dataset", str(tmp_path / "data"), "--duration", "1s", "--warm-up", "0",
        "--repeats", str(repeats), "--no-floor", "--session", str(tmp_path / "far.sluice"),
    )  # fmt: skip
    with subprocess.Popen(
        command, env=surroundings, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    ) as begun:
        assert begun.stderr is not None
        try:
            assert any(line.startswith("[1/") for line in begun.stderr)
            yield begun
        finally:
            begun.kill()
            begun.communicate()


def watch(surroundings: dict[str, str], *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        sluice("watch", *words, "--every", "1"),
        env=surroundings,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def test_that_a_run_of_another_process_is_followed_to_its_results(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    with measuring(tmp_path, surroundings, 3) as other:
        seen = watch(surroundings, str(tmp_path / "far.sluice"))
        assert other.poll() is not None or other.wait(PATIENCE) == 0
    assert seen.returncode == 0, seen.stderr
    trials = [line for line in seen.stderr.splitlines() if line.startswith("[")]
    assert [line.split(":")[0] for line in trials] == [f"[{n}/3] 1 thread" for n in (1, 2, 3)]
    assert "completed" in seen.stdout


def test_that_a_killed_run_is_told_from_one_that_is_slow(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    with measuring(tmp_path, surroundings, 1000):
        pass  # it is killed
    seen = watch(surroundings, str(tmp_path / "far.sluice"))
    assert seen.returncode == 1
    assert "nobody measures it" in seen.stderr


def test_that_another_machine_is_asked_through_ssh_with_words_that_stay_whole(
    tmp_path: Path, surroundings: dict[str, str]
) -> None:
    fake = tmp_path / "bin" / "ssh"
    fake.parent.mkdir()
    fake.write_text('#!/bin/sh\nprintf "%s\\n" "$@"\nexit 7\n')
    fake.chmod(0o755)
    surroundings["PATH"] = f"{fake.parent}{os.pathsep}{surroundings['PATH']}"
    seen = watch(surroundings, "me@head.example:a night; rm x.sluice", "--remote", "env A=1 sluice")
    assert seen.returncode == 7
    assert seen.stdout.splitlines() == [
        "me@head.example",
        "--",
        "env A=1 sluice watch 'a night; rm x.sluice' --every 1",
    ]
    assert watch(surroundings, "-oProxyCommand=x:last").returncode == 2
