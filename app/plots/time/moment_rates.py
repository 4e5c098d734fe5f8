"""Turns moments into plotted values: rates are differences of neighbouring moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from app.plots.base.pyramid import Floats
from app.plots.time.live_quantities import CORES, WORKERS, counters_live
from core import Moment, live_plots, rates_between


def measures(
    moments: Sequence[Moment], before: Moment | None, tallies: Sequence[str] = ()
) -> tuple[Floats, Floats]:
    """Times of moments in order, and their values: a row for each, NaN = unknown.

    `before` is the moment that came just before them in their trial; its first has no rates.
    Columns: those of `live_plots`, then what was counted under the names in `tallies`.  What
    grows is told per second; times as log10 of seconds; CPU as shares of a core, of the busiest,
    median and idlest worker, then of the first `WORKERS` workers.
    """
    every = [before, *moments] if before is not None else list(moments)
    known = [*chain.from_iterable(live_plots().values()), *counters_live(tallies)]
    times = _column(every, lambda moment: moment.at)
    columns = []
    for metric, live in known:
        if live.workers:
            columns.append(_cpu(_rates(times, _workers(every, live.of), before) / 1e9))
        elif live.grows:
            columns.append(_rates(times, _column(every, live.of)[:, None], before))
        else:
            values = _column(moments, live.of)[:, None]
            if metric.plotted == "seconds":
                values[values <= 0] = np.nan
                values = np.log10(values)
            columns.append(values)
    return times[len(every) - len(moments) :], np.hstack(columns)


def _rates(times: Floats, counts: Floats, before: Moment | None) -> Floats:
    rates = rates_between(times, counts)
    if before is not None:
        return rates
    return np.vstack((np.full((1, counts.shape[1]), np.nan), rates))


def _column(things: Sequence[Any], look: Callable[[Any], Any]) -> Floats:
    return np.array(list(map(look, things)), np.float64)  # None becomes NaN


def _workers(moments: Sequence[Moment], look: Callable[[Moment], Any]) -> Floats:
    """CPU nanoseconds, one column for each worker.

    NaN in moments with fewer workers: only started ones are counted, so that places can shift.
    """
    told = list(map(look, moments))
    most = max(map(len, told), default=0)
    whole = np.fromiter((len(cpu) == most for cpu in told), bool, len(told))
    found = np.full((len(told), most), np.nan)
    flat = chain.from_iterable(cpu for cpu in told if len(cpu) == most)
    found[whole] = np.fromiter(flat, float, int(whole.sum()) * most).reshape(int(whole.sum()), most)
    return found


def _cpu(shares: Floats) -> Floats:
    found = np.full((len(shares), len(CORES) + WORKERS), np.nan)
    if shares.size:
        ordered = np.sort(shares, axis=1)  # NaN last, and a row has it everywhere or nowhere
        found[:, 0], found[:, 2] = ordered[:, -1], ordered[:, 0]
        found[:, 1] = ordered[:, ordered.shape[1] // 2]
        shown = min(shares.shape[1], WORKERS)
        found[:, 3 : 3 + shown] = shares[:, :shown]
    return found
