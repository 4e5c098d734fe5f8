"""The table of deaths: each is an outcome with its cause, leaves nothing, and is survived."""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest
from leftovers import nothing_left_of_it
from patience import PATIENCE, until
from rigged import FAILURES, LIMIT
from running import OPERATIONS, PATIENT, Rig, bare, events_of
from scarcity import little_memory

from core.measure import Grace
from core.measure.machine.out_of_memory import kernel_kills
from core.measure.trial.trial_value import FORKED
from core.vocabulary import (
    AnyFiles,
    Completed,
    Crashed,
    Dataset,
    Failed,
    Outcome,
    PhaseChanged,
    TimedOut,
    Trial,
    TrialEnded,
    describe,
    describe_all,
    item_of,
)

FEW = 20
"""Operations that all fail: after errors in a row a worker waits, up to a quarter of a second."""
ALL_FAIL: dict[str, Any] = {"operations": FEW}


@dataclass(frozen=True)
class Death:
    """What is wished for, what it must end in, and what else must be true of the trial."""

    wishes: dict[str, Any]
    outcome: Outcome
    also: tuple[Callable[[Trial], bool], ...] = field(default=())

    @property
    def name(self) -> str:
        return "-".join(str(value) for value in self.wishes.values())


def crashed(stage: str = "measuring", **how: Any) -> Crashed:
    return Crashed(stage=stage, **how)


def failed(stage: str, error: str = "RuntimeError", message: str = "rigged") -> Failed:
    return Failed(stage=stage, error=error, message=message)


def some_kept(trial: Trial) -> bool:
    """Of the operations before the 100th those whose chunk was done are counted."""
    return 0 < trial.operations <= 100 and bool(trial.histogram) and not trial.valid


def all_kept(trial: Trial) -> bool:
    return trial.operations == OPERATIONS and trial.errors == 0


def all_verified(trial: Trial) -> bool:
    return all_kept(trial) and not trial.notes and trial.counters == {"asked": OPERATIONS}


def nothing_kept(trial: Trial) -> bool:
    return not trial.workers and trial.operations == 0


def all_failed(trial: Trial) -> bool:
    return (trial.operations, trial.errors, trial.throughput) == (0, FEW, None)


def all_wrong(trial: Trial) -> bool:
    return trial.wrong == OPERATIONS == trial.operations and trial.throughput is None


def valid(trial: Trial) -> bool:
    return trial.valid and all_verified(trial)


def forked(trial: Trial) -> bool:
    return trial.valid and all_kept(trial) and trial.notes == (FORKED,)


def complains(text: str, count: int = OPERATIONS) -> Callable[[Trial], bool]:
    return lambda trial: (
        [(one.count, text in one.text) for one in trial.complaints] == [(count, True)]
    )


def says(text: str) -> Callable[[Trial], bool]:
    return lambda trial: isinstance(trial.outcome, Crashed) and text in trial.outcome.last_words


def traces(text: str) -> Callable[[Trial], bool]:
    return lambda trial: isinstance(trial.outcome, Failed) and text in trial.outcome.trace


def at(text: str) -> Callable[[Trial], bool]:
    return lambda trial: text in item_of(trial.outcome) and text in describe_all(trial.outcome)


ALL_OPEN = (
    f"too many open files, {LIMIT} of at most {LIMIT}: keep fewer open (fewer threads, "
    "a smaller cache) or raise `ulimit -n`"
)
AMID = {"first": 100}
APPENDED = (
    "own.bin was appended to while it was measured: 1 B before, 2 B after "
    "(measure a copy that nobody writes to)"
)
DEATHS = (
    # Killed by a signal.
    Death({"act": "segfault"} | AMID, crashed(signal="SIGSEGV"), (some_kept, says("Segmentation"))),
    Death({"act": "abort"} | AMID, crashed(signal="SIGABRT"), (some_kept, says("Aborted"))),
    Death({"act": "kill"} | AMID, crashed(signal="SIGKILL"), (some_kept,)),
    Death(
        {"act": "segfault", "at": "open"}, crashed("preparing", signal="SIGSEGV"), (nothing_kept,)
    ),
    Death(
        {"act": "segfault", "at": "enter"}, crashed("warming up", signal="SIGSEGV"), (nothing_kept,)
    ),
    Death(
        {"act": "segfault", "warm_up": 60}, crashed("warming up", signal="SIGSEGV"), (nothing_kept,)
    ),
    Death({"act": "abort", "at": "check"}, crashed("verifying", signal="SIGABRT"), (all_kept,)),
    Death({"act": "kill", "at": "exit"}, crashed("closing", signal="SIGKILL"), (all_verified,)),
    Death({"act": "abort", "at": "close"}, crashed("closing", signal="SIGABRT"), (all_verified,)),
    # Left on its own.
    Death({"act": "leave-0"} | AMID, crashed(exit_code=0), (some_kept,)),
    Death({"act": "leave-3"} | AMID, crashed(exit_code=3), (some_kept,)),
    Death({"act": "c-exit"} | AMID, crashed(exit_code=1), (some_kept,)),
    Death({"act": "leave-0", "at": "close"}, crashed("closing", exit_code=0), (all_verified,)),
    Death({"act": "sys-exit"} | AMID, failed("measuring", "SystemExit", "4"), (some_kept,)),
    Death({"act": "sys-exit", "at": "open"}, failed("preparing", "SystemExit", "4")),
    # Raised.
    Death(
        {"act": "raise", "at": "open"},
        failed("preparing"),
        (nothing_kept, traces("rise"), at("some.bin, opening")),
    ),
    Death({"act": "raise", "at": "enter"}, failed("warming up"), (nothing_kept,)),
    Death({"act": "raise", "at": "check"}, failed("verifying"), (all_kept,)),
    Death({"act": "raise", "at": "check", "checking": "between"}, failed("measuring")),
    Death({"act": "raise", "at": "exit"}, failed("closing"), (all_verified,)),
    Death({"act": "raise", "at": "close"}, failed("closing"), (all_verified,)),
    Death({"act": "raise-memory", "at": "open"}, failed("preparing", "MemoryError", "")),
    Death({"act": "raise-panic", "at": "open"}, failed("preparing", "Panic")),
    Death({"act": "raise-panic"} | AMID, failed("measuring", "Panic"), (some_kept,)),
    Death(
        {"act": "raise-unspeakable", "at": "open"},
        failed("preparing", "UnspeakableError", "<exception str() failed>"),
    ),
    Death({"act": "raise-surrogate", "at": "open"}, failed("preparing", message=r"no file \udcff")),
    # Operations that go wrong are counted and end nothing.
    Death({"act": "raise"} | ALL_FAIL, Completed(), (all_failed, complains("RuntimeError: rigged", FEW))),
    Death({"act": "raise-memory"} | ALL_FAIL, Completed(), (all_failed, complains("MemoryError", FEW))),
    Death({"act": "raise-unspeakable"} | ALL_FAIL, Completed(), (all_failed, complains("Unspeakable", FEW))),
    Death({"act": "raise-surrogate"} | ALL_FAIL, Completed(), (all_failed, complains(r"no file \udcff", FEW))),
    Death({"act": "raise-stop"} | ALL_FAIL, Completed(), (all_failed, complains("StopIteration", FEW))),
    Death(
        {"act": "raise", "first": 50, "last": 59},
        Completed(),
        (
            lambda trial: (trial.operations, trial.errors, trial.valid) == (190, 10, False),
            complains("rigged", 10),
        ),
    ),
    Death({"answer": "wrong", "first": 1}, Completed(), (complains("other bytes", 199),)),
    Death({"answer": "wrong", "checking": "between", "first": 1}, Completed(),
          (complains("other bytes", 199),)),
    Death({"answer": "short"}, Completed(), (all_wrong, complains("4 of 8 bytes"))),
    Death(
        {"act": "take-descriptor", "limit": LIMIT, "operations": LIMIT + FEW},
        Completed(),
        (lambda trial: 0 < trial.operations < LIMIT,
         lambda trial: trial.operations + trial.errors == LIMIT + FEW,
         lambda trial: "Too many open files" in trial.complaints[0].text),
    ),
    Death({"act": "open-database", "limit": LIMIT} | ALL_FAIL, Completed(),
          (all_failed, complains(f"unable to open database file ({ALL_OPEN}", FEW))),
    Death({"act": "open-database", "limit": LIMIT, "at": "enter"},
          failed("warming up", "OperationalError", f"unable to open database file ({ALL_OPEN})")),
    Death({"act": "open-database", "limit": LIMIT, "at": "open"},
          failed("preparing", "OperationalError", f"unable to open database file ({ALL_OPEN})")),
    # Output.
    Death({"act": "flood-stdout", "at": "open"}, Completed(), (valid,)),
    Death({"act": "flood-stderr", "at": "exit"}, Completed(), (valid,)),
    Death({"act": "flood-stdout", "first": 100, "last": 103}, Completed(), (valid,)),
    Death({"act": "print-closed", "at": "close"}, failed("closing", "OSError",
          "[Errno 9] Bad file descriptor"), (all_verified,)),
    Death({"act": "print-closed"} | ALL_FAIL, Completed(),
          (all_failed, complains("Bad file descriptor", FEW))),
    # The engine's own pipe.
    Death({"act": "babble", "at": "open"}, failed("preparing", "GarbledWords",
          "something else than the engine wrote into the engine's pipe")),
    Death({"act": "babble-on"} | AMID, failed("measuring", "GarbledWords",
          "something else than the engine wrote into the engine's pipe"), (lambda trial: trial.operations > 0,)),
    Death({"act": "close-everything", "at": "open"}, crashed("preparing", exit_code=1),
          (says("Bad file descriptor"),)),
    # What is left behind.
    Death({"act": "leave-thread", "at": "open"}, Completed(), (valid,)),
    Death({"act": "leave-thread", "first": 100, "last": 100}, Completed(), (valid,)),
    Death({"act": "leave-program", "at": "open"}, Completed(), (valid,)),
    Death({"act": "leave-program", "at": "close"}, Completed(), (valid,)),
    Death({"act": "leave-fork", "at": "open"}, Completed(), (valid,)),
    Death({"act": "leave-fork", "first": 100, "last": 100}, Completed(), (all_kept,)),
    Death({"act": "fork-and-return", "first": 10, "last": 14}, Completed(), (forked,)),
    Death({"act": "fork-and-raise", "first": 10, "last": 14}, Completed(), (forked,)),
    Death({"act": "fork-and-return", "at": "open"}, Completed(), (forked,)),
    Death({"act": "fork-and-return", "at": "enter", "threads": 2}, Completed(), (forked,)),
    Death({"act": "fork-and-return", "at": "exit"}, Completed(), (forked,)),
    Death({"act": "fork-and-return", "at": "close"}, Completed(), (forked,)),
)  # fmt: skip


@pytest.mark.parametrize("death", DEATHS, ids=lambda death: death.name)
def test_that_a_death_has_its_outcome_and_the_next_trial_its_own(rig: Rig, death: Death) -> None:
    """The next trial is that of the next row."""
    trial = rig.run(**death.wishes)
    assert bare(trial.outcome) == death.outcome, trial
    for holds in death.also:
        assert holds(trial), trial


@pytest.mark.parametrize(
    ("wishes", "outcome", "note"),
    [
        ({"act": "segfault"} | AMID, crashed(signal="SIGSEGV"), APPENDED),
        (
            {"act": "raise", "at": "check"},
            failed("verifying", "DatasetError", APPENDED),
            "failed while verifying: RuntimeError: rigged",
        ),
    ],
    ids=["crash", "failure"],
)
def test_that_a_death_beside_a_change_of_the_data_tells_both(
    rig: Rig, tmp_path: Path, wishes: dict[str, Any], outcome: Outcome, note: str
) -> None:
    file = tmp_path / "own.bin"
    file.write_bytes(b"x")
    own = Rig(AnyFiles().open(file), rig.pace)
    for event in events_of(own.slot(**wishes)):
        if isinstance(event, PhaseChanged) and event.phase == "measuring":
            file.write_bytes(b"xx")
        if isinstance(event, TrialEnded):
            assert bare(event.trial.outcome) == outcome
            assert note in event.trial.notes


def children() -> set[int]:
    """Our children now, without the guards; what a test before has left is among them."""
    return {child.pid for child in psutil.Process().children() if child.name() != "sh"}


def wait_for(pids: set[int]) -> None:
    """Wait until these children have ended, and leave them to whoever has started them."""
    for pid in pids:
        with suppress(ChildProcessError):
            os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)


@pytest.mark.parametrize(
    ("act", "outcome"),
    [
        ("raise", failed("closing")),
        ("leave-3", crashed("closing", exit_code=3)),
        ("nothing", Completed()),
    ],
)
def test_that_the_end_of_a_child_counts_however_late_it_is_looked_at(
    rig: Rig, act: str, outcome: Outcome
) -> None:
    before = children()
    for event in events_of(rig.slot(act=act, at="close")):
        if isinstance(event, PhaseChanged) and event.phase == "closing":
            wait_for(children() - before)
        if isinstance(event, TrialEnded):
            assert bare(event.trial.outcome) == outcome


HANGS = (
    ({"act": "hang", "at": "open"}, "preparing", nothing_kept),
    ({"act": "hang-gil", "at": "open"}, "preparing", nothing_kept),
    ({"act": "hang-deaf", "at": "open"}, "preparing", nothing_kept),
    ({"act": "hang", "at": "enter"}, "warming up", nothing_kept),
    ({"act": "hang"} | AMID, "measuring", some_kept),
    ({"act": "hang-gil"} | AMID, "measuring", some_kept),
    ({"act": "hang", "at": "check"}, "verifying", all_kept),
    ({"act": "hang", "at": "exit"}, "closing", all_verified),
    ({"act": "hang-gil", "at": "close"}, "closing", all_verified),
)


@pytest.fixture(scope="module")
def hung(data: Dataset, pace: float, tmp_path_factory: pytest.TempPathFactory) -> list[Trial]:
    """What came of all hanging trials, side by side so that they share the wait."""
    rig = Rig(data, pace)
    with nothing_left_of_it(tmp_path_factory.mktemp("hung")), ThreadPoolExecutor(16) as pool:
        run = [pool.submit(rig.run_into, "stall", stage, **wishes) for wishes, stage, _ in HANGS]
        return [one.result() for one in run]


@pytest.mark.parametrize("place", range(len(HANGS)), ids=lambda place: str(HANGS[place][0]))
def test_that_a_hanging_child_is_ended_as_stalled(hung: list[Trial], place: int) -> None:
    _, stage, kept = HANGS[place]
    assert late(hung[place]) == (stage, True)
    assert kept(hung[place])


def late(trial: Trial) -> tuple[str, bool]:
    """At which stage it ran into a limit, and whether that was because nothing moved."""
    assert isinstance(trial.outcome, TimedOut), trial
    return trial.outcome.stage, trial.outcome.stalled


def test_that_the_limit_that_was_run_into_is_told(rig: Rig) -> None:
    assert bare(rig.run(act="hang", at="open", stall=0.2).outcome) in (
        TimedOut(stage=stage, limit=0.2, stalled=True)
        for stage in ("starting", "loading", "preparing")
    )


@pytest.mark.parametrize(
    ("act", "at", "end"),
    [
        ("leave-daemon", "open", Completed),
        ("leave-daemon", "close", Completed),
        ("leave-daemon-and-die", "open", Crashed),
    ],
)
def test_that_a_daemon_that_hides_ends_with_its_reader(
    rig: Rig, act: str, at: str, end: type[Outcome]
) -> None:
    assert isinstance(rig.run(act=act, at=at).outcome, end)
    folder = tempfile.gettempdir()
    Path(folder, "daemon").unlink()

    def is_gone() -> bool:
        found = psutil.process_iter(["cmdline"])
        return not any(folder in (one.info["cmdline"] or ()) for one in found)

    until(is_gone)


def test_that_it_is_said_that_the_kernel_ran_out_of_memory(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    with little_memory(200 << 20) as group:
        monkeypatch.setenv("RIGGED_GROUP", str(group))
        outcome = rig.run(act="run-out-of-memory").outcome
    assert isinstance(outcome, Crashed)
    assert (outcome.signal, outcome.out_of_memory) == ("SIGKILL", True)
    assert "ran out of memory" in describe(outcome)
    before = -1
    while before != kernel_kills():  # another test may have run out of memory meanwhile
        before = kernel_kills()
        outcome = rig.run(act="kill").outcome
    assert isinstance(outcome, Crashed)
    assert (outcome.signal, outcome.out_of_memory) == ("SIGKILL", False)


def test_that_a_memory_limit_holds_from_the_first_process(rig: Rig) -> None:
    outcome = rig.run(memory_limit=1 << 20).outcome
    assert isinstance(outcome, Failed)
    assert outcome.error == "MemoryLimit"
    assert outcome.stage in ("starting", "loading", "preparing")


@pytest.mark.parametrize(
    ("act", "at"),
    [
        *(("compute", at) for at in ("open", "enter", "operation", "check")),
        ("compute in programs", "operation"),
    ],
)
def test_that_a_child_that_computes_is_not_stalled(rig: Rig, act: str, at: str) -> None:
    """It computes for three such limits; they grow until it comes so far on a busy machine."""
    seconds = 1.0
    while True:
        outcome = rig.run(act=act, at=at, stall=seconds, operations=2).outcome
        if outcome == Completed() or seconds > PATIENCE:
            break
        seconds *= 4
    assert outcome == Completed()


def test_that_a_child_that_computes_for_ever_is_stalled_in_the_end(rig: Rig) -> None:
    # It may compute for several times that limit, so the first one is short.
    trial = rig.run_into("stall", "preparing", first_limit=0.2, act="compute for ever", at="open")
    assert late(trial) == ("preparing", True)


def test_that_a_child_that_moves_is_ended_at_its_deadline(rig: Rig) -> None:
    trial = rig.run_into("deadline", "measuring", PATIENT, pace=0.01, operations=10**6)
    assert late(trial) == ("measuring", False)
    assert trial.operations > 0
    assert trial.counters  # it heeded the stop and was verified
    assert not trial.notes


def test_that_both_limits_are_told_apart(rig: Rig) -> None:
    trial = rig.run_into("stall", "measuring", act="hang", **AMID)
    assert late(trial) == ("measuring", True)


def test_that_what_went_wrong_before_a_child_hung_is_told(rig: Rig) -> None:
    wishes = {"act": "raise-and-hang", "threads": 3, **AMID}
    trial = rig.run_into("stall", "measuring", Grace(requested=5.0), **wishes)
    assert late(trial) == ("measuring", True)
    (complaint,) = trial.complaints
    assert complaint.text == "RuntimeError: rigged"
    assert complaint.count == trial.errors == FAILURES


FAMILY: dict[str, Any] = {"processes": 2, "threads": 2, "pace": 0.002, "operations": 400}


def holds_the_hundredth(item: str) -> bool:
    """Whether the operation at which something happens is among those that are named."""
    named = re.fullmatch(r"(\d+)(?: and (\d+) more)?", item)
    return named is not None and int(named[1]) <= 100 <= int(named[1]) + int(named[2] or 0)


@pytest.mark.parametrize("act", ["segfault", "c-exit", "kill"])
def test_that_a_crash_names_what_was_being_done(rig: Rig, act: str) -> None:
    outcome = rig.run(act=act, **AMID).outcome
    assert isinstance(outcome, Crashed)
    assert holds_the_hundredth(outcome.item)
    assert describe_all(outcome) == f"{describe(outcome)}, at {outcome.item}"


def test_that_a_stall_names_what_was_being_done(hung: list[Trial]) -> None:
    items = [item_of(trial.outcome) for trial in hung]
    for (wishes, stage, _), item in zip(HANGS, items, strict=True):
        if stage == "measuring":
            assert holds_the_hundredth(item), wishes


def test_that_a_crash_before_the_clock_names_what_was_being_prepared(rig: Rig) -> None:
    outcome = rig.run(act="segfault", at="open").outcome
    assert isinstance(outcome, Crashed)
    assert outcome.item == "opening"


def test_that_of_two_processes_the_dead_one_names_its_operation(rig: Rig) -> None:
    outcome = rig.run(**FAMILY, act="segfault", process=1, first=40, share="split").outcome
    assert isinstance(outcome, Crashed)
    assert outcome.item
    # Split beforehand, the second process's workers have the positions 2, 3, 6, 7 and so on.
    firsts = [int(re.match(r"\d+", one)[0]) for one in outcome.item.split("; ")]  # type: ignore[index]
    assert {first % 4 for first in firsts} <= {2, 3}


ONE_OF_TWO = (
    ("segfault", crashed(signal="SIGSEGV")),
    ("leave-0", crashed(exit_code=0)),
    ("sys-exit", failed("measuring", "SystemExit", "4")),
)


@pytest.mark.parametrize(("act", "outcome"), ONE_OF_TWO)
def test_that_the_death_of_one_process_ends_the_other_and_keeps_its_work(
    rig: Rig, act: str, outcome: Outcome
) -> None:
    for first in (40, 400, 4000):  # until the other had a core before this one died
        wishes = FAMILY | {"operations": 10 * first, "act": act, "process": 1, "first": first}
        trial = rig.run(grace=PATIENT, **wishes)
        surviving = [worker for worker in trial.workers if worker.process == 0]
        if len(surviving) == 2 and any(worker.operations for worker in surviving):
            break
    assert bare(trial.outcome) == outcome
    assert {worker.worker for worker in surviving} == {0, 1}
    assert any(worker.operations for worker in surviving)
    assert trial.counters["asked"] > 0  # the other heeded the stop, verified and closed


def test_that_the_hindmost_process_gives_the_stage(rig: Rig) -> None:
    trial = rig.run_into("stall", "preparing", **FAMILY, act="hang", at="open", process=1)
    assert late(trial) == ("preparing", True)


def test_that_two_processes_with_two_threads_share_the_work(rig: Rig) -> None:
    trial = rig.run(**FAMILY)
    assert trial.outcome == Completed()
    assert trial.operations == 400
    assert len(trial.workers) == 4


@pytest.mark.parametrize("act", ["flood-and-abort", "flood-rest-and-abort"])
def test_that_of_a_flood_the_last_words_are_kept(rig: Rig, act: str) -> None:
    outcome = rig.run(act=act, first=100, last=100).outcome
    assert isinstance(outcome, Crashed)
    assert "much ado" in outcome.last_words  # also of what is off the disk by now
    assert "Fatal Python error: Aborted" in outcome.last_words
    assert len(outcome.last_words) <= 4000
