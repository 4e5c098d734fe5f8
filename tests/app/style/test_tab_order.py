"""Tab leads through controls as they are laid out."""

from __future__ import annotations

import gc
from typing import override

import numpy as np
import pytest
from pixels import SCALE, piece, rendered
from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QFocusEvent, QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSpinBox,
    QTabWidget,
    QVBoxLayout,
    QWidget,
    QWidgetItem,
)
from pytestqt.qtbot import QtBot
from showing import exposed

from app.style.focus_ring import FocusRings
from app.style.tab_order import step_focus
from app.style.theme import THEMES, Theme

pytestmark = pytest.mark.window


def button(name: str) -> QPushButton:
    made = QPushButton(name)
    made.setObjectName(name)
    return made


def way(root: QWidget, *, forward: bool = True) -> list[str]:
    """The names of all that the keys are led to, once around."""
    if (before := root.focusWidget()) is not None:
        before.clearFocus()
    names: list[str] = []
    while True:
        assert step_focus(root, forward=forward)
        focused = root.focusWidget()
        assert focused is not None
        if focused.objectName() in names:
            return names
        names.append(focused.objectName())


@pytest.fixture
def root(qtbot: QtBot) -> QWidget:
    """Made from its end to its beginning."""
    last, second, first = button("last"), button("second"), button("first")
    number = QSpinBox()
    number.setObjectName("number")
    page = QWidget()
    column = QVBoxLayout(page)
    column.addWidget(second)
    column.addWidget(number)
    area = QScrollArea()
    area.setObjectName("area")
    area.setWidget(page)
    area.setWidgetResizable(True)
    tabs = QTabWidget()
    tabs.tabBar().setObjectName("tabs")
    tabs.addTab(last, "seen")
    tabs.addTab(button("unseen"), "unseen")
    sides = QHBoxLayout()
    sides.addWidget(area)
    sides.addWidget(tabs)
    whole = QWidget()
    qtbot.addWidget(whole)
    above = QVBoxLayout(whole)
    row = QHBoxLayout()
    row.addWidget(first)
    above.addLayout(row)
    above.addLayout(sides)
    whole.show()
    return whole


def test_that_what_the_keys_are_led_to_is_brought_into_view(root: QWidget) -> None:
    area = root.findChild(QScrollArea, "area")
    area.widget().layout().addSpacing(2000)
    low = button("low")
    area.widget().layout().addWidget(low)
    area.setMaximumHeight(200)
    for _ in range(5):  # the page, its area and what is around it are laid out in turns
        QGuiApplication.processEvents()
    assert low.visibleRegion().isEmpty()
    while root.focusWidget() is not low:
        assert step_focus(root, forward=True)
    assert not low.visibleRegion().isEmpty()


def test_that_the_way_is_that_of_the_layout_however_late_something_was_made(root: QWidget) -> None:
    assert way(root) == ["first", "area", "second", "number", "tabs", "last"]
    late = button("late")
    page = root.findChild(QPushButton, "second").parentWidget()
    page.layout().insertWidget(1, late)  # type: ignore[attr-defined]
    late.show()
    assert way(root) == ["first", "area", "second", "late", "number", "tabs", "last"]


def kept_items() -> int:
    return sum(isinstance(each, QWidgetItem) for each in gc.get_objects())


def test_that_nothing_is_kept_of_items_that_qt_frees_with_their_widgets(root: QWidget) -> None:
    before = kept_items()
    way(root)
    assert kept_items() == before


def test_that_the_way_back_is_the_same(root: QWidget) -> None:
    assert way(root, forward=False) == ["last", "tabs", "number", "second", "area", "first"]


def test_that_what_cannot_be_used_is_passed_by(root: QWidget) -> None:
    root.findChild(QPushButton, "second").setEnabled(False)
    root.findChild(QSpinBox, "number").hide()
    assert way(root) == ["first", "area", "tabs", "last"]


class Raised(QPushButton):
    """Comes to the front with the keys, as the handles of a slider do."""

    @override
    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.raise_()


class Stacked(QWidget):
    """Holds what comes to the front, without a layout."""

    def __init__(self) -> None:
        super().__init__()
        self.tab_stops = (Raised(self), Raised(self))
        for stop, name in zip(self.tab_stops, ("from", "to"), strict=True):
            stop.setObjectName(name)


def test_that_what_comes_to_the_front_keeps_its_place(qtbot: QtBot) -> None:
    bare = Stacked()
    qtbot.addWidget(bare)
    bare.show()
    bare.activateWindow()
    with qtbot.waitActive(bare):
        pass
    assert way(bare) == ["from", "to"]
    assert way(bare, forward=False) == ["to", "from"]


def test_that_nothing_is_led_to_where_nothing_takes_keys(qtbot: QtBot) -> None:
    bare = QWidget()
    qtbot.addWidget(bare)
    bare.show()
    assert not step_focus(bare, forward=True)


@pytest.mark.parametrize("chosen", ["one", "two", "three"])
def test_that_of_buttons_of_which_one_is_pressed_tab_stops_at_that_one(
    qtbot: QtBot, chosen: str
) -> None:
    root = QWidget()
    row = QHBoxLayout(root)
    group = QButtonGroup(root)
    row.addWidget(button("before"))
    for name in ("one", "two", "three"):
        made = button(name)
        made.setCheckable(True)
        group.addButton(made)
        row.addWidget(made)
    row.addWidget(button("after"))
    exposed(qtbot, root)
    named = {each.objectName(): each for each in group.buttons()}
    named["one"].click()
    named["one"].setFocus()
    named[chosen].setChecked(True)  # as a form does that comes back
    assert way(root) == ["before", chosen, "after"]
    assert way(root, forward=False) == ["after", chosen, "before"]


def test_that_on_a_mac_tab_stops_at_a_pressed_button_no_more_than_at_others(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    hints = QGuiApplication.styleHints()
    monkeypatch.setattr(
        type(hints), "tabFocusBehavior", lambda _: Qt.TabFocusBehavior.TabFocusTextControls
    )
    root = QWidget()
    row = QHBoxLayout(root)
    group = QButtonGroup(root)
    for made in (button("one"), button("two")):
        made.setCheckable(True)
        group.addButton(made)
        made.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row.addWidget(made)
    for name in ("number", "other"):
        number = QSpinBox()
        number.setObjectName(name)
        row.addWidget(number)
    exposed(qtbot, root)
    group.buttons()[0].setChecked(True)
    assert way(root) == ["number", "other"]


def styled(part: str, *, checked: bool = False) -> QPushButton:
    made = QPushButton("Compare with the last run")
    made.setProperty("part", part)
    made.setCheckable(checked)
    made.setChecked(checked)
    return made


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize(("part", "checked"), [("", False), ("primary", False), ("", True)])
def test_that_a_ring_two_pixels_away_shows_the_focus_and_leaves_the_button_alone(
    qtbot: QtBot, qapp: QApplication, theme: Theme, part: str, checked: bool
) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.setStyleSheet(theme.style_sheet())
    rings = FocusRings(qapp, window)
    assert rings.parent() is window
    column = QVBoxLayout(window)
    column.setSpacing(24)
    other, looked_at = styled(""), styled(part, checked=checked)
    for one in (other, looked_at):
        column.addWidget(one)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    other.setFocus(Qt.FocusReason.TabFocusReason)
    place = looked_at.geometry()
    before = rendered(window)
    looked_at.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(looked_at.hasFocus)
    after = rendered(window)
    inside = place.adjusted(4, 4, -4, -4)  # it turns around the corners
    np.testing.assert_array_equal(piece(before, inside), piece(after, inside))
    below = QRect(place.center().x(), place.bottom() + 1, 1, 5)
    changed = (piece(before, below) != piece(after, below))[::SCALE, 0]
    assert changed.tolist() == [False, False, True, True, False]
