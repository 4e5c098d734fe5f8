"""How fast counts grow from one look at a running trial to the next: the same on every face."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.language.units import show
from core.result.metrics import METRICS

if TYPE_CHECKING:
    from core.result.metric import Live, Metric
    from core.result.moments import Moment


def rate_between(
    before: Moment | None, moment: Moment, count: Callable[[Moment], float] = lambda seen: seen.done
) -> float | None:
    """By how much a count grew per second, or since the clock started; by default the throughput.

    None before the clock has started, and where no time went by.
    """
    elapsed = moment.at - (before.at if before else 0.0)
    if elapsed <= 0 or moment.at <= 0:
        return None
    return (count(moment) - (count(before) if before else 0)) / elapsed


@dataclass(frozen=True)
class Tile:
    """The newest figure of a running trial."""

    metric: Metric
    live: Live

    def text(self, moment: Moment, before: Moment | None) -> str:
        """For people; empty where it is not known.  `before`: the moment before, if any."""
        live, unit = self.live, self.metric.plotted
        if live.workers:
            value = rate_between(before, moment, lambda seen: sum(live.of(seen)) / 1e9)
            unit = self.metric.unit
        else:
            value = self._rate(moment, before) if live.grows else live.of(moment)
        return "" if value is None else show(value, unit)

    def _rate(self, moment: Moment, before: Moment | None) -> float | None:
        if self.live.rate is not None and moment.measured is not None:
            return self.live.rate(moment)
        return rate_between(before, moment, self.live.of)


def tiles() -> tuple[Tile, ...]:
    """All there are, in order."""
    every = METRICS.values()
    return tuple(Tile(one, one.live) for one in every if one.live and one.live.tile)
