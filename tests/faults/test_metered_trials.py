"""Trials of a client with threads of its own: what it counts is what the trial has."""

from __future__ import annotations

import re
from typing import Any

from patience import PATIENCE
from rigged_meter import FILES, NAME, SIZE, SWOLLEN
from running import LOAD, Rig, carried_out

from core.measure.trial.trial_value import UNVERIFIED
from core.vocabulary import Completed, Crashed, Failed, Slot, TimedOut, Trial, specify

PASSES = 2


def trial(rig: Rig, **values: Any) -> Trial:
    load: dict[str, Any] = {**LOAD, "operations": 0, "threads": 3}
    return carried_out(Slot(0, 0, specify(NAME, rig.data, load | values)))


def test_that_live_counts_are_the_final_ones_and_each_file_is_an_operation(rig: Rig) -> None:
    done = trial(rig)
    assert done.outcome == Completed()
    (worker,) = done.workers
    assert worker.operations == worker.items == worker.timed == PASSES * FILES
    assert worker.bytes == PASSES * FILES * SIZE
    assert done.unverified == 0
    last = done.moments[-1]
    assert (sum(last.operations), last.bytes) == (worker.operations, worker.bytes)
    assert last.tallies == done.counters == {"requests": 2 * PASSES * FILES}
    assert done.latencies is not None
    assert done.latencies.histogram.total == PASSES * FILES
    assert done.client_threads == 3


def test_that_nobody_looks_in_the_first_tenth_of_a_second_of_a_trial(rig: Rig) -> None:
    done = trial(rig, act="hang", stall=max(2.0, 2 * rig.pace), deadline=5 * PATIENCE)
    assert done.moments[0].reading.at >= 0.1


def test_that_there_is_no_warm_up_that_would_be_one_more_pass(rig: Rig) -> None:
    done = trial(rig, warm_up=0.5)
    assert done.operations == PASSES * FILES
    assert done.counters == {"requests": 2 * PASSES * FILES}


def test_that_each_failure_is_an_error_with_its_file(rig: Rig) -> None:
    done = trial(rig, act="fail")
    assert done.operations == PASSES * (FILES - 2)
    assert done.errors == 2 * PASSES == done.moments[-1].errors
    (complaint,) = done.complaints
    assert (complaint.text, complaint.count) == ("refused", 2 * PASSES)
    assert complaint.first_item in ("file 0", "file 1")


def test_that_each_wrong_file_of_a_pass_is_a_wrong_operation(rig: Rig) -> None:
    done = trial(rig, act="wrong")
    assert done.wrong == 3 * PASSES
    assert done.errors == 0


def test_that_a_client_that_raises_is_an_error_of_the_pass(rig: Rig) -> None:
    done = trial(rig, act="raise")
    assert done.errors == PASSES
    assert {one.text for one in done.complaints} == {"ConnectionResetError: the client broke"}


def test_that_what_arrived_is_audited_after_a_stall(rig: Rig) -> None:
    done = trial(rig, act="hang", stall=max(2.0, 2 * rig.pace), deadline=5 * PATIENCE)
    assert isinstance(done.outcome, TimedOut)
    assert done.outcome.stalled
    assert done.operations == FILES - 1
    assert done.wrong == 1
    assert done.unverified == 0
    assert "only half of it" in {one.text for one in done.complaints}


def test_that_what_arrived_is_audited_by_another_process_after_a_kill(rig: Rig) -> None:
    done = trial(rig, act="die")
    assert isinstance(done.outcome, Crashed)
    assert done.outcome.signal == "SIGKILL"
    assert not done.valid
    assert done.operations == FILES - 1
    assert (done.wrong, done.errors, done.unverified) == (1, 0, 0)
    (complaint,) = done.complaints
    assert complaint.text == "only half of it"
    # It is told what the trial was given, and as what it wrote there.
    assert re.fullmatch(
        rf"{re.escape(rig.data.location)}: test-0-\w+: file 0", complaint.first_item
    )
    assert done.counters["files arrived"] == FILES - 2
    assert UNVERIFIED not in done.notes


def test_that_it_is_said_where_nobody_can_tell_what_arrived(rig: Rig) -> None:
    done = trial(rig, act="die-unseen")
    assert isinstance(done.outcome, Crashed)
    assert done.operations == done.unverified == FILES - 1
    assert UNVERIFIED in done.notes
    (note,) = [note for note in done.notes if note.startswith("what arrived was not audited")]
    assert "the server is gone" in note


def test_that_a_trial_over_its_memory_is_stopped_and_says_so(rig: Rig) -> None:
    done = trial(rig, act="swell", memory_limit=SWOLLEN)
    assert isinstance(done.outcome, Failed)
    assert done.outcome.error == "MemoryLimit"
    assert "may take 400 MiB" in done.outcome.message
    assert not done.valid
    assert done.wrong == 1  # what arrived was audited
    assert trial(rig, memory_limit=SWOLLEN).outcome == Completed()
