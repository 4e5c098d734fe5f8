"""The bars of the window: pages, progress and menu at the top, the command line at the foot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.style.labels import ClippedLabel, as_tip, restyle
from app.views.running_trial import PhaseStrip
from core import tr as sentence

if TYPE_CHECKING:
    from core import MachineState

_TOP, _FOOT = 44, 40
"""Their heights."""


class TopBar(QFrame):
    """Always in sight; `strip` says what goes on."""

    page_chosen = Signal(str)
    """`start`, `question`, `studies` or `sessions`."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "bar")
        self.strip = PhaseStrip()
        self.menu_button = _plain("☰", self.tr("Menu"))
        self.machine = ClippedLabel("", 1)  # a narrow bar has more to say
        self.machine.setAccessibleName(self.tr("What the machine does"))
        self._pages: dict[str, QPushButton] = {}
        self._group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setContentsMargins(16, 0, 16, 0)
        row.setSpacing(8)
        brand = QPushButton(self.tr("Sluice"))
        brand.setProperty("part", "brand")
        brand.setToolTip(self.tr("What do you want to know?"))
        brand.clicked.connect(lambda: self.page_chosen.emit("start"))
        row.addWidget(brand)
        for name, title in (
            ("question", self.tr("Question")),
            ("studies", self.tr("Studies")),
            ("sessions", self.tr("Sessions")),
        ):
            button = self._pages[name] = _plain(title, title)
            button.setCheckable(True)
            button.clicked.connect(lambda _, name=name: self.page_chosen.emit(name))
            self._group.addButton(button)
            row.addWidget(button)
        row.addWidget(self.strip, 1)
        row.addWidget(self.machine)
        row.addWidget(self.menu_button)
        inside = QWidget()
        inside.setFixedHeight(_TOP)
        inside.setLayout(row)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(inside)
        column.addWidget(self.strip.bar)
        self._say_of_machine(sentence("machine"), "", "unknown")  # until it was looked at

    def show_page(self, name: str) -> None:
        """Mark which page is in sight."""
        self._group.setExclusive(False)
        for each, button in self._pages.items():
            button.setChecked(each == name)
        self._group.setExclusive(True)

    def show_machine(self, state: MachineState) -> None:
        """Show whether other programs, or the machine's own limits, stand in the way."""
        self._say_of_machine(state.title, state.text, state.light)

    def _say_of_machine(self, title: str, text: str, light: str) -> None:
        self.machine.setText(f"● {title}")
        self.machine.setToolTip(as_tip(text))
        self.machine.setAccessibleDescription(text)
        restyle(self.machine, "light", light)


class CommandLine(QFrame):
    """The command line that does the same as Measure, to be copied; it is always visible."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "bar")
        self.setFixedHeight(_FOOT)
        self._line = QLineEdit()
        self._line.setReadOnly(True)
        self._line.setProperty("part", "line")
        self._line.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self._line.setAccessibleName(self.tr("Command line that does the same"))
        self.change = QPushButton(self.tr("Change…"))
        self.change.setToolTip(self.tr("Show the question that this line asks"))
        self.change.hide()
        self._copy = _plain(self.tr("Copy"), self.tr("Copy the command line"))
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
        QGuiApplication.clipboard().setText(self.text())


def _plain(text: str, name: str) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("part", "plain")
    made.setAccessibleName(name)
    made.setCursor(Qt.CursorShape.PointingHandCursor)
    return made
