"""A sheet of paper that hangs at a button, over the page, until something else is pressed."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QEvent, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QHideEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractButton, QFrame, QVBoxLayout, QWidget

from app.style.layouts import spaced
from app.style.round_corners import RADIUS, cut_round
from app.style.tab_order import step_focus

_SHADE, _PAD, _GAP = 12, 16, 6
_STRENGTH = 7
"""Of 255: how dark each of the rings is that make the shade."""


class Popup(QFrame):
    """Holds a sheet of so many pixels' width; its button is checked while it is open."""

    def __init__(self, button: QAbstractButton, width: int, parent: QWidget) -> None:
        kind = Qt.WindowType.Popup | Qt.WindowType.FramelessWindowHint
        super().__init__(parent, kind | Qt.WindowType.NoDropShadowWindowHint)
        self.setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
        self.setAccessibleName(button.accessibleName())
        self._button, self._width = button, width
        around = _SHADE + _PAD
        self._column = spaced(QVBoxLayout(self), 0, around, around - 4, around, around - 4)

    def hold(self, sheet: QWidget) -> None:
        """Have this sheet on it from now on, wherever it was before."""
        self._column.addWidget(sheet)
        sheet.show()

    def open(self) -> None:
        """Hang below the button, and give its first control the focus."""
        self._fit()
        self._button.setChecked(True)
        if (last := self.focusWidget()) is not None:
            last.clearFocus()  # the keys begin anew, not behind what they changed last
        self.show()
        step_focus(self, forward=True)

    def _fit(self) -> None:
        """As high as the sheet, below the button or above, and all of it on the screen."""
        screen = self._button.screen().availableGeometry()
        wide = self._width + 2 * (_SHADE + _PAD)
        self.setFixedWidth(min(wide, screen.width()))
        self._column.activate()
        high = self._column.totalHeightForWidth(self.width())
        high = min(max(high, self._column.totalSizeHint().height()), screen.height())
        below = self._button.mapToGlobal(QPoint(0, self._button.height() + _GAP))
        place = QRect(below - QPoint(_SHADE, _SHADE), self.size())
        place.setHeight(high)
        if place.bottom() > screen.bottom():
            place.moveBottom(screen.bottom())
        if place.right() > screen.right():
            place.moveRight(screen.right())
        place.moveTopLeft(QPoint(max(place.x(), screen.x()), max(place.y(), screen.y())))
        self.setGeometry(place)

    @override
    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()
        return done

    @override
    def focusNextPrevChild(self, next: bool) -> bool:
        return step_focus(self, forward=next)

    @override
    def mousePressEvent(self, event: QMouseEvent) -> None:
        # The press that closes it would open it again, if its button got it too.
        on_button = self._button.rect().contains(
            self._button.mapFromGlobal(event.globalPosition().toPoint())
        )
        self.setAttribute(Qt.WidgetAttribute.WA_NoMouseReplay, on_button)
        super().mousePressEvent(event)

    @override
    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._button.setChecked(False)
        self._button.window().activateWindow()  # not every platform leaves it so
        self._button.setFocus(Qt.FocusReason.PopupFocusReason)

    def _paper(self) -> QRectF:
        return QRectF(self.rect()).adjusted(_SHADE, _SHADE, -_SHADE, -_SHADE)

    @override
    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        cut_round(self, self._paper())

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        paper = self._paper()
        with QPainter(self) as p:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setPen(Qt.PenStyle.NoPen)
            p.setBrush(QColor(0, 0, 0, _STRENGTH))
            for ring in range(_SHADE, 0, -2):
                radius = RADIUS + ring
                p.drawRoundedRect(paper.adjusted(-ring, 2 - ring, ring, ring), radius, radius)
            p.setBrush(self.palette().color(QPalette.ColorRole.Base))
            p.setPen(QPen(self.palette().color(QPalette.ColorRole.Midlight), 1))
            p.drawRoundedRect(paper.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
