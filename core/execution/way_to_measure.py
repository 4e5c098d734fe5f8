"""How a question is measured: what varies makes the question, and this decides the way.

The command `measure` and the window ask it, so that nobody has to choose a way before the question
is asked.
"""

from __future__ import annotations

from math import prod

import msgspec

from core.analysis.advice import THREADS
from core.execution.request import Request
from core.plan.limits import REPEATS
from core.plan.schedule import BLOCKS

MOST_COMBINATIONS = 24
"""That are all measured: more than these are searched, where they can be."""
_FEWEST = 4
"""That are all measured however short the time is."""
_SHORT_TRIAL = 1.0
"""Seconds: as short as trials become to fit a budget, with their start and their end."""
_NEVER_SEARCHED = "seed"


def way_to_measure(asked: Request, *, everything: bool = False) -> Request:
    """The request as it is carried out: one setting, all combinations, or a search among many.

    `everything`: all combinations, however many they are.
    """
    if asked.study or asked.search:
        return asked
    single = {axis.name: axis.values[0] for axis in asked.axes if len(axis.values) == 1}
    axes = tuple(axis for axis in asked.axes if axis.name not in single)
    fixed = msgspec.structs.replace(asked, values={**asked.values, **single}, axes=axes)
    if everything or not are_many(fixed) or not _searchable(fixed):
        return fixed
    return msgspec.structs.replace(fixed, search=True, repeats=REPEATS)


def are_many(asked: Request) -> bool:
    """Whether there are more combinations than are all measured in the time that there is."""
    return prod(len(axis.values) for axis in asked.axes) > _affordable(asked.budget)


def _affordable(budget: float) -> int:
    """So many combinations can each be measured as often as an answer needs."""
    if not budget:
        return MOST_COMBINATIONS
    return max(_FEWEST, min(MOST_COMBINATIONS, int(budget / (BLOCKS * _SHORT_TRIAL))))


def _searchable(request: Request) -> bool:
    """Whether a search knows its axes: threads, and at most one more."""
    names = {axis.name for axis in request.axes}
    return THREADS in names and len(names) < 3 and _NEVER_SEARCHED not in names
