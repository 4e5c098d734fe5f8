"""How fast counts grow from one look at a running trial to the next: the same on every face."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.catalog.registry import leading
from core.host.environment import describe_limits
from core.host.processor import usable_cores
from core.language.translation import capitalised, tr_word
from core.language.units import show, show_rate, show_seconds
from core.result.metrics import METRICS, counter_metric, live_plots

if TYPE_CHECKING:
    from core.result.metric import Live, Metric
    from core.result.moments import Moment


def rate_between(
    before: Moment | None,
    moment: Moment,
    count: Callable[[Moment], float | None] = lambda seen: seen.done,
) -> float | None:
    """By how much a count grew per second, or since the clock started; by default the throughput.

    None before the clock has started, where no time went by, and where it is not known.
    """
    elapsed = moment.at - (before.at if before else 0.0)
    now, then = count(moment), count(before) if before else 0
    if elapsed <= 0 or moment.at <= 0 or now is None or then is None:
        return None
    return (now - then) / elapsed


def first_so_far(moment: Moment, workload: str) -> str:
    """The figure in which that workload's users think, for people; empty while there is none."""
    value = _leading_so_far(moment, workload)
    if value is None:
        return ""
    return show_seconds(value) if _is_time(workload) else show_rate(value)


def _leading_so_far(moment: Moment, workload: str) -> float | None:
    """The figure in which that workload's users think: seconds per operation, or a rate.

    Averaged since the clock started: one slow operation may span many looks, and between two of
    them the rate would be 0.  None until an operation has ended.
    """
    done, seconds = moment.work
    if done <= 0 or seconds <= 0:
        return None
    rate = done / seconds
    return 1 / rate if _is_time(workload) else rate


def _is_time(workload: str) -> bool:
    """Whether its users think in the time of an operation."""
    return METRICS[leading(workload)[0]].unit != "rate"


@dataclass(frozen=True)
class LiveFigure:
    """A figure of a running trial."""

    metric: Metric
    live: Live

    def title(self, workload: str = "") -> str:
        """What it is called; in place of the throughput it is the first figure of that workload."""
        if self._gives_way(workload):
            return tr_word(METRICS[leading(workload)[0]].title)
        text = tr_word(self.live.tile or self.live.curve or self.metric.title)
        return capitalised(text)

    def _gives_way(self, workload: str) -> bool:
        """Whether this is the throughput, and that workload begins with another figure."""
        return self.metric.key == "throughput" and leading(workload)[0] != "throughput"

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

    def value(self, moment: Moment, before: Moment | None, workload: str = "") -> float | None:
        """None where it is not known.  `before`: the moment before, if any."""
        if self._gives_way(workload):
            return _leading_so_far(moment, workload)
        live = self.live
        if live.workers:
            return rate_between(before, moment, lambda seen: sum(live.of(seen)) / 1e9)
        return self._rate(moment, before) if live.grows else live.of(moment)

    def _rate(self, moment: Moment, before: Moment | None) -> float | None:
        if self.live.rate is not None and moment.measured is not None:
            return self.live.rate(moment)
        return rate_between(before, moment, self.live.of)

    def text(self, value: float | None, workload: str = "") -> str:
        """For people; empty where it is not known."""
        unit = self.metric.unit if self.live.workers else self.metric.plotted
        if self._gives_way(workload) and _is_time(workload):
            unit = "seconds"
        return "" if value is None else show(value, unit)

    @staticmethod
    def all(tallies: Sequence[str] = ()) -> tuple[LiveFigure, ...]:
        """All there are, in order, and one for each of what a workload counts itself.

        A plot of which no metric names a tile has one of its first metric.
        """
        named: list[Metric] = []
        for plot in live_plots().values():
            named += [metric for metric, live in plot if live.tile] or [plot[0][0]]
        named.sort(key=list(METRICS.values()).index)
        named += map(counter_metric, tallies)
        return tuple(LiveFigure(one, one.live) for one in named if one.live)
