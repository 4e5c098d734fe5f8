"""Whoever works without a mouse sees which button the keys belong to."""

from __future__ import annotations

import numpy as np
import pytest
from pixels import SCALE, rendered
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from app.style.theme import THEMES, Theme

pytestmark = pytest.mark.window
FRAME = 4 * SCALE
"""Rendered pixels at each edge that a focused button may change."""


def button(part: str, *, checked: bool = False) -> QPushButton:
    made = QPushButton("Compare with the last run")
    made.setProperty("part", part)
    made.setCheckable(checked)
    made.setChecked(checked)
    return made


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize(("part", "checked"), [("", False), ("primary", False), ("", True)])
def test_that_focus_changes_the_edge_of_a_button_and_leaves_its_text_alone(
    qtbot: QtBot, qapp: QApplication, theme: Theme, part: str, checked: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(theme.style_sheet())
    column = QVBoxLayout(window)
    other, looked_at = button(""), button(part, checked=checked)
    for one in (other, looked_at):
        column.addWidget(one)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    other.setFocus(Qt.FocusReason.TabFocusReason)
    before = rendered(looked_at)
    looked_at.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(looked_at.hasFocus)
    after = rendered(looked_at)
    assert before.shape == after.shape
    assert (before != after).any()
    inside = np.s_[FRAME:-FRAME, FRAME:-FRAME]
    np.testing.assert_array_equal(before[inside], after[inside])
