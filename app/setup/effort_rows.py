"""How much is measured: repeats, a time budget, and whether the bare files as well."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QSpinBox, QVBoxLayout, QWidget

from app.setup.controls import control_for
from app.setup.mode_bar import Mode
from core import (
    BUDGET,
    FLOOR_HELP,
    MOST_REPEATS,
    REPEATS_HELP,
    SEARCH_BUDGET_HELP,
    Kind,
    Real,
    Request,
    load_study,
    tr_word,
)

_LONGEST_BUDGET = 600.0
"""Seconds at the slider's end."""
_STUDY_BUDGET = 200.0
"""With the preparation, a published study takes less than four minutes."""


class Effort(NamedTuple):
    """What a run may take; a budget of 0 s means the repeats and no more."""

    repeats: int
    budget: float
    floor: bool


class EffortRows(QWidget):
    """The rows; each kind of run, and each study, keeps what was chosen for it."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._kept: dict[tuple[Mode, str], Effort] = {}
        self._subject = (Mode.RUN, "")
        self._repeats = QSpinBox()
        self._repeats.setRange(1, MOST_REPEATS)
        self._repeats.setAccessibleName(self.tr("Repeats"))
        self._repeats.setToolTip(tr_word(REPEATS_HELP))
        self._budget = control_for(_budget_of_slider())
        self._floor = QCheckBox(self.tr("Also measure the bare files"))
        self._floor.setToolTip(tr_word(FLOOR_HELP))
        self._rows = QFormLayout()
        self._rows.addRow(self.tr("Repeats"), self._repeats)
        self._rows.addRow(self.tr("Time budget"), self._budget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addLayout(self._rows)
        column.addWidget(self._floor)
        self.choose(usual_effort(""))
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
        self._budget.set_value(min(max(effort.budget, 0.0), _LONGEST_BUDGET))
        self._floor.setChecked(effort.floor)

    def follow(self, mode: Mode, study: str) -> None:
        """Show what was chosen for this kind of run, or what is usual for it."""
        if (mode, study) != self._subject:
            self._kept[self._subject] = self.effort
            self.restore(mode, study, self._kept.get((mode, study)) or usual_effort(study))

    def restore(self, mode: Mode, study: str, effort: Effort) -> None:
        """Show another effort, for another kind of run, and keep nothing of this one."""
        self._subject = (mode, study)
        self._fit()
        self.choose(effort)

    def _fit(self) -> None:
        """A search decides itself how often it measures."""
        mode, _ = self._subject
        self._rows.setRowVisible(self._repeats, mode is not Mode.TUNE)
        self._budget.setToolTip(tr_word(SEARCH_BUDGET_HELP if mode is Mode.TUNE else BUDGET.help))


def usual_effort(study: str) -> Effort:
    """What a study proposes, or a request has that says nothing."""
    usual = Request()
    if not study:
        return Effort(usual.repeats, usual.budget, usual.floor)
    found = load_study(study)
    # What is still open after these is measured more often, as long as the budget lasts.
    return Effort(min(found.repeats, usual.repeats), found.budget or _STUDY_BUDGET, usual.floor)


def _budget_of_slider() -> Kind:
    """The budget, on a scale that a slider can show."""
    assert isinstance(BUDGET, Real)
    return replace(BUDGET, high=_LONGEST_BUDGET)
