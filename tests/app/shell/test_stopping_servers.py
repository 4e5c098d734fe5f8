"""The menu tells which servers run on this computer and stops them, which closing does not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from app.shell.window import MainWindow
from core.lab.lab import Lab, throw_away_lab

pytestmark = pytest.mark.window

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
    assert second.workbench is not None
    with qtbot.waitSignal(second.workbench.setup.server.stopped) as stopped:
        stopping(second).trigger()
    assert stopped.args == [["serving"]]
    assert not lab.servers()
    assert not stopping(second).isEnabled()
    assert stopping(second).text().replace("&", "") == TITLE
