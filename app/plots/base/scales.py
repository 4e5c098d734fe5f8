"""The ends and ticks of an axis: round numbers of the right kind.

Pure functions on numbers. Ends are round too, so that axes move rarely during a run.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import NamedTuple

_SECONDS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 15.0, 30.0)
_MINUTES = (1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440)
_CLOCK = _SECONDS + tuple(60.0 * minutes for minutes in _MINUTES)


class Scale(NamedTuple):
    """Ends of an axis and its ticks, in the axis' own coordinates."""

    low: float
    high: float
    step: float
    ticks: tuple[float, ...]


UNKNOWN = Scale(0.0, 1.0, 1.0, ())
"""Where there is nothing to show."""
_ONE_TWO_FIVE = (0.0, math.log10(2), math.log10(5))

type Fit = Callable[[float, float, int], Scale]
"""A scale around the lowest and highest value, with roughly at most that many ticks."""


def decimal_step(least: float) -> float:
    """The smallest of 1, 2, 5, 10, 20 … (times powers of ten) that is not below `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(n * power for n in (1, 2, 5, 10) if n * power >= least * (1 - 1e-9))


def binary_step(least: float) -> float:
    """The smallest power of two that is not below `least`."""
    return 2.0 ** math.ceil(math.log2(least) - 1e-9)


def clock_step(least: float) -> float:
    """The smallest step of a clock's face that is not below `least`; whole days above."""
    days = math.ceil(least / 86_400)
    return next((step for step in _CLOCK if step >= least), 86_400.0 * days)


def multiples(low: float, high: float, step: float) -> tuple[float, ...]:
    """Every multiple of the step from low to high."""
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return tuple(step * n for n in range(first, last + 1))


def from_zero(step_of: Callable[[float], float], least: float) -> Fit:
    """Scales that begin at 0 and end at the first tick above the highest value and `least`."""

    def fit(_low: float, high: float, ticks: int) -> Scale:
        if not math.isfinite(high):
            return UNKNOWN
        top = max(high, least)
        step = step_of(top / max(ticks, 1))
        top = step * math.ceil(top / step * (1 - 1e-9))
        return Scale(0.0, top, step, multiples(0.0, top, step))

    return fit


def decades(low: float, high: float, ticks: int) -> Scale:
    """A logarithmic scale; values, ends and ticks are base-10 logarithms.

    Ends are 1, 2 or 5 times a power of ten.  So are ticks where there is room; otherwise they are
    whole decades.
    """
    if not (math.isfinite(low) and math.isfinite(high)):
        return UNKNOWN
    first, last = math.floor(low), math.ceil(high)
    steps = [power + within for power in range(first, last + 1) for within in _ONE_TWO_FIVE]
    bottom = max(step for step in steps if step <= low + 1e-9)
    top = min(step for step in [*steps, last + 1.0] if step >= max(high, bottom + 0.3) - 1e-9)
    within = tuple(step for step in steps if bottom <= step <= top)
    if len(within) > ticks + 1:
        every = max(1, math.ceil((last - first) / max(ticks, 1)))
        whole = multiples(math.ceil(bottom), math.floor(top), every)
        within = whole if len(whole) > 1 else (bottom, *whole, top)
    return Scale(bottom, top, 1.0, tuple(dict.fromkeys(within)))


def powers_of_two(low: float, high: float) -> Scale:
    """Ends with some room beside the first and last value, all of them base-2 logarithms."""
    return Scale(low - 0.35, high + 0.35, 1.0, ())


AXES: Mapping[str, Fit] = {
    "seconds": from_zero(decimal_step, 1e-6),
    "bytes": from_zero(lambda least: binary_step(max(least, 4096.0)), 4096.0),
    "count": from_zero(lambda least: max(decimal_step(least), 1.0), 4.0),
    "share": from_zero(lambda least: 0.25 if 0.2 < least <= 0.25 else decimal_step(least), 0.05),
}
"""By units."""
FROM_ZERO = from_zero(decimal_step, 1.0)
"""For all others."""


def axis_of(unit: str, *, logarithmic: bool) -> Fit:
    """The scale for values of that unit, or for their base-10 logarithms."""
    return decades if logarithmic else AXES.get(unit, FROM_ZERO)


def growing_end(end: float) -> float:
    """A round time a little after `end`, so that a growing axis moves in steps."""
    return next(step for step in _growing() if step >= end)


def _growing() -> tuple[float, ...]:
    short = (5.0, 10.0, 15.0, 20.0, 30.0, 45.0)
    minutes = tuple(60.0 * n for n in (1, 1.5, 2, 3, 4, 5, 7.5, 10, 15, 20, 30, 45))
    hours = tuple(3600.0 * n for n in (1, 1.5, 2, 3, 4, 5, 6, 8, 10, 12, 15, 18, 21))
    return short + minutes + hours + tuple(86_400.0 * n for n in range(1, 1000))
