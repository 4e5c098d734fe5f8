"""How fast counts grow from one look at a running trial to the next: the same on every face."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.catalog.registry import leading
from core.language.units import show, show_rate, show_seconds
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


def first_so_far(moment: Moment, workload: str) -> str:
    """The figure in which that workload's users think, since the clock started; empty without one.

    In a single moment a program that takes longer ends no run.
    """
    (done, seconds), first = moment.work, METRICS[leading(workload)[0]]
    if done <= 0 or seconds <= 0:
        return ""
    rate = done / seconds
    return show_rate(rate) if first.unit == "rate" else show_seconds(1 / rate)


@dataclass(frozen=True)
class LiveFigure:
    """A figure of a running trial."""

    metric: Metric
    live: Live

    def title(self, workload: str = "") -> str:
        """In place of the throughput it shows the first figure of that workload."""
        first = METRICS[leading(workload)[0]]
        return first.title if self._other(workload) else self.live.tile

    def _other(self, workload: str) -> bool:
        return self.metric.key == "throughput" and leading(workload)[0] != "throughput"

    def text(self, moment: Moment, before: Moment | None, workload: str = "") -> str:
        """For people; empty where it is not known.  `before`: the moment before, if any."""
        if self._other(workload):
            return first_so_far(moment, workload)
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


def live_figures() -> tuple[LiveFigure, ...]:
    """All there are, in order."""
    every = METRICS.values()
    return tuple(LiveFigure(one, one.live) for one in every if one.live and one.live.tile)
