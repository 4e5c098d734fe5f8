"""Placeholders of a command: `{threads}`, `{level:1..9}`, `{memory:256M,1G}`, `{32/threads}`.

The last one is computed from other values, in whole numbers.  What stands in braces and has not the
form of a placeholder, such as `{print $1}` or `${HOME}`, is left as it is; `{{name}}` stands for
the text `{name}`.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from core import InvalidParameter, SluiceError, split_values, tr

NUMBERS = ("threads", "n", "seed")
"""At least one of these is in what is taken for a computation: other text in braces is left."""

_LONGEST = 200  # characters
_COMPUTATION = re.compile(r"(?<![{$])\{([a-z0-9_ +*/%(),-]+)\}")
_OPERATORS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.floordiv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_FUNCTIONS: Mapping[str, Callable[..., int]] = {"min": min, "max": max}


def names_in(written: str) -> frozenset[str]:
    """The names that such a computation needs values of; none where it is no computation."""
    if len(written) > _LONGEST:
        return frozenset()
    try:
        tree = ast.parse(written.strip(), mode="eval").body
        names = frozenset(_names(tree))
    except (SyntaxError, ValueError):
        return frozenset()
    return names if not names.isdisjoint(NUMBERS) else frozenset()


def computed(written: str, values: Mapping[str, str]) -> str:
    """The result, rounded down, as shells do; raises SluiceError where there is none."""
    try:
        return str(_value(ast.parse(written.strip(), mode="eval").body, values))
    except ZeroDivisionError as error:
        raise SluiceError(
            tr("{name} divides by zero", name="{" + written + "}"),
            tr("leave out the value 0, or write max(threads, 1)"),
        ) from error
    except ValueError as error:
        raise SluiceError(
            tr("{name} is computed of whole numbers, and {why}", name=f"{{{written}}}", why=error),
            tr(
                "give numbers such as 32, and write units behind the braces: {example}",
                example="{32/threads}M",
            ),
        ) from error


def closed_up(line: str) -> str:
    """A line whose computations are without spaces, so that each is in one word."""
    return _COMPUTATION.sub(
        lambda match: match[0].replace(" ", "") if names_in(match[1]) else match[0], line
    )


def filled(text: str, values: Mapping[str, str]) -> str:
    """A value such as `{32/threads}M` with the results in place of the computations."""
    return _COMPUTATION.sub(
        lambda match: computed(match[1], values) if names_in(match[1]) else match[0], text
    )


def _names(tree: ast.expr) -> list[str]:
    """Raises ValueError where it is not made of names, whole numbers and operators."""
    match tree:
        case ast.Name(id=name):
            return [name]
        case ast.Constant(value=int()):
            return []
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return [*_names(left), *_names(right)]
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if (
            name in _FUNCTIONS and args
        ):
            return [inner for one in args for inner in _names(one)]
    raise ValueError


def _value(tree: ast.expr, values: Mapping[str, str]) -> int:
    match tree:
        case ast.Name(id=name):
            try:
                return int(values[name])
            except ValueError:
                raise ValueError(tr("{name} is {value}", name=name, value=values[name])) from None
        case ast.Constant(value=int(value)):
            return value
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATORS[type(op)](_value(left, values), _value(right, values))
        case ast.Call(func=ast.Name(id=name), args=args):
            return _FUNCTIONS[name](*(_value(one, values) for one in args))
    raise AssertionError(tree)


GIVEN = ("threads", "dataset", "each", "out", "n", "seed")
"""Placeholders that every operation has a value for."""

MOST_VALUES = 1000
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


type ArgumentPiece = str | Placeholder
"""A part of an argument: text, or what a value stands for."""


def pieces_of(written: str) -> Sequence[ArgumentPiece]:
    """The text and the placeholders of an argument, in order; raises InvalidParameter."""
    pieces: list[ArgumentPiece] = []
    end = 0
    for match in _FORM.finditer(written):
        pieces.append(written[end : match.start()])
        end = match.end()
        if match["derived"] is not None:
            is_one = bool(names_in(match["derived"]))
            pieces.append(Placeholder(match["derived"], derived=True) if is_one else match[0])
        elif match["name"] is None:
            pieces.append("{" + match["text"] + "}")
        else:
            pieces.append(_placeholder(match["name"], match["values"]))
    pieces.append(written[end:])
    return [piece for piece in pieces if piece != ""]


def values_in(written: str, name: str) -> tuple[str, ...]:
    """The values that `1..9` or `256M,1G` stand for, each once; raises InvalidParameter."""
    values: dict[str, None] = {}
    for one in split_values(written):
        match = _RANGE.fullmatch(one)
        if match is None:
            values[one] = None
            continue
        low, high = int(match[1]), int(match[2])
        if not low <= high < low + MOST_VALUES:
            raise InvalidParameter(
                "run",
                tr("the range of {name} goes from {low} to {high}", name=name, low=low, high=high),
                tr("write the smaller value first, and at most {most:,} values", most=MOST_VALUES),
            )
        values |= dict.fromkeys(str(value) for value in range(low, high + 1))
    if "" in values:
        raise InvalidParameter(
            "run",
            tr("{name} has an empty value", name="{" + name + "}"),
            tr("write its values as in {example}", example="{" + name + ":1..9}"),
        )
    return tuple(values)


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
