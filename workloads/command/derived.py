"""Values that are computed from others: `{32/threads}`, `{total // threads}`, in whole numbers."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping

from core import SluiceError, tr

NUMBERS = ("threads", "n", "seed")
"""At least one of these is in what is taken for a computation: other text in braces is left."""

_LONGEST = 200  # characters
_FORM = re.compile(r"(?<![{$])\{([a-z0-9_ +*/%(),-]+)\}")
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
        found = frozenset(_names(tree))
    except (SyntaxError, ValueError):
        return frozenset()
    return found if not found.isdisjoint(NUMBERS) else frozenset()


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
    return _FORM.sub(
        lambda match: match[0].replace(" ", "") if names_in(match[1]) else match[0], line
    )


def filled(text: str, values: Mapping[str, str]) -> str:
    """A value such as `{32/threads}M` with the results in place of the computations."""
    return _FORM.sub(
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
            return [found for one in args for found in _names(one)]
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
