"""How much a run takes that nobody has said more of: as Sluice has it, or as the user prefers."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import NamedTuple

from PySide6.QtCore import QSettings

from core import EFFORT, Request, load_study

USUAL_BUDGET = 60.0
"""Seconds in which people wait for an answer to a question of their own."""
LONGEST_BUDGET = 600.0
"""Seconds at the slider's end."""
_STUDY_BUDGET = 200.0
"""With the preparation, a published study takes less than four minutes."""
_REPEATS, _BUDGET = "usual repeats", "usual budget"


class Effort(NamedTuple):
    """What a run may take; a budget of 0 s means the repeats and no more."""

    repeats: int
    budget: float
    floor: bool


class UsualEffort:
    """Kept in the settings, which other hands may have written; only what differs from ours."""

    def __init__(self, settings: QSettings) -> None:
        self._settings = settings

    def of(self, study: str) -> Effort:
        """What a study proposes, or what a run without one takes."""
        usual = Request()
        if not study:
            return Effort(self._repeats(usual.repeats), self._budget(USUAL_BUDGET), usual.floor)
        found = load_study(study)
        # What is still open after these is measured more often, as long as the budget lasts.
        return Effort(min(found.repeats, usual.repeats), found.budget or _STUDY_BUDGET, usual.floor)

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

    def _repeats(self, own: int) -> int:
        with suppress(ValueError):
            return min(max(int(str(self._settings.value(_REPEATS, own))), 1), EFFORT.repeats.high)
        return own

    def _budget(self, own: float) -> float:
        with suppress(ValueError):
            kept = float(str(self._settings.value(_BUDGET, own)))
            return min(max(kept, 0.0), LONGEST_BUDGET) if math.isfinite(kept) else own
        return own
