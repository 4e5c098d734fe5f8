"""A window on settings and folders of its own, held to leave nothing running."""

import gc
import os
from collections.abc import Callable, Iterator
from functools import partialmethod
from pathlib import Path

import pytest
import shiboken6
from leaks import at_work
from patience import MILLISECONDS
from PySide6.QtCore import QLocale, QSettings, Qt, QThreadPool, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.setup.setup_panel import SetupPanel
from app.shell.translator import speak
from app.shell.window import MainWindow
from app.shell.workbench import Workbench
from app.work.preload import set_aside
from app.work.question import Question
from core import use_translator

set_aside()  # or the first window would be, and its leaks not be found


class PatientBot(QtBot):
    """A bot that waits as long as every test does, and not for its own five seconds."""

    waitSignal = partialmethod(QtBot.waitSignal, timeout=MILLISECONDS)  # noqa: N815 - Qt's style
    waitSignals = partialmethod(QtBot.waitSignals, timeout=MILLISECONDS)  # noqa: N815
    waitUntil = partialmethod(QtBot.waitUntil, timeout=MILLISECONDS)  # noqa: N815
    waitCallback = partialmethod(QtBot.waitCallback, timeout=MILLISECONDS)  # noqa: N815
    waitExposed = partialmethod(QtBot.waitExposed, timeout=MILLISECONDS)  # noqa: N815
    waitActive = partialmethod(QtBot.waitActive, timeout=MILLISECONDS)  # noqa: N815


@pytest.fixture
def qtbot(qapp: QApplication, request: pytest.FixtureRequest) -> Iterator[QtBot]:
    """pytest-qt's bot, but patient; it lets go of every key."""
    yield PatientBot(request)
    if QGuiApplication.keyboardModifiers() != Qt.KeyboardModifier.NoModifier:
        QTest.keyRelease(QWidget(), Qt.Key.Key_unknown)
        assert QGuiApplication.keyboardModifiers() == Qt.KeyboardModifier.NoModifier


@pytest.fixture
def pool() -> Iterator[QThreadPool]:
    """Threads for what a view asks, at rest before the test ends."""
    threads = QThreadPool()
    yield threads
    assert threads.waitForDone(MILLISECONDS)


@pytest.fixture(autouse=True)
def garbage_collected_here() -> Iterator[None]:
    """Collects between tests, on this thread, as the window does; else Qt may crash."""
    gc.disable()
    yield
    gc.collect(0)  # all that has come since
    gc.enable()


@pytest.fixture(autouse=True)
def no_qt_left_running(garbage_collected_here: None) -> Iterator[None]:
    """Fails a test that leaves a timer, a thread or a pool at work."""
    before = at_work()
    yield
    left = at_work() - before
    names = sorted(f"{each!r} of {each.parent()!r}" for each in left)
    for each in left:
        if isinstance(each, QTimer):
            each.stop()
    assert not names, f"left running: {', '.join(names)}"


@pytest.fixture(autouse=True)
def shaken_pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """In `make shake`, pauses before and after what the pool is asked."""
    if not os.environ.get("SLUICE_SHAKE"):
        return
    from pauses import shaken

    ask = Question.ask
    monkeypatch.setattr(
        Question, "ask", lambda self, question: ask(self, shaken(question, often=0.7))
    )


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A folder that the raw workload can read."""
    folder = tmp_path / "data"
    folder.mkdir()
    for number in range(4):
        (folder / f"{number}.bin").write_bytes(bytes(range(256)) * 1024)
    return folder


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    made = QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)
    made.setValue("usual budget", 0.0)  # tests say themselves how long they measure
    return made


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    """All that is made from now on speaks German."""
    translators = speak(qapp, QLocale("de_DE"))
    assert len(translators) == 2
    yield
    for each in translators:
        qapp.removeTranslator(each)
    use_translator(None)


@pytest.fixture
def panel(qtbot: QtBot, pool: QThreadPool, settings: QSettings) -> SetupPanel:
    panel = SetupPanel(pool, settings, 2)
    qtbot.addWidget(panel)
    return panel


type OpenWindow = Callable[[], MainWindow]


@pytest.fixture
def open_window(
    qtbot: QtBot,
    qapp: QApplication,
    settings: QSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[OpenWindow]:
    """Opens a window on this test's settings; each one is closed and gone at the test's end."""
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path))
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("SLUICE_LAB", str(tmp_path / "lab"))
    qapp.setStyle("Fusion")
    # Letters that are typed into a list would be taken for several words on a busy machine.
    qapp.setKeyboardInputInterval(MILLISECONDS)
    opened: list[MainWindow] = []

    def open_one() -> MainWindow:
        opened.append(MainWindow(settings, qapp))
        return opened[-1]

    yield open_one
    for each in filter(shiboken6.isValid, opened):
        each.close()
        qtbot.waitUntil(lambda window=each: not window.busy)
        each.close()
        with qtbot.waitSignal(each.destroyed):  # and its timers with it
            each.deleteLater()


@pytest.fixture
def window(qtbot: QtBot, open_window: OpenWindow) -> MainWindow:
    shown = open_window()
    shown.show()
    qtbot.waitUntil(lambda: shown.workbench is not None)
    shown.workbench.show_page("question")
    return shown


@pytest.fixture
def workbench(window: MainWindow) -> Workbench:
    return window.workbench
