"""How often each spec is measured unless a study or the user says otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from core.catalog.parameters import Flag, Integer, Real

REPEATS = 3
"""Trials of each spec in a sweep, and in the sweep to which a search is compared."""
REPEATS_TO_COMPARE = 10
"""Trials of each side of a comparison: twice the fewest for a verdict."""


class _Efforts(NamedTuple):
    repeats: Integer
    budget: Real
    """The time that may be spent on what cannot be told yet."""
    search_budget: Real
    floor: Flag


_BUDGET = Real(
    name="budget",
    default=0.0,
    low=0,
    high=7 * 86_400,
    unit="seconds",
    help="Time limit of the whole run. Undecided comparisons get extra repeats until it is used up, and trials get shorter to fit. 0 = no more than the repeats.",
)
EFFORT = _Efforts(
    repeats=Integer(
        name="repeats",
        default=REPEATS,
        low=1,
        high=1000,
        help="Trials of each setting, in random order.",
    ),
    budget=_BUDGET,
    search_budget=replace(
        _BUDGET,
        help="Time limit of the whole search. It ends with the best so far and says what is left, and trials get shorter to fit. 0 = until it is sure.",
    ),
    floor=Flag(
        name="floor",
        default=True,
        help="Also measure plain reads of the same files, for comparison.",
    ),
)
"""How much is measured, declared like any parameters."""
