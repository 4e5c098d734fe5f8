"""A spec and the axes along which it is varied, as they are written: `threads=1,2,4` or `1..8`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from core.language import SluiceError, UnknownName, UsageError, listed, split_values
from core.vocabulary.declarations import declared, own_kinds
from core.vocabulary.load import Load
from core.vocabulary.parameters import Flag, Integer, Real, Value
from core.vocabulary.spec import RunSpec
from core.vocabulary.specs_from_values import settled_each

if TYPE_CHECKING:
    from core.vocabulary.parameters import Kind
    from core.vocabulary.workload import Workload


MOST_SPECS = 10_000
"""Combinations of a sweep, and values of a range."""


class Axis(msgspec.Struct, frozen=True):
    """One parameter of a sweep and the values it takes."""

    name: str
    values: tuple[Value, ...]

    @staticmethod
    def spaced(kind: Integer | Real, low: float, high: float, steps: int) -> Axis:
        """`steps` values from low to high, even on the parameter's scale; integers once."""
        gaps = max(steps - 1, 1) if low != high else 0
        shares = [step / gaps for step in range(steps)] if gaps else [0.0]
        if kind.scale == "linear" or low <= 0:
            spaced = [low + (high - low) * share for share in shares]
        else:
            spaced = [low * (high / low) ** share for share in shares]
        if isinstance(kind, Integer):
            whole = (min(max(round(value), kind.low), kind.high) for value in spaced)
            return Axis(kind.name, tuple(dict.fromkeys(whole)))
        rounded = [low, *(float(f"{value:.4g}") for value in spaced[1:-1]), high]
        values = rounded if len(spaced) > 1 else [float(low)]
        return Axis(kind.name, tuple(dict.fromkeys(values)))

    @staticmethod
    def between(kind: Integer | Real, low: float, high: float) -> Axis:
        """A few values from one end to the other: all of `low..high`, if they are few."""
        doubling = kind.scale != "linear"
        if isinstance(kind, Real) or (not doubling and high - low >= _MANY):
            return Axis.spaced(kind, low, high, _STEPS)
        return Axis(kind.name, tuple(_range(kind, int(low), int(high), doubling=doubling)))

    @staticmethod
    def read(kind: Kind, written: str) -> Axis:
        """The values in `1,2,4` or `1..8`; raises UsageError and InvalidParameter."""
        return Axis(kind.name, read_values(kind, written))

    def written(self, kind: Kind) -> str:
        return written_values(kind, self.values)


def title_of(workload: str, axes: Sequence[Axis]) -> str:
    """The title of a plan with these axes: `fasta by threads, cache`."""
    names = ", ".join(axis.name.replace("_", " ") for axis in axes)
    return f"{workload} by {names}" if names else workload


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """A spec and the axes along which it is varied."""

    base: RunSpec
    axes: tuple[Axis, ...]
    fixed: dict[str, Value] = {}
    """Values beside the axes, such as a cache's size.  A value without effect in the base is kept,
    because it can have one elsewhere along an axis."""

    def expand(self, parameters_class: type[Any]) -> tuple[RunSpec, ...]:
        """Every distinct combination, the last axis varying fastest.

        Combinations that differ only in a parameter without effect there are one spec.
        Raises UsageError where there would be more than ten thousand.
        """
        specs = self.combinations(parameters_class).values()
        return tuple({spec.digest: spec for spec in specs}.values())

    def combinations(self, parameters_class: type[Any]) -> dict[tuple[Value, ...], RunSpec]:
        """The spec of every combination by the axes' values, the last axis varying fastest.

        Parameters that mean nothing in a combination have their defaults there.  One without effect
        in the base has its default there, so `fixed` is applied again in every combination.  Raises
        UsageError as `expand` does.
        """
        total = math.prod(len(axis.values) for axis in self.axes)
        if total > MOST_SPECS:
            raise UsageError(
                f"there would be {total:,} combinations", f"leave at most {MOST_SPECS:,}"
            )
        of_load = {kind.name for kind in declared(Load)}
        # Parameters and loads are checked once each, and not again in every combination of them.
        own_axes = [axis for axis in self.axes if axis.name not in of_load]
        load_axes = [axis for axis in self.axes if axis.name in of_load]
        inside = self._varied(parameters_class, own_axes)
        outside = self._varied(parameters_class, load_axes)
        combinations: dict[tuple[Value, ...], RunSpec] = {}
        for places in itertools.product(*(range(len(axis.values)) for axis in self.axes)):
            chosen = list(zip(self.axes, places, strict=True))
            own = inside[tuple(at for axis, at in chosen if axis.name not in of_load)]
            load = outside[tuple(at for axis, at in chosen if axis.name in of_load)].load
            combinations[tuple(axis.values[at] for axis, at in chosen)] = msgspec.structs.replace(
                self.base, parameters=own.parameters, load=load
            )
        return settled_each(combinations)

    def _varied(
        self, parameters_class: type[Any], axes: Sequence[Axis]
    ) -> dict[tuple[int, ...], RunSpec]:
        """The base at every combination of some axes, by the places of their values."""
        return {
            places: self.base.varied(
                parameters_class,
                self.fixed
                | {axis.name: axis.values[at] for axis, at in zip(axes, places, strict=True)},
            )
            for places in itertools.product(*(range(len(axis.values)) for axis in axes))
        }


_STEPS = 4
"""Values of a range that is too long to count up."""
_MANY = 16


def parameter(
    name: str, workload: Workload[Any], values: Mapping[str, Value] | None = None
) -> Kind:
    """The declaration of a load or workload parameter, or of one that `values` bring with them.

    Raises UnknownName.
    """
    own = own_kinds(workload.parameters, values or {})
    kinds = {kind.name: kind for kind in (*own, *declared(workload.parameters), *declared(Load))}
    key = name.replace("-", "_")
    if key not in kinds:
        raise UnknownName("parameter", name, tuple(kinds))
    return kinds[key]


def axis(
    written: str,
    workload: Workload[Any],
    every: Collection[str] = (),
    values_beside: Mapping[str, Value] | None = None,
) -> Axis:
    """The axis that `threads=1,2,4` or `threads=1..8` names; raises UsageError.

    A range of whole numbers doubles where the parameter's scale is logarithmic, else counts up;
    a parameter named in `every` always counts up.  Quotes keep a comma in a value.
    `values_beside`: values of the other parameters, which may bring the axis with them.
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
    if isinstance(kind, Integer | Real):
        kind.require_list(written)
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
    """Values as a user types them: `1..8` where it means the same, or `1,2,4`."""
    if isinstance(kind, Integer) and len(values) > 2:
        ends = f"{written(kind, values[0])}..{written(kind, values[-1])}"
        with suppress(SluiceError):  # values that go down are no range
            if read_values(kind, ends, every) == tuple(values):
                return ends
    return written_list(kind, values)


def written_list(kind: Kind, values: Sequence[Value]) -> str:
    """Values as a user types them, each by itself: `1,2,4`."""
    return ",".join(listed(_written_among(kind, value)) for value in values)


def _written_among(kind: Kind, value: Value) -> str:
    """A value that cannot be read as one number with its neighbour in a list: `0B,1KiB`."""
    text = written(kind, value)
    match kind:
        case Integer(unit="bytes") if text.isdecimal():
            return f"{text}B"
        case Real() if text.isdecimal():
            return f"{text}.0"
        case _:
            return text


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
