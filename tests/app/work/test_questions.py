"""What runs on another thread says how far it is, when it is over, and what nobody thought of."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from patience import MILLISECONDS, PATIENCE
from PySide6.QtCore import QObject, QThreadPool
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.shell.crashes import CrashReporter
from app.shell.workbench import Workbench
from app.work.question import Question, time_left
from app.work.shown_run import RunJob
from core import ReportProgress, SluiceError

pytestmark = pytest.mark.window


def test_that_progress_is_told_in_thousandths_where_it_is_known(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    owner = QObject()
    question = Question(pool, owner)
    told: list[tuple[str, int, int]] = []
    question.progressed.connect(lambda *one: told.append(one))

    def count(report: ReportProgress) -> int:
        report("reading", 1, 3)
        report("counting")
        return 7

    with qtbot.waitSignal(question.answered) as answered:
        question.ask(count)
    assert answered.args == [7]
    assert told == [("reading", 333, 1000), ("counting", 0, 0)]
    assert not question.asking


def test_that_only_the_answer_to_the_last_question_is_heard(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    owner, go = QObject(), threading.Event()
    question = Question(pool, owner)
    answers: list[Any] = []
    question.answered.connect(answers.append)
    question.ask(lambda _: go.wait(PATIENCE) and "old")
    question.ask(lambda _: go.wait(PATIENCE) and "new")
    go.set()
    assert pool.waitForDone(MILLISECONDS)
    qtbot.waitUntil(lambda: not question.asking)
    assert answers == ["new"]


class Nothing:
    """A run that is prepared and has nothing to measure."""

    def measure(self, _: object) -> Iterator[Any]:
        yield from ()


def test_that_a_job_is_not_over_before_it_has_ended(qtbot: QtBot, pool: QThreadPool) -> None:
    owner, go = QObject(), threading.Event()

    def prepare() -> Any:
        assert go.wait(PATIENCE)
        return Nothing()

    job = RunJob(prepare, owner)
    ended: list[str] = []
    job.ended.connect(ended.append)
    with qtbot.waitSignal(job.happened) as happened:
        job.start(pool)
    assert (happened.args, ended, job.prepared) == ([()], [], None)
    with qtbot.waitSignal(job.ended):
        go.set()
    assert ended == [""]
    assert isinstance(job.prepared, Nothing)


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
    monkeypatch.setattr("core.measure.local_datasets.Inspection.of", breaks)
    with qtbot.captureExceptions():
        workbench.setup.dataset.choose(tmp_path)
        qtbot.waitUntil(lambda: "fault of Sluice" in workbench.setup.dataset.problem)
        qtbot.waitUntil(lambda: not workbench.busy)


@pytest.mark.parametrize(
    ("gone", "done", "total", "left"),
    [
        (3.0, 250, 1000, 9.0),
        (10.0, 999, 1000, pytest.approx(0.01, abs=1e-3)),
        (1.0, 250, 1000, None),  # too early to say
        (5.0, 0, 1000, None),
        (5.0, 1000, 1000, None),
        (5.0, 0, 0, None),  # nobody knows how much there is
    ],
)
def test_that_the_rest_takes_as_long_as_the_pace_so_far_says(
    gone: float, done: int, total: int, left: float | None
) -> None:
    assert time_left(gone, done, total) == left
