"""The window is there at once, or one line says what it lacks; its workbench comes soon after."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtWidgets import QApplication, QMainWindow, QPlainTextEdit, QSystemTrayIcon
from pytestqt.qtbot import QtBot
from window_process import OPENING, told_by

import app
from app.shell.crashes import CrashDialog, CrashReporter
from app.shell.window import LONG_RUN, MainWindow, Notification

pytestmark = pytest.mark.window
LIGHT = """
import sys
import app.__main__
ours = {name for name in sys.modules if name.partition(".")[0] in ("app", "core", "workloads")}
print(*sorted(ours), *({"msgspec", "numpy", "pyqtgraph", "scipy"} & sys.modules.keys()))
"""

WHERE = (
    OPENING
    + """
class Witness:
    def find_spec(self, name, *_):
        if name in ("numpy", "pyqtgraph", "scipy"):
            window_is_held_up = threading.current_thread() is threading.main_thread()
            print(name, "window" if window_is_held_up else "pool")

class Tuning(Looking):
    def look(self):
        if not self.workbench.setup.request().axes:
            from app.setup.form_history import form_of
            from core import Request
            setup = self.workbench.setup
            setup.restore(form_of(Request.first(setup.workload), setup.state()))
        if self.workbench.views.plots is not None and not self.workbench.busy:
            self.close()

sys.meta_path.insert(0, Witness())
sys.exit(main(Tuning))
"""
)
EAGER = """
import os
import app.__main__
from PySide6 import QtCore, QtGui, QtWidgets
print(*({*dir(module)} - {*vars(module)} for module in (QtCore, QtGui, QtWidgets)))
"""


def test_that_every_class_of_qt_is_made_before_threads_can_ask_for_it() -> None:
    bare = {name: value for name, value in os.environ.items() if name not in app.EAGER}
    told = subprocess.check_output([sys.executable, "-c", EAGER], env=bare, text=True)
    assert told == "set() set() set()\n"


def test_that_the_first_paint_waits_for_nothing_large() -> None:
    told = subprocess.run([sys.executable, "-c", LIGHT], check=True, capture_output=True, text=True)
    assert set(told.stdout.split()) == {
        *("app", "app.__main__", "app.shell", "app.shell.application", "app.shell.crashes"),
        *("app.shell.translator", "app.shell.window"),
        *("app.style", "app.style.focus_ring", "app.style.theme"),
        *("core", "core.lazy", "core.language.errors", "core.measure", "core.measure.machine"),
        *(
            "core.measure.machine.end_signals",
            "core.measure.machine.folders",
            "core.measure.machine.starting",
            "core.language",
        ),
        *("core.measure.machine.thread_starts", "core.language.translation"),
    }


def test_that_nothing_large_is_imported_on_the_windows_thread(tmp_path: Path) -> None:
    assert set(told_by(WHERE, tmp_path)) == {"numpy pool", "pyqtgraph pool", "scipy pool"}


def test_that_the_workbench_comes_without_a_change_of_the_windows_size(
    qtbot: QtBot, open_window: Callable[[], MainWindow]
) -> None:
    window = open_window()
    window.resize(window.minimumSize())
    window.move(QPoint(40, 30))
    window.show()
    before = window.geometry()
    assert window.workbench is None
    qtbot.waitUntil(lambda: window.workbench is not None)
    views = window.workbench.views
    qtbot.waitUntil(lambda: views.plots is not None)
    assert window.geometry() == before


def test_that_a_window_closed_at_once_brings_nothing(
    qtbot: QtBot, open_window: Callable[[], MainWindow]
) -> None:
    window = open_window()
    window.show()
    window.repaint()
    window.close()
    with qtbot.waitSignal(window.destroyed):
        window.deleteLater()
    assert window.workbench is None


def test_that_a_fault_while_the_workbench_comes_is_shown_and_ends_the_window(
    qtbot: QtBot,
    open_window: Callable[[], MainWindow],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "app.shell.workbench", None)  # importing it fails
    reporter = CrashReporter()
    monkeypatch.setattr(sys, "excepthook", reporter.hook)
    window = open_window()
    reporter.caught.connect(window.show_crash)
    window.show()
    qtbot.waitUntil(lambda: bool(window.findChildren(CrashDialog)))
    (dialog,) = window.findChildren(CrashDialog)
    (report,) = dialog.findChildren(QPlainTextEdit)
    assert "app.shell.workbench" in report.toPlainText()
    assert window.isVisible()
    dialog.close()
    assert not window.isVisible()
    assert "app.shell.workbench" in capsys.readouterr().err


FURNISHED = """
import gc, linecache, os, sys
from app.__main__ import main
from app.shell.window import MainWindow

class Telling(MainWindow):
    def furnish(self):
        workbench = super().furnish()
        read = {name for name in sys.modules if getattr(sys.modules[name], "__file__", None)
                in linecache.cache}
        print(*sys.modules, *os.environ, f"collects:{gc.isenabled()}", sep="\\n")
        print(*(f"read:{name}" for name in read), sep="\\n")
        self.close()
        return workbench

sys.exit(main(Telling))
"""
LATER = {
    "core.judge.estimation",
    "core.run.engine",
    "core.tell.report.page",
    "core.vocabulary.result",
    "core.run.session",
    "core.judge.study.reproduction",
    "importlib.metadata",
    "statistics",
}
"""What only a run, its results or an opened session need."""


def test_that_the_window_is_furnished_without_what_only_results_need(tmp_path: Path) -> None:
    loaded = {*told_by(FURNISHED, tmp_path)}
    assert "app.setup.setup_panel" in loaded
    assert not LATER & loaded


def test_that_no_program_that_is_measured_sees_what_pyside_is_told(tmp_path: Path) -> None:
    told = {*told_by(FURNISHED, tmp_path)}
    assert "PATH" in told
    assert not {*app.EAGER} & told


def test_that_python_collects_no_garbage_where_there_is_a_window(tmp_path: Path) -> None:
    assert "collects:False" in told_by(FURNISHED, tmp_path)


def test_that_pyside_does_not_read_the_source_of_what_furnishes_it(tmp_path: Path) -> None:
    told = {*told_by(FURNISHED, tmp_path)}
    assert {"app.shell.workbench", "core.vocabulary.registry"} <= told
    assert not {"read:app.shell.workbench", "read:core.vocabulary.registry"} & told


@pytest.fixture
def empty(qtbot: QtBot) -> QMainWindow:
    one = QMainWindow()
    qtbot.addWidget(one)
    return one


def test_that_a_long_run_is_told_until_somebody_looks(empty: QMainWindow) -> None:
    notification = Notification(empty)
    notification.tell("Done: 24 trials", LONG_RUN)
    assert notification.text == "Done: 24 trials"
    QApplication.sendEvent(empty, QEvent(QEvent.Type.WindowActivate))
    assert not notification.text


def test_that_a_short_run_is_not_told(empty: QMainWindow) -> None:
    notification = Notification(empty)
    notification.tell("Done: 24 trials", LONG_RUN / 2)
    assert not notification.text


def test_that_whoever_looks_is_not_told(qtbot: QtBot, empty: QMainWindow) -> None:
    with qtbot.waitActive(empty):
        empty.show()
        empty.activateWindow()
    notification = Notification(empty)
    notification.tell("Done: 24 trials", LONG_RUN)
    assert not notification.text


def test_that_a_desktop_with_messages_shows_one(
    empty: QMainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No desktop runs here: it is said to have messages, and what reaches it is looked at."""
    told: list[str] = []
    for name in ("isSystemTrayAvailable", "supportsMessages"):
        monkeypatch.setattr(QSystemTrayIcon, name, staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "showMessage", lambda *args: told.append(args[2]))
    notification = Notification(empty)
    notification.tell("Done: 24 trials", LONG_RUN)
    assert told == ["Done: 24 trials"]
    empty.showMinimized()
    (icon,) = notification.findChildren(QSystemTrayIcon)
    icon.messageClicked.emit()
    assert not empty.isMinimized()


def test_that_the_end_of_a_run_in_the_window_is_told(qtbot: QtBot, window: MainWindow) -> None:
    workbench = window.workbench
    with qtbot.waitSignal(workbench.run.finished) as ended:
        workbench.measuring.ended.emit("the disk is full")
    reason, took = ended.args
    assert reason == "the disk is full"
    assert 0 <= took <= workbench.measuring.watch.elapsed
    (notification,) = window.findChildren(Notification)
    assert not notification.text
    window.hide()  # nobody looks
    workbench.run.finished.emit("Done: 24 trials", LONG_RUN)
    assert notification.text == "Done: 24 trials"


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="elsewhere Qt brings all it needs")

ENTER = "import sys; from app.shell.launcher import main; sys.exit(main())"


def entered(code: str = ENTER, **variables: str) -> tuple[int, str]:
    """How it ended without the display of these tests, and what it said."""
    environment = {"PATH": "/usr/bin:/bin", **variables}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False
    )
    return done.returncode, done.stderr


@on_linux
def test_that_without_a_display_the_command_line_is_offered() -> None:
    assert entered() == (
        1,
        "sluice-app: there is no display: set DISPLAY, or use the command line, `sluice --help`\n",
    )


@on_linux
def test_that_a_display_that_does_not_answer_is_named() -> None:
    code, said = entered(DISPLAY=":9999")
    assert code == 1
    assert said.startswith("sluice-app: the display :9999 does not answer: ")
    assert said.count("\n") == 1


@on_linux
def test_that_missing_libraries_are_named_with_their_packages(tmp_path: Path) -> None:
    for name in ("libxcb-cursor.so.0", "libgthread-2.0.so.0"):
        (tmp_path / name).touch()  # found first, and no library
    assert entered(LD_LIBRARY_PATH=str(tmp_path), DISPLAY=":9999") == (
        1,
        "sluice-app: the window needs what this system lacks: libgthread-2.0.so.0, "
        "libxcb-cursor.so.0; on Debian and Ubuntu: apt install libglib2.0-0 libxcb-cursor0\n",
    )


@on_linux
def test_that_nothing_is_missed_where_no_display_is_wanted() -> None:
    code = "import os, app.shell.launcher as door; exit(door.what_is_missing(os.environ) or 0)"
    assert entered(code, QT_QPA_PLATFORM="offscreen") == (0, "")
