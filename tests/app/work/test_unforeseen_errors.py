"""An error that nobody thought of leaves nothing waiting, and is not called success."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
import shiboken6
from patience import MILLISECONDS, PATIENCE
from PySide6.QtCore import QObject, QThreadPool
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.shell.crash_reporter import CrashReporter
from app.shell.workbench import Workbench
from app.work.question import Question
from app.work.shown_run import RunJob
from core import ReportProgress, SluiceError

pytestmark = pytest.mark.window


class Odd(Exception):
    """Nothing of ours."""


def breaks(*_: object) -> None:
    raise Odd("of the\nworst kind")


SAID = r"this is a fault of Sluice: Odd: of the\nworst kind"


def test_that_a_question_that_breaks_is_refused_and_reported(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    owner = QObject()
    question = Question(pool, owner)
    with qtbot.captureExceptions() as raised:
        with qtbot.waitSignal(question.refused) as refused:
            question.ask(breaks)
        assert pool.waitForDone(MILLISECONDS)
    assert refused.args == [SAID]
    assert not question.asking
    assert [kind for kind, *_ in raised] == [Odd]


def test_that_an_answer_that_comes_after_the_end_of_its_window_is_dropped_without_a_word(
    qtbot: QtBot, pool: QThreadPool, capfd: pytest.CaptureFixture[str]
) -> None:
    owner, gone = QObject(), threading.Event()
    ended: list[str] = []

    def look(report: ReportProgress) -> None:
        assert gone.wait(PATIENCE)
        try:
            report("looking")
        except SluiceError:
            ended.append("told that nobody listens")
            raise

    with qtbot.captureExceptions() as raised:
        Question(pool, owner).ask(look)
        Question(pool, owner).ask(lambda _: gone.wait(PATIENCE))
        shiboken6.delete(owner)
        gone.set()
        assert pool.waitForDone(MILLISECONDS)
    assert (raised, ended) == ([], ["told that nobody listens"])
    assert capfd.readouterr().err == ""


def test_that_a_fault_after_the_end_of_its_window_is_told_on_standard_error_alone(
    qapp: QApplication, capsys: pytest.CaptureFixture[str]
) -> None:
    reporter = CrashReporter()
    shiboken6.delete(reporter)
    reporter.hook(Odd, Odd("late"), None)
    (told,) = capsys.readouterr().err.splitlines()
    assert told.endswith("Odd: late")


def test_that_a_job_that_breaks_says_so_and_not_that_it_is_done(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    owner = QObject()
    job = RunJob(breaks, owner)  # type: ignore[arg-type]
    with qtbot.captureExceptions() as raised:
        with qtbot.waitSignal(job.ended) as ended:
            job.start(pool)
        assert pool.waitForDone(MILLISECONDS)
    assert ended.args == [SAID]
    assert [kind for kind, *_ in raised] == [Odd]


def test_that_a_dataset_that_cannot_be_looked_at_is_not_looked_at_for_ever(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.catalog.local_datasets.Inspection.of", breaks)
    with qtbot.captureExceptions():
        workbench.setup.dataset.choose(tmp_path)
        qtbot.waitUntil(lambda: "fault of Sluice" in workbench.setup.dataset.problem)
        qtbot.waitUntil(lambda: not workbench.busy)
