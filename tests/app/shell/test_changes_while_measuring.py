"""The window survives a restless user while it measures."""

from __future__ import annotations

from pathlib import Path

import pytest
from change_while_measuring import shake
from pytestqt.qtbot import QtBot

from app.shell.window import MainWindow

pytestmark = pytest.mark.window


def test_that_changes_of_work_settings_and_views_do_no_harm_while_a_run_goes_on(
    qtbot: QtBot, window: MainWindow, data: Path
) -> None:
    qtbot.waitUntil(lambda: window.workbench.views.plots is not None)
    workbench = window.workbench
    assert workbench is not None
    shake(workbench, data, 50)
    assert workbench.measuring.running
    workbench.run.cancel()
    qtbot.waitUntil(lambda: not workbench.measuring.running)
    tabs = [workbench.views.tabText(place) for place in range(workbench.views.count())]
    assert tabs[:4] == ["Answer", "Live", "Inside", "Compare"]
