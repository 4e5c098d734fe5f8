"""Menus, and combo boxes whose popups are such menus: one thing to look at and to use."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QAction, QKeyEvent, QMouseEvent, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QApplication, QComboBox, QMenu, QWidget
from shiboken6 import isValid

from app.style.labels import as_tip
from app.style.round_corners import cut_round

_EDGE = 8
"""Pixels between a menu and the edge of its window."""
_GAP = 6
"""Pixels between a popup and what it hangs at."""


class Menu(QMenu):
    """A sheet of paper as wide as its longest row; typing searches."""

    def __init__(self, parent: QWidget | None = None, title: str = "") -> None:
        super().__init__(title, parent)
        kind = Qt.WindowType.FramelessWindowHint | Qt.WindowType.NoDropShadowWindowHint
        self.setWindowFlags(self.windowFlags() | kind)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)  # for its round corners
        self.setToolTipsVisible(True)
        self._typed, self._typed_at = "", 0
        self._button: QWidget | None = None

    def add_choice(self, title: str, reason: str, tip: str, *, chosen: bool) -> QAction:
        """A row that is ticked or not; a reason at its right says why it cannot be chosen."""
        text = title.replace("&", "&&")
        action = self.addAction(f"{text}\t{reason}" if reason else text)
        action.setEnabled(not reason)
        action.setCheckable(True)
        action.setChecked(chosen)
        action.setToolTip(as_tip(reason or tip))
        if chosen:
            self.setActiveAction(action)
        return action

    def hang_at(self, button: QWidget) -> None:
        """Open below what was pressed, which a press then closes."""
        self._button = button
        self.setMinimumWidth(button.width())
        self.popup(button.mapToGlobal(QPoint(0, button.height() + _GAP)))

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        # The press that closes it would open it again, if its button got it too.
        if self._button is not None:
            place = self._button.mapFromGlobal(event.globalPosition().toPoint())
            on_button = self._button.rect().contains(place)
            self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay, on_button)
        super().mousePressEvent(event)

    def submenu(self, title: str) -> Menu:
        menu = Menu(self, title)
        self.addMenu(menu)
        return menu

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        cut_round(self, QRectF(self.rect()))

    @override
    def showEvent(self, event: QShowEvent) -> None:
        """Turn where the window ends."""
        super().showEvent(event)
        above = self.parentWidget()
        if above is not None and not isinstance(above, QMenu):
            left, right = (above.window().geometry().x(), above.window().geometry().right())
            self.move(max(min(self.x(), right - _EDGE - self.width()), left), self.y())

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
        for place in range(self.count()):
            index = self.model().index(place, self.modelColumn(), self.rootModelIndex())
            enabled = bool(index.flags() & Qt.ItemFlag.ItemIsEnabled)
            reason = str(index.data(Qt.ItemDataRole.ToolTipRole) or "")
            chosen, why = place == self.currentIndex(), "" if enabled else reason
            action = menu.add_choice(self.itemText(place), why, reason, chosen=chosen)
            action.triggered.connect(lambda _, place=place: self._take(place))
        menu.hang_at(self)

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
