"""How much is measured: repeats, a time budget, and whether the bare files as well."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QSpinBox, QVBoxLayout, QWidget

from app.setup.controls import control_for
from app.setup.mode_bar import Mode
from app.setup.usual_effort import LONGEST_BUDGET, Effort
from core import (
    EFFORT,
    tr_word,
)

if TYPE_CHECKING:
    from app.setup.usual_effort import UsualEffort
    from core import (
        Kind,
    )


class EffortRows(QWidget):
    """The rows; each kind of run, and each study, keeps what was chosen for it."""

    changed = Signal()

    def __init__(self, usual: UsualEffort) -> None:
        super().__init__()
        self.usual = usual
        self._kept: dict[tuple[Mode, str], Effort] = {}
        self._subject = (Mode.RUN, "")
        self._repeats = QSpinBox()
        self._repeats.setRange(1, EFFORT.repeats.high)
        self._repeats.setAccessibleName(self.tr("Repeats"))
        self._repeats.setToolTip(tr_word(EFFORT.repeats.help))
        self._budget = control_for(budget_of_slider())
        self._floor = QCheckBox(self.tr("Also measure the bare files"))
        self._floor.setToolTip(tr_word(EFFORT.floor.help))
        self._rows = QFormLayout()
        self._rows.addRow(self.tr("Repeats"), self._repeats)
        self._rows.addRow(self.tr("Time budget"), self._budget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._rows)
        column.addWidget(self._floor)
        self.choose(usual.of(""))
        self._repeats.valueChanged.connect(self.changed)
        self._budget.changed.connect(self.changed)
        self._floor.toggled.connect(self.changed)
        self._fit()

    @property
    def effort(self) -> Effort:
        """What is chosen."""
        budget = float(self._budget.value())
        return Effort(self._repeats.value(), budget, self._floor.isChecked())

    @property
    def problem(self) -> str:
        """Why that is no effort; empty if it is."""
        problem = self._budget.problem
        return f"{self.tr('Time budget')}: {problem}" if problem else ""

    def choose(self, effort: Effort) -> None:
        """Set all rows."""
        self._repeats.setValue(effort.repeats)
        self._budget.set_value(min(max(effort.budget, 0.0), LONGEST_BUDGET))
        self._floor.setChecked(effort.floor)

    def follow(self, mode: Mode, study: str) -> None:
        """Show what was chosen for this kind of run, or what is usual for it."""
        if (mode, study) != self._subject:
            self._kept[self._subject] = self.effort
            self.restore(mode, study, self._kept.get((mode, study)) or self.usual.of(study))

    def prefer(self, repeats: int, budget: float) -> None:
        """From now on this is usual; what was as usual until now follows, and nothing else does."""
        before = self.usual.of("")
        self.usual.prefer(repeats, budget)
        self._kept = {of: kept for of, kept in self._kept.items() if of[1] or kept != before}
        _, study = self._subject
        if not study and self.effort == before:
            self.choose(self.usual.of(""))

    def restore(self, mode: Mode, study: str, effort: Effort) -> None:
        """Show another effort, for another kind of run, and keep nothing of this one."""
        self._subject = (mode, study)
        self._fit()
        self.choose(effort)

    def _fit(self) -> None:
        """A search decides itself how often it measures."""
        mode, _ = self._subject
        self._rows.setRowVisible(self._repeats, mode is not Mode.TUNE)
        self._budget.setToolTip(
            tr_word((EFFORT.search_budget if mode is Mode.TUNE else EFFORT.budget).help)
        )


def budget_of_slider() -> Kind:
    """The budget, on a scale that a slider can show."""
    return replace(EFFORT.budget, high=LONGEST_BUDGET)
