"""Menus, and combo boxes whose popups are such menus: one thing to look at and to use."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeyEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QWidget
from shiboken6 import isValid

from app.style.labels import as_tip


class Menu(QMenu):
    """A sheet of paper as wide as its longest row; typing searches."""

    def __init__(self, parent: QWidget | None = None, title: str = "") -> None:
        super().__init__(title, parent)
        kind = Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        self.setWindowFlags(self.windowFlags() | kind)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)  # for its round corners
        self.setToolTipsVisible(True)
        self._typed, self._typed_at = "", 0

    def submenu(self, title: str) -> Menu:
        menu = Menu(self, title)
        self.addMenu(menu)
        return menu

    @override
    def keyPressEvent(self, event: QKeyEvent) -> None:
        """What is typed in a row is the start of what is looked for."""
        text = event.text()
        if not text.isprintable() or not text.strip() or event.modifiers().value:
            super().keyPressEvent(event)
            return
        again = event.timestamp() - self._typed_at < QApplication.keyboardInputInterval()
        self._typed = (self._typed if again else "") + text.lower()
        self._typed_at = event.timestamp()
        for action in self.actions():
            if action.isEnabled() and _words(action).startswith(self._typed):
                self.setActiveAction(action)
                return
        super().keyPressEvent(event)  # it may be underlined


def _words(action: QAction) -> str:
    return action.text().replace("&", "").lower()


class QuietCombo(QComboBox):
    """A combo box that the wheel changes only while it has the focus; its popup is a menu.

    An entry that is disabled says why at its right: that is its tip.
    """

    def __init__(self) -> None:
        super().__init__()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(8)
        self._menu = Menu(self)

    @override
    def showPopup(self) -> None:
        menu = self._menu
        menu.clear()
        menu.setMinimumWidth(self.width())
        for place in range(self.count()):
            index = self.model().index(place, self.modelColumn(), self.rootModelIndex())
            enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
            reason = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
            text = self.itemText(place).replace("&", "&&")
            action = menu.addAction(text if enabled or not reason else f"{text}\t{reason}")
            action.setEnabled(enabled)
            action.setCheckable(True)
            action.setChecked(place == self.currentIndex())
            action.setToolTip(as_tip(reason))
            action.triggered.connect(lambda _, place=place: self._take(place))
            if place == self.currentIndex():
                menu.setActiveAction(action)
        menu.popup(self.mapToGlobal(QPoint(0, self.height() + 4)))

    @override
    def hidePopup(self) -> None:
        if isValid(self._menu):
            self._menu.close()

    def _take(self, place: int) -> None:
        self.setCurrentIndex(place)
        self.activated.emit(place)

    @override
    def wheelEvent(self, event: QWheelEvent) -> None:
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
