"""Placeholders of a command: `{threads}`, `{level:1..9}`, `{memory:256M,1G}`.

What stands in braces and has not the form of a placeholder, such as `{print $1}` or `${HOME}`, is
left as it is; `{{name}}` stands for the text `{name}`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core import InvalidParameter, split_values, tr
from workloads.command.derived import computed, names_in

GIVEN = ("threads", "dataset", "each", "out", "n", "seed")
"""Placeholders that every operation has a value for."""

_MOST_VALUES = 1000
_FORM = re.compile(
    r"\{\{(?P<text>[^{}]*)\}\}|(?<!\$)\{(?P<name>[a-z][a-z0-9_]*)(?::(?P<values>[^{}]*))?\}"
    r"|(?<!\$)\{(?P<derived>[a-z0-9_ +*/%(),-]+)\}"
)
_RANGE = re.compile(r"(-?\d{1,15})\.\.(-?\d{1,15})")


@dataclass(frozen=True)
class Placeholder:
    """One place in a command that a value stands for."""

    name: str
    values: tuple[str, ...] = ()
    """The only values it may have, the usual one first; empty = any."""
    derived: bool = False
    """Whether its name is a computation: `32/threads`."""

    @property
    def needs(self) -> frozenset[str]:
        """The names whose values it stands for."""
        return names_in(self.name) if self.derived else frozenset((self.name,))

    def value(self, values: Mapping[str, str]) -> str:
        """What stands in its place; raises SluiceError where that cannot be computed."""
        return computed(self.name, values) if self.derived else values[self.name]


type Piece = str | Placeholder
"""A part of an argument: text, or what a value stands for."""


def pieces_of(written: str) -> Sequence[Piece]:
    """The text and the placeholders of an argument, in order; raises InvalidParameter."""
    found: list[Piece] = []
    end = 0
    for match in _FORM.finditer(written):
        found.append(written[end : match.start()])
        end = match.end()
        if match["derived"] is not None:
            is_one = bool(names_in(match["derived"]))
            found.append(Placeholder(match["derived"], derived=True) if is_one else match[0])
        elif match["name"] is None:
            found.append("{" + match["text"] + "}")
        else:
            found.append(_placeholder(match["name"], match["values"]))
    found.append(written[end:])
    return [piece for piece in found if piece != ""]


def values_in(written: str, name: str) -> tuple[str, ...]:
    """The values that `1..9` or `256M,1G` stand for, each once; raises InvalidParameter."""
    found: dict[str, None] = {}
    for one in split_values(written):
        match = _RANGE.fullmatch(one)
        if match is None:
            found[one] = None
            continue
        low, high = int(match[1]), int(match[2])
        if not low <= high < low + _MOST_VALUES:
            raise InvalidParameter(
                "run",
                tr("the range of {name} goes from {low} to {high}", name=name, low=low, high=high),
                tr("write the smaller value first, and at most {most:,} values", most=_MOST_VALUES),
            )
        found |= dict.fromkeys(str(value) for value in range(low, high + 1))
    if "" in found:
        raise InvalidParameter(
            "run",
            tr("{name} has an empty value", name="{" + name + "}"),
            tr("write its values as in {example}", example="{" + name + ":1..9}"),
        )
    return tuple(found)


def _placeholder(name: str, values: str | None) -> Placeholder:
    if values is None:
        return Placeholder(name)
    if name in GIVEN:
        raise InvalidParameter(
            "run",
            tr("{name} takes no values in the command", name="{" + name + "}"),
            tr("write {short}; threads are given as threads=1..8", short="{" + name + "}"),
        )
    return Placeholder(name, values_in(values, name))
