"""From a run's card to the next run, its settings, a comparison, and back into the session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import building
import msgspec
import pytest
from PySide6.QtCore import QUrl
from pytestqt.qtbot import QtBot
from workload_box import ask, sweep_threads

from app.shell.report_window import ReportWindow
from app.shell.workbench import Workbench
from app.views.comparison_view import CompareView
from core import Axis, Inspection, Request, Session
from core.measure import describe_environment
from core.run import task_of
from core.run.session.plan_trust import trust
from core.vocabulary import Grade

pytestmark = pytest.mark.window
SHORT = {"duration": 0.2, "warm_up": 0.0}


@pytest.fixture(autouse=True)
def nothing_measured_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else budgets follow what trials of other tests took, which may be minutes under load."""
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))


def sweep_of(data: Path) -> Request:
    return Request(
        workload="raw",
        values=SHORT,
        axes=(Axis("threads", (1, 2)),),
        dataset=data,
        repeats=2,
    )


def measure(qtbot: QtBot, workbench: Workbench) -> None:
    """Start, and wait for the card that says what to do next."""
    workbench.run.start()
    assert not workbench.verdict.steps.texts()
    wait_for_steps(qtbot, workbench)


def wait_for_steps(qtbot: QtBot, workbench: Workbench) -> None:
    """Until steps stand there that follow a run; to choose data is one before any."""
    steps = workbench.verdict.steps
    qtbot.waitUntil(lambda: not workbench.busy and bool({*steps.names()} - {"data"}))


def test_that_a_sweep_ends_in_a_card_and_its_scaling_and_its_setting_can_be_used(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    ask(qtbot, workbench, sweep_of(data))
    qtbot.waitUntil(lambda: workbench.views.plots is not None)
    assert "measure raw threads=1,2 " in workbench.command.text()
    measure(qtbot, workbench)
    card = workbench.verdict.card
    assert card.number
    assert card.unit == "blocks/s"
    if card.headline.beside:  # other programs took the cores
        assert "wait" in workbench.verdict.steps.names()
    else:
        told = "holds" if card.headline.grade is Grade.SURE else "open"
        assert [badge.trust for badge in card.badges][:1] == [told]
    assert workbench.views.currentWidget() is workbench.views.answer_page
    swept = workbench.command.text()
    workbench.verdict.steps.press("use")
    assert not workbench.setup.request().axes
    assert " measure raw " in workbench.command.text()
    workbench.history.stack.undo()
    qtbot.waitUntil(lambda: workbench.command.text() == swept)


def test_that_an_opened_session_fills_in_the_form_runs_again_and_is_compared(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    ask(qtbot, workbench, sweep_of(data))
    asked = workbench.command.text()
    measure(qtbot, workbench)
    (path,) = (tmp_path / "sessions").glob("*.sluice")
    workbench.sessions.new()
    assert not workbench.verdict.steps.texts()
    sweep_threads(workbench.setup)
    workbench.sessions.open(path)
    wait_for_steps(qtbot, workbench)
    assert workbench.command.text() == asked
    assert "Compare with the last run" not in workbench.verdict.steps.texts()
    workbench.verdict.steps.press("again")
    assert not workbench.verdict.steps.texts()
    wait_for_steps(qtbot, workbench)
    assert "Compare with the last run" in workbench.verdict.steps.texts()
    workbench.verdict.steps.press("compare")
    compared = workbench.views.comparison
    assert workbench.views.currentWidget() is compared
    qtbot.waitUntil(lambda: "un 2" in compared.text())
    with Session.read(path) as session:
        assert [run.plan.specs for run in session.runs()] == [session.runs()[0].plan.specs] * 2


def compare_apart(qtbot: QtBot, workbench: Workbench, data: Path, path: Path) -> CompareView:
    """Open a session of a run with one thread and one with two, and compare them."""
    with Session.create(path) as session:
        for threads, rates in ((1, (1000.0, 1030.0)), (2, (1700.0, 1730.0))):
            values = {**SHORT, "threads": threads}
            asked = Request(workload="raw", values=values, dataset=data, repeats=2, floor=False)
            keep(session, asked, data, {threads: rates})
    workbench.sessions.open(path)
    wait_for_steps(qtbot, workbench)
    workbench.verdict.steps.press("compare")
    compared = workbench.views.comparison
    qtbot.waitUntil(lambda: workbench.verdict.steps.names() == ("in turn",))
    return compared


def test_that_data_that_is_gone_is_not_measured_in_turn_and_no_run_is_begun(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    path = tmp_path / "apart.sluice"
    compare_apart(qtbot, workbench, data, path)
    data.rename(tmp_path / "elsewhere")
    workbench.verdict.steps.press("in turn")
    qtbot.waitUntil(lambda: "does not exist" in workbench.top.message.text())
    qtbot.waitUntil(lambda: not workbench.busy)
    with Session.read(path) as session:
        assert len(session.runs()) == 2


def test_that_what_was_compared_apart_is_one_button_from_being_measured_in_turn(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    path = tmp_path / "apart.sluice"
    compared = compare_apart(qtbot, workbench, data, path)
    assert "measured apart" in compared.text().lower() or "Cannot tell" in compared.text()
    asked = workbench.command.text()
    with qtbot.waitSignal(workbench.measuring.ended):
        workbench.verdict.steps.press("in turn")
    wait_for_steps(qtbot, workbench)
    assert workbench.views.currentWidget() is compared
    qtbot.waitUntil(lambda: "trials" in compared.text())
    assert "measured apart" not in compared.text().lower()
    assert workbench.command.text() == asked
    with Session.read(path) as session:
        runs = session.runs()
        results = session.results(3)
    assert [len(run.plan.specs) for run in runs] == [1, 1, 2]
    assert {each.spec.load.threads for each in results} == {1, 2}
    assert len(runs[2].plan.pairs) == 1
    assert runs[2].command[-6:-4] == ("compare", f"{path}#run=3,threads=1")
    workbench.sessions.new()
    workbench.sessions.open(path)
    wait_for_steps(qtbot, workbench)
    qtbot.waitUntil(lambda: "trials" in compared.text())


def test_that_what_was_measured_once_is_one_button_from_an_interval(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    once = Request(workload="raw", values=SHORT, dataset=data, repeats=1)
    ask(qtbot, workbench, once)
    measure(qtbot, workbench)
    assert workbench.verdict.card.headline.mood == "open"
    assert workbench.verdict.card.interval.startswith("1 trial: no interval yet")
    workbench.verdict.steps.press("repeat")
    assert not workbench.verdict.steps.texts()
    qtbot.waitUntil(lambda: "% · " in workbench.window().windowTitle())
    wait_for_steps(qtbot, workbench)
    assert len(workbench.measuring.trials) == 3
    assert "%" not in workbench.window().windowTitle()
    told = workbench.verdict.card.interval
    assert "99.75 %" in told or told == "3 trials: too few to tell"  # beside other programs
    assert workbench.measuring.trials[-1].block == 2


type Rates = Mapping[int, Sequence[float]]
"""Of the repeats, by threads."""


def keep(session: Session, asked: Request, data: Path, rates: Rates, gil: float = 0.0) -> None:
    """Append a run with these rates; `gil`: share of looks that saw it awaited."""
    plan = task_of(asked, Inspection.of(data, "raw").dataset).plan
    # With one core, threads that wait for Python's lock would lose nothing.
    machine = msgspec.structs.replace(describe_environment(), affinity_cores=2, quota_cores=None)
    run = session.begin_run(plan, machine, {}, ("sluice",))
    for slot in plan.slots():
        threads = slot.spec.load.threads
        rate = rates[threads][slot.block]
        made = building.trial(slot.spec, index=slot.index, block=slot.block, rate=rate)
        looks = {"gil_looks": 100, "gil_held": round(100 * gil)} if threads > 1 else {}
        workers = tuple(msgspec.structs.replace(one, **looks) for one in made.workers)
        session.append(run, msgspec.structs.replace(made, workers=workers))
    session.end_run(run, "completed")
    trust(session.run(run))


def kept(path: Path, data: Path, rates: Rates, gil: float = 0.0) -> Path:
    """A session of a sweep of that data."""
    asked = msgspec.structs.replace(sweep_of(data), repeats=3, floor=False)
    with Session.create(path) as session:
        keep(session, asked, data, rates, gil)
    return path


def kept_as_open(path: Path, data: Path) -> Path:
    """A session of that data whose trials differ too much for an answer."""
    return kept(path, data, {1: (1000.0, 1030.0, 980.0), 2: (1060.0, 1010.0, 1080.0)})


def test_that_threads_which_wait_for_the_gil_are_one_button_from_processes_measured(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    rates = {1: (1000.0, 1001.0, 1002.0), 2: (1000.0, 1002.0, 1004.0)}
    path = kept(tmp_path / "held.sluice", data, rates, gil=0.95)
    workbench.sessions.open(path)
    wait_for_steps(qtbot, workbench)
    workbench.verdict.steps.press("processes")
    assert "processes=1,2" in workbench.command.text()
    wait_for_steps(qtbot, workbench)
    with Session.read(path) as session:
        before, after = session.runs()
        counted = {
            (result.spec.load.threads, result.spec.load.processes): result
            for result in session.results(after.id)
        }
    assert before.plan.specs != after.plan.specs
    assert counted.keys() >= {(1, 1), (1, 2)}
    assert all(result.valid for result in counted.values())
    assert "Compare with the last run" in workbench.verdict.steps.texts()
    assert "Try processes instead of threads" not in workbench.verdict.steps.texts()


def test_that_an_open_answer_is_one_button_from_measuring_until_sure(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    path = kept_as_open(tmp_path / "open.sluice", data)
    workbench.sessions.open(path)
    wait_for_steps(qtbot, workbench)
    assert workbench.verdict.card.headline.mood == "open"
    first = workbench.verdict.steps.texts()[0]
    assert first.startswith("Measure until sure (about "), first
    assert first.endswith(")"), first
    workbench.verdict.steps.press("until sure")
    wait_for_steps(qtbot, workbench)
    with Session.read(path) as session:
        before, after = session.runs()
    assert (before.plan.budget, after.plan.budget > 0.0) == (0.0, True)
    assert {spec.load.threads for spec in after.plan.specs} == {1, 2}
    assert after.trials >= len(after.plan.specs), "a slow machine has time for one block alone"
    assert workbench.setup.request().budget == after.plan.budget


def test_that_the_report_of_a_run_is_one_button_away(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []

    def open_url(url: QUrl) -> bool:
        opened.append(Path(url.toLocalFile()))
        return True

    monkeypatch.setattr("app.shell.report_window.QDesktopServices.openUrl", open_url)
    workbench.sessions.open(kept_as_open(tmp_path / "open.sluice", data))
    wait_for_steps(qtbot, workbench)
    workbench.verdict.steps.press("report")
    qtbot.waitUntil(lambda: bool(workbench.window().findChildren(ReportWindow)))
    (window,) = workbench.window().findChildren(ReportWindow)
    assert "threads" in window.page.toPlainText()
    window.browser_button.click()
    assert len(opened) == 1
    assert "threads" in opened[0].read_text(encoding="utf-8")
    assert str(opened[0]) in workbench.top.message.text()
