"""Specs in words: what tells them apart."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from core.invisible import one_line
from core.parameters import Value
from core.plan import RunSpec, differing
from core.voice import word

BESIDE_THE_POINT = frozenset({"deadline", "stall", "seed"})
"""Parameters that are no part of what is asked for: when a trial is given up, and what is drawn."""


def named(name: str) -> str:
    """A parameter's name within a sentence: `cache size`."""
    return word(name.replace("_", " "))


def told(spec: RunSpec, names: Collection[str]) -> str:
    """Some parameters of a spec in one line, `threads 4 · cache lru`; without any its workload."""
    values: dict[str, Value] = {"workload": spec.workload, **spec.values}
    parts = [f"{named(name)} {values[name]}" for name in names if name in values]
    return one_line(" · ".join(parts)) or spec.workload


def told_pairs(pairs: Sequence[tuple[RunSpec, RunSpec]]) -> list[tuple[str, str]]:
    """Names for the two sides of each pair by what tells all these specs apart.

    Where that does not tell the sides of a pair apart they are called A and B.
    """
    names = [
        name
        for name in differing([spec for pair in pairs for spec in pair])
        if name not in BESIDE_THE_POINT
    ]
    return [_told_pair(one, two, names) for one, two in pairs]


def _told_pair(one: RunSpec, two: RunSpec, names: Sequence[str]) -> tuple[str, str]:
    if not names:
        return "A", "B"
    first, second = told(one, names), told(two, names)
    return (f"A ({first})", f"B ({second})") if first == second else (first, second)
