"""Trials that cannot begin, because of what is asked or because the parent lacks descriptors."""

from __future__ import annotations

import os
import resource

import msgspec
import pytest
from running import OPERATIONS, Rig, carried_out, events_of

from core.measure import Cancel, run_trial
from core.vocabulary import Completed, Dataset, Failed, Slot, TrialEnded, Value

IMPOSSIBLE: tuple[tuple[str, dict[str, Value], str, str], ...] = (
    ("no-such", {}, "UnknownName", "there is no workload named 'no-such'"),
    ("rigged:Missing", {}, "UnknownName", "there is no workload named 'rigged:Missing'"),
    ("rigged:Panic", {}, "UnknownName", "there is no workload named 'rigged:Panic'"),
    ("no_such_module:Rigged", {}, "UnknownName", "there is no workload named"),
    ("rigged:Rigged", {"speed": 3}, "UnknownName", "there is no parameter named 'speed'"),
    ("rigged:Rigged", {"act": "dance"}, "InvalidParameter", "act: 'dance' is not one of"),
    ("rigged:Rigged", {"first": -1}, "InvalidParameter", "first: -1 is outside"),
)


@pytest.mark.parametrize(("workload", "parameters", "error", "message"), IMPOSSIBLE)
def test_that_an_impossible_assignment_fails_while_loading(
    rig: Rig, workload: str, parameters: dict[str, Value], error: str, message: str
) -> None:
    spec = msgspec.structs.replace(rig.spec(), workload=workload, parameters=parameters)
    outcome = carried_out(Slot(0, 0, spec)).outcome
    assert isinstance(outcome, Failed)
    assert (outcome.stage, outcome.error, outcome.trace) == ("loading", error, "")
    assert outcome.message.startswith(message)


def test_that_an_unknown_kind_of_dataset_fails_before_any_process_starts(rig: Rig) -> None:
    data = Dataset(kind="no-such", location=rig.data.location, fingerprint="00")
    spec = msgspec.structs.replace(rig.spec(), dataset=data)
    outcome = carried_out(Slot(0, 0, spec)).outcome
    assert isinstance(outcome, Failed)
    assert (outcome.stage, outcome.error) == ("starting", "UnknownName")


@pytest.mark.parametrize("free", range(20))
def test_that_a_parent_without_descriptors_ends_in_an_outcome(rig: Rig, free: int) -> None:
    slot, cancel = rig.slot(processes=2), Cancel()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    lowest_free = os.dup(0)
    os.close(lowest_free)
    resource.setrlimit(resource.RLIMIT_NOFILE, (lowest_free + free, hard))
    try:
        *_, ended = run_trial(slot, "test", cancel)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        cancel.close()
    assert isinstance(ended, TrialEnded)
    outcome = ended.trial.outcome
    if isinstance(outcome, Failed):
        assert outcome.stage in ("starting", "waiting")
        assert "Too many open files" in outcome.message
    else:
        assert outcome == Completed()
        assert free > 10


def test_that_a_trial_whose_watcher_leaves_is_ended(rig: Rig) -> None:
    events = events_of(rig.slot(act="hang", at="open"))
    for event in events:
        if getattr(event, "phase", "") == "preparing":
            break
    events.close()  # type: ignore[attr-defined]


@pytest.mark.parametrize("processes", [1, 2])
def test_that_a_warm_up_by_operations_does_so_many_in_each_process_and_counts_none(
    rig: Rig, processes: int
) -> None:
    warm = {"warm_up": 3600.0, "warm_up_operations": 33}
    done = carried_out(rig.slot(threads=2, processes=processes, **warm))
    assert done.outcome == Completed()
    assert done.operations == OPERATIONS
    assert done.counters["asked"] == OPERATIONS + 33 * processes


@pytest.mark.parametrize("processes", [1, 2])
def test_that_all_workers_run_on_the_cores_that_their_trial_is_bound_to(
    rig: Rig, processes: int
) -> None:
    first = min(os.sched_getaffinity(0))
    done = carried_out(rig.slot(threads=2, processes=processes, cores=1, looks=True))
    assert done.outcome == Completed()
    assert done.bound_cores == (first,)
    seen = {name: count for name, count in done.counters.items() if name.startswith("core ")}
    assert seen == {f"core {first}": processes}


def test_that_a_trial_that_is_bound_to_no_cores_may_use_all(rig: Rig) -> None:
    done = carried_out(rig.slot(looks=True))
    assert done.bound_cores == ()
    assert {f"core {core}" for core in os.sched_getaffinity(0)} <= set(done.counters)


def test_that_a_trial_for_more_cores_than_there_are_fails_before_anything_is_started(
    rig: Rig,
) -> None:
    more = len(os.sched_getaffinity(0)) + 1
    failed = carried_out(rig.slot(cores=more)).outcome
    assert isinstance(failed, Failed)
    assert (failed.stage, failed.error) == ("starting", "Unavailable")
    assert f"{more} cores were asked for" in failed.message
