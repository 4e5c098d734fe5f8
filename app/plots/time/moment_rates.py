"""Turns moments into plotted values: rates are differences of neighbouring moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter, methodcaller
from types import SimpleNamespace
from typing import Any

import numpy as np

from app.plots.base.pyramid import Floats
from core import Moment, operations_until, rates_between

WORKERS = 5
"""The largest number of workers with curves of their own."""

_NO_READING = SimpleNamespace(fds=None, dataset_fds=None, rss_anonymous=None, rss_file=None)


def measures(
    moments: Sequence[Moment], before: Moment | None, tallies: Sequence[str] = ()
) -> tuple[Floats, Floats]:
    """Times of moments in order, and their values: a row for each, NaN = unknown.

    `before` is the moment that came just before them in their trial; its first has no rates.
    Columns: operations/s, bytes/s; log10 of the seconds of p50 and p99; files open, those of the
    dataset; bytes anonymous, file-backed; CPU as shares of a core, of the busiest, median and
    idlest worker, then of the first `WORKERS` workers; what was counted under the names in
    `tallies`, per second.
    """
    every = [before, *moments] if before is not None else list(moments)
    readings: list[Any] = [moment.reading or _NO_READING for moment in moments]
    times = _column(every, attrgetter("at"))
    operations = np.fromiter(map(operations_until, every), float, len(every))
    counted = [
        _column([one.tallies for one in every], methodcaller("get", name)) for name in tallies
    ]
    counts = np.column_stack(
        (operations, _column(every, attrgetter("bytes")), *counted, _workers(every))
    )
    rates = rates_between(times, counts)
    if before is None:
        rates = np.vstack((np.full((1, counts.shape[1]), np.nan), rates))
    latency = _columns(moments, ("p50", "p99"))
    latency[latency <= 0] = np.nan
    columns = (
        rates[:, :2],
        np.log10(latency / 1e9),
        _columns(readings, ("fds", "dataset_fds")),
        _columns(readings, ("rss_anonymous", "rss_file")),
        _cpu(rates[:, 2 + len(tallies) :] / 1e9),
        rates[:, 2 : 2 + len(tallies)],
    )
    return times[len(every) - len(moments) :], np.hstack(columns)


def _column(things: Sequence[Any], look: Callable[[Any], Any]) -> Floats:
    return np.array(list(map(look, things)), np.float64)  # None becomes NaN


def _columns(things: Sequence[Any], names: Sequence[str]) -> Floats:
    return np.column_stack([_column(things, attrgetter(name)) for name in names])


def _workers(moments: Sequence[Moment]) -> Floats:
    """CPU nanoseconds, one column for each worker.

    NaN in moments with fewer workers: only started ones are counted, so that places can shift.
    """
    told = [moment.cpu for moment in moments]
    most = max(map(len, told), default=0)
    whole = np.fromiter((len(cpu) == most for cpu in told), bool, len(told))
    found = np.full((len(told), most), np.nan)
    flat = chain.from_iterable(cpu for cpu in told if len(cpu) == most)
    found[whole] = np.fromiter(flat, float, int(whole.sum()) * most).reshape(int(whole.sum()), most)
    return found


def _cpu(shares: Floats) -> Floats:
    found = np.full((len(shares), 3 + WORKERS), np.nan)
    if shares.size:
        ordered = np.sort(shares, axis=1)  # NaN last, and a row has it everywhere or nowhere
        found[:, 0], found[:, 2] = ordered[:, -1], ordered[:, 0]
        found[:, 1] = ordered[:, ordered.shape[1] // 2]
        shown = min(shares.shape[1], WORKERS)
        found[:, 3 : 3 + shown] = shares[:, :shown]
    return found
