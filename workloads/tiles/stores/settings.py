"""Values of the workload's parameters, as stores want them."""

from __future__ import annotations

from core import reveal
from workloads.tiles.stores.store import Opening


def whole(opening: Opening, name: str) -> int:
    """A parameter that is a whole number."""
    value = opening.parameters[name]
    assert isinstance(value, int), name
    return value


def seconds(opening: Opening, name: str) -> float:
    """A parameter that is a time."""
    value = opening.parameters[name]
    assert isinstance(value, int | float), name
    return float(value)


def yes(opening: Opening, name: str) -> bool:
    """A parameter that is yes or no."""
    return opening.parameters[name] is True


def words(opening: Opening, name: str) -> str:
    """A parameter that is text."""
    return str(opening.parameters[name])


def secret_behind(opening: Opening, name: str) -> str:
    """What a parameter refers to, empty where it refers to nothing; raises Unavailable."""
    reference = words(opening, name)
    return reveal(reference) if reference else ""
