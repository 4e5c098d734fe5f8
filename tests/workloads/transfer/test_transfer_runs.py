"""Whole trials of transfers: placed, measured, verified, swept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from driving import need_drivers
from faulty_proxy import faulty
from patience import PATIENCE
from transferring import FILES, SIZE, names_sent, trial

from core.host.lab_records import lab_credentials
from core.result.outcome import Completed, TimedOut
from core.trial.leftovers import leftovers


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
    assert leftovers() == ()
    assert lab_credentials()["synapse"]["token"] not in str(done)
    assert names_sent(**synapse, client=client) == before


def test_that_a_tree_is_transferred_again_until_the_time_is_over(tree: Path) -> None:
    done = trial(tree, duration=0.5)
    assert done.outcome == Completed()
    assert done.counters["trees"] > 1
    assert done.operations == done.counters["trees"] * FILES
    assert done.wrong == done.errors == 0
    assert done.elapsed / 2 < done.moments[-1].at <= 1.1 * done.elapsed, "they are by the clock"


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
