"""Nothing of a session from elsewhere runs before somebody has read it and agreed."""

from __future__ import annotations

import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import building
import foreign_sessions
import pytest
from driving import need_drivers
from foreign_sessions import trials_in, trust_in
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from app.shell.workbench import Workbench
from app.style.dialogs import ConsentDialog
from core import Prepared, Request, Session, report_to_nobody
from core.run import is_trusted
from core.vocabulary import Axis, open_dataset
from workloads.tiles.make_layer import LayerShape, make_layer

pytestmark = pytest.mark.window


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLUICE_STATE", str(tmp_path / "state"))
    monkeypatch.syspath_prepend(str(tmp_path))


@pytest.fixture
def mark(tmp_path: Path) -> Path:
    """What appears if anything of a session runs."""
    return tmp_path / "ran"


def dialogs_of(workbench: Workbench) -> list[ConsentDialog]:
    return [one for one in workbench.findChildren(ConsentDialog) if one.isVisible()]


def boxes(workbench: Workbench) -> list[QMessageBox]:
    return [one for one in workbench.findChildren(QMessageBox) if one.isVisible()]


def press_enter(qtbot: QtBot, workbench: Workbench, times: int = 10) -> None:
    """Whatever has the focus gets it, as from a keyboard."""
    for _ in range(times):
        over = QApplication.activeModalWidget()
        hit = QApplication.focusWidget() or (over and over.focusWidget()) or over or workbench
        qtbot.keyClick(hit, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: not workbench.busy)


def opened(qtbot: QtBot, workbench: Workbench, path: Path) -> None:
    with qtbot.waitSignal(workbench.measuring.summed_up):
        workbench.sessions.open(path)
    qtbot.waitUntil(lambda: not workbench.busy)


def asked(qtbot: QtBot, workbench: Workbench) -> ConsentDialog:
    qtbot.waitUntil(lambda: bool(dialogs_of(workbench)))
    (box,) = dialogs_of(workbench)
    return box


def text_of(box: ConsentDialog) -> str:
    (text,) = box.findChildren(QPlainTextEdit)
    return text.toPlainText()


def button(box: ConsentDialog, name: str) -> QPushButton:
    (found,) = [one for one in box.findChildren(QPushButton) if one.text() == name]
    return found


@pytest.fixture
def server() -> Iterator[str]:
    """The address of a server that fails the test if it was asked anything."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        host, port = listening.getsockname()
        yield f"{host}:{port}"
        with pytest.raises(BlockingIOError):
            listening.accept()


def offers(qtbot: QtBot, workbench: Workbench, whole: bool) -> Iterator[str]:
    """Whatever of a session would run something, one after the other, each with its dialog."""
    if not whole:
        yield "resume"
        return
    press_enter(qtbot, workbench)
    steps = workbench.verdict.steps
    for name in steps.names():
        if name not in ("report", "why"):  # which run nothing
            steps.press(name)
            yield name
    shown = workbench.run.shown
    workbench.views.comparison.in_turn_wanted.emit(*shown.results[:2])
    yield "in turn"


def test_that_enter_runs_nothing_of_60_hostile_sessions_whatever_they_offer(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, mark: Path, server: str
) -> None:
    seen: list[tuple[str, str]] = []
    ran: list[tuple[str, str]] = []
    form = workbench.setup.state()
    qtbot.waitUntil(lambda: not workbench.busy)
    sessions = list(foreign_sessions.hostile(tmp_path, mark, server))
    files = sorted(tmp_path.glob("**/*.sluice"))
    for name, path, whole in sessions:
        kept = trials_in(path)
        opened(qtbot, workbench, path)
        for offer in offers(qtbot, workbench, whole):
            seen.append((name, offer))
            box = asked(qtbot, workbench)
            assert button(box, "Only look").isDefault()
            press_enter(qtbot, workbench)
            if mark.exists() or trials_in(path) != kept or foreign_sessions.MODULE in sys.modules:
                ran.append(seen[-1])
            assert not dialogs_of(workbench)
            # Start runs nothing of it either, and there is nothing of it to copy.
            assert (workbench.command.text(), workbench.setup.state()) == ("", form), name
        workbench.sessions.new()
    assert not ran
    assert len(sessions) >= 60
    assert {"resume", "again", "use", "in turn"} <= {offer for _, offer in seen}
    assert sorted(tmp_path.glob("**/*.sluice")) == files


def way(tmp_path: Path, mark: Path, wanted: str) -> foreign_sessions.Way:
    (found,) = [one for one in foreign_sessions.ways_in(tmp_path, mark) if one[0] == wanted]
    return found


def test_that_ones_own_run_is_resumed_by_enter(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, mark: Path
) -> None:
    _, specs, command = way(tmp_path, mark, "program")
    path = foreign_sessions.write(tmp_path / "own.sluice", specs, command)
    trust_in(path)
    opened(qtbot, workbench, path)
    qtbot.waitUntil(lambda: bool(boxes(workbench)))
    (box,) = boxes(workbench)
    assert "4 trials remain" in box.informativeText()
    press_enter(qtbot, workbench, 1)
    qtbot.waitUntil(lambda: trials_in(path) == [6])
    qtbot.waitUntil(lambda: not workbench.busy)
    assert mark.exists()


def test_that_changed_data_is_a_question_of_its_own_after_the_first(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, mark: Path
) -> None:
    _, specs, command = way(tmp_path, mark, "program")
    path = foreign_sessions.write(tmp_path / "own.sluice", specs, command)
    trust_in(path)
    (tmp_path / foreign_sessions.DATA / "one.bin").write_bytes(bytes(2000))
    for answer in ("Not now", "Measure all the same"):
        opened(qtbot, workbench, path)
        qtbot.waitUntil(lambda: bool(boxes(workbench)))
        press_enter(qtbot, workbench, 1)
        qtbot.waitUntil(lambda: bool(boxes(workbench)))
        (box,) = boxes(workbench)
        assert "has changed since it was measured" in box.informativeText()
        assert box.defaultButton().text() == "Not now"
        assert not mark.exists()
        next(one for one in box.buttons() if one.text() == answer).click()
    qtbot.waitUntil(lambda: trials_in(path) == [6])
    qtbot.waitUntil(lambda: not workbench.busy)
    assert mark.exists()


def test_that_consent_runs_what_was_shown_and_is_remembered_for_it_alone(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, mark: Path
) -> None:
    _, specs, command = way(tmp_path, mark, "program")
    path = foreign_sessions.write(tmp_path / "sent.sluice", specs, command)
    opened(qtbot, workbench, path)
    box = asked(qtbot, workbench)
    assert f"run: /usr/bin/touch {mark}" in text_of(box)
    assert f"data: {tmp_path / 'sent data'}" in text_of(box)
    before = path.read_bytes()
    button(box, "Run it").click()
    qtbot.waitUntil(lambda: workbench.held.place != path)
    own = workbench.held.place
    qtbot.waitUntil(lambda: trials_in(own) == [6])
    qtbot.waitUntil(lambda: not workbench.busy)
    assert mark.exists()
    assert path.read_bytes() == before  # somebody else's
    assert "stays as it is; this is in" in workbench.measuring.now.newer
    with Session.read(path) as session:
        assert is_trusted(session.runs()[-1])
    other = foreign_sessions.write(tmp_path / "other.sluice", specs[:1], command)
    workbench.sessions.new()
    opened(qtbot, workbench, other)
    asked(qtbot, workbench).reject()


def test_that_two_settings_from_elsewhere_are_not_measured_in_turn_unasked(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, mark: Path
) -> None:
    _, specs, command = way(tmp_path, mark, "module")
    path = foreign_sessions.write(tmp_path / "sent.sluice", specs, command, whole=True)
    opened(qtbot, workbench, path)
    workbench.views.comparison.in_turn_wanted.emit(*workbench.run.shown.results[:2])
    box = asked(qtbot, workbench)
    assert f"loaded from {tmp_path / foreign_sessions.MODULE}.py" in text_of(box)
    press_enter(qtbot, workbench)
    assert foreign_sessions.MODULE not in sys.modules
    assert len(list(tmp_path.glob("**/*.sluice"))) == 1
    assert trials_in(path) == [6]


def test_that_the_last_line_and_the_buttons_are_on_the_screen_whatever_is_shown(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, mark: Path
) -> None:
    _, specs, command = way(tmp_path, mark, "100,000 letters")
    path = foreign_sessions.write(tmp_path / "sent.sluice", specs, command)
    opened(qtbot, workbench, path)
    box = asked(qtbot, workbench)
    screen = box.screen().availableGeometry()
    last = box.findChildren(QLabel)[-1]
    assert "Not all of it is shown" in last.text()
    assert button(box, "Only look").hasFocus()
    for part in (last, button(box, "Only look"), button(box, "Run it")):
        assert screen.contains(part.mapToGlobal(part.rect().topLeft()))
        assert screen.contains(part.mapToGlobal(part.rect().bottomRight()))
    box.reject()


def test_that_many_requests_to_a_server_are_agreed_to_once_before_any_is_made(
    qtbot: QtBot, workbench: Workbench, tmp_path: Path, server: str
) -> None:
    need_drivers("tiles", store="s3", address="s3://mine")
    (tmp_path / "layer").mkdir()
    make_layer(LayerShape(columns=2, rows=2, tile_size=16), tmp_path / "layer", report_to_nobody)
    dataset = open_dataset(tmp_path / "layer")
    begun: list[str] = []

    def ask(duration: float) -> None:
        values = {"store": "s3", "address": f"s3://mine?endpoint=http://{server}"}
        request = Request(workload="tiles", values=values | {"duration": duration}, repeats=1)
        workbench.consent.ask_about_requests(request, dataset, lambda: begun.append("begun"))
        qtbot.waitUntil(lambda: bool(boxes(workbench) or begun))

    ask(0.5)
    assert begun.pop() == "begun"
    for answer, then in (("Not now", []), ("Measure all the same", ["begun"])):
        ask(3600.0)
        (box,) = boxes(workbench)
        assert f"s3://mine?endpoint=http://{server}" in box.informativeText()
        (pressed,) = [one for one in box.buttons() if one.text() == answer]
        qtbot.mouseClick(pressed, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(lambda: not boxes(workbench))
        assert begun == then


def test_that_what_goes_on_and_a_pair_that_is_measured_again_ask_about_many_requests_too(
    tmp_path: Path, server: str
) -> None:
    need_drivers("tiles", store="s3", address="s3://mine")
    (tmp_path / "layer").mkdir()
    make_layer(LayerShape(columns=2, rows=2, tile_size=16), tmp_path / "layer", report_to_nobody)
    values = {"store": "s3", "address": f"s3://mine?endpoint=http://{server}"}
    for duration, asks in ((0.1, False), (3600.0, True)):
        request = Request(
            workload="tiles",
            values=values | {"duration": duration},
            axes=(Axis(name="threads", values=(1, 2)),),
            repeats=1,
            floor=False,
        )
        begun = Prepared.for_request(request, open_dataset(tmp_path / "layer"), None)()
        assert bool(begun.question()) is asks
        begun.session.close()
    one, other = (building.good(spec, 100.0) for spec in begun.run.plan.specs)
    assert f"http://{server}" in Prepared.question_in_turn(one, other, "")
