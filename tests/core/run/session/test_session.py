"""What a session keeps, and who may use it."""

from __future__ import annotations

import random
import sqlite3
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import building
import msgspec
import psutil
import pytest

from core.judge import typical
from core.language import SessionError
from core.run import Session
from core.run.session import FORMAT_VERSION, rows
from core.run.session.past_results import past_results
from core.run.session.schema import APPLICATION_ID
from core.vocabulary import Cancelled, Crashed, MachineNoise, Plan, RunSpec, Trial

SPECS = tuple(building.spec(threads=threads) for threads in (1, 2, 4))
PLAN = building.plan(SPECS, repeats=2, seed=7, study="ladder")
PLACES = {"/data/snapshot": building.file_system()}


def trials_of(plan: Plan) -> list[Trial]:
    return [building.trial(slot.spec, index=slot.index) for slot in plan.slots()]


def begin(session: Session, plan: Plan = PLAN) -> int:
    return session.begin_run(plan, building.environment(), PLACES, ("sluice", "measure"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "of mine.sluice"


@pytest.fixture
def session(path: Path) -> Iterator[Session]:
    with Session.create(path, title="mine") as session:
        yield session


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("filled") / "x.sluice"
    with Session.create(path, title="mine") as session:
        run = begin(session)
        for trial in trials_of(PLAN):
            session.append(run, trial)
        session.note("after the reboot", run)
        session.end_run(run, "completed")
    return path.read_bytes()


@pytest.fixture
def filled(path: Path, content: bytes) -> Path:
    """A finished session of six trials."""
    path.write_bytes(content)
    return path


def test_that_a_trial_comes_back_with_all_it_held(session: Session) -> None:
    run = begin(session)
    slot = PLAN.slots()[0]
    trial = building.trial(
        slot.spec,
        outcome=Crashed(stage="measuring", signal="SIGSEGV", last_words="double free"),
        complaints=(building.complaint("short read"),),
        notes=("looked odd",),
    )
    session.append(run, trial)
    assert session.trials(run) == (trial,)


def test_that_results_come_back_in_the_order_of_the_plan(filled: Path) -> None:
    with Session.read(filled) as session:
        results = session.results()
    assert [result.spec for result in results] == list(SPECS)
    assert [len(result.trials) for result in results] == [2, 2, 2]
    assert results[0].environment == building.environment()
    assert results[0].file_system == building.file_system()


def test_that_a_run_remembers_its_plan_its_command_and_its_end(filled: Path) -> None:
    with Session.read(filled) as session:
        (run,) = session.runs()
        assert run.plan == PLAN
        assert run.plan.slots() == PLAN.slots()
        assert run.command == ("sluice", "measure")
        assert (run.how, run.trials) == ("completed", 6)
        assert run.ended is not None
        assert run.ended >= run.started
        assert [(note.text, note.run) for note in session.notes()] == [("after the reboot", 1)]


def test_that_what_runs_measure_is_told_without_reading_their_settings(
    session: Session, path: Path
) -> None:
    titles = ["a sweep", "another"]
    for title in titles:
        begin(session, msgspec.structs.replace(PLAN, title=title))
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        plain.execute("UPDATE specs SET body = ''")
    numbers = [(number, title) for number, title, _ in session.titles()]
    assert numbers == list(enumerate(titles, 1))
    assert all(began > 0 for *_, began in session.titles())
    with pytest.raises(SessionError):
        session.runs()


def test_that_settings_are_read_once_however_often_runs_are_asked_for(
    filled: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def noted(body: str) -> RunSpec:
        read.append(body)
        return spec_in(body)

    spec_in = rows.spec_in
    monkeypatch.setattr(rows, "spec_in", noted)
    with Session.open(filled) as session:
        first, again = session.runs(), session.runs()
        assert first == again
        assert session.left(1, session.trials(1)) == 0
    assert len(read) == len(SPECS)


def test_that_two_runs_of_one_spec_stay_apart(session: Session) -> None:
    for rate in (100.0, 200.0):
        run = begin(session)
        session.append(run, building.trial(PLAN.slots()[0].spec, rate=rate))
    assert [typical(result) for result in session.results()] == [100.0, 200.0]
    assert [typical(result) for result in session.results(2)] == [200.0]


def test_that_a_run_is_taken_up_where_it_was_left(session: Session) -> None:
    run = begin(session)
    trials = trials_of(PLAN)
    session.append(run, trials[0])
    session.append(run, msgspec.structs.replace(trials[1], outcome=Cancelled(stage="warming up")))
    session.end_run(run, "cancelled")
    assert session.run(run).how == "cancelled"
    left = session.remaining(run)
    assert [slot.index for slot in left] == [1, 2, 3, 4, 5]
    for slot in left:
        session.append(run, building.trial(slot.spec, index=slot.index))
    assert session.run(run).how is None
    assert session.remaining(run) == ()
    assert [trial.index for trial in session.trials(run)] == [0, 1, 1, 2, 3, 4, 5]
    assert all(len(result.finished_trials) == 2 for result in session.results(run))
    assert sum(len(result.trials) for result in session.results(run)) == len(PLAN.slots())


def test_that_a_trial_is_recorded_once(session: Session) -> None:
    run = begin(session)
    trial = trials_of(PLAN)[0]
    session.append(run, trial)
    with pytest.raises(SessionError, match="trial 0 of run 1 is recorded already"):
        session.append(run, trial)


def test_that_a_trial_of_a_foreign_spec_is_refused(session: Session) -> None:
    run = begin(session)
    with pytest.raises(SessionError, match="run 1 has no spec"):
        session.append(run, building.trial(building.spec(threads=99)))
    with pytest.raises(SessionError, match="run 5 has no spec"):
        session.append(5, trials_of(PLAN)[0])
    with pytest.raises(SessionError, match="has no run 5"):
        session.results(5)


def test_that_it_is_one_file_at_rest(filled: Path) -> None:
    assert [file.name for file in filled.parent.iterdir()] == [filled.name]


def test_that_the_title_can_be_changed(session: Session, path: Path) -> None:
    session.rename("ours \u202e\x00")
    with Session.read(path) as other:
        assert other.title == "ours \u202e\x00"
        assert other.created > 1.7e9
        assert other.sluice


def test_that_texts_that_are_not_unicode_do_not_lose_a_trial(session: Session) -> None:
    run = begin(session)
    trial = building.trial(PLAN.slots()[0].spec, notes=("/data/\udcff.fa",))
    session.append(run, trial)
    assert session.trials(run)[0].notes == ("/data/\\udcff.fa",)


def test_that_numbers_are_there_for_those_who_know_sql(session: Session, path: Path) -> None:
    run = begin(session)
    slots = PLAN.slots()
    session.append(run, building.trial(slots[0].spec, rate=500.0))
    session.append(run, building.trial(slots[1].spec, index=1, wrong=3))
    with closing(sqlite3.connect(path)) as plain:
        told = plain.execute("SELECT outcome, throughput, errors, wrong FROM trials").fetchall()
    assert told == [("completed", 500.0, 0, 0), ("completed", None, 0, 3)]


def test_that_several_windows_write_into_one_session(session: Session, path: Path) -> None:
    wide = building.plan(SPECS, repeats=3)

    def write() -> None:
        with Session.open(path) as mine:
            run = begin(mine, wide)
            for trial in trials_of(wide):
                mine.append(run, trial)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert [run.trials for run in session.runs()] == [9, 9, 9]


def test_that_one_session_serves_several_threads(session: Session) -> None:
    wide = building.plan(SPECS, repeats=3)
    run = begin(session, wide)
    halves = trials_of(wide)[:5], trials_of(wide)[5:]

    def write(trials: list[Trial]) -> None:
        for trial in trials:
            session.append(run, trial)

    writers = [threading.Thread(target=write, args=(half,)) for half in halves]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert session.remaining(run) == ()


def test_that_a_reader_sees_what_another_process_appends(session: Session, path: Path) -> None:
    run = begin(session)
    with Session.read(path) as reader:
        for seen, trial in enumerate(trials_of(PLAN)):
            session.append(run, trial)
            assert len(reader.trials(run)) == seen + 1


def test_that_a_session_in_use_says_so_after_waiting(filled: Path) -> None:
    with closing(sqlite3.connect(filled, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for enter in (Session.open, Session.read):
            with pytest.raises(SessionError, match=r"in use by another process for 10\.0 ms"):
                enter(filled, patience=0.01)


def test_that_a_full_disk_is_named_and_loses_nothing(session: Session) -> None:
    run = begin(session)
    slots = PLAN.slots()
    session.append(run, building.trial(slots[0].spec))
    connection = session._file._connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")
    large = building.trial(
        slots[1].spec, index=1, notes=(random.Random(1).randbytes(40_000).hex(),)
    )
    with pytest.raises(SessionError, match="the disk is full"):
        session.append(run, large)
    connection.execute("PRAGMA max_page_count = 1000000")
    session.append(run, large)
    assert len(session.trials(run)) == 2


def test_that_a_copy_is_whole_and_independent(session: Session, tmp_path: Path) -> None:
    run = begin(session)
    session.append(run, trials_of(PLAN)[0])
    to = tmp_path / "copy.sluice"
    session.copy_to(to)
    session.append(run, trials_of(PLAN)[1])
    with Session.read(to) as copy:
        assert len(copy.trials(run)) == 1
        assert copy.title == "mine"
    with pytest.raises(SessionError, match="exists already"):
        session.copy_to(to)
    session.copy_to(to, overwrite=True)
    with Session.read(to) as copy:
        assert len(copy.trials(run)) == 2


def test_that_reading_refuses_to_write(filled: Path) -> None:
    before = filled.read_bytes()
    with Session.read(filled) as session, pytest.raises(SessionError, match="opened to read"):
        session.note("no")
    assert filled.read_bytes() == before


def test_that_no_secret_reaches_the_file(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_TEST_KEY", "hunter2-and-more")
    of = building.spec("tiles", parameters={"key": "env:SLUICE_TEST_KEY"})
    words = "403 for key hunter2-and-more"
    with Session.create(path) as session:
        run = session.begin_run(
            building.plan([of], title="with hunter2-and-more"),
            building.environment(),
            PLACES,
            ("sluice", "--key", "hunter2-and-more"),
        )
        session.append(
            run,
            building.trial(
                of,
                outcome=Crashed(stage="setting up", last_words=words),
                complaints=(building.complaint(words),),
                counters={words: 1.0},
            ),
        )
        (trial,) = session.trials(run)
    assert trial.complaints[0].text == "403 for key <env:SLUICE_TEST_KEY>"
    assert b"hunter2" not in path.read_bytes()
    with closing(sqlite3.connect(path)) as plain:
        (body,) = plain.execute("SELECT body FROM trials").fetchone()
    assert b"hunter2" not in zlib.decompress(body)


def test_that_the_format_is_in_the_file(filled: Path) -> None:
    header = filled.read_bytes()[:100]
    assert int.from_bytes(header[60:64]) == FORMAT_VERSION
    assert int.from_bytes(header[68:72]) == APPLICATION_ID


def test_that_a_session_that_was_deleted_while_open_is_said_to_be_gone(session: Session) -> None:
    run = begin(session)
    session.path.unlink()
    with pytest.raises(SessionError, match=r"of mine\.sluice is gone: it was deleted or moved"):
        session.append(run, trials_of(PLAN)[0])


def test_that_a_shortened_trial_counts_until_its_slot_is_measured_again(session: Session) -> None:
    run = begin(session)
    slot = PLAN.slots()[0]
    for turns in (20, 30, 3):  # three attempts, each cut off
        session.append(run, building.cut_off(slot.spec, turns, index=slot.index, rate=500.0))
    (cut,) = session.results(run)
    assert [len(trial.turns) for trial in cut.finished_trials] == [30]
    assert typical(cut) == pytest.approx(500.0)
    assert slot in session.remaining(run)
    assert [typical(one) for one in past_results(session.path, {slot.spec.digest})] == [
        pytest.approx(500.0)
    ]
    session.append(run, building.trial(slot.spec, index=slot.index, rate=900.0))
    (whole,) = session.results(run)
    assert typical(whole) == pytest.approx(900.0)
    assert slot not in session.remaining(run)
    assert len(session.trials(run)) == 4
    assert [len(trial.turns) for trial in whole.replaced_trials] == [20, 30]


def test_that_a_disturbed_trial_and_its_repeat_are_both_kept(session: Session) -> None:
    run = begin(session)
    slot = PLAN.slots()[0]
    noise = MachineNoise(seconds=1.0, cores=8, steal=2.0, others=0.0)
    calm = msgspec.structs.replace(noise, steal=0.0)
    session.append(run, building.trial(slot.spec, index=0, rate=500.0, noise=noise))
    session.append(run, building.trial(slot.spec, index=0, block=2, rate=900.0, noise=calm))
    with pytest.raises(SessionError, match="recorded already"):
        session.append(run, building.trial(slot.spec, index=0, block=2, noise=calm))
    (result,) = session.results(run)
    assert [trial.block for trial in result.trials] == [0, 2]
    assert [trial.block for trial in result.finished_trials] == [2]
    assert slot not in session.remaining(run)
    (past,) = past_results(session.path, {slot.spec.digest})
    assert typical(past) == pytest.approx(900.0)


@pytest.mark.quick
@pytest.mark.parametrize("get", [Session.create, Session.open, Session.read])
def test_that_a_closed_session_holds_its_file_no_more(
    path: Path, content: bytes, get: Callable[[Path], Session]
) -> None:
    if get != Session.create:
        path.write_bytes(content)
    session = get(path)
    session.runs()
    assert str(path) in opened_files()
    session.close()
    assert str(path) not in opened_files()


def opened_files() -> set[str]:
    return {one.path for one in psutil.Process().open_files()}
