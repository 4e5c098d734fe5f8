"""kill -9 of a real run at random moments: no session is corrupt, nothing acknowledged is lost,
and no child outlives its parent."""

from __future__ import annotations

import os
import select
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import fuzzing
import msgspec
import pytest
from marking import MARK, still_there
from patience import PATIENCE, without_busy

from core.language import SessionError
from core.run import Session
from core.run.round_robin import KEPT_EVERY
from core.vocabulary import Cancelled

ROOTS = (Path(__file__).parents[2], Path(__file__).parent)
ROUNDS = 10

RUNS = (
    ("raw", "--processes", "2", "--threads", "2"),
    ("raw", "--block-size", "4KiB"),
    ("rigged:Rigged", "--act", "leave-program", "--at", "open"),
    ("rigged:Rigged", "--act", "leave-fork", "--at", "open"),
    ("rigged:Rigged", "--act", "hang-gil", "--first", "500", "--stall", "2s"),
    ("raw", "--why"),
)
SHORT = ("--duration", "30ms", "--warm-up", "0", "--repeats", "1000", "--no-floor", "--json")


@dataclass
class Tally:
    """What came of all kills."""

    kills: int = 0
    without_session: int = 0
    acknowledged: int = 0
    kept: int = 0
    slowest_end: float = 0.0
    """Seconds that the last child was there after its parent."""


def killed_run(arguments: tuple[str, ...], wanted: int, longer: float, mark: str) -> set[int]:
    """Start a run, wait for some trials and some seconds, kill it; returns the trials it told."""
    run = subprocess.Popen(
        [sys.executable, "-m", "core", "measure", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS)), MARK: mark},
    )
    assert run.stdout is not None
    told = bytearray()

    def listen(seconds: float) -> None:
        assert run.stdout is not None
        if select.select([run.stdout], [], [], seconds)[0]:
            read = os.read(run.stdout.fileno(), 2**20)
            assert read, run.communicate()
            told.extend(read)

    while len(ended(told)) < wanted:
        listen(PATIENCE)
    until = time.monotonic() + longer
    while (left := until - time.monotonic()) > 0:
        listen(left)
    run.kill()
    rest, errors = run.communicate()
    assert not without_busy(errors.decode()), errors.decode()
    assert run.returncode == -9
    return ended(told + rest)


def ended(told: bytes) -> set[int]:
    """The trials that whole lines tell the end of."""
    *whole, _ = told.split(b"\n")
    events = [msgspec.json.decode(line) for line in whole if b'"trial-ended"' in line]
    return {event["trial"]["index"] for event in events if event["type"] == "trial-ended"}


def seconds_until_gone(mark: str) -> float:
    """How long the dead parent's children were still there."""
    begun = time.monotonic()
    assert not still_there(mark, PATIENCE)
    return time.monotonic() - begun


def survive(folder: Path, rounds: int, pace: float) -> Tally:
    drawn = fuzzing.drawn(rounds)
    data = folder / "data"
    data.mkdir()
    for name in "abc":
        (data / name).write_bytes(drawn.randbytes(2**18))
    tally = Tally()
    for number in range(rounds):
        path = folder / f"{number}.sluice"
        arguments = (*RUNS[number % len(RUNS)], *SHORT, "--dataset", str(data))
        wanted = drawn.choice((0, 0, 1, 2, 3))
        longer = drawn.uniform(0, pace if wanted else 4 * pace)
        mark = f"{os.getpid()}-{number}"
        acknowledged = killed_run((*arguments, "--session", str(path)), wanted, longer, mark)
        tally.slowest_end = max(tally.slowest_end, seconds_until_gone(mark))
        tally.kills += 1
        tally.acknowledged += len(acknowledged)
        if not path.exists():
            assert not acknowledged
            tally.without_session += 1
            continue
        with Session.read(path) as session:
            kept = {trial.index for run in session.runs() for trial in session.trials(run.id)}
        assert acknowledged <= kept
        tally.kept += len(kept)
        with Session.open(path) as session:  # and it can be added to
            session.note("survived")
    return tally


def test_that_a_block_in_turns_that_is_killed_keeps_what_it_had_some_seconds_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    data, path, mark = tmp_path / "data", tmp_path / "a.sluice", f"{os.getpid()}-turns"
    data.mkdir()
    (data / "a").write_bytes(b"\1" * 2**18)
    run = subprocess.Popen(
        [sys.executable, "-m", "core", "measure", "rigged:Rigged", "threads=1,2", "--turns", "auto", "--pace", "1ms",
         "--duration", "1h", "--warm-up", "0", "--no-floor", "--json",
         "--dataset", str(data), "--session", str(path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS)), MARK: mark},
    )  # fmt: skip
    with run:
        assert run.stdout is not None
        begun = 0.0
        for line in run.stdout:
            event = msgspec.json.decode(line)
            if event["type"] == "round-begun":
                begun = begun or time.monotonic()
            if begun and time.monotonic() - begun > 2 * KEPT_EVERY:
                break
        run.kill()
    seconds_until_gone(mark)
    with Session.read(path) as session:
        (recorded,) = session.runs()
        kept = session.trials(recorded.id)
        left = session.remaining(recorded.id)
    assert recorded.how is None
    assert {trial.index for trial in kept} == {0, 1}
    for trial in kept:
        assert isinstance(trial.outcome, Cancelled)
        assert trial.operations >= sum(one.operations for one in trial.turns) > 0
        assert trial.histogram
        assert trial.throughput is None  # in an hour a turn takes long: there were too few
    assert len(left) == 2 * recorded.plan.repeats


@pytest.mark.fuzz
def test_that_a_run_that_is_killed_keeps_what_it_acknowledged(
    tmp_path: Path, pace: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    thorough = os.environ.get("SLUICE_KILLS")
    rounds = int(thorough or fuzzing.rounds(ROUNDS))
    try:
        tally = survive(tmp_path, rounds, pace)
    except SessionError as error:
        pytest.fail(f"a session is corrupt: {error}")
    print(tally)
    assert tally.acknowledged > 0
    if thorough:  # asked for on a machine with nothing else to do
        assert tally.slowest_end <= 2.0
