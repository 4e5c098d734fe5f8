"""Small parts of every panel."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget


def label(text: str = "", part: str = "", *, wraps: bool = False) -> QLabel:
    """Plain text that a theme styles by its part; text from outside is never markup."""
    made = QLabel(text)
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setWordWrap(wraps)
    if part:
        made.setProperty("part", part)
    return made


def restyle(widget: QWidget, name: str, value: object) -> None:
    """Set a property that the style sheet uses."""
    if widget.property(name) != value:
        widget.setProperty(name, value)
        widget.style().unpolish(widget)
        widget.style().polish(widget)
