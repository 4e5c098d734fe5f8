"""What kind of run: one configuration, a sweep, a search, or a published study."""

from __future__ import annotations

from enum import StrEnum

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from app.style.label_widget import label
from app.style.tip import as_tip


class Mode(StrEnum):
    """The engine's command that Start runs."""

    RUN = "run"
    SWEEP = "sweep"
    TUNE = "tune"
    STUDY = "study"

    @property
    def varies(self) -> bool:
        """Whether parameters can be ticked to be varied."""
        return self in (Mode.SWEEP, Mode.TUNE)


class ModeBar(QWidget):
    """Four buttons, one of them pressed, and what that one means."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._buttons: dict[Mode, QPushButton] = {}
        self._about = label(part="muted", wraps=True)
        self._about.setAccessibleName(self.tr("What this kind of run does"))
        group = QButtonGroup(self)
        row = QHBoxLayout()
        row.setSpacing(0)
        for mode, title in self.titles().items():
            button = QPushButton(title)
            button.setCheckable(True)
            button.setToolTip(as_tip(self._help(mode)))
            button.setAccessibleDescription(self._help(mode))
            button.setProperty("part", "mode")
            group.addButton(button)
            row.addWidget(button, 1)
            self._buttons[mode] = button
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(row)
        column.addWidget(self._about)
        self.choose(Mode.RUN)
        group.buttonClicked.connect(self._take)

    @property
    def mode(self) -> Mode:
        """The chosen kind."""
        return next(mode for mode, button in self._buttons.items() if button.isChecked())

    def choose(self, mode: Mode) -> None:
        """Choose a kind, without emitting `changed`."""
        self._buttons[mode].setChecked(True)
        self._about.setText(self._help(mode))

    def titles(self) -> dict[Mode, str]:
        """The kinds in their order."""
        return {
            Mode.RUN: self.tr("Run"),
            Mode.SWEEP: self.tr("Sweep"),
            Mode.TUNE: self.tr("Tune"),
            Mode.STUDY: self.tr("Study"),
        }

    def _help(self, mode: Mode) -> str:
        return {
            Mode.RUN: self.tr("Measure one configuration."),
            Mode.SWEEP: self.tr("Measure every combination of the parameters that are ticked."),
            Mode.TUNE: self.tr(
                "Search the best number of threads, of many in few trials; "
                "tick one more parameter to search it too."
            ),
            Mode.STUDY: self.tr("Repeat a published study and check its claims."),
        }[mode]

    def _take(self) -> None:
        self._about.setText(self._help(self.mode))
        self.changed.emit()
