"""The window is there at once, and its workbench soon after."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QPlainTextEdit
from pytestqt.qtbot import QtBot
from window_process import OPENING, told_by

from app.shell.crash_dialog import CrashDialog
from app.shell.crash_reporter import CrashReporter
from app.shell.window import MainWindow

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
            self.workbench.setup.sweep_threads()
        if self.workbench.views.plots is not None and not self.workbench.busy:
            self.close()

sys.meta_path.insert(0, Witness())
sys.exit(main(Tuning))
"""
)


def test_that_the_first_paint_waits_for_nothing_large() -> None:
    told = subprocess.run([sys.executable, "-c", LIGHT], check=True, capture_output=True, text=True)
    assert set(told.stdout.split()) == {
        *("app", "app.__main__", "app.shell", "app.shell.application", "app.shell.crash_reporter"),
        *("app.shell.closing_signals", "app.shell.crash_traces", "app.shell.plain_imports"),
        *("app.shell.translator", "app.shell.window", "app.style", "app.style.theme"),
        *("app.style.theme", "app.style.theme", "core", "core.errors", "core.host"),
        *("core.host.end_signals", "core.host.folders", "core.language"),
        "core.language.translation",
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
    assert window.workbench is not None
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
