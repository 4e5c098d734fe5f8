"""A block in turns that is cut off keeps what was measured: its trials count, turn by turn."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest
from marking import MARK
from running import PATIENT, Rig
from test_killed_parent import ROOTS, seconds_until_gone
from test_round_robin import LONG, Company

from core.judge import relative
from core.measure import Cancel, describe_environment
from core.run import Session
from core.run.engine import run
from core.run.round_robin import RoundRobin
from core.vocabulary import (
    ENOUGH,
    Cancelled,
    Event,
    Failed,
    MomentTaken,
    Plan,
    RoundBegun,
    Trial,
    TrialEnded,
    TrialKept,
    collect,
    open_dataset,
    specify,
)


class AmidTurn:
    """Whether somebody has its turn, after so many rounds."""

    def __init__(self, rounds: int) -> None:
        self._rounds = rounds
        self._begun = False

    def __call__(self, event: Event) -> bool:
        if isinstance(event, RoundBegun):
            self._begun = event.number >= self._rounds
        return self._begun and isinstance(event, MomentTaken)


def at_round(number: int) -> Any:
    return lambda event: isinstance(event, RoundBegun) and event.number >= number


def assert_counts_turn_by_turn(trial: Trial) -> None:
    assert isinstance(trial.outcome, Cancelled)
    assert trial.shortened
    assert trial.valid
    assert not trial.notes
    assert len(trial.turns) >= ENOUGH
    done = sum(one.operations for one in trial.turns)
    assert 0 < done <= trial.operations >= trial.checked > 0
    seconds = sum(one.active for one in trial.turns) / 1e9
    assert trial.throughput == pytest.approx(done / seconds)


@pytest.mark.parametrize("checking", ["between", "later"])
def test_that_cancelling_amid_a_turn_keeps_the_complete_turns(rig: Rig, checking: str) -> None:
    wishes = LONG | {"pace": 0.03, "checking": checking}
    company = Company().run(
        rig,
        [wishes, wishes | {"threads": 2}],
        until=AmidTurn(ENOUGH + 3),
        round_robin=RoundRobin(seed=1, grace=PATIENT),
    )
    assert len(company.trials) == 2
    for trial in company.trials:
        assert_counts_turn_by_turn(trial)
        assert trial.peak_rss
        assert trial.latency(0.5)
    amid = [trial for trial in company.trials if undone(trial)]
    assert len(amid) <= 1  # only one had the turn


def undone(trial: Trial) -> int:
    """Operations done outside of complete turns."""
    return trial.operations - sum(one.operations for one in trial.turns)


def test_that_trials_cut_off_early_do_not_count(rig: Rig) -> None:
    wishes = LONG | {"pace": 0.002}
    company = Company().run(rig, [wishes, wishes | {"threads": 2}], until=at_round(ENOUGH // 2))
    assert len(company.trials) == 2
    assert not any(trial.shortened or trial.valid for trial in company.trials)


def test_that_wrong_data_found_when_a_block_is_cancelled_spoils_its_trial(rig: Rig) -> None:
    lying = LONG | {"pace": 0.002, "answer": "wrong", "first": 5, "last": 5}
    steady = LONG | {"pace": 0.002}
    company = Company().run(
        rig,
        [lying, steady],
        until=at_round(2 * ENOUGH),
        round_robin=RoundRobin(seed=1, grace=PATIENT),
    )
    trial = company.of(rig, **lying)
    assert trial.shortened
    assert trial.wrong > 0
    assert trial.throughput is None
    assert company.of(rig, **steady).valid


def test_that_results_held_back_are_verified_between_turns_at_no_cost_of_the_trial(
    rig: Rig,
) -> None:
    wishes: dict[str, Any] = {"pace": 0.002, "operations": 800, "checking": "later"}
    round_robin = RoundRobin(seed=1, kept_every=0.2)
    settings = [wishes, wishes | {"threads": 2}]
    company = Company().run(rig, settings, round_robin=round_robin)
    kept = [event.trial for event in company.events if isinstance(event, TrialKept)]
    assert any(trial.shortened for trial in kept)
    assert all(trial.unverified == 0 and not trial.notes for trial in kept)
    for trial in company.trials:
        assert trial.valid
        assert trial.checked == trial.operations == 800
        assert sum(one.done for one in trial.turns) == 800
        moments = [moment.at for moment in trial.moments]
        assert moments == sorted(moments)


def test_that_a_check_between_turns_that_raises_ends_its_own_trial(rig: Rig) -> None:
    broken = LONG | {"pace": 0.002, "act": "raise", "at": "check"}
    steady: dict[str, Any] = {"pace": 0.002, "operations": 800}
    round_robin = RoundRobin(seed=1, kept_every=0.2)
    company = Company().run(rig, [broken, steady], round_robin=round_robin)
    outcome = company.of(rig, **broken).outcome
    assert isinstance(outcome, Failed)
    assert outcome.stage == "verifying"
    assert company.of(rig, **steady).valid


def test_that_bare_reads_cancelled_within_their_block_are_compared_by_their_turns(
    tmp_path: Path,
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "a").write_bytes(b"\1" * 2**20)
    usual = {"duration": 60, "warm_up": 0, "block_size": 4096}
    specs = [specify("raw", open_dataset(data), usual | {"threads": threads}) for threads in (1, 2)]
    cancel = Cancel()
    trials = []
    for event in run(Plan(title="raw", specs=tuple(specs), repeats=2, turns="auto"), cancel):
        if at_round(2 * ENOUGH)(event):
            cancel.request()
        if isinstance(event, TrialEnded):
            trials.append(event.trial)
    cancel.close()
    assert len(trials) == 2
    for trial in trials:
        assert_counts_turn_by_turn(trial)
        assert trial.byte_rate
    one, two = collect(specs, trials, describe_environment(), {})
    assert relative(one, two).value


def kept(path: Path) -> int:
    """How many trials are in the session with turns enough to count."""
    with Session.read(path) as session:
        return sum(result.valid for result in session.results())


@pytest.mark.parametrize(
    "work", [("raw",), ("rigged:Rigged", "--checking", "later", "--pace", "1ms", "--no-floor")]
)
def test_that_a_killed_block_counts_up_to_some_seconds_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, work: tuple[str, ...]
) -> None:
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    data, path, mark = tmp_path / "data", tmp_path / "a.sluice", f"{os.getpid()}-shortened"
    data.mkdir()
    (data / "a").write_bytes(b"\1" * 2**18)
    run = subprocess.Popen(
        [sys.executable, "-m", "core", "measure", work[0], "threads=1,2", *work[1:], "--turns", "auto",
         "--duration", "200s", "--warm-up", "0", "--json",
         "--dataset", str(data), "--session", str(path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS)), MARK: mark},
    )  # fmt: skip
    with run:
        assert run.stdout is not None
        for line in run.stdout:
            if msgspec.json.decode(line)["type"] == "round-begun" and kept(path) == 2:
                break
        run.kill()
    seconds_until_gone(mark)
    with Session.read(path) as session:
        (recorded,) = session.runs()
        results = session.results(recorded.id)
        left = session.remaining(recorded.id)
    assert len(results) == 2
    for result in results:
        (trial,) = result.finished_trials
        assert_counts_turn_by_turn(trial)
        assert trial.peak_rss
        assert trial.latencies is not None
        assert result.valid
    assert len(left) == 2 * recorded.plan.repeats  # shortened ones are measured again
