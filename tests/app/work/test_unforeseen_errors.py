"""An error that nobody thought of leaves nothing waiting, and is not called success."""

from __future__ import annotations

from pathlib import Path

import pytest
from patience import MILLISECONDS
from PySide6.QtCore import QObject, QThreadPool
from pytestqt.qtbot import QtBot

from app.shell.workbench import Workbench
from app.work.job import Job
from app.work.question import Question

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


def test_that_a_job_that_breaks_says_so_and_not_that_it_is_done(
    qtbot: QtBot, pool: QThreadPool
) -> None:
    owner = QObject()
    job = Job(breaks, owner)  # type: ignore[arg-type]
    with qtbot.captureExceptions() as raised:
        with qtbot.waitSignal(job.ended) as ended:
            job.start(pool)
        assert pool.waitForDone(MILLISECONDS)
    assert ended.args == [SAID]
    assert [kind for kind, *_ in raised] == [Odd]


def test_that_a_dataset_that_cannot_be_looked_at_is_not_looked_at_for_ever(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.catalog.inspection.Inspection.of", breaks)
    with qtbot.captureExceptions():
        workbench.setup.dataset.choose(tmp_path)
        qtbot.waitUntil(lambda: "fault of Sluice" in workbench.setup.dataset.problem)
        qtbot.waitUntil(lambda: not workbench.busy)
