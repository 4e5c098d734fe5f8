"""What plots over time and the tiles of a running trial show, made once for every face."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, Any

from core.language import NOTHING, Unit, capitalised, show, show_rate, show_seconds, tr_word
from core.measure import describe_limits, usable_cores
from core.vocabulary import METRICS, Live, Metric, counter_metric, leading_keys, live_plots

if TYPE_CHECKING:  # the tiles, which the window has from the first, need no numpy
    import numpy as np
    from numpy.typing import NDArray

    from core.vocabulary import Moment

type Floats = NDArray[np.float64]

WORKERS = 5
"""The largest number of workers with curves of their own."""
CORES = ("busiest", "median", "idlest")
"""Columns of a plot of workers before those of single ones."""
_CURVES = 6
"""Curves that colours and markers tell apart."""
_PLAIN: Mapping[Unit, str] = {
    "seconds": "s",
    "bytes": "B",
    "share": "cores",
    "rate": "1/s",
    "byte_rate": "B/s",
    "time_rate": "s/s",
}
"""The units of plain values; shares are those of a core."""


@dataclass(frozen=True, kw_only=True)
class TimePlot:
    """One plot over time: `columns`, `drawn` as curves or only `reported` above them.

    Its own texts are in English; `title` and `names` are in the language of the window.
    """

    called: str
    metrics: tuple[str, ...]
    """Their keys."""
    columns: tuple[str, ...]
    units: tuple[Unit, ...]
    """One for each column; the first one's is the axis'."""
    grows: bool
    """Whether its values are rates, of which the mean stands for a longer time, else the peak."""
    drawn: tuple[int, ...]
    reported: tuple[int, ...] = ()
    compared: int = 0
    """The column that is drawn where there is a curve for each setting: that of the facts."""
    workers: int = 0
    """So many columns at the end are of single workers; only these are drawn while there are no
    more workers."""

    @property
    def title(self) -> str:
        return tr_word(self.called)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(map(tr_word, self.columns))

    @property
    def plain_titles(self) -> tuple[str, ...]:
        """The names of the columns in English, with the units of plain values."""
        plain = (_PLAIN.get(unit, "") for unit in self.units)
        pairs = zip(self.columns, plain, strict=True)
        return tuple(f"{name} ({unit})" if unit else name for name, unit in pairs)

    @property
    def logarithmic(self) -> bool:
        """Whether its axis is: latencies differ by decades."""
        return self.units[0] == "seconds"

    def text(self, column: int, value: float) -> str:
        """A value for people; a dash where it is unknown."""
        return show(value, self.units[column]) if math.isfinite(value) else NOTHING

    def drawn_of(self, workers: int) -> tuple[int, ...]:
        """The columns to draw, where there are so many workers."""
        if not self.workers:
            return self.drawn
        few = len(self.columns) - self.workers
        return tuple(range(few, few + max(workers, 1))) if workers <= self.workers else self.drawn

    @property
    def limit(self) -> float | None:
        """The most that its values can be, where that is known: files that a process can open."""
        return describe_limits().open_files_soft if "fds" in self.metrics else None

    @staticmethod
    def all(tallies: Sequence[str] = ()) -> tuple[TimePlot, ...]:
        """The plots of what metrics say of a moment, and one of what a workload counts itself."""
        return tuple(map(_plot_of, _known(tallies).values()))

    @staticmethod
    def values(
        moments: Sequence[Moment], before: Moment | None, tallies: Sequence[str] = ()
    ) -> tuple[Floats, Floats]:
        """Times of moments in order, and their values: a row for each, NaN = unknown.

        `before` is the moment that came just before them in their trial; its first has no rates.
        Columns: those of `all`.  Counts that grow become rates: those of the moments
        themselves, or else differences of neighbouring ones.  CPU times become shares of a core:
        of the busiest, median and idlest worker, then of the first `WORKERS` workers.
        """
        import numpy as np

        every = [before, *moments] if before is not None else list(moments)
        times = _column(every, lambda moment: moment.at)
        columns = []
        for _, live in chain.from_iterable(_known(tallies).values()):
            if live.workers:
                columns.append(_cpu(_rates(times, _workers(every, live.of), before) / 1e9))
            elif live.grows:
                between = _rates(times, _column(every, live.of)[:, None], before)
                if live.rate is not None:
                    measured = np.array([moment.measured is not None for moment in moments])
                    own_rates = _column(moments, live.rate)[:, None]
                    between = np.where(measured[:, None], own_rates, between)
                columns.append(between)
            else:
                columns.append(_column(moments, live.of)[:, None])
        return times[len(every) - len(moments) :], np.hstack(columns)


def _known(tallies: Sequence[str]) -> dict[str, list[tuple[Metric, Live]]]:
    plots = live_plots()
    for metric in map(counter_metric, tallies):
        if metric.live:
            plots.setdefault(metric.live.plot, []).append((metric, metric.live))
    return plots


def _plot_of(metrics: Sequence[tuple[Metric, Live]]) -> TimePlot:
    """The plot that some metrics share."""
    _, live = metrics[0]
    columns = tuple(one.curve for _, one in metrics)
    units = tuple(metric.plotted for metric, _ in metrics)
    drawn = tuple(place for place, (_, one) in enumerate(metrics) if one.drawn)[:_CURVES]
    if live.workers:
        columns = (*CORES, *(f"#{place + 1}" for place in range(WORKERS)))
        units, drawn = units * len(columns), tuple(range(len(CORES)))
    return TimePlot(
        called=live.plot,
        metrics=tuple(metric.key for metric, _ in metrics),
        columns=columns,
        units=units,
        grows=live.grows or live.workers,
        drawn=drawn,
        reported=() if live.workers else tuple(n for n in range(len(metrics)) if n not in drawn),
        compared=1 if live.workers else _compared(metrics, drawn),
        workers=WORKERS if live.workers else 0,
    )


def _compared(metrics: Sequence[tuple[Metric, Live]], drawn: Sequence[int]) -> int:
    of_facts = (place for place, (_, one) in enumerate(metrics) if one.tile)
    return next(of_facts, drawn[0])


def _rates(times: Floats, counts: Floats, before: Moment | None) -> Floats:
    import numpy as np

    elapsed = np.diff(times)
    elapsed[elapsed <= 0] = np.nan
    rates = np.diff(counts, axis=0) / elapsed[:, None]
    if before is not None:
        return rates
    return np.vstack((np.full((1, counts.shape[1]), np.nan), rates))


def _column(things: Sequence[Any], look: Callable[[Any], Any]) -> Floats:
    import numpy as np

    return np.array(list(map(look, things)), np.float64)  # None becomes NaN


def _workers(moments: Sequence[Moment], look: Callable[[Moment], Any]) -> Floats:
    """CPU nanoseconds, one column for each worker.

    NaN in moments with fewer workers: only started ones are counted, so that places can shift.
    """
    import numpy as np

    cpu_times = list(map(look, moments))
    most = max(map(len, cpu_times), default=0)
    whole = np.fromiter((len(cpu) == most for cpu in cpu_times), bool, len(cpu_times))
    table = np.full((len(cpu_times), most), np.nan)
    flat = chain.from_iterable(cpu for cpu in cpu_times if len(cpu) == most)
    table[whole] = np.fromiter(flat, float, int(whole.sum()) * most).reshape(int(whole.sum()), most)
    return table


def _cpu(shares: Floats) -> Floats:
    import numpy as np

    columns = np.full((len(shares), len(CORES) + WORKERS), np.nan)
    if shares.size:
        ordered = np.sort(shares, axis=1)  # NaN last, and a row has it everywhere or nowhere
        columns[:, 0], columns[:, 2] = ordered[:, -1], ordered[:, 0]
        columns[:, 1] = ordered[:, ordered.shape[1] // 2]
        single = min(shares.shape[1], WORKERS)
        columns[:, 3 : 3 + single] = shares[:, :single]
    return columns


def rate_between(
    before: Moment | None,
    moment: Moment,
    count: Callable[[Moment], float | None] = lambda sample: sample.done,
) -> float | None:
    """By how much a count grew per second, or since the clock started; by default the throughput.

    None before the clock has started, where no time went by, and where it is not known.
    """
    elapsed = moment.at - (before.at if before else 0.0)
    now, then = count(moment), count(before) if before else 0
    if elapsed <= 0 or moment.at <= 0 or now is None or then is None:
        return None
    return (now - then) / elapsed


def first_so_far(moment: Moment, workload: str) -> tuple[float | None, str]:
    """The figure in which that workload's users think, also for people: empty while it is None."""
    value = _leading_so_far(moment, workload)
    if value is None:
        return None, ""
    return value, show_seconds(value) if _is_time(workload) else show_rate(value)


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
    return METRICS[leading_keys(workload)[0]].unit != "rate"


@dataclass(frozen=True)
class LiveFigure:
    metric: Metric
    live: Live

    def title(self, workload: str = "") -> str:
        """What it is called; in place of the throughput it is the first figure of that workload."""
        if self._gives_way(workload):
            return tr_word(METRICS[leading_keys(workload)[0]].title)
        text = tr_word(self.live.tile or self.live.curve or self.metric.title)
        return capitalised(text)

    def _gives_way(self, workload: str) -> bool:
        """Whether this is the throughput, and that workload begins with another figure."""
        return self.metric.key == "throughput" and leading_keys(workload)[0] != "throughput"

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
            return rate_between(before, moment, lambda sample: sum(live.of(sample)) / 1e9)
        if live.grows and live.rate is not None and moment.measured is not None:
            return live.rate(moment)
        return rate_between(before, moment, live.of) if live.grows else live.of(moment)

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
