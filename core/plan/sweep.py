"""A spec and the axes along which it is varied."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from core.catalog.load import Load
from core.catalog.parameters import Integer, Value, declared
from core.errors import UsageError
from core.plan.spec import RunSpec
from core.plan.specify import settled_each

if TYPE_CHECKING:
    from core.catalog.parameters import Kind, Real

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
            found = [low + (high - low) * share for share in shares]
        else:
            found = [low * (high / low) ** share for share in shares]
        if isinstance(kind, Integer):
            whole = (min(max(round(value), kind.low), kind.high) for value in found)
            return Axis(kind.name, tuple(dict.fromkeys(whole)))
        rounded = [low, *(float(f"{value:.4g}") for value in found[1:-1]), high]
        values = rounded if len(found) > 1 else [float(low)]
        return Axis(kind.name, tuple(dict.fromkeys(values)))

    @staticmethod
    def between(kind: Integer | Real, low: float, high: float) -> Axis:
        """A few values from one end to the other: what `low..high` means, where that is a few."""
        from core.plan.sweep_axes import between

        return Axis(kind.name, between(kind, low, high))

    @staticmethod
    def read(kind: Kind, written: str) -> Axis:
        """The values in `1,2,4` or `1..8`; raises UsageError and InvalidParameter."""
        from core.plan.sweep_axes import read_values

        return Axis(kind.name, read_values(kind, written))

    def written(self, kind: Kind) -> str:
        """Its values as a user types them."""
        from core.plan.sweep_axes import written_values

        return written_values(kind, self.values)


def title_of(workload: str, axes: Sequence[Axis]) -> str:
    """What a plan with these axes is called: `fasta by threads, cache`."""
    names = ", ".join(axis.name.replace("_", " ") for axis in axes)
    return f"{workload} by {names}" if names else workload


class Sweep(msgspec.Struct, frozen=True, kw_only=True):
    """A spec and the axes along which it is varied."""

    base: RunSpec
    axes: tuple[Axis, ...]
    asked: dict[str, Value] = {}
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

        What means nothing in a combination has its default there.
        A parameter without effect in the base has its default there, so `asked` is applied again in
        every combination.  Raises UsageError as `expand` does.
        """
        total = 1
        for axis in self.axes:
            total *= len(axis.values)
        if total > MOST_SPECS:
            raise UsageError(
                f"there would be {total:,} combinations", f"leave at most {MOST_SPECS:,}"
            )
        of_load = {kind.name for kind in declared(Load)}
        # Parameters and loads are checked once each, and not again in every combination of them.
        inside = self._varied(
            parameters_class, [axis for axis in self.axes if axis.name not in of_load]
        )
        outside = self._varied(
            parameters_class, [axis for axis in self.axes if axis.name in of_load]
        )
        found: dict[tuple[Value, ...], RunSpec] = {}
        for places in itertools.product(*(range(len(axis.values)) for axis in self.axes)):
            chosen = list(zip(self.axes, places, strict=True))
            found[tuple(axis.values[at] for axis, at in chosen)] = msgspec.structs.replace(
                self.base,
                parameters=inside[
                    tuple(at for axis, at in chosen if axis.name not in of_load)
                ].parameters,
                load=outside[tuple(at for axis, at in chosen if axis.name in of_load)].load,
            )
        return settled_each(found)

    def _varied(
        self, parameters_class: type[Any], axes: Sequence[Axis]
    ) -> dict[tuple[int, ...], RunSpec]:
        """The base at every combination of some axes, by the places of their values."""
        return {
            places: self.base.varied(
                parameters_class,
                self.asked
                | {axis.name: axis.values[at] for axis, at in zip(axes, places, strict=True)},
            )
            for places in itertools.product(*(range(len(axis.values)) for axis in axes))
        }
