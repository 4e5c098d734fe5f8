"""A window on settings and folders of its own, held to leave nothing running."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from leaks import at_work
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from app.window import MainWindow


@pytest.fixture(autouse=True)
def no_qt_left_running() -> Iterator[None]:
    """Fails a test that leaves a timer, a thread or a pool at work."""
    before = at_work()
    yield
    left = at_work() - before
    names = sorted(f"{type(each).__name__} {each.objectName()}".strip() for each in left)
    for each in left:
        if isinstance(each, QTimer):
            each.stop()
    assert not names, f"left running: {', '.join(names)}"


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
    return QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def window(
    qtbot: QtBot,
    qapp: QApplication,
    settings: QSettings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[MainWindow]:
    monkeypatch.setenv("SLUICE_SESSIONS", str(tmp_path))
    monkeypatch.setenv("SLUICE_CACHE", str(tmp_path / "cache"))
    qapp.setStyle("Fusion")
    shown = MainWindow(settings, qapp)
    shown.show()
    qtbot.waitExposed(shown)
    yield shown
    shown.close()
    qtbot.waitUntil(lambda: not shown.busy, timeout=60_000)
    shown.close()
    with qtbot.waitSignal(shown.destroyed):  # and its timers with it
        shown.deleteLater()
