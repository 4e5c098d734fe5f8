"""How long it may take; and, rarely changed, repeats and whether bare files are measured too."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QSpinBox, QWidget

from app.setup.controls.numbers import NumberControl
from app.setup.usual_effort import LONGEST_BUDGET, Effort
from core import (
    EFFORT,
    Real,
    tr_word,
)

if TYPE_CHECKING:
    from app.setup.usual_effort import UsualEffort


class EffortRows(QObject):
    """`time` and `rest` are for the panel to lay out; each study keeps what was chosen for it."""

    changed = Signal()

    def __init__(self, usual: UsualEffort, parent: QWidget) -> None:
        super().__init__(parent)
        self.usual = usual
        self._kept: dict[str, Effort] = {}
        self._study = ""
        self.time = NumberControl(budget_of_slider(), single=True)
        self.time.setToolTip(tr_word(EFFORT.budget.help))
        self.rest = QWidget()
        self._repeats = QSpinBox()
        self._repeats.setRange(1, EFFORT.repeats.high)
        self._repeats.setAccessibleName(self.tr("Repeats"))
        self._repeats.setToolTip(tr_word(EFFORT.repeats.help))
        self._floor = QCheckBox(self.tr("Also measure the bare files"))
        self._floor.setToolTip(tr_word(EFFORT.floor.help))
        rows = QFormLayout(self.rest)
        rows.setContentsMargins(0, 0, 0, 0)
        rows.addRow(self.tr("Repeats"), self._repeats)
        rows.addRow(self._floor)
        self.choose(usual.of(""))
        self._repeats.valueChanged.connect(self.changed)
        self.time.changed.connect(self.changed)
        self._floor.toggled.connect(self.changed)

    @property
    def effort(self) -> Effort:
        """What is chosen."""
        return Effort(self._repeats.value(), float(self.time.value()), self._floor.isChecked())

    @property
    def problem(self) -> str:
        """Why that is no effort; empty if it is."""
        problem = self.time.problem
        return f"{self.tr('Time')}: {problem}" if problem else ""

    def choose(self, effort: Effort) -> None:
        """Set all rows."""
        self._repeats.setValue(effort.repeats)
        self.time.set_value(min(max(effort.budget, 0.0), LONGEST_BUDGET))
        self._floor.setChecked(effort.floor)

    def follow(self, study: str) -> None:
        """Show what was chosen for this study, or for what is none, or what is usual for it."""
        if study != self._study:
            self._kept[self._study] = self.effort
            self.restore(study, self._kept.get(study) or self.usual.of(study))

    def prefer(self, repeats: int, budget: float) -> None:
        """From now on this is usual; what was as usual until now follows, and nothing else does."""
        before = self.usual.of("")
        self.usual.prefer(repeats, budget)
        self._kept = {of: kept for of, kept in self._kept.items() if of or kept != before}
        if not self._study and self.effort == before:
            self.choose(self.usual.of(""))

    def restore(self, study: str, effort: Effort) -> None:
        """Show another effort, and keep nothing of this one."""
        self._study = study
        self.choose(effort)


def budget_of_slider() -> Real:
    """The budget, on a scale that a slider can show."""
    return replace(EFFORT.budget, high=LONGEST_BUDGET)
