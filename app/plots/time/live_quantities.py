"""The plots of a run, made of what metrics say of a moment: their columns, units and axes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from app.plots.base.quantity import Quantity
from app.plots.base.scales import Fit, binary_step, decades, decimal_step, from_zero
from core import (
    METRICS,
    Live,
    Metric,
    Unit,
    counter_metric,
    show,
    show_byte_rate,
    show_rate,
    show_seconds,
    show_share,
)

WORKERS = 5
"""The largest number of workers with curves of their own."""
CORES = ("busiest", "median", "idlest")
"""Columns of a plot of workers before those of single ones."""
_CURVES = 6
"""Curves that colours and markers tell apart."""
_RATES: Mapping[Unit, tuple[Callable[[float], str], str]] = {
    "byte_rate": (show_byte_rate, "B/s"),
    "bytes": (show_byte_rate, "B/s"),
    "seconds": (lambda value: f"{show_seconds(value)}/s", "s/s"),
}
"""How a count that grows is shown, and its unit; others by `show_rate`."""
_UNITS: Mapping[Unit, str] = {"seconds": "s", "bytes": "B", "rate": "1/s", "byte_rate": "B/s"}
_AXES: Mapping[Unit, Fit] = {
    "seconds": decades,
    "bytes": from_zero(lambda least: binary_step(max(least, 4096.0)), 4096.0),
    "count": from_zero(lambda least: max(decimal_step(least), 1.0), 4.0),
    "share": from_zero(lambda least: 0.25 if 0.2 < least <= 0.25 else decimal_step(least), 0.05),
}
_FROM_ZERO = from_zero(decimal_step, 1.0)


def live_metrics() -> list[tuple[Metric, Live]]:
    """The metrics with curves, those of one plot together, in the order of the plots."""
    known = [(metric, metric.live) for metric in METRICS.values() if metric.live]
    plots = list(dict.fromkeys(live.plot for _, live in known))
    return sorted(known, key=lambda one: plots.index(one[1].plot))


def live_quantities() -> tuple[Quantity, ...]:
    """One for each plot."""
    plots: dict[str, list[Metric]] = {}
    for metric, live in live_metrics():
        plots.setdefault(live.plot, []).append(metric)
    return tuple(quantity_of(metrics) for metrics in plots.values())


def columns_of(tallies: Sequence[str] = ()) -> int:
    """How many columns a trace has, which are those of `measures`."""
    return sum(len(quantity.columns) for quantity in live_quantities()) + len(tallies)


def counted_live(names: Sequence[str]) -> Quantity:
    """The plot of what a workload counts itself, such as retries; its columns are the last ones."""
    return quantity_of([counter_metric(name) for name in names])


def quantity_of(metrics: Sequence[Metric]) -> Quantity:
    """The plot that some metrics share; the first says what the axis is like."""
    known = [(metric, metric.live) for metric in metrics if metric.live]
    first, live = known[0]
    keys = tuple(metric.key for metric in metrics)
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
    logarithmic = is_logarithmic(first, live)
    drawn = [place for place, (_, one) in enumerate(known) if one.drawn][:_CURVES]
    return Quantity(
        called=live.plot,
        metrics=keys,
        columns=tuple(one.curve for _, one in known),
        shows=tuple(_shown(metric.unit, one) for metric, one in known),
        units=tuple(_unit(metric.unit, one) for metric, one in known),
        fit=_FROM_ZERO if live.grows else _AXES.get(first.unit, _FROM_ZERO),
        drawn=tuple(drawn),
        told=tuple(place for place in range(len(known)) if place not in drawn),
        plain=_power if logarithmic else float,
    )


def is_logarithmic(metric: Metric, live: Live) -> bool:
    """Whether values are plotted as their logarithms, as those of latencies are."""
    return metric.unit == "seconds" and not live.grows


def _power(logarithm: float) -> float:
    return float(10**logarithm)


def _shown(unit: Unit, live: Live) -> Callable[[float], str]:
    if live.grows:
        return _RATES.get(unit, (show_rate, ""))[0]
    if unit == "seconds":
        return lambda logarithm: show_seconds(_power(logarithm))
    return lambda value: show(value, unit)


def _unit(unit: Unit, live: Live) -> str:
    return _RATES.get(unit, (show_rate, "1/s"))[1] if live.grows else _UNITS.get(unit, "")
