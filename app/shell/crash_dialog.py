"""The dialog for a bug in Sluice: a report to copy, without secrets.

It reports faults in any module, so it imports hardly more than Qt.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.style.labels import label


class CrashDialog(QDialog):
    """Says that Sluice has a bug, and offers the report."""

    def __init__(
        self, told: str, parent: QWidget | None, *, goes_on: bool = True, before: bool = False
    ) -> None:
        """`before`: an earlier window was ended by it."""
        super().__init__(parent)
        title = self.tr("There is a bug in Sluice")
        self.setWindowTitle(title)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.resize(720, 420)
        text = QPlainTextEdit(told)
        text.setReadOnly(True)
        text.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        text.setAccessibleName(self.tr("Report"))
        copy = QPushButton(self.tr("Copy the report"))
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(told))
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.addButton(copy, QDialogButtonBox.ButtonRole.ActionRole)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addWidget(label(title, "title"))
        column.addWidget(label(self._advice(goes_on=goes_on, before=before), wraps=True))
        column.addWidget(text, 1)
        column.addWidget(buttons)

    def _advice(self, *, goes_on: bool, before: bool) -> str:
        if before:
            return self.tr(
                "Sluice was ended by a fault the last time. What was measured until then is in the "
                "session file; a report like this one helps to fix the bug. It contains no secrets."
            )
        if goes_on:
            return self.tr(
                "What was measured is in the session file. The window stays open; a report "
                "like this one helps to fix the bug. It contains no secrets."
            )
        return self.tr(
            "The window could not be filled and closes with this dialog; a report like this one "
            "helps to fix the bug. It contains no secrets."
        )
