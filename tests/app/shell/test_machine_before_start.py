"""The row below Start: what is known before a run, and one click to what fits better."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot
from workload_box import ask, choose_workload

from app.shell.bars import MachineLight
from app.shell.workbench import Workbench
from app.style.theme import LIGHT
from app.work.question import drop_questions
from core import Act, Inspection, MachineState, NextStep, Preflight, Request, Session
from core.desk import Prepared
from core.desk.preflight import Remark
from core.measure import describe_environment
from core.run import task_of

pytestmark = pytest.mark.window

SLOW5 = (
    "#slow5_version\t0.2.0\n#num_read_groups\t1\n"
    "#char*\tuint32_t\tdouble\tdouble\tdouble\tdouble\tuint64_t\tint16_t*\n"
    "#read_id\tread_group\tdigitisation\toffset\trange\tsampling_rate\tlen_raw_signal\traw_signal\n"
    "r0\t0\t8192\t4\t1400\t4000\t3\t1,2,3\n"
)


@pytest.fixture
def reads(tmp_path: Path) -> Path:
    path = tmp_path / "reads.slow5"
    path.write_text(SLOW5)
    return path


def choose_raw(workbench: Workbench, data: Path) -> None:
    choose_workload(workbench.setup, "raw")
    workbench.setup.dataset.choose(data)


def looked_at(qtbot: QtBot, workbench: Workbench) -> str:
    """What the strip says once a look at the form as it is now has been answered."""
    with qtbot.waitSignal(workbench.before_start.answered):
        workbench.before_start.look_again()
    return workbench.preflight_strip.text()


def button_of(workbench: Workbench) -> QPushButton:
    found = workbench.preflight_strip.findChild(QPushButton, "preflight step")
    assert isinstance(found, QPushButton)
    return found


def test_that_the_strip_says_how_long_it_will_take(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    choose_raw(workbench, data)
    qtbot.waitUntil(lambda: "setting" in workbench.verdict.card.headline.detail)
    assert "about" in workbench.verdict.card.headline.detail


def test_that_the_verdict_says_why_nothing_can_be_measured(
    qtbot: QtBot, workbench: Workbench, reads: Path
) -> None:
    workbench.setup.dataset.choose(reads)
    workbench.setup.choose_study("seqrepo-fd-cache")
    qtbot.waitUntil(lambda: "is not FASTA" in workbench.verdict.card.headline.detail)
    looked_at(qtbot, workbench)
    assert "is not FASTA" in workbench.verdict.card.headline.detail


def test_that_nothing_below_the_strip_moves(qtbot: QtBot, workbench: Workbench) -> None:
    strip, step = workbench.preflight_strip, NextStep(act=Act.FILL, text="Do & see", why="it helps")
    workbench.show_page("question")
    QApplication.processEvents()
    tall = strip.height()
    for found in (None, Preflight(remarks=(Remark(text="word " * 200, step=step),)), Preflight()):
        strip.say("Look out", look=found)
        QApplication.processEvents()
        assert strip.height() == tall >= button_of(workbench).sizeHint().height()
        assert button_of(workbench).isVisible() is bool(found and found.step)
        assert strip.width() <= workbench.width()
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_a_wait_and_its_end_have_buttons_of_one_width(
    qtbot: QtBot, workbench: Workbench
) -> None:
    qtbot.waitUntil(lambda: bool(workbench.top.machine.text()))
    find(workbench, QUIET)
    places = []
    for step in MachineState.waits():
        workbench.preflight_strip.say("Waiting until quiet.", step=step)
        QApplication.processEvents()
        assert button_of(workbench).text() == step.text
        places.append(button_of(workbench).geometry())
    assert places[0] == places[1]
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_typed_data_of_another_workload_is_one_click_away(
    qtbot: QtBot, workbench: Workbench, reads: Path
) -> None:
    assert workbench.setup.workload == "fasta"
    workbench.setup.dataset.choose(reads)
    qtbot.waitUntil(lambda: workbench.preflight_strip.offered() is not None)
    assert button_of(workbench).text().startswith("Switch to ")
    button_of(workbench).click()
    assert workbench.setup.workload == "signal"
    qtbot.waitUntil(workbench.start_button.isEnabled)
    workbench.history.stack.undo()
    assert workbench.setup.workload == "fasta"
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_only_data_that_was_named_and_looked_at_is_looked_at_before_start(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    subject = workbench.before_start._subject_now
    choose_workload(workbench.setup, "raw")
    assert subject() is None
    workbench.setup.dataset.choose(data)
    assert workbench.setup.dataset.looking
    assert subject() is None
    qtbot.waitUntil(lambda: workbench.setup.dataset.look is not None)
    assert subject().dataset == workbench.setup.dataset.look.dataset
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_data_that_is_gone_is_noticed_when_the_window_is_used_again(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    choose_raw(workbench, data)
    looked_at(qtbot, workbench)
    for file in data.iterdir():
        file.unlink()
    data.rmdir()
    workbench.activateWindow()
    QApplication.sendEvent(workbench, QEvent(QEvent.Type.ActivationChange))
    workbench.before_start.look_again()  # what the event does where the window is the active one
    qtbot.waitUntil(lambda: "does not exist" in workbench.setup.dataset.problem)
    assert not workbench.start_button.isEnabled()


def test_that_a_look_that_nobody_waits_for_ends_with_the_window(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    choose_raw(workbench, data)
    qtbot.waitUntil(lambda: workbench.setup.dataset.look is not None)
    workbench.before_start.look_again()
    workbench.window().close()
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_a_reader_of_another_format_is_refused_by_the_form(
    qtbot: QtBot, workbench: Workbench, reads: Path
) -> None:
    setup = workbench.setup
    choose_workload(setup, "signal")
    setup.dataset.choose(reads)
    qtbot.waitUntil(lambda: setup.dataset.look is not None)
    rows = {row.kind.name: row for row in setup.form.rows()}
    for reader, refused in (("pod5-io", True), ("blow5-c", False), ("pod5-c-mmap", True)):
        rows["reader"].control.set_value(reader)
        rows["reader"].control.changed.emit()
        assert workbench.start_button.isEnabled() is not refused
        assert (
            f"{reader} does not read blow5" in workbench.verdict.card.headline.detail
        ) is refused
    workbench.run.start()
    assert not workbench.measuring.running
    assert workbench.command.text()


def test_that_what_is_foreseen_is_said_while_it_runs(
    qtbot: QtBot, workbench: Workbench, data: Path, tmp_path: Path
) -> None:
    choose_raw(workbench, data)
    qtbot.waitUntil(lambda: workbench.setup.dataset.look is not None)
    session = Session.create(tmp_path / "begun.sluice")  # the window closes it
    plan = task_of(Request(workload="raw", floor=False), Inspection.of(data).dataset).plan
    number = session.begin_run(plan, describe_environment(), {}, ("sluice",))
    lacking = Prepared(session=session, run=session.run(number), shortages=("few files",))
    said: list[str] = []
    workbench.measuring.prepared.connect(lambda _: said.append(workbench.top.message.text()))
    workbench.measuring.start(lambda: lacking)
    qtbot.waitUntil(lambda: not workbench.busy)
    assert said == ["Look out: few files"]


BUSY = MachineState(
    light="busy",
    text="Other programs take 90 % of the cores: gzip",
    cores=4,
    others=3.6,
    remarks=(
        Remark(
            text="Other programs take 90 % of the cores: gzip",
            step=NextStep(act=Act.WAIT, text="Measure when quiet", why="why", name="wait"),
            passes=True,
        ),
    ),
)
QUIET = MachineState(light="quiet", cores=4)


def find(workbench: Workbench, found: MachineState) -> None:
    """As a look does, whatever the machine of this test has to do."""
    workbench.before_start.close_down()
    drop_questions(workbench.before_start)
    workbench.before_start._take_machine(found)


def test_that_a_busy_machine_is_told_before_start_with_two_ways_to_go_on(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    choose_raw(workbench, data)
    qtbot.waitUntil(lambda: workbench.ready and not workbench.busy)
    looked_at(qtbot, workbench)
    find(workbench, BUSY)
    assert workbench.top.machine.text() == "others take 3.6 of 4 cores"
    assert "Other programs take 90 % of the cores: gzip" in workbench.preflight_strip.text()
    assert button_of(workbench).text() == "Measure when quiet"
    assert workbench.start_button.text() == "▶ Measure anyway"
    place = workbench.start_button.geometry()
    find(workbench, QUIET)
    assert workbench.start_button.text() == "▶ Measure"
    assert workbench.start_button.geometry() == place
    assert workbench.top.machine.text() == "quiet"
    assert "gzip" not in workbench.preflight_strip.text()


def test_that_a_wait_for_a_quiet_machine_can_be_stopped_and_measures_at_its_end(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    choose_raw(workbench, data)
    qtbot.waitUntil(lambda: workbench.ready and not workbench.busy)
    looked_at(qtbot, workbench)
    find(workbench, BUSY)
    button_of(workbench).click()
    assert workbench.before_start.waiting
    assert workbench.verdict.text() == "Waiting until the machine is quiet"
    assert workbench.start_button.text() == "▶ Measure anyway"
    button_of(workbench).click()
    assert not workbench.before_start.waiting
    assert not workbench.measuring.running
    assert "Waiting" not in workbench.preflight_strip.text()
    qtbot.waitUntil(lambda: not workbench.busy)
    workbench.before_start.wait()
    with qtbot.waitSignal(workbench.measuring.began):
        workbench.before_start._waiting.answered.emit(None)
    assert not workbench.before_start.waiting
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_the_light_is_alive_before_a_run_while_it_waits_and_while_it_goes_on(
    qtbot: QtBot, workbench: Workbench, data: Path
) -> None:
    request = Request(workload="raw", values={"duration": 600.0}, dataset=data, floor=False)
    ask(qtbot, workbench, request)
    qtbot.waitUntil(lambda: workbench.ready)
    before = workbench.before_start
    before._next.setInterval(1)

    def next_light() -> MachineState:
        with qtbot.waitSignal(before.machine_seen) as seen:
            pass
        return seen.args[0]

    assert next_light().light in {"quiet", "busy", "limited"}
    before.wait()
    assert next_light().cores >= 1
    assert before.waiting
    before.wait()
    workbench.run.start()
    qtbot.waitUntil(lambda: next_light().own > 0)
    assert workbench.measuring.running
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not workbench.busy)


def test_that_columns_show_who_takes_the_cores(qtbot: QtBot) -> None:
    light = MachineLight()
    qtbot.addWidget(light)
    light.show_machine(MachineState(light="busy", cores=4, own=1.0, others=2.0, granted=4))
    light.resize(light.sizeHint())
    light.show()
    image = light.grab().toImage()
    middle = [image.pixelColor(light.width() - 20 + 5 * core + 1, 14).name() for core in range(4)]
    roles = LIGHT.roles
    assert middle == [roles["ink"], roles["edge"], roles["amber"], roles["amber"]]
