"""Where a store needs a server and none is named, the form offers one of this computer."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QSettings, Qt, QThreadPool
from PySide6.QtWidgets import QApplication, QLabel, QProgressBar, QPushButton
from pytestqt.qtbot import QtBot
from workload_box import choose_workload

from app.setup.form_history import FormHistory
from app.setup.form_row import FormRow
from app.setup.setup_panel import SetupPanel
from app.shell.workbench import Workbench
from app.style.theme import Appearance
from app.work.question import drop_questions
from core import LocalServers, ReportProgress, ServerUse, SluiceError, Value, report_to_nobody
from core.lab.lab_client import throw_away_lab
from core.measure.machine.lab_records import lab_credentials
from core.vocabulary.registry import servers_of

pytestmark = pytest.mark.window

ADDRESSED = [use for use in servers_of("tiles") if use.parameter == "address"]
ARRAY = {"zarr_format": 3, "node_type": "array", "shape": [2, 8, 8], "data_type": "float32"}
"""Enough of Zarr to be recognised."""
_BEAT = 0.05  # seconds from one progress to the next
START, STOP, USE = (
    "Start one on this computer",
    "Stop starting the server",
    "Use the one that runs here",
)


class FakeServers(LocalServers):
    """Servers of which nothing runs; a start goes on until it may end, and can fail."""

    def __init__(self) -> None:
        self.running: set[str] = set()
        self.fetches = 66 << 20
        self.refusal: SluiceError | None = None
        self.may_end = threading.Event()
        self.may_end.set()
        self.given_up = threading.Event()
        self.threads: set[threading.Thread] = set()

    def offer(self, server: str, report: ReportProgress = report_to_nobody) -> LocalServers.Offer:
        self.threads.add(threading.current_thread())
        serves = server in self.running
        return LocalServers.Offer(title=f"Fake {server}", serves=serves, fetches=self.fetches)

    def serve(self, use: ServerUse, report: ReportProgress = report_to_nobody) -> dict[str, Value]:
        self.threads.add(threading.current_thread())
        if self.refusal is not None:
            raise self.refusal
        while not self.may_end.wait(_BEAT):
            try:
                report("fetching Fake: 66 MiB", 33, 66, "bytes")
            except SluiceError:
                self.given_up.set()
                raise
        self.running.add(use.server)
        return use.found({use.server: f"{use.server}://here"})

    def known(self) -> list[str]:
        return sorted(self.running)

    def stop(self) -> list[str]:
        stopped, self.running = self.known(), set()
        return stopped


@pytest.fixture
def servers() -> FakeServers:
    return FakeServers()


@pytest.fixture
def panel(
    qtbot: QtBot, pool: QThreadPool, settings: QSettings, servers: FakeServers
) -> Iterator[SetupPanel]:
    with shown_panel(qtbot, pool, settings, servers) as shown:
        yield shown
    servers.may_end.set()


@contextmanager
def shown_panel(
    qtbot: QtBot, pool: QThreadPool, settings: QSettings, servers: LocalServers
) -> Iterator[SetupPanel]:
    made = SetupPanel(pool, settings, 1, servers)
    qtbot.addWidget(made)
    made.show()
    choose_workload(made, "tiles")
    yield made
    drop_questions(made.server)


def row(panel: SetupPanel, name: str) -> FormRow:
    found = panel.form.row(name)
    assert found is not None
    return found


def put(panel: SetupPanel, name: str, value: Value) -> None:
    """Give a parameter a value as a user does."""
    control = row(panel, name).control
    control.set_value(value)
    control.changed.emit()


def button(panel: SetupPanel) -> QPushButton:
    (found,) = panel.server.findChildren(QPushButton)
    return found


def told(panel: SetupPanel) -> str:
    (found,) = panel.server.findChildren(QLabel)
    return found.text()


def press(qtbot: QtBot, panel: SetupPanel) -> None:
    qtbot.waitUntil(lambda: button(panel).isEnabled())
    qtbot.mouseClick(button(panel), Qt.MouseButton.LeftButton)


def waits_for(qtbot: QtBot, panel: SetupPanel, action: str) -> None:
    qtbot.waitUntil(
        lambda: (
            button(panel).isVisible()
            and button(panel).isEnabled()
            and button(panel).text() == action
        )
    )


def want_s3(qtbot: QtBot, panel: SetupPanel) -> None:
    put(panel, "store", "s3")
    waits_for(qtbot, panel, START)


def find(qtbot: QtBot, panel: SetupPanel) -> None:
    """Have a server started, or the one that runs used."""
    with qtbot.waitSignal(panel.server.located):
        press(qtbot, panel)


@pytest.mark.parametrize("use", ADDRESSED, ids=lambda use: use.server)
def test_that_a_server_is_offered_below_an_address_that_is_needed_and_empty(
    qtbot: QtBot, panel: SetupPanel, use: ServerUse
) -> None:
    assert not panel.server.isVisible()
    for name, value in use.at.items():
        put(panel, name, value)
    waits_for(qtbot, panel, START)
    qtbot.waitUntil(lambda: "66.0 MiB once" in told(panel))
    assert panel.server.parent() is row(panel, "address")
    put(panel, "address", f"{use.server}://mine")
    assert not panel.server.isVisible()


def test_that_what_is_here_already_is_not_said_to_be_fetched(
    qtbot: QtBot, panel: SetupPanel, servers: FakeServers
) -> None:
    servers.fetches = 0
    put(panel, "store", "s3")
    qtbot.waitUntil(lambda: "ready to start" in told(panel))
    assert "fetches" not in told(panel)


def test_that_a_press_fills_address_and_credentials_in_one_step_that_can_be_undone(
    qtbot: QtBot, panel: SetupPanel, servers: FakeServers
) -> None:
    want_s3(qtbot, panel)
    history = FormHistory(panel)
    find(qtbot, panel)
    assert servers.threads
    assert threading.current_thread() not in servers.threads
    values = panel.request().values
    assert values["address"] == "s3://here"
    assert values["access_key"] == "lab:s3/access-key"
    assert values["secret_key"] == "lab:s3/secret-key"
    assert not button(panel).isVisible()
    assert told(panel) == "Fake s3 runs on this computer until it is stopped (Run menu)."
    assert history.stack.count() == 1
    history.stack.undo()
    assert panel.request().values["address"] == panel.request().values["access_key"] == ""
    waits_for(qtbot, panel, USE)


def test_that_one_that_runs_is_used(qtbot: QtBot, panel: SetupPanel, servers: FakeServers) -> None:
    servers.running = {"cassandra"}
    put(panel, "store", "cassandra")
    waits_for(qtbot, panel, USE)
    find(qtbot, panel)
    values = panel.request().values
    assert (values["user"], values["password"]) == ("sluice", "lab:cassandra/password")


def test_that_a_failed_start_is_told_there_with_its_remedy_and_can_be_tried_again(
    qtbot: QtBot, panel: SetupPanel, servers: FakeServers
) -> None:
    put(panel, "store", "hdfs")
    put(panel, "user", "somebody")
    waits_for(qtbot, panel, START)
    servers.refusal = SluiceError("no room for tiles", "make room")
    before = panel.state()
    press(qtbot, panel)
    qtbot.waitUntil(lambda: told(panel) == "no room for tiles (make room)")
    assert panel.state() == before
    waits_for(qtbot, panel, START)
    servers.refusal = None
    find(qtbot, panel)
    assert panel.request().values["user"] == "somebody"


def test_that_progress_is_shown_and_a_second_press_gives_up(
    qtbot: QtBot, panel: SetupPanel, servers: FakeServers
) -> None:
    servers.may_end.clear()
    want_s3(qtbot, panel)
    press(qtbot, panel)
    waits_for(qtbot, panel, STOP)
    (bar,) = panel.server.findChildren(QProgressBar)
    qtbot.waitUntil(lambda: bar.isVisible() and (bar.value(), bar.maximum()) == (500, 1000))
    assert told(panel).startswith("Fetching Fake: 66 MiB…")
    press(qtbot, panel)
    waits_for(qtbot, panel, START)
    qtbot.waitUntil(servers.given_up.is_set)
    assert not bar.isVisible()
    assert panel.request().values["address"] == ""
    assert servers.running == set()


def test_that_a_form_that_wants_something_else_by_then_is_left_alone(
    qtbot: QtBot, panel: SetupPanel, servers: FakeServers
) -> None:
    servers.may_end.clear()
    want_s3(qtbot, panel)
    press(qtbot, panel)
    waits_for(qtbot, panel, STOP)
    put(panel, "store", "cassandra")
    servers.may_end.set()
    waits_for(qtbot, panel, START)
    assert panel.request().values["address"] == panel.request().values["password"] == ""
    put(panel, "store", "s3")
    waits_for(qtbot, panel, USE)


def test_that_a_start_outlives_a_look_at_another_workload(
    qtbot: QtBot, panel: SetupPanel, servers: FakeServers
) -> None:
    servers.may_end.clear()
    want_s3(qtbot, panel)
    press(qtbot, panel)
    choose_workload(panel, "raw")
    assert not panel.server.isVisible()
    choose_workload(panel, "tiles")
    put(panel, "store", "s3")
    waits_for(qtbot, panel, STOP)
    with qtbot.waitSignal(panel.server.located):
        servers.may_end.set()
    assert panel.request().values["address"] == "s3://here"


def test_that_a_server_that_was_stopped_is_no_longer_named(
    qtbot: QtBot, panel: SetupPanel, servers: FakeServers
) -> None:
    want_s3(qtbot, panel)
    find(qtbot, panel)
    with qtbot.waitSignal(panel.server.stopped) as stopped:
        panel.server.stop()
    assert stopped.args == [["s3"]]
    assert panel.request().values["address"] == ""
    waits_for(qtbot, panel, START)


def test_that_a_user_who_names_a_server_is_not_overruled_by_a_stop(
    qtbot: QtBot, panel: SetupPanel, servers: FakeServers
) -> None:
    put(panel, "store", "s3")
    put(panel, "address", "s3://mine")
    with qtbot.waitSignal(panel.server.stopped):
        panel.server.stop()
    assert panel.request().values["address"] == "s3://mine"


def test_that_a_start_that_is_not_over_ends_with_its_window(
    qtbot: QtBot,
    qapp: QApplication,
    settings: QSettings,
    servers: FakeServers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path))
    window = QObject()
    workbench = Workbench(settings, Appearance(qapp, settings, window), servers)
    qtbot.addWidget(workbench)
    workbench.show()
    workbench.show_page("question")
    choose_workload(workbench.setup, "tiles")
    servers.may_end.clear()
    put(workbench.setup, "store", "s3")
    waits_for(qtbot, workbench.setup, START)
    press(qtbot, workbench.setup)
    waits_for(qtbot, workbench.setup, STOP)
    workbench.close_down()
    qtbot.waitUntil(servers.given_up.is_set)
    qtbot.waitUntil(lambda: not workbench.busy)
    assert servers.running == set()


def test_that_a_study_without_its_server_has_one_offered_and_told_why_it_does_not_start(
    qtbot: QtBot,
    panel: SetupPanel,
    servers: FakeServers,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path))
    panel.choose_study("commands-here")
    assert not panel.server.isVisible()
    panel.choose_study("zarr-concurrency")
    waits_for(qtbot, panel, START)
    assert panel.form.isAncestorOf(panel.server)
    servers.refusal = SluiceError("no room for arrays", "make room")
    press(qtbot, panel)
    qtbot.waitUntil(lambda: told(panel) == "no room for arrays (make room)")
    servers.refusal = None
    find(qtbot, panel)
    assert servers.running == {"s3"}
    panel.choose_study("")
    put(panel, "store", "s3")
    waits_for(qtbot, panel, USE)
    assert panel.server.parent() is row(panel, "address")


@pytest.mark.lab("s3")
def test_that_a_study_can_be_measured_from_the_press_that_starts_its_server_until_it_is_stopped(
    qtbot: QtBot,
    pool: QThreadPool,
    settings: QSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path))
    array = tmp_path / "array" / "zarr.json"
    array.parent.mkdir()
    array.write_text(json.dumps(ARRAY))
    with (
        throw_away_lab(tmp_path) as lab,
        shown_panel(qtbot, pool, settings, LocalServers(lambda: lab)) as panel,
    ):
        panel.choose_study("zarr-concurrency")
        panel.dataset.choose(array.parent)
        qtbot.waitUntil(lambda: "the lab's server s3 does not run" in panel.problem())
        waits_for(qtbot, panel, START)
        find(qtbot, panel)
        assert panel.problem() == ""
        assert told(panel).endswith("runs on this computer until it is stopped (Run menu).")
        lab.stop()  # as in a terminal, from which the user comes back
        panel.look_again()
        assert "the lab's server s3 does not run" in panel.problem()
        waits_for(qtbot, panel, START)


@pytest.mark.lab("s3")
def test_that_a_press_starts_a_real_server_and_what_is_filled_in_opens_it(
    qtbot: QtBot,
    pool: QThreadPool,
    settings: QSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path))
    with (
        throw_away_lab(tmp_path) as lab,
        shown_panel(qtbot, pool, settings, LocalServers(lambda: lab)) as panel,
    ):
        put(panel, "store", "s3")
        waits_for(qtbot, panel, START)
        with qtbot.waitSignal(panel.server.located):
            press(qtbot, panel)
        (server,) = lab.servers()
        values = panel.request().values
        assert (server.state, server.address) == ("ready", values["address"])
        keys = lab_credentials(tmp_path)["s3"]
        assert {f"lab:s3/{name}" for name in keys} == {values["access_key"], values["secret_key"]}
        with qtbot.waitSignal(panel.server.stopped):
            panel.server.stop()
        assert not lab.servers()
        assert panel.request().values["address"] == ""
