"""How fast counts grow from one look at a running trial to the next: the same on every face."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.host.environment import describe_limits, usable_cores
from core.language.translation import tr_word
from core.language.units import show
from core.result.metrics import METRICS, counter_metric, live_plots

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
class LiveFigure:
    """A figure of a running trial."""

    metric: Metric
    live: Live

    @property
    def title(self) -> str:
        """What it is called."""
        text = tr_word(self.live.tile or self.live.curve or self.metric.title)
        return f"{text[:1].upper()}{text[1:]}"

    @property
    def most(self) -> float | None:
        """The most that a process, or the machine, has of it; None where there is no such limit."""
        match self.metric.key:
            case "fds":
                return describe_limits().open_files_soft
            case "cores_used":
                return usable_cores()
            case _:
                return None

    def value(self, moment: Moment, before: Moment | None) -> float | None:
        """None where it is not known.  `before`: the moment before, if any."""
        live = self.live
        if live.workers:
            return rate_between(before, moment, lambda seen: sum(live.of(seen)) / 1e9)
        return rate_between(before, moment, live.of) if live.grows else live.of(moment)

    def text(self, value: float | None) -> str:
        """For people; empty where it is not known."""
        unit = self.metric.unit if self.live.workers else self.metric.plotted
        return "" if value is None else show(value, unit)


def live_figures(tallies: Sequence[str] = ()) -> tuple[LiveFigure, ...]:
    """All there are, in order, and one for each of what a workload counts itself.

    A plot of which no metric names a tile has one of its first metric.
    """
    named: list[Metric] = []
    for plot in live_plots().values():
        named += [metric for metric, live in plot if live.tile] or [plot[0][0]]
    named.sort(key=list(METRICS.values()).index)
    named += map(counter_metric, tallies)
    return tuple(LiveFigure(one, one.live) for one in named if one.live)
