"""The ring around what has the focus, in a distance that a style sheet cannot draw in."""

from __future__ import annotations

from typing import override

from PySide6.QtCore import QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QApplication,
    QCheckBox,
    QComboBox,
    QFocusFrame,
    QLineEdit,
    QProxyStyle,
    QPushButton,
    QStyle,
    QStyleHintReturn,
    QStyleOption,
    QToolButton,
    QWidget,
)
from shiboken6 import isValid

_RINGED = (QPushButton, QToolButton, QCheckBox, QComboBox, QAbstractSpinBox, QLineEdit)
"""What paints no focus of its own."""
_AWAY, _THICK, _RADIUS = 4, 2, 11
_FRAMED = {"question"}
"""Parts that something around them marks."""


class FocusRings(QObject):
    """Has a ring around each control that gets the focus."""

    def __init__(self, application: QApplication, parent: QObject) -> None:
        super().__init__(parent)
        self._ring = _Ring()
        application.focusChanged.connect(self._follow)

    def _follow(self, _before: QWidget | None, now: QWidget | None) -> None:
        if not isValid(self._ring):  # it goes with the window that it was last seen in
            self._ring = _Ring()
        rings = isinstance(now, _RINGED) and now.property("part") not in _FRAMED
        self._ring.setWidget(now if rings else None)  # type: ignore[arg-type]


class _Ring(QFocusFrame):
    """Qt moves it with the control, above all that is beside that."""

    def __init__(self) -> None:
        super().__init__()
        self._margins = _Margins()
        self.setStyle(self._margins)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        with QPainter(self) as p:
            p.setRenderHint(QPainter.RenderHint.Antialiasing)
            p.setPen(QPen(self.palette().color(QPalette.ColorRole.Accent), _THICK))
            p.setBrush(Qt.BrushStyle.NoBrush)
            inside = QRectF(self.rect()).adjusted(1, 1, -1, -1)
            round_ends = self.widget().property("part") == "chip"
            radius = inside.height() / 2 if round_ends else _RADIUS
            p.drawRoundedRect(inside, radius, radius)


class _Margins(QProxyStyle):
    """Says how far the ring is away, and that it lies above."""

    @override
    def pixelMetric(
        self,
        metric: QStyle.PixelMetric,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
    ) -> int:
        if metric in {
            QStyle.PixelMetric.PM_FocusFrameHMargin,
            QStyle.PixelMetric.PM_FocusFrameVMargin,
        }:
            return _AWAY
        return super().pixelMetric(metric, option, widget)

    @override
    def styleHint(
        self,
        hint: QStyle.StyleHint,
        option: QStyleOption | None = None,
        widget: QWidget | None = None,
        returnData: QStyleHintReturn | None = None,
    ) -> int:
        match hint:
            case QStyle.StyleHint.SH_FocusFrame_AboveWidget:
                return 1
            case QStyle.StyleHint.SH_FocusFrame_Mask:
                return 0
            case _:
                return super().styleHint(hint, option, widget, returnData)
