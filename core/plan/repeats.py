"""How often each spec is measured unless a study or the user says otherwise."""

from __future__ import annotations

from dataclasses import dataclass

from core.catalog.parameters import declared, real

REPEATS = 3
"""Trials of each spec in a sweep, and in the sweep to which a search is compared."""
REPEATS_TO_COMPARE = 10
"""Trials of each side of a comparison: twice the fewest for a verdict."""
MOST_REPEATS = 1000
REPEATS_HELP = "Trials of each setting, in random order."


@dataclass(frozen=True, kw_only=True)
class Spending:
    """The time that may be spent on what cannot be told yet."""

    budget: float = real(
        0.0,
        low=0,
        high=7 * 86_400,
        unit="seconds",
        help="Time limit of the whole run. Undecided comparisons get extra repeats until it is used up, and trials get shorter to fit. 0 = no more than the repeats.",
    )


(BUDGET,) = declared(Spending)
SEARCH_BUDGET_HELP = "Time limit of the whole search. It ends with the best so far and says what is left, and trials get shorter to fit. 0 = until it is sure."
