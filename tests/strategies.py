"""Values, axes and requests for hypothesis, made from declarations."""

from __future__ import annotations

from typing import Any, assert_never

from hypothesis import strategies as some

from core.vocabulary import Axis, Choice, Flag, Integer, Kind, Location, Real, Secret, Text, Value


def values_for(kind: Kind) -> some.SearchStrategy[Any]:
    """Any value that the declaration allows."""
    match kind:
        case Integer():
            return some.integers(kind.low, kind.high)
        case Real():
            return some.floats(kind.low, kind.high)
        case Choice():
            return some.sampled_from(sorted(kind.options))
        case Flag():
            return some.booleans()
        case Secret():
            return some.sampled_from(["", "env:A_KEY", "keyring:store/me"])
        case Text() | Location():
            formed = some.from_regex(kind.pattern, fullmatch=True).filter(str.isprintable)
            return formed if kind.pattern else some.text(some.characters(exclude_categories=["C"]))
        case _:
            assert_never(kind)


def axis_of(kind: Kind) -> some.SearchStrategy[Axis]:
    """One to four values of one parameter."""
    return some.lists(values_for(kind), min_size=1, max_size=4, unique=True).map(
        lambda values: Axis(kind.name, tuple(values))
    )


def axes_for(kinds: list[Kind]) -> some.SearchStrategy[tuple[Axis, ...]]:
    """Up to three axes of parameters that the window can vary."""
    can_vary = [kind for kind in kinds if not isinstance(kind, Text | Secret)]
    return some.lists(
        some.sampled_from(can_vary).flatmap(axis_of),
        max_size=3,
        unique_by=lambda axis: axis.name,
    ).map(tuple)


def chosen(kinds: list[Kind]) -> some.SearchStrategy[dict[str, Value]]:
    """Values of some of these parameters."""
    return some.fixed_dictionaries({}, optional={kind.name: values_for(kind) for kind in kinds})
