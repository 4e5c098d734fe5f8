"""Which piece of time the plots show, and on which axis: buttons in fixed places."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from app.style.tip import as_tip


class ViewButtons(QWidget):
    """`Live` is enabled wherever the plots do not follow what is measured."""

    followed = Signal(bool)
    """Whether all is to be followed, or only the last minute."""
    logarithm = Signal(bool)
    """Whether values are to be on a logarithmic axis."""

    def __init__(self) -> None:
        super().__init__()
        self._whole = False
        self.back = self._button(
            self.tr("Live"), self.tr("Back to live: follow what is measured (Home)")
        )
        self.minute = self._button(self.tr("1 min"), self.tr("The last minute"), checkable=True)
        self.all = self._button(self.tr("All"), self.tr("The whole run"), checkable=True)
        self.log = self._button(
            self.tr("Log"), self.tr("Logarithmic axis: small values are seen too"), checkable=True
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for button in (self.back, self.minute, self.all, self.log):
            row.addWidget(button)
        self.back.clicked.connect(lambda *_: self.followed.emit(self._whole))
        self.minute.clicked.connect(lambda *_: self.followed.emit(False))
        self.all.clicked.connect(lambda *_: self.followed.emit(True))
        self.log.toggled.connect(self.logarithm)
        self.show_view(recorded=False, whole=False, chosen=False)

    def _button(self, text: str, tip: str = "", *, checkable: bool = False) -> QToolButton:
        made = QToolButton()
        made.setText(text)
        made.setToolTip(as_tip(tip or text))
        made.setCheckable(checkable)
        made.setAutoRaise(True)
        return made

    def show_view(self, *, recorded: bool, whole: bool, chosen: bool) -> None:
        """What is seen now."""
        self._whole = whole or recorded
        self.back.setEnabled(chosen)
        self.minute.setEnabled(not recorded)
        self.minute.setChecked(not self._whole and not chosen)
        self.all.setChecked(self._whole and not chosen)

    def show_logarithm(self, taken: bool) -> None:
        """How the axis is now."""
        self.log.blockSignals(True)
        self.log.setChecked(taken)
        self.log.blockSignals(False)
