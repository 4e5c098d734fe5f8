"""Reads and writes the axes of a sweep: `threads=1,2,4` or `threads=1..8`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from core.catalog.load import Load
from core.catalog.parameters import Flag, Integer, Real, declared, own_kinds
from core.errors import SluiceError, UnknownName, UsageError
from core.language.written_lists import listed, split_values
from core.plan.sweep import MOST_SPECS, Axis

if TYPE_CHECKING:
    from core.catalog.parameters import Kind, Value
    from core.catalog.workload import Workload


_STEPS = 4
"""Of a range of values that are too many to count up."""
_MANY = 16


def parameter(
    name: str, workload: Workload[Any], values: Mapping[str, Value] | None = None
) -> Kind:
    """The declaration of a load or workload parameter, or of one that `values` bring with them.

    Raises UnknownName.
    """
    own = own_kinds(workload.parameters, values or {})
    kinds = {kind.name: kind for kind in (*own, *declared(workload.parameters), *declared(Load))}
    wanted = name.replace("-", "_")
    if wanted not in kinds:
        raise UnknownName("parameter", name, tuple(kinds))
    return kinds[wanted]


def axis(
    written: str,
    workload: Workload[Any],
    every: Collection[str] = (),
    values_beside: Mapping[str, Value] | None = None,
) -> Axis:
    """The axis that `threads=1,2,4` or `threads=1..8` names; raises UsageError.

    A range of whole numbers doubles where the parameter's scale is logarithmic, else counts up;
    that of a parameter named in `every` always counts up.  Quotes keep a comma in a value.
    `values_beside`: those of the other parameters, which may bring the axis with them.
    """
    name, equals, values = written.partition("=")
    if not equals or not values:
        raise UsageError(
            f"{written!r} is not an axis", "write name=value,value,… such as threads=1,2,4,8"
        )
    kind = parameter(name, workload, values_beside)
    return Axis(kind.name, read_values(kind, values, every=every))


def read_values(kind: Kind, written: str, every: Collection[str] = ()) -> tuple[Value, ...]:
    """The values in `1,2,4` or `1..8`, as `axis` says; raises UsageError, InvalidParameter."""
    parsed: dict[Value, None] = {}
    for one in split_values(written):
        low, dots, high = one.partition("..")
        if dots and isinstance(kind, Integer):
            doubling = kind.scale != "linear" and kind.name not in every
            parsed |= dict.fromkeys(
                _range(kind, kind.parse(low), kind.parse(high), doubling=doubling)
            )
        else:
            parsed[kind.parse(one)] = None
    return tuple(parsed)


def between(kind: Integer | Real, low: float, high: float) -> tuple[Value, ...]:
    """A few values from one end to the other: what `low..high` means, or four of real numbers."""
    if isinstance(kind, Real):
        return Axis.spaced(kind, low, high, _STEPS).values
    doubling = kind.scale != "linear"
    if not doubling and high - low >= _MANY:
        return Axis.spaced(kind, low, high, _STEPS).values
    return tuple(_range(kind, int(low), int(high), doubling=doubling))


def _range(kind: Integer, low: int, high: int, *, doubling: bool) -> Iterable[int]:
    if low > high:
        raise UsageError(f"{kind.name}: {low}..{high} goes down", "write the smaller value first")
    if not doubling:
        if high - low >= MOST_SPECS:
            raise UsageError(
                f"{kind.name}: {low}..{high} are {high - low + 1:,} values",
                f"leave at most {MOST_SPECS:,}",
            )
        return range(low, high + 1)
    doubled = [low]
    while doubled[-1] * 2 < high:
        doubled.append(max(doubled[-1] * 2, 1))
    return [*doubled, high] if high != low else doubled


def written_values(kind: Kind, values: Sequence[Value], every: Collection[str] = ()) -> str:
    """Values as a user types them: `1..8` where that means just these, or `1,2,4`."""
    if isinstance(kind, Integer) and len(values) > 2:
        ends = f"{written(kind, values[0])}..{written(kind, values[-1])}"
        with suppress(SluiceError):  # values that go down are no range
            if read_values(kind, ends, every) == tuple(values):
                return ends
    return written_list(kind, values)


def written_list(kind: Kind, values: Sequence[Value]) -> str:
    """Values as a user types them, each by itself: `1,2,4`."""
    return ",".join(listed(written(kind, value)) for value in values)


def written(kind: Kind, value: Value) -> str:
    """A value as a user types it; `kind.parse` returns exactly the same value."""
    match kind:
        case Integer(unit="bytes"):
            for size, suffix in ((1 << 20, "MiB"), (1 << 10, "KiB")):
                if value and not int(value) % size:
                    return f"{int(value) // size}{suffix}"
            return str(value)
        case Real(unit=unit):
            text = repr(float(value)).removesuffix(".0")
            return f"{text}s" if unit == "seconds" else text
        case Flag():
            return "yes" if value else "no"
        case _:
            return str(value)
