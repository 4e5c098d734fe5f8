"""The command line that does the same as Start; it is always visible."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.style.label_widget import label
from app.style.tip import as_tip


class CommandLine(QWidget):
    """Shows a command and copies it."""

    def __init__(self) -> None:
        super().__init__()
        self._line = QLineEdit()
        self._line.setReadOnly(True)
        self._line.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._line.setAccessibleName(self.tr("Command line that does the same"))
        self._copy = QPushButton(self.tr("Copy"))
        self._copy.setAccessibleName(self.tr("Copy the command line"))
        self._copy.setToolTip(self.tr("Copy the command line (Ctrl+Shift+C)"))
        self._copy.clicked.connect(self.copy)
        title = label(self.tr("Same as"))
        title.setBuddy(self._line)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(title)
        row.addWidget(self._line, 1)
        row.addWidget(self._copy)

    def show_command(self, command: str, problem: str) -> None:
        """Show a command; if there is none, the reason."""
        self._line.setText(command)
        self._line.setPlaceholderText(problem)
        self._line.setCursorPosition(0)
        self._line.setToolTip(as_tip(command))
        self._copy.setEnabled(bool(command))

    def text(self) -> str:
        """The command; empty if there is none."""
        return self._line.text()

    def copy(self) -> None:
        """Put the command on the clipboard."""
        QGuiApplication.clipboard().setText(self.text())
