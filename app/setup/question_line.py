"""The question in one line: which data, which work, what is tried, how long it may take."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QStackedWidget, QWidget

from app.setup.question_field import HIGH, QuestionField
from app.style.layouts import NARROW, spaced
from app.style.popup import Popup

if TYPE_CHECKING:
    from app.setup.setup_panel import SetupPanel
    from app.style.theme import Theme

_GAP = 8
_SMALL = 36
"""Pixels of its height in a narrow window, where each field has one line."""
_GO, _SMALL_GO = 232, 198
"""Pixels of the button that measures, also in a narrow window."""
_SHARES: Mapping[str, int] = {"data": 28, "work": 25, "settings": 33, "time": 14}
_TIME = 128
"""Pixels for `about 3:20 min`, whatever its share."""
_WIDE: Mapping[str, int] = {"data": 420, "work": 600, "settings": 428, "time": 340}
"""Pixels of what a field opens."""


class QuestionLine(QWidget):
    """Four fields, and at the right what measures or stops."""

    settings_wanted = Signal()
    """The settings are to be seen where they stand open."""

    def __init__(self, setup: SetupPanel, measure: QPushButton, stop: QPushButton) -> None:
        super().__init__()
        self._setup = setup
        self.stands_open = True
        """Whether the settings stand beside the plot, and no field opens them."""
        titles = {
            "data": self.tr("Data"),
            "work": self.tr("Work"),
            "settings": self.tr("Settings to try"),
            "time": self.tr("Time"),
        }
        self.fields = {name: QuestionField(title) for name, title in titles.items()}
        self.popups = {name: Popup(self.fields[name], wide, setup) for name, wide in _WIDE.items()}
        setup.work.chosen.connect(self.popups["work"].hide)
        together = QFrame()
        together.setProperty("part", "fields")
        row = spaced(QHBoxLayout(together), 0)
        for name, field in self.fields.items():
            field.first = name == "data"
            field.clicked.connect(lambda _, name=name: self.open(name))
            row.addWidget(field, _SHARES[name])
        self.fields["time"].setMinimumWidth(_TIME)
        for name in ("data", "work", "time"):
            self.popups[name].hold(setup.sheets[name])
        # One place for both, so that nothing moves where the hand is.
        self.go = QStackedWidget()
        self.go.addWidget(measure)
        self.go.addWidget(stop)
        whole = spaced(QHBoxLayout(self), _GAP)
        whole.addWidget(together, 1)
        whole.addWidget(self.go)
        setup.changed.connect(self._say)
        setup.dataset.said.connect(self._say)
        self._say()

    def open(self, name: str) -> None:
        """Open what a field changes."""
        if name == "work":
            self._setup.list_work()
        if name == "settings" and self.stands_open:
            self.fields[name].setChecked(False)
            self.settings_wanted.emit()
        else:
            self.popups[name].open()

    def stand_open(self, *, stand: bool) -> None:
        """Have the settings beside the plot, or have their field open them."""
        if stand is not self.stands_open:
            self.stands_open = stand
            if stand:
                self.popups["settings"].hide()
                self._setup.take_back()
            else:
                self.popups["settings"].hold(self._setup.sheets["settings"])

    def show_left(self, left: str) -> None:
        """Say how much time is left; empty: nothing runs."""
        self.fields["time"].say_above(left)

    def fit(self, width: int) -> None:
        """Be as wide as a window of so many pixels has room for."""
        narrow = width < NARROW
        self.go.setFixedWidth(_SMALL_GO if narrow else _GO)
        self.setFixedHeight(_SMALL if narrow else HIGH)

    def set_theme(self, theme: Theme) -> None:
        for field in self.fields.values():
            field.set_theme(theme)

    def _say(self) -> None:
        for name, text in self._setup.texts().items():
            self.fields[name].say(text)
