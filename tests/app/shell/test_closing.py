"""A window that is closed ends its process, also one in which something still goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from leaks import at_work
from PySide6.QtCore import QObject, QSettings, QTimer
from PySide6.QtWidgets import QApplication, QMessageBox
from pytestqt.qtbot import QtBot
from window_process import OPENING, told_by

from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from app.style.theme import Appearance
from app.work.question import Question
from core import Inspection, Request
from core.output.prepared import Prepared

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
    workbench.drop()
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
    assert workbench is not None
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
    assert window.workbench is not None
    window.workbench.preflight.look_again()
    window.workbench.desk.renamed.emit("")
    qtbot.wait(500)
    assert asked == []
