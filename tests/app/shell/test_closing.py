"""A window that closes keeps what was measured, and leaves nothing at work but servers."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from leaks import at_work
from marking import marked, still_there
from patience import PATIENCE
from PySide6.QtCore import QObject, QSettings, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QApplication, QMenu, QMessageBox
from pytestqt.qtbot import QtBot
from window_process import OPENING, told_by, wait_for, window_of

from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from app.style.theme import Appearance
from app.work.question import Question
from core import Inspection, Request, Session
from core.desk import Prepared
from core.lab.lab_client import Lab, throw_away_lab
from core.vocabulary import Cancelled

pytestmark = pytest.mark.window
CLOSING = (
    OPENING
    + """
from core import SluiceError

release = threading.Event()

def prepare():
    release.wait()
    raise SluiceError("nothing was to be measured")

class Closing(Looking):
    def look(self):
        if self.workbench.views.plots is not None:
            self.timer.stop()
            self.workbench.measuring.start(prepare)
            self.close()
            print("hidden" if self.isHidden() and self.busy else "still there")
            release.set()

code = main(Closing)
print("over", flush=True)
sys.exit(code)
"""
)
HANGING = (
    OPENING
    + """
class Hanging(Looking):
    begun = False

    def __init__(self, settings, application):
        super().__init__(settings, application, patience_ms=50)

    def look(self):
        if not self.begun and self.workbench.views.plots is not None:
            self.begun = True
            self.workbench.measuring.start(threading.Event().wait)
            self.close()
            print("hidden" if self.isHidden() and self.busy else "still there", flush=True)
        elif self.begun and self.isVisible():
            print("back", flush=True)
            self.close()

sys.exit(main(Hanging))
"""
)


def test_that_a_window_that_closes_before_it_is_painted_begins_nothing(
    qtbot: QtBot,
    qapp: QApplication,
    settings: QSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path))
    window = QObject()
    workbench = Workbench(settings, Appearance(qapp, settings, window))
    qtbot.addWidget(workbench)
    before = at_work()
    workbench.close_down()
    workbench.grab()  # paints it
    with qtbot.waitCallback() as after_painting:
        QTimer.singleShot(0, after_painting)
    assert at_work() == before
    assert not workbench.busy


def test_that_a_window_closed_while_busy_ends_the_process_when_the_job_has_ended(
    tmp_path: Path,
) -> None:
    assert told_by(CLOSING, tmp_path) == ["hidden", "over"]


def test_that_a_window_whose_job_hangs_comes_back_and_ends_at_once_when_closed_again(
    tmp_path: Path,
) -> None:
    assert told_by(HANGING, tmp_path) == ["hidden", "back"]


def test_that_leaving_asks_while_something_is_measured(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    request = Request(workload="raw", values={"duration": 3600.0}, repeats=1, floor=False)
    workbench = window.workbench
    workbench.measuring.start(
        Prepared.for_request(request, Inspection.of(data, "raw").dataset, None)
    )
    window.leave()
    (box,) = window.findChildren(QMessageBox)
    assert window.isVisible()
    (stay,) = [one for one in box.buttons() if one.text() == "Go on measuring"]
    stay.click()
    assert window.isVisible()
    assert workbench.measuring.running
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not window.busy)
    window.leave()
    assert not window.isVisible()


def test_that_a_window_that_is_closed_asks_nothing_more(
    qtbot: QtBot, window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    qtbot.waitUntil(lambda: not window.busy)
    asked: list[object] = []
    monkeypatch.setattr(Question, "ask", lambda self, _: asked.append(self.parent()))
    window.close()
    assert not window.isVisible()
    window.workbench.before_start.look_again()
    window.workbench.held.renamed.emit("")
    qtbot.wait(500)
    assert asked == []


MEASURING = (
    OPENING
    + """
from app.setup.setup_panel import FormState
from core.vocabulary.events import MomentTaken

HOUR = {"duration": [3600.0], "warm_up": [0.0]}

class Measuring(Looking):
    data, told = sys.argv.pop(), False

    def furnish(self):
        workbench = super().furnish()
        workbench.measuring.happened.connect(self.tell)
        form = FormState(workload="raw", repeats=3, floor=False, rows={"rare": HOUR}, dataset=self.data)
        workbench.setup.restore(form)
        return workbench

    def look(self):
        if self.workbench.ready:
            self.timer.stop()
            self.workbench.run.start()

    def tell(self, events):
        moments = [one.moment for one in events if isinstance(one, MomentTaken)]
        if not self.told and any(sum(one.operations) for one in moments):
            self.told = True
            print("measuring", flush=True)

sys.exit(main(Measuring))
"""
)
IDLE = (
    OPENING
    + """
class Idle(Looking):
    def look(self):
        self.timer.stop()
        print("there", flush=True)

sys.exit(main(Idle))
"""
)


@pytest.mark.parametrize(
    ("number", "code"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)],
    ids=["SIGINT", "SIGTERM", "SIGHUP"],
)
def test_that_a_signal_ends_a_window_that_measures_and_keeps_what_was_measured(
    number: signal.Signals, code: int, data: Path, tmp_path: Path
) -> None:
    with window_of(MEASURING, tmp_path, str(data)) as (popen, mark):
        wait_for(popen, "measuring")
        assert len(marked(mark)) > 1  # the window, and the children that it measures in
        popen.send_signal(number)
        _, errors = popen.communicate(timeout=PATIENCE)
    assert (popen.returncode, errors) == (code, "")
    assert not still_there(mark, PATIENCE)
    (path,) = (tmp_path / "sluice_sessions").rglob("*.sluice")
    with Session.read(path) as session:
        (run,) = session.runs()
        (trial,) = session.trials(run.id)
    assert run.how == "cancelled"
    assert isinstance(trial.outcome, Cancelled)
    assert trial.operations > 0


def test_that_a_signal_ends_a_window_in_which_nothing_happens(tmp_path: Path) -> None:
    with window_of(IDLE, tmp_path) as (popen, _):
        wait_for(popen, "there")
        popen.send_signal(signal.SIGTERM)
        _, errors = popen.communicate(timeout=PATIENCE)
    assert (popen.returncode, errors) == (143, "")


def test_that_under_nohup_a_terminal_that_closes_leaves_the_window_open(tmp_path: Path) -> None:
    def ignore() -> None:
        signal.signal(signal.SIGHUP, signal.SIG_IGN)

    with window_of(IDLE, tmp_path, preexec_fn=ignore) as (popen, _):
        wait_for(popen, "there")
        popen.send_signal(signal.SIGHUP)
        popen.send_signal(signal.SIGTERM)
        _, errors = popen.communicate(timeout=PATIENCE)
    assert (popen.returncode, errors) == (143, "")


RIGGED = Path(__file__).parents[2] / "core" / "lab"
TITLE = "Stop the servers on this computer"


@pytest.fixture
def lab(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_window: Callable[[], MainWindow]
) -> Iterator[Lab]:
    """The lab of the test's windows, in which a server runs."""
    monkeypatch.syspath_prepend(RIGGED)
    with throw_away_lab(tmp_path / "lab") as lab:
        list(lab.start(["rigged_servers:SERVING"]))
        yield lab


def furnished(qtbot: QtBot, open_window: Callable[[], MainWindow]) -> MainWindow:
    window = open_window()
    window.show()
    qtbot.waitUntil(lambda: window.workbench is not None)
    return window


def stopping(window: MainWindow) -> QAction:
    """The action, as a user sees it who opens its menu."""
    (menu,) = [each for each in window.findChildren(QMenu) if each.title() == "&Run"]
    menu.aboutToShow.emit()
    (action,) = [one for one in menu.actions() if one.text().replace("&", "").startswith(TITLE)]
    return action


def test_that_servers_run_on_when_the_window_closes_and_another_one_stops_them(
    qtbot: QtBot, open_window: Callable[[], MainWindow], lab: Lab
) -> None:
    first = furnished(qtbot, open_window)
    assert stopping(first).text().replace("&", "") == f"{TITLE} (serving)"
    first.close()
    qtbot.waitUntil(lambda: not first.busy)
    assert [one.state for one in lab.servers()] == ["ready"]
    second = furnished(qtbot, open_window)
    with qtbot.waitSignal(second.workbench.setup.server.stopped) as stopped:
        stopping(second).trigger()
    assert stopped.args == [["serving"]]
    assert not lab.servers()
    assert not stopping(second).isEnabled()
    assert stopping(second).text().replace("&", "") == TITLE
