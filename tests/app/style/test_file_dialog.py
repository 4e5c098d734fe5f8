"""The dialog that chooses files, where the system has none of its own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from pixels import SCALE, piece, rendered
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication, QFileDialog, QToolButton
from pytestqt.qtbot import QtBot

from app.style.theme import THEMES, Appearance

pytestmark = pytest.mark.window
_FRAME = 4
"""Pixels at each edge of a button."""


@pytest.mark.parametrize("theme", [each.name for each in THEMES])
def test_that_the_icons_of_its_buttons_are_seen(
    qapp: QApplication, qtbot: QtBot, settings: QSettings, tmp_path: Path, theme: str
) -> None:
    dialog = QFileDialog(None, "", str(tmp_path))
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    qtbot.addWidget(dialog)
    Appearance(qapp, settings, dialog).choose(theme)
    with qtbot.waitExposed(dialog):
        dialog.show()
    shown = [each for each in dialog.findChildren(QToolButton) if each.isVisible()]
    assert len(shown) > 3
    for button in shown:
        inner = button.rect().adjusted(_FRAME, _FRAME, -_FRAME, -_FRAME)
        seen = piece(rendered(button), inner)
        columns = np.flatnonzero((seen != seen[0, 0]).any(axis=0))
        assert columns.size > 5 * SCALE, button.toolTip()
