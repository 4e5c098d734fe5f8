"""How long it may take; and, rarely changed, repeats and whether bare files are measured too."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple

from PySide6.QtCore import QSettings, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QFormLayout, QWidget

from app.setup.controls.numbers import NumberControl
from app.style.layouts import spaced
from core import EFFORT, Real, Request, load_study, show_left, tr_word
from core import tr as sentence

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

    @property
    def until_sure(self) -> bool:
        """Whether each setting is measured as often as the answer takes, within the budget."""
        return self.budget > 0.0 and self.repeats == Request().repeats


class UsualEffort:
    """Read from the settings, which other hands may have written; they have what is not our own."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def of(self, study: str) -> ChosenEffort:
        """What a study proposes, or what a run without one takes."""
        usual = Request()
        if not study:
            repeats = self._preferred(_REPEATS, usual.repeats, 1, EFFORT.repeats.high)
            budget = self._preferred(_BUDGET, USUAL_BUDGET, 0, LONGEST_BUDGET)
            return ChosenEffort(int(repeats), budget, usual.floor)
        published = load_study(study)
        # What is still open after these is measured more often, as long as the budget lasts.
        repeats = min(published.repeats, usual.repeats)
        return ChosenEffort(repeats, published.budget or _STUDY_BUDGET, usual.floor)

    def prefer(self, repeats: int, budget: float) -> None:
        """Keep what the user prefers; what is Sluice's own follows its next version."""
        own = {_REPEATS: Request().repeats, _BUDGET: USUAL_BUDGET}
        for key, chosen in ((_REPEATS, repeats), (_BUDGET, budget)):
            if chosen == own[key]:
                self._settings.remove(key)
            else:
                self._settings.setValue(key, chosen)

    def _preferred(self, key: str, own: float, low: float, high: float) -> float:
        with suppress(ValueError):
            number = float(str(self._settings.value(key, own)))
            return min(max(number, low), high) if math.isfinite(number) else own
        return own


class EffortRows(QWidget):
    """Remembers what was chosen for each study."""

    changed = Signal()

    def __init__(self, usual: UsualEffort) -> None:
        super().__init__()
        self.usual = usual
        self._earlier: dict[str, ChosenEffort] = {}
        self._study = ""
        self.time = NumberControl(budget_of_slider(), single=True)
        self.time.setToolTip(tr_word(EFFORT.budget.help))
        self._repeats = NumberControl(EFFORT.repeats, single=True)
        self._floor = QCheckBox(self.tr("Also measure the bare files"))
        self._floor.setToolTip(tr_word(EFFORT.floor.help))
        rows = spaced(QFormLayout(self), 8)
        rows.addRow(self.tr("Time"), self.time)
        rows.addRow(self.tr("Repeats"), self._repeats)
        rows.addRow(self._floor)
        self.choose(usual.of(""))
        self._repeats.changed.connect(self.changed)
        self.time.changed.connect(self.changed)
        self._floor.toggled.connect(self.changed)

    @property
    def effort(self) -> ChosenEffort:
        budget = float(self.time.value())
        return ChosenEffort(int(self._repeats.value()), budget, self._floor.isChecked())

    @property
    def problem(self) -> str:
        """Why that is no effort; empty if it is."""
        rows = {self.tr("Time"): self.time, self.tr("Repeats"): self._repeats}
        wrong = (f"{name}: {row.problem}" for name, row in rows.items() if row.problem)
        return next(wrong, "")

    def text(self) -> str:
        """How long it may take, in a few words."""
        if budget := self.effort.budget:
            return self.tr("about {}").format(show_left(budget).replace(":00 ", " "))
        count = self.effort.repeats
        return sentence("1 repeat", "{count:,} repeats", count=count)

    def choose(self, effort: ChosenEffort) -> None:
        """Show this, without emitting `changed`."""
        self._repeats.set_value(effort.repeats)
        self.time.set_value(min(max(effort.budget, 0.0), LONGEST_BUDGET))
        with QSignalBlocker(self._floor):
            self._floor.setChecked(effort.floor)

    def follow(self, study: str) -> None:
        """Show what was chosen for this study or, if nothing was, what is usual for it."""
        if study != self._study:
            self._earlier[self._study] = self.effort
            self.restore(study, self._earlier.get(study) or self.usual.of(study))

    def prefer(self, repeats: int, budget: float) -> None:
        """Make this usual from now on; a question whose effort was the usual one follows."""
        before = self.usual.of("")
        self.usual.prefer(repeats, budget)
        if self._earlier.get("") == before:
            del self._earlier[""]
        if not self._study and self.effort == before:
            self.choose(self.usual.of(""))
            self.changed.emit()

    def restore(self, study: str, effort: ChosenEffort) -> None:
        """Show another effort, and remember nothing of this one."""
        self._study = study
        self.choose(effort)


def budget_of_slider() -> Real:
    """The budget, on a scale that a slider can show."""
    return replace(EFFORT.budget, high=LONGEST_BUDGET)
