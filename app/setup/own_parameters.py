"""Parameters that the values of others bring with them: each placeholder of a command has a row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from core import InvalidParameter, Load, declared, own_kinds, written_in

if TYPE_CHECKING:
    from core import Kind, Value


def shown_kinds(parameters: type) -> tuple[Kind, ...]:
    """The declared parameters without the text for values that have rows of their own here."""
    return tuple(kind for kind in declared(parameters) if kind.name != written_in(parameters))


def brought_kinds(parameters: type, values: Mapping[str, Value]) -> tuple[Kind, ...]:
    """The parameters that these values bring with them, but for those named as one of the load."""
    load = {kind.name for kind in declared(Load)}
    return tuple(kind for kind in own_kinds(parameters, values) if kind.name not in load)


def allowed_by(kinds: Sequence[Kind], values: Mapping[str, Value]) -> Mapping[str, Value]:
    """Those of the values that these parameters may have, for a form that takes another's place."""
    found: dict[str, Value] = {}
    for kind in kinds:
        if kind.name in values:
            with suppress(InvalidParameter):
                found[kind.name] = kind.check(values[kind.name])
    return found
