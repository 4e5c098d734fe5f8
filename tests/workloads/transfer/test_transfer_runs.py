"""Whole trials of transfers, what a sweep over them advises, and a study of trees."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from lab_servers import behind_proxy
from patience import PATIENCE
from transferring import FILES, SIZE, names_sent, through_proxy, trial

from core.judge import load_study
from core.measure import leftovers
from core.measure.machine.lab_records import lab_credentials
from core.run import Session
from core.tell.cli import main
from core.vocabulary import Cause, Completed, TimedOut, Trial


def assert_moments_are_by_the_clock(done: Trial) -> None:
    """By that of the throughput, but that a look into a pause may have taken it for work."""
    (worker,) = done.workers
    times = [moment.at for moment in done.moments]
    assert times == sorted(times)
    assert done.elapsed <= times[-1] < done.elapsed + worker.paused / 1e9


@pytest.mark.lab("s3")
@pytest.mark.parametrize("direction", ["up", "down"])
def test_that_a_trial_over_s3_counts_every_file_and_leaves_nothing(
    s3: Mapping[str, Any], tree: Path, direction: str
) -> None:
    before = names_sent(**s3)
    done = trial(tree, **s3, direction=direction)
    assert done.outcome == Completed()
    assert (done.operations, done.errors, done.wrong, done.unverified) == (FILES, 0, 0, 0)
    assert sum(worker.bytes for worker in done.workers) == FILES * SIZE
    last = done.moments[-1]
    assert (sum(last.operations), last.bytes) == (FILES, FILES * SIZE)
    assert done.counters["requests"] >= FILES
    assert done.counters["begun"] == FILES
    assert done.latencies is not None
    assert done.latencies.histogram.total == FILES
    assert leftovers() == ()
    assert names_sent(**s3) == before


@pytest.mark.lab("s3")
def test_that_a_command_without_latencies_is_counted_file_by_file(
    s3: Mapping[str, Any], tree: Path
) -> None:
    need_drivers("transfer", client="s3-sync")
    done = trial(tree, **{**s3, "client": "s3-sync"}, direction="down")
    assert done.outcome == Completed()
    assert (done.operations, done.errors, done.wrong, done.unverified) == (FILES, 0, 0, 0)
    assert done.moments[-1].bytes == FILES * SIZE
    assert done.latencies is None or not done.latencies.histogram.total
    secrets = lab_credentials()["s3"].values()
    assert not any(secret in str(done) for secret in secrets)


@pytest.mark.lab("synapse")
@pytest.mark.parametrize("client", ["synapse-sync", "synapse-walk"])
@pytest.mark.parametrize("direction", ["up", "down"])
def test_that_a_trial_over_synapse_counts_every_file_and_leaves_nothing(
    synapse: Mapping[str, Any], tree: Path, client: str, direction: str
) -> None:
    before = names_sent(**synapse, client=client)
    done = trial(tree, **synapse, client=client, direction=direction, annotations=True)
    assert done.outcome == Completed()
    assert (done.operations, done.errors, done.wrong, done.unverified) == (FILES, 0, 0, 0)
    assert sum(worker.bytes for worker in done.workers) == FILES * SIZE
    last = done.moments[-1]
    assert (sum(last.operations), last.bytes) == (FILES, FILES * SIZE)
    assert done.counters["requests"] >= 3 * FILES
    assert done.counters["begun"] == FILES
    assert done.latencies is not None
    assert done.latencies.histogram.total == FILES
    prepared = "manifest" if (client, direction) == ("synapse-sync", "up") else "folder"
    assert list(done.phase_seconds()) == [prepared, "transfer"]
    # The clock of the throughput stood still while it was prepared.
    assert done.workers[0].paused >= done.workers[0].phases[0]
    assert_moments_are_by_the_clock(done)
    assert leftovers() == ()
    assert lab_credentials()["synapse"]["token"] not in str(done)
    assert names_sent(**synapse, client=client) == before


def test_that_a_tree_is_transferred_again_until_the_time_is_over(tree: Path) -> None:
    done = trial(tree, duration=0.5)
    assert done.outcome == Completed()
    assert done.counters["trees"] > 1
    assert done.operations == done.counters["trees"] * FILES
    assert done.wrong == done.errors == 0
    assert_moments_are_by_the_clock(done)


@pytest.mark.lab("s3")
def test_that_of_a_server_that_falls_silent_what_arrived_is_known(
    s3: Mapping[str, Any], tree: Path
) -> None:
    through, stall = 7, 3.0
    while True:  # it must come as far as to the transfer, however busy the machine is
        with through_proxy(s3, acts=lambda n: "silence" if n > through else "pass") as asked:
            done = trial(tree, **asked, direction="up", stall=stall)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.stage == "measuring" or stall > PATIENCE:
            break
        stall *= 4
    assert done.outcome.stalled
    assert done.operations == done.counters["files arrived"] == through
    assert done.counters["files missing"] == FILES - through
    assert done.errors == done.wrong == done.unverified == 0
    assert leftovers() == ()


LATENCY = 0.1
"""Seconds: far more than a thread computes, or waits for a core of a busy machine."""
PART = 5 << 20
MOST_MEMORY, MOST_FILES = 2 << 30, 500
BRIEF = ("--duration", "1s", "--repeats", "2", "--no-floor", "--json")


@pytest.fixture
def mixed_tree(tmp_path: Path) -> Path:
    """Small files, and one of three parts or of two."""
    root = tmp_path / "mixed"
    root.mkdir()
    for number in range(9):
        (root / f"small-{number}").write_bytes(b"%d" % number * 1000)
    (root / "large").write_bytes(bytes(2 * PART + 1))
    return root


@pytest.mark.slow
@pytest.mark.lab("s3")
def test_that_threads_and_part_size_are_advised_within_limits_and_the_latency_named(
    s3: Mapping[str, Any], mixed_tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with behind_proxy(tmp_path / "proxy", s3["address"], latency=LATENCY) as address:
        reached = {**s3, "address": address, "direction": "down"}
        del reached["part_size"]
        flags = [f"--{name.replace('_', '-')}={value}" for name, value in reached.items()]
        limits = [f"--most-memory={MOST_MEMORY}", f"--most-files={MOST_FILES}"]
        given = ["--dataset", str(mixed_tree), "--session", str(tmp_path / "swept.sluice")]
        axes = ["threads=1,4", f"part-size={PART},{2 * PART}"]
        assert main(["measure", "transfer", *axes, *given, *flags, *limits, *BRIEF]) == 0
    events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    (advice,) = [one["advice"] for one in events if one["type"] == "advised"]
    assert advice["values"]["threads"] == 4, advice
    assert advice["values"]["part_size"] in (PART, 2 * PART)
    assert 0 < advice["memory"] <= MOST_MEMORY
    assert advice["refused"] == []
    assert advice["reasons"]
    (why,) = [one["diagnosis"] for one in events if one["type"] == "diagnosed"]
    assert why["cause"] == Cause.NETWORK.value, why
    assert "4 threads" in why["of"]
    assert any("the threads wait" in told for told in why["evidence"]), why


COUNTS = {"25-files": 3, "775-files": 6, "10-files": 2}


@pytest.mark.lab("s3", "synapse")
@pytest.mark.slow
def test_that_a_study_of_trees_runs_with_every_client(
    s3: Mapping[str, Any],
    synapse: Mapping[str, Any],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    name = "synapse-download"
    for client in ("synapse-sync", "synapse-walk", "s3-sync"):
        need_drivers("transfer", client=client)
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    trees = tmp_path / "trees"
    for folder, count in COUNTS.items():
        for number in range(count):
            path = trees / folder / "some" / f"file-{number}"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(f"{name}/{folder}/{number}".encode())
    session = tmp_path / "of.sluice"
    short = ("--repeats", "1", "--no-floor", "--dataset", str(trees), "--session", str(session))
    assert main(["study", name, *short]) == 0
    told = capsys.readouterr().out
    study = load_study(name)
    with Session.read(session) as read:
        results = study.results_by_label(read.results())
    small = [cell for cell in study.cells if cell.at["below"] in COUNTS]
    assert set(results) == {cell.label for cell in small}
    for cell in small:
        (trial,) = results[cell.label].trials
        assert trial.valid, (cell.label, trial.outcome, trial.complaints)
        assert trial.operations == COUNTS[str(cell.at["below"])]
        assert trial.wrong == trial.errors == trial.unverified == 0
    assert "no folder 10-huge-files" in told


def test_that_a_deadline_that_is_given_holds_while_a_tree_is_read(tmp_path: Path) -> None:
    limit = 1.0
    while True:  # at first it may not even come so far
        folder = tmp_path / f"tree-{limit:g}"
        folder.mkdir()
        with (folder / "big").open("wb") as big:
            big.truncate(1 << 40)
        done = trial(folder, deadline=limit)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.item or limit > PATIENCE:
            break
        limit *= 4
    assert (done.outcome.stage, done.outcome.stalled) == ("placing", False)
    assert done.outcome.item == f"reading the files of {folder.name} for their MD5s"
