"""What the form and the command line both have is declared once."""

from __future__ import annotations

import click
import pytest
from PySide6.QtCore import QSettings, QThreadPool
from PySide6.QtWidgets import QCheckBox, QSpinBox
from pytestqt.qtbot import QtBot

from app.setup.setup_panel import SetupPanel
from core.cli.measure_command import measure

pytestmark = pytest.mark.window


def test_that_the_form_says_of_repeats_and_floor_what_the_command_line_says(
    qtbot: QtBot, pool: QThreadPool, settings: QSettings
) -> None:
    panel = SetupPanel(pool, settings, 1)
    qtbot.addWidget(panel)
    (repeats,) = [box for box in panel.findChildren(QSpinBox) if box.accessibleName() == "Repeats"]
    (floor,) = [box for box in panel.findChildren(QCheckBox) if "bare files" in box.text()]
    command = measure.get_command(click.Context(measure), "raw")
    flags = {param.name: param for param in command.params if isinstance(param, click.Option)}
    allowed = flags["repeats"].type
    assert isinstance(allowed, click.IntRange)
    assert (allowed.min, allowed.max) == (repeats.minimum(), repeats.maximum())
    assert flags["repeats"].help == f"{repeats.toolTip()}  [default: {repeats.value()}]"
    assert flags["floor"].default == floor.isChecked()
    assert flags["floor"].help == floor.toolTip()
