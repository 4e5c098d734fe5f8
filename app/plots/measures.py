"""From moments to the values that are plotted: rates are differences of neighbouring moments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from operator import attrgetter
from types import SimpleNamespace
from typing import Any

import numpy as np

from app.plots.pyramid import Floats
from core import Moment

WORKERS = 5
"""Most workers that are shown one by one."""

_NO_READING = SimpleNamespace(fds=None, dataset_fds=None, rss_anonymous=None, rss_file=None)


@dataclass(frozen=True, kw_only=True)
class Measures:
    """Rows of values at common times, NaN = unknown; one column for each curve.

    `rates`: operations/s and bytes/s. `latency`: log10 of the seconds of p50 and p99. `files`: all
    open, of the dataset. `memory`: bytes anonymous, file-backed. `cpu`: shares of a core: busiest,
    median and idlest worker, then the first `WORKERS` workers.
    """

    times: Floats
    rates: Floats
    latency: Floats
    files: Floats
    memory: Floats
    cpu: Floats


def measures(moments: Sequence[Moment], before: Moment | None) -> Measures:
    """Values of moments in order; `before` is the one that came just before them in their trial.

    The first moment of a trial has no rates.
    """
    every = [before, *moments] if before is not None else list(moments)
    readings: list[Any] = [moment.reading or _NO_READING for moment in moments]
    elapsed = np.diff(_column(every, attrgetter("at")))
    # Two looks at the same time have no rate between them.
    elapsed[elapsed <= 0] = np.nan
    operations = np.fromiter((sum(moment.operations) for moment in every), float, len(every))
    rates = np.column_stack((operations, _column(every, attrgetter("bytes"))))
    latency = np.column_stack([_column(moments, attrgetter(name)) for name in ("p50", "p99")])
    with np.errstate(divide="ignore"):
        latency = np.log10(latency / 1e9)
    latency[np.isinf(latency)] = np.nan
    known = before is not None
    return Measures(
        times=_column(moments, attrgetter("at")),
        rates=_per_second(rates, elapsed, known=known),
        latency=latency,
        files=_columns(readings, ("fds", "dataset_fds")),
        memory=_columns(readings, ("rss_anonymous", "rss_file")),
        cpu=_cpu(_per_second(_workers(every), elapsed, known=known) / 1e9),
    )


def _column(things: Sequence[Any], look: Callable[[Any], Any]) -> Floats:
    return np.array(list(map(look, things)), np.float64)  # None becomes NaN


def _columns(things: Sequence[Any], names: Sequence[str]) -> Floats:
    return np.column_stack([_column(things, attrgetter(name)) for name in names])


def _per_second(counts: Floats, elapsed: Floats, *, known: bool) -> Floats:
    """Rates between rows, one row for each moment; the first is NaN where nothing is before it."""
    found: Floats = np.diff(counts, axis=0) / elapsed[:, None]
    if not known and len(counts):
        found = np.vstack((np.full((1, counts.shape[1]), np.nan), found))
    return found


def _workers(moments: Sequence[Moment]) -> Floats:
    """CPU nanoseconds, one column for each worker.

    NaN in moments that saw fewer workers: only started ones are told, so that places may shift.
    """
    told = [moment.cpu for moment in moments]
    most = max(map(len, told), default=0)
    whole = np.fromiter((len(cpu) == most for cpu in told), bool, len(told))
    found = np.full((len(told), most), np.nan)
    flat = chain.from_iterable(cpu for cpu in told if len(cpu) == most)
    found[whole] = np.fromiter(flat, float, int(whole.sum()) * most).reshape(-1, most)
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
