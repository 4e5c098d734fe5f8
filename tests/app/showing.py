"""Widgets on the screen."""

from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot


def exposed[W: QWidget](qtbot: QtBot, widget: W, *size: int) -> W:
    """The widget as it is seen until the test ends, so many pixels wide and high."""
    qtbot.addWidget(widget)
    if size:
        widget.resize(*size)
    with qtbot.waitExposed(widget):
        widget.show()
    return widget
