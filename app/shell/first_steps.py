"""First steps: from nothing to a verdict on a sample dataset in three clicks."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QGridLayout, QLabel, QPushButton

from app.style.label_widget import label


class FirstSteps(QFrame):
    """Three steps, each a button; shows which of them are done."""

    sample_wanted = Signal()
    sweep_wanted = Signal()
    start_wanted = Signal()
    more_wanted = Signal()
    """The user guide, which says what all of it means."""
    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("part", "card")
        self.setAccessibleName(self.tr("First steps"))
        self._buttons: list[QPushButton] = []
        self._marks: list[QLabel] = []
        self._told: list[QLabel] = []
        grid = QGridLayout(self)
        grid.setHorizontalSpacing(12)
        title = label(self.tr("Three clicks to a first verdict"), "title")
        grid.addWidget(title, 0, 0, 1, 2)
        close = QPushButton(self.tr("Close"))
        close.setAccessibleName(self.tr("Close the first steps"))
        close.setToolTip(self.tr("Close; F1 shows them again"))
        close.clicked.connect(self.closed)
        grid.addWidget(close, 0, 2, Qt.AlignmentFlag.AlignRight)
        self._sample_of_any_size = self.tr(
            "Generated data that the workload can read; your files are not touched."
        )
        steps = (
            (
                self.tr("1  Make a sample dataset"),
                self._sample_of_any_size,
                self.sample_wanted,
            ),
            (
                self.tr("2  Sweep the threads"),
                self.tr("Measure 1, 2, 4 and 8 threads, in turns, for a second each time."),
                self.sweep_wanted,
            ),
            (
                self.tr("3  Start"),
                self.tr("Watch it live; the verdict appears below as soon as there is one."),
                self.start_wanted,
            ),
        )
        for row, (text, about, wanted) in enumerate(steps, start=1):
            button = QPushButton(text)
            button.setProperty("part", "step")
            button.setAccessibleDescription(about)
            button.clicked.connect(wanted)
            mark = label("", "muted")
            mark.setAccessibleName(self.tr("State of step {}").format(row))
            grid.addWidget(button, row, 0)
            told = label(about, "muted", wraps=True)
            grid.addWidget(told, row, 1)
            self._told.append(told)
            grid.addWidget(mark, row, 2, Qt.AlignmentFlag.AlignRight)
            self._buttons.append(button)
            self._marks.append(mark)
        more = QPushButton(self.tr("Read the user guide"))
        more.setAccessibleDescription(self.tr("What the card, the plots and the table say."))
        more.clicked.connect(self.more_wanted)
        grid.addWidget(more, len(steps) + 1, 0)
        grid.setColumnStretch(1, 1)

    def refresh(self, *, dataset: bool, axes: bool, ready: bool, size: str) -> None:
        """Show which steps are done and which can be taken; `size`: what a sample takes on disk."""
        sized = self.tr("Generated data of about {}; your files are not touched.").format(size)
        about = sized if size else self._sample_of_any_size
        self._told[0].setText(about)
        self._buttons[0].setAccessibleDescription(about)
        for mark, done in zip(self._marks, (dataset, axes, False), strict=True):
            mark.setText(self.tr("✓ done") if done else "")
        self._buttons[2].setEnabled(ready)
