"""The form begins with the load that is usual for a workload."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSettings, QThreadPool
from pytestqt.qtbot import QtBot
from workload_box import choose_workload

from app.setup.setup_panel import SetupPanel
from core.catalog.registry import load_workload

pytestmark = pytest.mark.window
USUAL = load_workload("transfer").usual_load()["threads"]


@pytest.fixture
def panel(qtbot: QtBot, pool: QThreadPool, settings: QSettings) -> SetupPanel:
    panel = SetupPanel(pool, settings, 2)
    qtbot.addWidget(panel)
    return panel


def set_threads(panel: SetupPanel, threads: int) -> None:
    row = panel.forms.row("threads")
    assert row is not None
    row.control.set_value(threads)
    row.control.changed.emit()


def test_that_threads_that_nobody_chose_are_those_usual_for_the_workload(
    panel: SetupPanel,
) -> None:
    choose_workload(panel, "fasta")
    assert panel.request().values["threads"] == 1
    choose_workload(panel, "transfer")
    assert panel.request().values["threads"] == USUAL > 1
    assert "--threads" not in panel.chosen().command_line()
    choose_workload(panel, "fasta")
    assert panel.request().values["threads"] == 1


def test_that_threads_that_somebody_chose_stay_with_their_question(panel: SetupPanel) -> None:
    choose_workload(panel, "fasta")
    set_threads(panel, 3)
    assert "--threads 3" in panel.chosen().command_line()
    choose_workload(panel, "transfer")
    assert panel.request().values["threads"] == USUAL
    choose_workload(panel, "fasta")
    assert panel.request().values["threads"] == 3
