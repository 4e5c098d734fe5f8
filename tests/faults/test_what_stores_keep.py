"""What trials do for workloads whose data is in a store elsewhere."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import pytest
import rigged_store
from patience import PATIENCE
from running import LOAD, Rig, Watch, carried_out, events_of
from test_deaths import children, wait_for

from core.measure import Cancel, Grace, Leftover, RemovedLeftover, leftovers, remove_leftovers
from core.measure.machine.descendants import STAMP
from core.measure.trial.leftovers import LeftoverEntry
from core.measure.trial.trial_value import UNVERIFIED
from core.run.engine import run
from core.tell.cli import main
from core.vocabulary import (
    Cancelled,
    Completed,
    Crashed,
    Dataset,
    Event,
    Failed,
    Outcome,
    PhaseChanged,
    Plan,
    Slot,
    TimedOut,
    Trial,
    TrialEnded,
    describe,
    specify,
)

OPERATIONS = 60


def slot_of(rig: Rig, name: str = rigged_store.NAME, **values: Any) -> Slot:
    load: dict[str, Any] = {**LOAD, "operations": OPERATIONS, "threads": 2}
    return Slot(0, 0, specify(name, rig.data, load | values))


def trial(rig: Rig, name: str = rigged_store.NAME, **values: Any) -> Trial:
    return carried_out(slot_of(rig, name, **values))


def test_that_what_is_counted_live_is_in_every_moment_and_in_the_counters(rig: Rig) -> None:
    done = trial(rig, warm_up=0.01)
    assert done.outcome == Completed()
    assert done.counters == {
        "retries": 2 * OPERATIONS,
        "503": 0,
        "backoff seconds": OPERATIONS / 4,
    }
    assert all(list(one.tallies) == list(rigged_store.TALLIES) for one in done.moments)
    assert done.moments[-1].tallies == done.counters
    assert done.tallies == rigged_store.TALLIES


def test_that_what_was_counted_is_known_of_a_trial_that_hangs(rig: Rig) -> None:
    seconds = max(3.0, 6 * rig.pace)
    while True:
        done = trial(rig, act="hang", operations=100, threads=1, deadline=seconds, stall=PATIENCE)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.stage == "measuring" or seconds > PATIENCE:
            break
        seconds *= 4
    assert done.counters["retries"] == 200


def test_that_more_than_eight_tallies_are_a_mistake_of_the_workload(rig: Rig) -> None:
    done = trial(rig, act="miscount")
    assert isinstance(done.outcome, Failed)
    assert re.search("at most 8 tallies", done.outcome.message)


def test_that_a_trial_on_a_server_has_no_proof_and_no_caveat_about_the_page_cache(rig: Rig) -> None:
    slot = slot_of(rig, "rigged_store:Single", page_cache="cold")
    assert slot.spec.load.page_cache == "cold"  # it means nothing, but this one does not say so
    done = carried_out(slot)
    assert done.outcome == Completed()
    assert done.page_cache is None
    assert done.proven_cold is None  # False would be told as a caveat


# What trials leave outside.


@pytest.fixture
def store(tmp_path: Path) -> Path:
    folder = tmp_path / "store"
    folder.mkdir()
    (folder / "somebody else's").write_bytes(b"kept")
    return folder


def written(store: Path) -> list[str]:
    return sorted(path.name for path in store.iterdir() if path.name != "somebody else's")


def test_that_what_a_trial_wrote_is_removed_at_its_end_and_nothing_else(
    rig: Rig, store: Path
) -> None:
    done = trial(rig, act="write", address=str(store), processes=2)
    assert done.outcome == Completed()
    assert done.valid
    assert done.notes == ()
    assert written(store) == []
    assert (store / "somebody else's").exists()
    assert leftovers() == ()


def test_that_a_trial_that_no_server_let_in_has_left_nothing(rig: Rig, store: Path) -> None:
    done = trial(rig, act="refuse-login", address=str(store))
    assert describe(done.outcome) == "failed while preparing: the server refuses the login"
    assert done.notes == ()
    assert leftovers() == ()


def test_that_trials_and_their_repeats_have_marks_of_their_own(rig: Rig, store: Path) -> None:
    load: dict[str, Any] = {**LOAD, "operations": 5}
    values = load | {"act": "refuse", "address": str(store)}
    plan = Plan(title="marks", specs=(specify(rigged_store.NAME, rig.data, values),), repeats=2)
    cancel = Cancel()
    trials = [one.trial for one in run(plan, cancel) if isinstance(one, TrialEnded)]
    cancel.close()
    marks = {name.partition(".")[0] for name in written(store)}
    assert len(marks) == 2
    assert {one.mark for one in leftovers()} == marks
    for one in trials:
        assert one.outcome == Completed()
        assert re.fullmatch(
            r".*was not removed, .*server is down.*leftovers --remove.*", *one.notes
        )


def test_that_what_a_crashed_trial_wrote_is_removed_too(rig: Rig, store: Path) -> None:
    done = trial(rig, act="crash", address=str(store))
    assert isinstance(done.outcome, Crashed)
    assert written(store) == []
    assert leftovers() == ()


def test_that_a_trial_is_on_the_list_before_its_first_process_and_told_to_nobody_alive(
    rig: Rig, store: Path, tmp_path: Path
) -> None:
    load: dict[str, Any] = {**LOAD, "operations": 5}
    values = load | {"act": "write", "address": str(store)}
    slot = Slot(0, 0, specify(rigged_store.NAME, rig.data, values))
    seen: dict[str, list[str]] = {}
    for event in events_of(slot):
        if isinstance(event, PhaseChanged):
            files = list((tmp_path / "state" / "leftovers").glob("*.json"))
            seen[event.phase] = [file.stem for file in files]
            assert leftovers() == ()  # its engine lives
    (mark,) = seen["loading"]
    assert seen["cleaning up"] == [mark]
    assert list((tmp_path / "state" / "leftovers").iterdir()) == []


def test_that_a_trial_without_leave_to_write_it_down_does_not_begin(
    rig: Rig, store: Path, tmp_path: Path
) -> None:
    (tmp_path / "state").write_bytes(b"no folder")
    done = trial(rig, act="write", address=str(store))
    assert isinstance(done.outcome, Failed)
    assert done.outcome.stage == "starting"
    assert written(store) == []


def test_that_a_cancelled_removal_stays_on_the_list(rig: Rig, store: Path) -> None:
    load: dict[str, Any] = {**LOAD, "operations": 5}
    values = load | {"act": "hang-removal", "address": str(store)}
    slot = Slot(0, 0, specify(rigged_store.NAME, rig.data, values))
    watch = Watch(slot)
    done = watch.until(lambda event: isinstance(event, PhaseChanged) and event.detail == "hanging")
    assert done.outcome == Completed()
    assert "cancelled while cleaning up" in done.notes[0]
    assert len(leftovers()) == 1


KILLED = ("--threads", "2", "--duration", "1h", "--warm-up", "0", "--repeats", "1", "--no-floor")


def killed_run(store: Path, *arguments: str) -> None:
    """Start a run that writes, and kill it once something is there."""
    command = ["measure", rigged_store.NAME, "--act", "write", "--address", str(store), *arguments]
    engine = subprocess.Popen(
        [sys.executable, "-m", "core", *command, *KILLED, "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(map(str, ROOTS))},
    )
    assert engine.stdout is not None
    while not written(store):
        assert select.select([engine.stdout], [], [], PATIENCE)[0]
        assert os.read(engine.stdout.fileno(), 2**20), "it ended by itself"
    engine.send_signal(signal.SIGKILL)
    engine.communicate()


ROOTS = (Path(__file__).parents[2], Path(__file__).parents[1])


def test_that_what_a_killed_run_left_is_listed_told_and_removed(
    data: Dataset,
    store: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("SLUICE_CACHE", "SLUICE_STATE", "SLUICE_SESSIONS"):
        monkeypatch.setenv(name, str(tmp_path / name))
    session = ("--session", str(tmp_path / "killed.sluice"))
    killed_run(store, "--dataset", str(data.path), *session)
    (mark,) = {name.partition(".")[0] for name in written(store)}
    assert main(["leftovers", "--json"]) == 0
    (told,) = json.loads(capsys.readouterr().out)["on_servers"]
    assert told["mark"] == mark
    assert told["address"] == str(store)
    assert main(["leftovers"]) == 0
    assert "rigged_store:Stored" in capsys.readouterr().out
    again = ("measure", "raw", "--dataset", str(data.path), "--duration", "20ms", "--warm-up", "0")
    main([*again, "--repeats", "1", "--session", str(tmp_path / "next.sluice")])
    assert "what a trial of killed runs left is still on servers" in capsys.readouterr().err
    assert main(["leftovers", "--remove"]) == 0
    assert "removed" in capsys.readouterr().out
    assert written(store) == []
    assert main(["leftovers", "--remove"]) == 0
    assert "nothing is left" in capsys.readouterr().out


# Whole marks, as trials have them.  What has the beginning of a stamp as its mark would have all
# processes killed whose stamps begin so, those of other tests that run beside this one, too.
A, B, C = (f"left-0-000{each}" for each in "abc")


def leftover(store: Path, **changes: Any) -> Leftover:
    usual: dict[str, Any] = {
        "mark": "sluice-0-0",
        "workload": rigged_store.NAME,
        "parameters": {"act": "write", "address": str(store)},
        "address": str(store),
        "started": 0.0,
    }
    return Leftover(**(usual | changes))


@pytest.fixture
def cancel() -> Iterator[Cancel]:
    made = Cancel()
    yield made
    made.close()


def test_that_what_cannot_be_removed_stays_on_the_list_and_the_rest_goes(
    rig: Rig, store: Path, cancel: Cancel
) -> None:
    refused = {"act": "refuse", "address": str(store)}
    kept = (
        leftover(store, mark=A, parameters=refused),
        leftover(store, mark=B, workload="nowhere:Nothing", started=1.0),
        leftover(store, mark=C, started=2.0),
    )
    for one in kept:
        LeftoverEntry(one).close()
    (store / f"{C}.1").write_bytes(b"x")
    (store / f"{C}.2").write_bytes(b"x")
    removed = [
        one for one in remove_leftovers(cancel, stall=PATIENCE) if isinstance(one, RemovedLeftover)
    ]
    assert [(one.leftover.mark, one.count) for one in removed] == [(A, 0), (B, 0), (C, 2)]
    assert "the server is down" in removed[0].why
    assert "no workload named" in removed[1].why
    assert removed[2].why == ""
    assert [one.mark for one in leftovers()] == [A, B]
    assert main(["leftovers", "--remove", "--json"]) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of all that was started")
def test_that_a_client_that_outlived_its_trial_is_ended_before_what_it_left_is_removed(
    rig: Rig, store: Path, cancel: Cancel
) -> None:
    LeftoverEntry(leftover(store, mark=A)).close()
    with subprocess.Popen(
        "cat",
        env=os.environ | {STAMP: f"/{A}-1.0/client-2.3"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        bufsize=0,
    ) as client:
        try:
            assert client.stdin
            assert client.stdout
            client.stdin.write(b"\n")
            client.stdout.read(1)  # until it runs, the system tells nothing of its environment
            assert [type(one) for one in remove_leftovers(cancel, stall=PATIENCE)][
                -1
            ] is RemovedLeftover
            assert client.wait(PATIENCE) == -signal.SIGKILL
        finally:
            client.kill()


def test_that_a_leftover_on_a_server_that_is_gone_can_be_forgotten(
    rig: Rig, store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for mark in (A, B, C):
        LeftoverEntry(leftover(store, mark=mark)).close()
    (store / f"{B}.1").write_bytes(b"x")
    assert main(["leftovers", "--forget", B, "--forget", "typo"]) == 2
    assert "typo" in capsys.readouterr().err
    assert main(["leftovers", "--forget", B, "--remove"]) == 2
    assert [one.mark for one in leftovers()] == [A, B, C]
    assert main(["leftovers", "--forget", B, "--forget", A]) == 0
    assert [one.mark for one in leftovers()] == [C]
    assert (store / f"{B}.1").exists()


def test_that_lines_of_the_list_that_were_never_finished_are_gone_after_a_day(
    rig: Rig, store: Path, tmp_path: Path
) -> None:
    folder = tmp_path / "state" / "leftovers"
    folder.mkdir(parents=True)
    old, new = (folder / f".sluice-{name}.new" for name in ("1", "2"))
    for path in (old, new):
        path.write_bytes(b"{")
    os.utime(old, (0, 0))
    entry = LeftoverEntry(leftover(store))
    entry.remove()
    entry.close()
    assert list(folder.iterdir()) == [new]


def test_that_a_removal_without_a_word_is_ended_as_stalled(
    rig: Rig, store: Path, cancel: Cancel
) -> None:
    LeftoverEntry(
        leftover(store, parameters={"act": "hang-removal", "address": str(store)})
    ).close()
    (removed,) = [
        one for one in remove_leftovers(cancel, stall=1.0) if isinstance(one, RemovedLeftover)
    ]
    assert removed.why == "nothing moved within 1 s while cleaning up"


# What is wrong with what trials wrote.

AUDITED = "rigged_store:Audited"


def test_that_what_was_written_is_looked_at_after_the_clock_with_progress(
    rig: Rig, store: Path
) -> None:
    events = list(events_of(slot_of(rig, AUDITED, act="write", address=str(store))))
    (done,) = [one.trial for one in events if isinstance(one, TrialEnded)]
    assert done.valid, done
    assert done.complaints == ()
    assert read_back(events) == [(place, OPERATIONS) for place in range(OPERATIONS)]


def read_back(events: Sequence[Event]) -> list[tuple[int, int]]:
    """The progress of looking at what was written."""
    return [
        (one.done, one.total)
        for one in events
        if isinstance(one, PhaseChanged) and one.detail == "reading back"
    ]


def test_that_the_progress_of_a_child_is_told_that_has_ended_before_it_is_heard(
    rig: Rig, store: Path
) -> None:
    before, events = children(), []
    for event in events_of(slot_of(rig, AUDITED, act="write", address=str(store))):
        if isinstance(event, PhaseChanged) and (event.phase, event.detail) == ("verifying", ""):
            wait_for(children() - before)
        events.append(event)
    assert read_back(events) == [(place, OPERATIONS) for place in range(OPERATIONS)]


def test_that_the_progress_of_a_helper_is_told_that_has_ended_before_it_is_heard(
    rig: Rig, store: Path
) -> None:
    before, events = children(), []
    for event in events_of(slot_of(rig, AUDITED, act="write", address=str(store))):
        if isinstance(event, PhaseChanged) and (event.phase, event.detail) == ("cleaning up", ""):
            wait_for(children() - before)
        events.append(event)
    phases = [event for event in events if isinstance(event, PhaseChanged)]
    removed = [phase.done for phase in phases if phase.detail == "removing"]
    assert removed == list(range(OPERATIONS))


def test_that_each_object_that_a_store_lost_is_wrong_data_of_its_trial(
    rig: Rig, store: Path
) -> None:
    done = trial(rig, AUDITED, act="write", address=str(store), lose=3, processes=2, share="split")
    assert done.outcome == Completed()
    assert not done.valid
    assert (done.wrong, done.errors) == (4, 2)
    told = {(one.text, one.wrong_data): one.count for one in done.complaints}
    assert told == {("lost", True): 4, ("lost", False): 2}
    assert all(re.fullmatch(r"test-0-.*", one.first_item) for one in done.complaints)


def timed_out(rig: Rig, grace: Grace, **values: Any) -> Trial:
    """One that is still writing at its deadline, however long children take to come so far."""
    seconds = max(3.0, 6 * rig.pace)
    endless = {"duration": 3600, "operations": 0, "stall": PATIENCE}
    while True:
        done = carried_out(slot_of(rig, AUDITED, **endless, deadline=seconds, **values), grace)
        assert isinstance(done.outcome, TimedOut)
        if done.outcome.stage == "measuring" or seconds > PATIENCE:
            return done
        seconds *= 4


def test_that_what_a_trial_wrote_that_took_too_long_is_looked_at_too(rig: Rig, store: Path) -> None:
    patient = Grace(audited=PATIENCE, requested=PATIENCE)
    done = timed_out(rig, patient, act="write-slowly", address=str(store), lose=3)
    assert [(one.text, one.count) for one in done.complaints if one.wrong_data] == [("lost", 2)]
    assert done.wrong == 2
    assert done.unverified == 0
    assert done.notes == ()
    assert written(store) == []


def test_that_who_does_not_answer_is_not_waited_for(rig: Rig, store: Path) -> None:
    done = timed_out(rig, Grace(audited=1.0), act="hang-audit", address=str(store))
    assert done.complaints == ()
    assert done.notes == (UNVERIFIED,)


# What is placed in a store before trials.

PLACED = "rigged_store:Placed"


def run_of(rig: Rig, store: Path, *settings: dict[str, Any], **plan: Any) -> list[Event]:
    usual: dict[str, Any] = {**LOAD, "operations": OPERATIONS, "address": str(store)}
    specs = tuple(specify(PLACED, rig.data, usual | one) for one in settings)
    cancel = Cancel()
    try:
        return list(run(Plan(title="placing", specs=specs, **plan), cancel))
    finally:
        cancel.close()


def trials_in(events: list[Event]) -> list[Trial]:
    return [one.trial for one in events if isinstance(one, TrialEnded)]


def calls(store: Path) -> int:
    return len(list(store.glob("placed.*")))


@pytest.mark.parametrize("turns", ["auto", "off"])
def test_that_data_is_placed_once_before_the_first_trial_with_progress(
    rig: Rig, store: Path, turns: Literal["auto", "off"]
) -> None:
    loads = ({"threads": 1}, {"threads": 2, "page_cache": "warm"})
    events = run_of(rig, store, *loads, repeats=2, turns=turns)
    assert [one.outcome for one in trials_in(events)] == [Completed()] * 4
    assert calls(store) == 1
    told = [one for one in events if isinstance(one, PhaseChanged) and one.phase == "placing"]
    assert [(one.detail, one.done, one.total) for one in told][-1] == ("placing tiles", 1, 2)
    proofs = [one.page_cache for one in trials_in(events)]
    assert all(one is not None and one.before and one.before.files == 1 for one in proofs)


@pytest.mark.parametrize(
    ("placing", "kind", "words"),
    [("refused", Failed, "nobody may write here"), ("crash", Crashed, "SIGABRT")],
)
@pytest.mark.parametrize("turns", ["auto", "off"])
def test_that_trials_whose_data_cannot_be_placed_end_with_the_reason_and_the_rest_goes_on(
    rig: Rig,
    store: Path,
    placing: str,
    kind: type[Outcome],
    words: str,
    turns: Literal["auto", "off"],
) -> None:
    bad = {"placing": placing}
    events = run_of(rig, store, bad, bad | {"threads": 2}, {"placing": "done"}, turns=turns)
    trials = {trial.spec_digest: trial for trial in trials_in(events)}
    assert len(trials) == 3
    assert calls(store) == 2  # and no second time for the other one of the same parameters
    ended = [one.outcome for one in trials.values() if not isinstance(one.outcome, Completed)]
    assert len(ended) == 2
    for outcome in ended:
        assert isinstance(outcome, kind)
        assert words in describe(outcome)
        assert "while placing" in describe(outcome)


def test_that_placing_can_be_cancelled(rig: Rig, store: Path) -> None:
    watch = Watch(slot_of(rig, PLACED, placing="hang", address=str(store)))
    done = watch.until(lambda event: isinstance(event, PhaseChanged) and event.detail == "hanging")
    assert done.outcome == Cancelled(stage="placing")
    assert done.workers == ()


def test_that_another_run_places_anew(rig: Rig, store: Path) -> None:
    for _ in range(2):
        run_of(rig, store, {"placing": "done"})
    assert calls(store) == 2
