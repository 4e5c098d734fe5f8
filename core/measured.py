"""What the trials of a result come to: a typical value with its interval, for plots."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from core.result import Result
from core.summary import throughput

_FEWEST_TRIALS = 3


@dataclass(frozen=True, kw_only=True)
class Measured:
    """A throughput with its 95 % interval and those of its trials; None where there is none."""

    value: float | None
    low: float | None = None
    high: float | None = None
    trials: tuple[float, ...] = ()


def measured(result: Result) -> Measured:
    """The median of a result's trials; an interval from three trials on.

    Two trials have one too, but of a dozen times their distance: it hides all others in a plot.
    """
    from core.statistics import throughput_interval

    value, rates = throughput(result), tuple(result.values("throughput"))
    if value is None or len(rates) < _FEWEST_TRIALS or min(rates) <= 0.0:
        return Measured(value=value, trials=rates if value is not None else ())
    found = throughput_interval([[rate] for rate in rates])
    return Measured(value=value, low=found.low, high=found.high, trials=rates)


def relative(point: Measured, to: float) -> Measured:
    """The same as a ratio."""

    def over(value: float | None) -> float | None:
        return None if value is None else value / to

    return Measured(
        value=over(point.value),
        low=over(point.low),
        high=over(point.high),
        trials=tuple(rate / to for rate in point.trials),
    )


def cost(result: Result, metric: str, scale: float) -> Measured:
    """Seconds for `scale` of a metric that counts per second, as `measured` has throughput."""
    from core.statistics import throughput_interval

    rates = [rate / scale for rate in result.values(metric) if rate > 0.0] if result.valid else []
    if not rates:
        return Measured(value=None)
    trials = tuple(1.0 / rate for rate in rates)
    value = 1.0 / statistics.median(rates)
    if len(rates) < _FEWEST_TRIALS:
        return Measured(value=value, trials=trials)
    found = throughput_interval([[rate] for rate in rates])
    high = 1.0 / found.low if found.low > 0.0 else None
    return Measured(value=value, low=1.0 / found.high, high=high, trials=trials)
