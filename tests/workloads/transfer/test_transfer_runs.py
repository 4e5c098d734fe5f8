"""Whole trials of transfers: placed, measured, verified, swept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from faulty_proxy import faulty
from patience import PATIENCE
from transferring import place_of

from core.catalog.dataset import tell_nobody
from core.catalog.registry import open_dataset
from core.host.lab_credentials import lab_credentials
from core.plan.schedule import Slot
from core.plan.specify import specify
from core.result.outcome import Completed, TimedOut
from core.result.result import Trial
from core.trial.cancel import Cancel
from core.trial.ledger import leftovers
from core.trial.parent import run_trial
from core.trial.trial_events import TrialEnded
from workloads.transfer.make_tree import make_tree
from workloads.transfer.tree_shapes import TreeShape

FILES, SIZE = 25, 4096
LOAD = {"duration": 0, "threads": 4, "deadline": 5 * PATIENCE, "stall": PATIENCE}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    path = tmp_path / "made"
    path.mkdir()
    make_tree(TreeShape(size=SIZE), path, tell_nobody)
    return path


def trial(tree: Path, **values: Any) -> Trial:
    spec = specify("transfer", open_dataset(tree), LOAD | values)
    cancel = Cancel()
    try:
        events = list(run_trial(Slot(0, 0, spec), "a-run", cancel))
    finally:
        cancel.close()
    (ended,) = [event.trial for event in events if isinstance(event, TrialEnded)]
    return ended


@pytest.mark.lab("s3")
@pytest.mark.parametrize("direction", ["up", "down"])
def test_that_a_trial_over_s3_counts_every_file_and_leaves_nothing(
    s3: Mapping[str, Any], tree: Path, direction: str
) -> None:
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
    place = place_of(**s3)
    assert not place.found("sent-", (), tell_nobody)
    place.close()


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


def test_that_a_tree_is_transferred_again_until_the_time_is_over(tree: Path) -> None:
    done = trial(tree, duration=0.5)
    assert done.outcome == Completed()
    assert done.counters["trees"] > 1
    assert done.operations == done.counters["trees"] * FILES
    assert done.wrong == done.errors == 0


@pytest.mark.lab("s3")
def test_that_of_a_server_that_falls_silent_what_arrived_is_known(
    s3: Mapping[str, Any], tree: Path
) -> None:
    through, stall = 7, 3.0
    address, _, port = s3["address"].rpartition(":")
    while True:  # it must come as far as to the transfer, however busy the machine is
        with faulty(int(port), lambda number: "silence" if number > through else "pass") as silent:
            asked = {**s3, "address": f"{address}:{silent}", "direction": "up"}
            done = trial(tree, **asked, stall=stall)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.stage == "measuring" or stall > PATIENCE:
            break
        stall *= 4
    assert done.outcome.stalled
    assert done.operations == done.counters["files arrived"] == through
    assert done.counters["files missing"] == FILES - through
    assert done.errors == done.wrong == done.unverified == 0
    assert leftovers() == ()
