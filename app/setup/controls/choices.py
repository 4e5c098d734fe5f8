"""A choice among named options, and yes or no."""

from __future__ import annotations

from typing import TYPE_CHECKING, override

from PySide6.QtCore import Qt
from PySide6.QtGui import QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QStyle,
    QStyleOptionComboBox,
    QStylePainter,
)

from app.setup.controls.control import Control
from core import tr_word

if TYPE_CHECKING:
    from core import Choice, Flag, Value

BRIEF_ROLE = int(Qt.ItemDataRole.UserRole) + 1
"""An option's text where there is no room for all of it."""


class QuietCombo(QComboBox):
    """A combo box that the wheel changes only while it has the focus.

    It cuts no text of an option that has a brief one; its list is as wide as its options.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)

    @property
    def seen(self) -> str:
        """The text that it shows: all of the chosen option's, or the brief one."""
        option = QStyleOptionComboBox()
        self.initStyleOption(option)
        whole, brief = self.currentText(), self.currentData(BRIEF_ROLE)
        room = self.style().subControlRect(
            QStyle.ComplexControl.CC_ComboBox, option, QStyle.SubControl.SC_ComboBoxEditField, self
        )
        fits = self.fontMetrics().horizontalAdvance(whole) <= room.width()
        return whole if fits or not brief else str(brief)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        painter, option = QStylePainter(self), QStyleOptionComboBox()
        self.initStyleOption(option)
        option.currentText = self.seen
        painter.drawComplexControl(QStyle.ComplexControl.CC_ComboBox, option)
        painter.drawControl(QStyle.ControlElement.CE_ComboBoxLabel, option)
        painter.end()

    @override
    def showPopup(self) -> None:
        bar = self.view().verticalScrollBar().sizeHint().width()
        wanted = self.view().sizeHintForColumn(0) + bar
        self.view().setMinimumWidth(min(wanted, self.screen().availableGeometry().width()))
        super().showPopup()

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class ChoiceControl(Control):
    """The options in a list, each with its help; a missing driver is a problem with its remedy."""

    kind: Choice

    def __init__(self, kind: Choice) -> None:
        super().__init__(kind)
        self._box = QuietCombo()
        for place, (value, option) in enumerate(kind.options.items()):
            self._box.addItem(value)
            for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
                self._box.setItemData(place, tr_word(option.help), role)
        self.name(self._box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._box, 1)
        self.set_value(kind.default)
        self._box.currentTextChanged.connect(self._take)

    @override
    def value(self) -> Value:
        return self._box.currentText()

    @override
    def set_value(self, value: Value) -> None:
        self._box.blockSignals(True)
        self._box.setCurrentText(self.kind.check(value))
        self._box.blockSignals(False)
        self._judge()

    @override
    def explain(self) -> str:
        return tr_word(self.kind.options[self._box.currentText()].help)

    def _take(self) -> None:
        self._judge()
        self.changed.emit()

    def _judge(self) -> None:
        driver = self.kind.options[self._box.currentText()].driver
        self.problem = ""
        if driver is not None and not driver.installed:
            told = self.tr("needs {name}: {remedy}")
            self.problem = told.format(name=driver.distribution, remedy=driver.install)


class FlagControl(Control):
    """A check box."""

    kind: Flag

    def __init__(self, kind: Flag) -> None:
        super().__init__(kind)
        self._box = QCheckBox()
        self.name(self._box)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._box)
        self.set_value(kind.default)
        self._box.toggled.connect(self.changed)

    @override
    def value(self) -> Value:
        return self._box.isChecked()

    @override
    def set_value(self, value: Value) -> None:
        self._box.blockSignals(True)
        self._box.setChecked(self.kind.check(value))
        self._box.blockSignals(False)
