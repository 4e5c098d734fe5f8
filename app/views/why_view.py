"""What limits the throughput of the shown results, with the evidence."""

from __future__ import annotations

from PySide6.QtWidgets import QPlainTextEdit, QVBoxLayout, QWidget


class WhyView(QWidget):
    """A diagnosis to read and to copy."""

    def __init__(self) -> None:
        super().__init__()
        self._told = QPlainTextEdit()
        self._told.setReadOnly(True)
        self._told.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self._told.setTabChangesFocus(True)
        self._told.setAccessibleName(self.tr("What limits the throughput"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._told)

    def show_text(self, text: str) -> None:
        """Show a diagnosis; none if empty."""
        if text != self.text():
            self._told.setPlainText(text)

    def text(self) -> str:
        """What it says."""
        return self._told.toPlainText()
