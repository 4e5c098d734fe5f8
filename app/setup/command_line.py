"""The command line that does the same as Measure; it is always visible."""

from __future__ import annotations

from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.style.labels import as_tip

_HEIGHT = 40


class CommandLine(QFrame):
    """Shows a command and copies it."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "bar")
        self.setFixedHeight(_HEIGHT)
        self._line = QLineEdit()
        self._line.setReadOnly(True)
        self._line.setProperty("part", "line")
        self._line.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._line.setAccessibleName(self.tr("Command line that does the same"))
        self.change = QPushButton(self.tr("Change…"))
        self.change.setToolTip(self.tr("Show the question that this line asks"))
        self.change.hide()
        self._copy = QPushButton(self.tr("Copy"))
        self._copy.setProperty("part", "plain")
        self._copy.setAccessibleName(self.tr("Copy the command line"))
        self._copy.setToolTip(self.tr("Copy the command line (Ctrl+Shift+C)"))
        self._copy.clicked.connect(self.copy)
        row = self._row = QHBoxLayout(self)
        row.setContentsMargins(16, 0, 16, 0)
        row.addWidget(self.change)
        row.addWidget(self._line, 1)
        row.addWidget(self._copy)

    def put_first(self, widget: QWidget) -> None:
        """Have a widget before the line."""
        self._row.insertWidget(0, widget)

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
