"""What runs on another thread says how far it is, and when it is over."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from patience import MILLISECONDS, PATIENCE
from PySide6.QtCore import QObject, QThreadPool
from pytestqt.qtbot import QtBot

from app.work.question import Question
from app.work.shown_run import RunJob
from core import ReportProgress

pytestmark = pytest.mark.window


def test_that_progress_is_told_in_thousandths_where_it_is_known(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    owner = QObject()
    question = Question(pool, owner)
    told: list[tuple[str, int, int]] = []
    question.told.connect(lambda *one: told.append(one))

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
