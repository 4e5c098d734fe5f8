"""The field of a path, whose name is read first unless somebody edits it."""

from __future__ import annotations

from pathlib import Path
from typing import override

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame

from app.style.labels import as_tip

_MARGIN = 2
"""Pixels that Qt leaves beside the text of a field."""
_GAP = 8


class PathField(QLineEdit):
    """Shows the name and then its folder, with an ellipsis within that; who edits sees the path."""

    def __init__(self) -> None:
        super().__init__()
        self._edited = False
        self.textChanged.connect(self._describe)
        self._describe("")

    def show_path(self, path: Path) -> None:
        """Show a path that was not typed."""
        self._edited = False
        self.setText(str(path))

    def shown(self, width: int) -> tuple[str, str]:
        """The name and the folder as they are shown in so many pixels."""
        path, metrics = Path(self.text()), self.fontMetrics()
        name = metrics.elidedText(path.name or str(path), Qt.TextElideMode.ElideMiddle, width)
        rest = width - metrics.horizontalAdvance(name) - _GAP
        folder = str(path.parent) if path.name else ""
        return name, metrics.elidedText(folder, Qt.TextElideMode.ElideMiddle, max(rest, 0))

    def _describe(self, text: str) -> None:
        self.setToolTip(as_tip(text))
        self.setAccessibleDescription(text or self.tr("File or folder to measure on."))

    @override
    def event(self, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.KeyPress | QEvent.Type.MouseButtonPress:
                self._edited = True
            case QEvent.Type.FocusIn | QEvent.Type.FocusOut if isinstance(event, QFocusEvent):
                # A page that comes up focuses the field; only a hand does it by mouse or key.
                by_hand = event.reason() != Qt.FocusReason.OtherFocusReason
                self._edited = event.gotFocus() and by_hand
        return super().event(event)

    @override
    def paintEvent(self, event: QPaintEvent) -> None:
        if self._edited or not self.text():
            super().paintEvent(event)
            return
        option, style = QStyleOptionFrame(), self.style()
        self.initStyleOption(option)
        inside = QStyle.SubElement.SE_LineEditContents
        area = style.subElementRect(inside, option, self).adjusted(_MARGIN, 0, -_MARGIN, 0)
        name, folder = self.shown(area.width())
        middle = Qt.AlignmentFlag.AlignVCenter
        with QPainter(self) as painter:
            style.drawPrimitive(QStyle.PrimitiveElement.PE_PanelLineEdit, option, painter, self)
            painter.setPen(self.palette().color(QPalette.ColorRole.Text))
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignLeft, name)
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(area, middle | Qt.AlignmentFlag.AlignRight, folder)
