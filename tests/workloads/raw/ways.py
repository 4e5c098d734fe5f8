"""Both ways of reading blocks: a batch at once in C, and one after the other in Python."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from core.vocabulary import Step

WAYS = {"C": 1.0, "Python": 0.0}
"""What the counter `reads in C` says of each."""


def performed(step: Step, items: Sequence[Any]) -> list[Any]:
    """The result of each item, or its error, by whichever way the step has."""
    if step.at_once is None:
        return [_one(step, item) for item in items]
    done = step.at_once(items, False)
    assert done.time >= sum(done.took)
    assert len(done.results) == len(done.took)
    found: list[Any] = list(done.results)
    for place, error in done.failures:
        found.insert(place, error)
    assert len(found) == len(items)
    return found


def _one(step: Step, item: Any) -> Any:
    try:
        return step.perform(item)
    except OSError as error:
        return error
