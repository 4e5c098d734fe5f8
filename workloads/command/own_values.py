"""Own placeholders of a command as parameters: `{level:1..9}`, and `level=3` as text."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from functools import lru_cache

from core import Choice, Integer, InvalidParameter, Kind, Option, Text, Value, tr
from workloads.command.template import Template


def kinds_of_own(values: Mapping[str, Value]) -> tuple[Kind, ...]:
    """A parameter for each own placeholder; none where the command cannot be read."""
    return _kinds(str(values["run"]), bool(values["shell"]))


@lru_cache(maxsize=256)
def _kinds(run: str, shell: bool) -> tuple[Kind, ...]:
    try:
        placeholders = Template(run, shell=shell).own
    except InvalidParameter:
        return ()
    return tuple(_kind(name, allowed) for name, allowed in placeholders.items())


def _kind(name: str, allowed: tuple[str, ...]) -> Kind:
    """Whole numbers without a gap, one of a few values, or any text."""
    told = tr("Stands in the command as {name}.", name="{" + name + "}")
    if not allowed:
        return Text(name=name, default="", help=told)
    numbers = sorted(int(value) for value in allowed if value.lstrip("-").isdecimal())
    low, high = (numbers[0], numbers[-1]) if numbers else (0, 0)
    if len(allowed) > 1 and set(allowed) == {str(one) for one in range(low, high + 1)}:
        return Integer(name=name, default=int(allowed[0]), low=low, high=high, help=told)
    options = {value: Option(help=told) for value in allowed}
    return Choice(name=name, default=allowed[0], options=options, help=told)


def values_written(written: str) -> Mapping[str, str]:
    """The values in `level=3 memory=256M`; raises InvalidParameter."""
    try:
        words = shlex.split(written)
    except ValueError as error:
        raise _not_values(written) from error
    found: dict[str, str] = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name or not value or name in found:
            raise _not_values(written)
        found[name] = value
    return found


def _not_values(written: str) -> InvalidParameter:
    return InvalidParameter(
        "values",
        tr("{written!r} gives no values", written=written),
        tr("write each name once, as in level=3 memory=256M"),
    )
