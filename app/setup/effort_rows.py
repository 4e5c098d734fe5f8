"""How long it may take; and, rarely changed, repeats and whether bare files are measured too."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QSpinBox, QWidget

from app.setup.controls.numbers import NumberControl
from core import EFFORT, Real, Request, load_study, tr_word

USUAL_BUDGET = 60.0
"""Seconds in which people wait for an answer to a question of their own."""
LONGEST_BUDGET = 600.0
"""Seconds at the slider's end."""
_STUDY_BUDGET = 200.0
"""With the preparation, a published study takes less than four minutes."""
_REPEATS, _BUDGET = "usual repeats", "usual budget"


class ChosenEffort(NamedTuple):
    """What a run may take; a budget of 0 s means the repeats and no more."""

    repeats: int
    budget: float
    floor: bool


class UsualEffort:
    """Kept in the settings, which other hands may have written; only what differs from ours."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def of(self, study: str) -> ChosenEffort:
        """What a study proposes, or what a run without one takes."""
        usual = Request()
        if not study:
            repeats = self._kept(_REPEATS, usual.repeats, 1, EFFORT.repeats.high)
            budget = self._kept(_BUDGET, USUAL_BUDGET, 0, LONGEST_BUDGET)
            return ChosenEffort(int(repeats), budget, usual.floor)
        found = load_study(study)
        # What is still open after these is measured more often, as long as the budget lasts.
        return ChosenEffort(
            min(found.repeats, usual.repeats), found.budget or _STUDY_BUDGET, usual.floor
        )

    def prefer(self, repeats: int, budget: float) -> None:
        """Keep what the user prefers; what is Sluice's own follows its next version."""
        usual = Request()
        for key, chosen, own in (
            (_REPEATS, repeats, usual.repeats),
            (_BUDGET, budget, USUAL_BUDGET),
        ):
            if chosen == own:
                self._settings.remove(key)
            else:
                self._settings.setValue(key, chosen)

    def _kept(self, key: str, own: float, low: float, high: float) -> float:
        with suppress(ValueError):
            kept = float(str(self._settings.value(key, own)))
            return min(max(kept, low), high) if math.isfinite(kept) else own
        return own


class EffortRows(QObject):
    """`time` and `rest` are for the panel to lay out; each study keeps what was chosen for it."""

    changed = Signal()

    def __init__(self, usual: UsualEffort, parent: QWidget) -> None:
        super().__init__(parent)
        self.usual = usual
        self._kept: dict[str, ChosenEffort] = {}
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
    def effort(self) -> ChosenEffort:
        return ChosenEffort(
            self._repeats.value(), float(self.time.value()), self._floor.isChecked()
        )

    @property
    def problem(self) -> str:
        """Why that is no effort; empty if it is."""
        problem = self.time.problem
        return f"{self.tr('Time')}: {problem}" if problem else ""

    def choose(self, effort: ChosenEffort) -> None:
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

    def restore(self, study: str, effort: ChosenEffort) -> None:
        """Show another effort, and keep nothing of this one."""
        self._study = study
        self.choose(effort)


def budget_of_slider() -> Real:
    """The budget, on a scale that a slider can show."""
    return replace(EFFORT.budget, high=LONGEST_BUDGET)
