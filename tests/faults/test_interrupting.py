"""Signals and closed pipes on a real run: it ends at once, and keeps what was measured."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest
from leftovers import nothing_left_of_it
from marking import MARK
from patience import PATIENCE, without_busy
from running import Rig

from core.run import Run, Session
from core.run.session.plan_trust import trust
from core.vocabulary import AnyFiles, Cancelled, Completed

ROOTS = (Path(__file__).parents[2], Path(__file__).parent)
ENDLESS = ("--pace", "1ms", "--duration", "1h", "--warm-up", "0")


@dataclass
class Command:
    """`run` of the rigged workload as its own process, told by its events."""

    session: Path
    popen: subprocess.Popen[bytes]
    asked: float = 0.0

    def events(self) -> Iterator[dict[str, Any]]:
        assert self.popen.stdout is not None
        for line in self.popen.stdout:
            yield msgspec.json.decode(line)

    def wait_for(self, reached: Callable[[dict[str, Any]], bool]) -> None:
        assert any(reached(event) for event in self.events()), self.popen.communicate()

    def send(self, number: signal.Signals) -> None:
        self.asked = self.asked or time.monotonic()
        self.popen.send_signal(number)

    def end(self) -> tuple[int, float, str]:
        """Exit code, seconds since the first signal, stderr."""
        _, errors = self.popen.communicate(timeout=PATIENCE)
        took = time.monotonic() - self.asked
        return self.popen.returncode, took, without_busy(errors.decode())

    def recorded(self) -> tuple[Run, list[type]]:
        with Session.read(self.session) as session:
            (run,) = session.runs()
            return run, [type(trial.outcome) for trial in session.trials(run.id)]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Path]:
    data = tmp_path / "data"
    data.mkdir()
    (data / "some.bin").write_bytes(b"\1" * 100_000)
    with nothing_left_of_it(tmp_path) as mark:
        yield tmp_path
        assert os.environ[MARK] == mark


@contextmanager
def command(place: Path, *arguments: str, **settings: Any) -> Iterator[Command]:
    wanted = (
        "measure",
        "rigged:Rigged",
        *arguments,
        "--dataset",
        str(place / "data"),
        "--no-floor",
    )
    with started(place, *wanted, **settings) as begun:
        yield begun


@contextmanager
def started(place: Path, *arguments: str, **settings: Any) -> Iterator[Command]:
    session = place / "a.sluice"
    popen = subprocess.Popen(
        [sys.executable, "-m", "core", *arguments, "--session", str(session), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS))},
        start_new_session=True,
        **settings,
    )  # fmt: skip
    with popen:
        yield Command(session, popen)
        popen.kill()


def measuring(event: dict[str, Any]) -> bool:
    return event["type"] == "moment-taken" and sum(event["moment"]["operations"]) > 0


def preparing(event: dict[str, Any]) -> bool:
    return event["type"] == "phase-changed" and event["phase"] == "preparing"


def second_trial(event: dict[str, Any]) -> bool:
    return event["type"] == "trial-started" and event["index"] == 1


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["SIGINT", "SIGTERM", "SIGHUP"],
)
def test_that_a_signal_ends_a_run_and_keeps_what_was_measured(
    place: Path, number: signal.Signals, code: int
) -> None:
    with command(place, *ENDLESS) as run:
        run.wait_for(measuring)
        run.send(number)
        ended, _, errors = run.end()
    assert (ended, errors) == (code, "")
    recorded, outcomes = run.recorded()
    assert recorded.how == "cancelled"
    assert outcomes == [Cancelled]
    with Session.read(run.session) as session:
        (trial,) = session.trials(recorded.id)
    assert trial.operations > 0
    assert trial.moments


@pytest.mark.benchmark
def test_that_a_signal_ends_a_run_within_a_second_and_lets_it_verify(place: Path) -> None:
    with command(place, *ENDLESS) as run:
        run.wait_for(measuring)
        run.send(signal.SIGINT)
        assert run.end() == (130, pytest.approx(0, abs=1.0), "")
    with Session.read(run.session) as session:
        (trial,) = session.trials(session.runs()[0].id)
    assert not trial.notes  # the child heeded, and everything was verified


def test_that_under_nohup_a_terminal_that_closes_ends_nothing(place: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    short = ("--duration", "20ms", "--warm-up", "0", "--repeats", "5")
    with command(place, *short, preexec_fn=ignore) as run:
        run.wait_for(second_trial)
        run.send(signal.SIGHUP)
        code, _, errors = run.end()
    assert (code, errors) == (0, "")
    recorded, outcomes = run.recorded()
    assert (recorded.how, outcomes) == ("completed", [Completed] * 5)


def test_that_a_second_ctrl_c_changes_nothing(place: Path) -> None:
    with command(place, *ENDLESS, "--act", "hang-gil", "--first", "20") as run:
        run.wait_for(measuring)
        run.send(signal.SIGINT)
        run.send(signal.SIGINT)
        code, _, errors = run.end()
    assert (code, errors) == (130, "")
    assert run.recorded()[0].how == "cancelled"


@pytest.mark.parametrize("act", ["hang", "hang-gil", "hang-deaf"])
def test_that_ctrl_c_ends_a_run_that_hangs_in_its_preparation(place: Path, act: str) -> None:
    with command(place, "--act", act, "--at", "open") as run:
        run.wait_for(preparing)
        run.send(signal.SIGINT)
        code, _, errors = run.end()
    assert (code, errors) == (130, "")
    assert run.recorded()[1] == [Cancelled]


def test_that_trials_before_the_interrupted_one_are_kept_whole(place: Path) -> None:
    with command(place, "--duration", "20ms", "--warm-up", "0", "--repeats", "1000") as run:
        run.wait_for(second_trial)
        run.send(signal.SIGINT)
        code, _, errors = run.end()
    assert (code, errors) == (130, "")
    recorded, outcomes = run.recorded()
    assert recorded.how == "cancelled"
    assert outcomes[0] is Completed
    assert set(outcomes[1:-1]) <= {Completed}


def fifth_trial(event: dict[str, Any]) -> bool:
    return event["type"] == "trial-started" and event["index"] == 4


def test_that_ctrl_c_ends_compare_again_with_a_verdict_on_what_was_measured(place: Path) -> None:
    rig = Rig(AnyFiles().open(place / "data"))
    sides = []
    for threads in (1, 2):
        spec = rig.spec(threads=threads, operations=20)
        sides.append(place / f"{threads}.sluice")
        with Session.create(sides[-1]) as session:
            number = session.begin_run(building.plan([spec]), building.environment(), {}, ["run"])
            session.append(number, building.trial(spec))
            trust(session.run(number))
    both = ("compare", *map(str, sides), "--again", "--repeats", "1000")
    with started(place, *both) as run:
        run.wait_for(fifth_trial)
        run.send(signal.SIGINT)
        *_, verdicts = run.events()
        code, _, errors = run.end()
    assert (code, errors) == (130, "")
    recorded, outcomes = run.recorded()
    assert recorded.how == "cancelled"
    assert outcomes[:4] == [Completed] * 4
    (verdict,) = verdicts["verdicts"]
    assert min(verdict["trials"]) >= 2
    assert verdict["drift"] is None
    assert verdict["ratio"] > 0


def test_that_a_signal_to_the_whole_terminal_reaches_the_command_alone(place: Path) -> None:
    with command(place, *ENDLESS) as run:
        run.wait_for(measuring)
        os.killpg(run.popen.pid, signal.SIGINT)
        code, _, errors = run.end()
    assert (code, errors) == (130, "")
    assert run.recorded()[1] == [Cancelled]


def test_that_a_reader_who_leaves_ends_the_run_quietly_and_keeps_what_was_measured(
    place: Path,
) -> None:
    with command(place, *ENDLESS) as run:
        run.wait_for(measuring)
        assert run.popen.stdout is not None
        run.popen.stdout.close()
        assert run.popen.stderr is not None
        assert not without_busy(run.popen.stderr.read().decode())
        assert run.popen.wait(PATIENCE) == 141
    recorded, outcomes = run.recorded()
    assert recorded.how == "cancelled"
    assert outcomes == [Cancelled]


def test_that_a_run_under_a_limit_of_50_descriptors_counts_what_it_cannot_open(
    place: Path,
) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (50, 50))

    arguments = ("--operations", "200", "--duration", "0", "--warm-up", "0", "--repeats", "2")
    with command(place, *arguments, "--act", "take-descriptor", preexec_fn=limit) as run:
        trials = [event["trial"] for event in run.events() if event["type"] == "trial-ended"]
        assert run.popen.wait(PATIENCE) == 1
    assert [trial["outcome"]["type"] for trial in trials] == ["completed"] * 2
    for trial in trials:
        (worker,) = trial["workers"]
        assert 0 < worker["operations"] < 50
        assert worker["operations"] + worker["errors"] == 200
        assert "Too many open files" in trial["complaints"][0]["text"]


def test_that_a_run_that_cannot_start_a_child_says_so_and_does_not_fall(place: Path) -> None:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (12, 12))

    with command(place, "--repeats", "1", preexec_fn=limit) as run:
        (outcome,) = [
            event["trial"]["outcome"] for event in run.events() if event["type"] == "trial-ended"
        ]
        code, _, errors = run.end()
    assert (code, errors) == (1, "")
    assert (outcome["type"], outcome["stage"]) == ("failed", "starting")
    assert "Too many open files" in outcome["message"]
