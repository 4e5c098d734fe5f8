"""The plots of a run, made of what metrics say of a moment: their columns, units and axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from app.plots.base.quantity import Quantity
from app.plots.base.scales import Fit, binary_step, decades, decimal_step, from_zero
from core import Live, Metric, Unit, counter_metric, live_plots, show, show_share

WORKERS = 5
"""The largest number of workers with curves of their own."""
CORES = ("busiest", "median", "idlest")
"""Columns of a plot of workers before those of single ones."""
_CURVES = 6
"""Curves that colours and markers tell apart."""
_UNITS: Mapping[Unit, str] = {
    "seconds": "s",
    "bytes": "B",
    "rate": "1/s",
    "byte_rate": "B/s",
    "time_rate": "s/s",
}
_AXES: Mapping[Unit, Fit] = {
    "seconds": decades,
    "bytes": from_zero(lambda least: binary_step(max(least, 4096.0)), 4096.0),
    "count": from_zero(lambda least: max(decimal_step(least), 1.0), 4.0),
    "share": from_zero(lambda least: 0.25 if 0.2 < least <= 0.25 else decimal_step(least), 0.05),
}
_FROM_ZERO = from_zero(decimal_step, 1.0)


def live_quantities() -> tuple[Quantity, ...]:
    """One for each plot."""
    return tuple(map(quantity_of, live_plots().values()))


def columns_of(tallies: Sequence[str] = ()) -> int:
    """How many columns a trace has, which are those of `measures`."""
    return sum(len(quantity.columns) for quantity in live_quantities()) + len(tallies)


def counted_live(names: Sequence[str]) -> Quantity:
    """The plot of what a workload counts itself, such as retries; its columns are the last ones."""
    return quantity_of(counters_live(names))


def counters_live(names: Sequence[str]) -> list[tuple[Metric, Live]]:
    """The curves of what a workload counts itself."""
    return [(one, one.live) for one in map(counter_metric, names) if one.live]


def quantity_of(known: Sequence[tuple[Metric, Live]]) -> Quantity:
    """The plot that some metrics share; the first says what the axis is like."""
    first, live = known[0]
    keys = tuple(metric.key for metric, _ in known)
    if live.workers:
        columns = (*CORES, *(f"#{place + 1}" for place in range(WORKERS)))
        return Quantity(
            called=live.plot,
            metrics=keys,
            columns=columns,
            shows=(show_share,) * len(columns),
            units=("cores",) * len(columns),
            fit=_AXES["share"],
            drawn=tuple(range(len(CORES))),
            workers=WORKERS,
            compared=1,
        )
    drawn = [place for place, (_, one) in enumerate(known) if one.drawn][:_CURVES]
    return Quantity(
        called=live.plot,
        metrics=keys,
        columns=tuple(one.curve for _, one in known),
        shows=tuple(_shown(metric.plotted) for metric, _ in known),
        units=tuple(_UNITS.get(metric.plotted, "") for metric, _ in known),
        fit=_AXES.get(first.plotted, _FROM_ZERO),
        drawn=tuple(drawn),
        told=tuple(place for place in range(len(known)) if place not in drawn),
        plain=_power if first.plotted == "seconds" else float,
    )


def _power(logarithm: float) -> float:
    return float(10**logarithm)


def _shown(unit: Unit) -> Callable[[float], str]:
    """Times are plotted as their logarithms, as latencies differ by decades."""
    return lambda value: show(_power(value) if unit == "seconds" else value, unit)
