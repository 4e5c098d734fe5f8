"""The session of the window: opened with its plots first, and let go of wholly."""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import building
import msgspec
import pytest
from PySide6.QtCore import QObject, QSettings, QThreadPool, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot

from app.plots.time.intake import Intake
from app.shell.workbench import Workbench
from app.work.held_session import HeldSession
from core import DatasetError, Inspection, Request
from core.desk import Prepared
from core.language import SessionError
from core.measure import describe_environment
from core.run import Session, task_of
from core.run.session import rows
from core.run.session.plan_trust import trust
from core.vocabulary import Moment, RunSpec, Series

pytestmark = pytest.mark.window
SPECS = tuple(
    building.spec(workload="raw", parameters={"block": 4096}, threads=threads) for threads in (1, 2)
)


def written(path: Path) -> Path:
    """A finished session with two trials of each of two specs."""
    plan = building.plan(SPECS, repeats=2)
    with Session.create(path) as session:
        run = session.begin_run(plan, building.environment(), {}, ("sluice",))
        for slot in plan.slots():
            session.append(run, building.trial(slot.spec, index=slot.index))
        session.end_run(run, "completed")
    return path


def spoiled(moments: Sequence[Moment]) -> Series:
    """The same moments in bytes that cannot be unpacked."""
    count, newest, most, pieces = msgspec.msgpack.decode(Series(moments).packed)
    rubbish = [b"rubbish" for _ in pieces]
    return Series.unpacked(msgspec.msgpack.encode([count, newest, most, rubbish]))


def spoil(path: Path) -> None:
    """Make moments unreadable in every trial, by someone who knows how rows are sealed."""
    with Session.read(path) as session:
        trials = {trial.index: trial for trial in session.trials(1)}
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        for *columns, _ in plain.execute("SELECT * FROM trials").fetchall():
            bare = msgspec.structs.replace(trials[columns[2]], moments=())
            body = zlib.compress(msgspec.json.encode(bare))
            body += spoiled(trials[columns[2]].moments).packed
            rows.replace(plain, "trials", rows.sealed(*columns[:-1], body))


def test_that_the_plots_have_the_trials_before_anything_is_summed_up(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    path = written(tmp_path / "kept.sluice")
    qtbot.waitUntil(lambda: workbench.views.plots is not None)
    plots = workbench.views.plots
    summed: list[object] = []
    workbench.measuring.summed_up.connect(summed.append)
    with qtbot.waitSignal(workbench.held.opened):
        workbench.sessions.open(path)
    assert not summed
    assert plots.holds(range(4))
    workbench.views.show_live()  # the answer is shown first
    qtbot.waitUntil(lambda: bool(summed) and len(plots.panels[0].content.table()) > 0)
    assert "1" in plots.summary()


def test_that_of_many_settings_one_part_is_shown_after_the_other_until_all_are(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.shell.run._AT_ONCE", 1)
    path = written(tmp_path / "kept.sluice")
    with qtbot.waitSignal(workbench.measuring.summed_up):
        workbench.sessions.open(path)
    assert len(workbench.results.rows.rows) == 2
    assert not workbench.verdict.card.number
    qtbot.waitUntil(lambda: bool(workbench.verdict.card.number))
    with qtbot.waitSignal(workbench.measuring.summed_up):
        workbench.sessions.open(path)
    (timer,) = workbench.run.findChildren(QTimer)
    with qtbot.waitSignal(timer.timeout):
        workbench.sessions.new()  # what is left of the other is shown no more
    assert not workbench.verdict.card.number
    assert not workbench.results.rows.rows


def test_that_the_windows_thread_reads_no_settings_of_which_there_can_be_thousands(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading: list[threading.Thread] = []
    specs = rows.Reader.specs

    def noted(reader: rows.Reader, run: int) -> dict[str, RunSpec]:
        reading.append(threading.current_thread())
        return specs(reader, run)

    path = written(tmp_path / "kept.sluice")
    monkeypatch.setattr(rows.Reader, "specs", noted)
    with qtbot.waitSignal(workbench.measuring.summed_up):
        workbench.sessions.open(path)
    qtbot.waitUntil(lambda: bool(workbench.verdict.card.number))
    assert reading
    assert threading.main_thread() not in reading


def test_that_what_cannot_be_unpacked_is_left_out_of_the_plots() -> None:
    whole, other = (building.trial(SPECS[0], index=index) for index in range(2))
    broken = msgspec.structs.replace(whole, moments=spoiled(whole.moments))
    intake = Intake()
    intake.record([(broken, "one"), (other, "two")])
    while intake.pending:
        intake.take_slice()
    assert intake.count == len(other.moments)


def test_that_results_need_no_moments(qtbot: QtBot, workbench: Workbench, tmp_path: Path) -> None:
    path = written(tmp_path / "kept.sluice")
    spoil(path)
    qtbot.waitUntil(lambda: workbench.views.plots is not None)
    with qtbot.waitSignal(workbench.measuring.summed_up) as found:
        workbench.sessions.open(path)
    assert len(found.args[0].results) == 2


def test_that_results_that_cannot_be_found_out_are_told_of(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cannot(*_: object, **__: object) -> None:
        raise SessionError("moments of a trial cannot be read")

    monkeypatch.setattr("core.tell.run_results.Shown.of", cannot)
    with qtbot.waitSignal(workbench.measuring.unreadable):
        workbench.sessions.open(written(tmp_path / "kept.sluice"))
    (box,) = workbench.findChildren(QMessageBox)
    assert "moments of a trial cannot be read" in box.informativeText()
    box.close()


def test_that_a_session_of_a_newer_sluice_is_shown_and_told_of(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path
) -> None:
    path = written(tmp_path / "newer.sluice")
    with closing(sqlite3.connect(path, isolation_level=None)) as plain:
        plain.execute("PRAGMA user_version = 200")
    with qtbot.waitSignal(workbench.measuring.summed_up):
        workbench.sessions.open(path)
    assert "Look out" in workbench.top.message.text()
    assert "comes from a newer Sluice" in workbench.top.message.text()
    assert workbench.has_results
    with qtbot.waitSignal(workbench.held.failed) as complained:
        workbench.held.note("of mine", None)
    assert "update Sluice" in complained.args[1]


def test_that_a_session_is_closed_when_it_is_let_go_of_and_when_another_one_is_held(
    pool: QThreadPool, settings: QSettings, qapp: QApplication, tmp_path: Path
) -> None:
    owner = QObject()
    held = HeldSession(pool, settings, owner)
    first, second = (Session.create(tmp_path / f"{number}.sluice") for number in (1, 2))
    for session, end in ((first, lambda: held.hold(second)), (second, held.let_go)):
        held.hold(session)
        held.hold(session)
        assert not session.runs()
        end()
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            session.runs()
    assert held.session is None


def test_that_a_run_is_not_gone_on_with_without_its_dataset(data: Path, tmp_path: Path) -> None:
    with Session.create(tmp_path / "begun.sluice") as session:
        dataset = Inspection.of(data, "raw").dataset
        plan = task_of(Request(workload="raw", floor=False), dataset).plan
        number = session.begin_run(plan, describe_environment(), {}, ("sluice",))
        trust(session.run(number))
        data.rename(tmp_path / "elsewhere")
        with pytest.raises(DatasetError, match="data does not exist any more"):
            Prepared.rest_of(session, number)()
