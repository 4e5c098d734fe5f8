"""How a trial went from moment to moment: where it stood still, what grew, and where it changed.

An anomaly is reported only where it is out of proportion: at most one clean trial in a hundred,
with noise, warm-up and caches that fill, shows any, and 95 of a hundred leaks and jumps are found
(`tests/core/vocabulary/test_anomalies.py`).
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Sequence
from itertools import combinations, groupby, pairwise
from statistics import fmean, median, pstdev, stdev
from typing import TYPE_CHECKING, NamedTuple

from core.language import Seconds

if TYPE_CHECKING:
    from core.vocabulary.trial import Trial

HELD_BACK = 32 * 2**20
"""Bytes of results that each process holds back for verification: growth that is not the
workload's."""
_OBJECT = 120
"""Bytes that the interpreter needs in addition for each result."""


class Stall(NamedTuple):
    """The longest gap in which no operation ended."""

    at: Seconds
    seconds: Seconds
    p99: Seconds
    """The least p99 of requests at a steady rate, by all such gaps; 0 where they are too short."""


class Growth(NamedTuple):
    """Something that grew through the whole trial, without an end in sight."""

    start: float
    """Its value when the clock started, by the line through all readings."""
    per_second: float


class Change(NamedTuple):
    """Two levels of throughput, in operations per second."""

    at: Seconds
    before: float
    after: float
    once: bool
    """False: it went to and fro."""


class Anomalies(NamedTuple):
    """The anomalies of a trial; None stands for no anomaly of that sort."""

    stall: Stall | None = None
    files: Growth | None = None
    memory: Growth | None = None
    change: Change | None = None


def anomalies_of(trial: Trial) -> Anomalies:
    """The anomalies in its moments; raises SessionError if these cannot be read."""
    if len(trial.moments) < _FEWEST:
        return Anomalies()
    columns = _MomentColumns(trial)
    memory, least = columns.memory, columns.least_memory
    return Anomalies(
        stall=stall_in(columns.times, columns.done, trial.longest, trial.latency(0.9) or 0.0),
        files=growth_in(columns.file_times, columns.files, _LEAST_FILES) if columns.many else None,
        memory=growth_in(columns.memory_times, memory, least) if columns.many else None,
        change=change_in(columns.times, columns.succeeded, len(trial.workers)),
    )


_FEWEST = 20
"""Moments, or operations, that a trial needs before anything is reported."""
_LEAST_FILES = 10
_LEAST_MEMORY = 2 * 2**20
_LEAST_SHARE = 0.005
"""Least growth within a trial that counts: of memory in bytes, and as a share of its size."""


class _MomentColumns:
    """Columns of a trial's moments: a day of them is 30 MB, and some GB as objects."""

    def __init__(self, trial: Trial) -> None:
        self.times, self.done = array("d"), array("q")
        self.succeeded = array("q")
        """Without errors: they end a standstill, but are no throughput."""
        self.file_times, self.files = array("d"), array("d")
        self.memory_times, self.memory = array("d"), array("d")
        results = array("d")
        for moment in trial.moments:
            if moment.at <= 0:
                continue
            succeeded = sum(moment.operations)
            done = succeeded + moment.errors
            if self.times and moment.at <= self.times[-1]:  # its only worker's clock stood still
                self.done[-1], self.succeeded[-1] = done, succeeded
                continue
            self.times.append(moment.at)
            self.done.append(done)
            self.succeeded.append(succeeded)
            if (reading := moment.reading) is None:
                continue
            if reading.fds is not None:
                self.file_times.append(moment.at)
                self.files.append(reading.fds)
            # Pages of mapped files stay until their room is needed.
            own = reading.rss if reading.rss_anonymous is None else reading.rss_anonymous
            self.memory_times.append(moment.at)
            self.memory.append(own)
            most = HELD_BACK * max(reading.processes, 1)
            part = min(1.0, most / moment.bytes) if moment.bytes else 1.0
            results.append(part * (moment.bytes + _OBJECT * done))
        skipped = int(_WARM_UP * len(results))
        result_growth = max(results[skipped:], default=0.0) - (results[skipped] if results else 0.0)
        usual = median(self.memory) if self.memory else 0.0
        self.least_memory = max(_LEAST_MEMORY, _LEAST_SHARE * usual) + result_growth
        # What grows within one long operation may end with it.
        self.many = bool(self.done) and self.done[-1] >= _FEWEST and not trial.nodes


# Stalls.

_SHORTEST: Seconds = 0.4
"""Moments are a tenth of a second apart."""
_FACTOR = 5
"""Times the usual length from which a gap is reported."""
_LOGARITHMS = 4
"""Of a normal distribution nine of ten lie below 1.28 standard deviations; four times that is
5.1, above which lies one of six million."""


def stall_in(
    times: Sequence[float],
    done: Sequence[int],
    longest: Seconds | None = None,
    usual: Seconds = 0.0,
) -> Stall | None:
    """The gaps between two ends of operations that are out of proportion.

    `times`, `done`: operations of all workers at each moment, of a clock that rests with them.
    `longest`: of all operations, where it is known; without one as long nothing stood still.
    `usual`: seconds that most operations take.

    A gap counts from five times as long as nine of ten, and where lengths vary, from five standard
    deviations of their logarithms above the median.

    p99: four workers that wait for a frozen server ask it nothing, so that a second of ten is four
    operations of some hundreds (coordinated omission: G. Tene, "How NOT to Measure Latency", 2013;
    HdrHistogram's `recordValueWithExpectedInterval` fills in the same requests).  Requests at a
    steady rate r over the time measured T come r·g times within a gap g, evenly, and wait until its
    end: of r·T requests r·(g − w) wait longer than w.  These are 1 % where the sum of (g − w) over
    all gaps longer than w is T / 100; the rate cancels out.  It is the least, because requests that
    have gathered also wait for each other.
    """
    gaps = _gaps(times, done)
    if len(gaps) < _FEWEST // 2:
        return None
    apart = median(now - before for before, now in pairwise(times))
    lengths = sorted(gap.least + apart for gap in gaps)
    half, most = median(lengths), lengths[int(0.9 * len(lengths))]
    limit = max(_SHORTEST, _FACTOR * most, half * (most / half) ** _LOGARITHMS, _FACTOR * usual)
    stalls = sorted((gap for gap in gaps if gap.least >= limit), key=lambda gap: -gap.least)
    if not stalls or (longest is not None and longest < 0.8 * stalls[0].least):
        return None
    seconds = [gap.least for gap in stalls]
    if longest is not None:  # it began before the gap, within an operation
        seconds[0] = max(seconds[0], min(longest, stalls[0].most) - usual)
    return Stall(stalls[0].at, seconds[0], _steady_p99(seconds, times[-1]))


class _Gap(NamedTuple):
    at: Seconds
    least: Seconds
    """From the first to the last moment with the same operations."""
    most: Seconds
    """From the moment before to the one after."""


def _gaps(times: Sequence[float], done: Sequence[int]) -> list[_Gap]:
    """Gaps between the first operation's end and the last one's."""
    gaps = []
    before: float | None = None
    since = times[0] if times else 0.0
    for (last, count), (now, more) in pairwise(zip(times, done, strict=True)):
        if more == count:
            continue
        if before is not None:
            gaps.append(_Gap(since, last - since, now - before))
        before, since = last, now
    return gaps


def _steady_p99(gaps: Sequence[Seconds], measured: Seconds) -> Seconds:
    """`gaps`: the longest first."""
    total, wait = 0.0, 0.0
    for count, gap in enumerate(gaps, start=1):
        total += gap
        wait = max(wait, (total - measured / 100) / count)
    return wait


# Growth.

_WARM_UP = 0.2
"""Part of a trial in which caches fill."""
_PARTS = 6
_STEADY = 0.8
"""Standard deviations of its twelve steps that the mean step has at least: one random walk in a
hundred fulfils all conditions."""
_LINE = 48
"""Points of the line, each the median of some readings."""


def growth_in(times: Sequence[float], values: Sequence[float], least: float) -> Growth | None:
    """The growth of a figure through the whole trial but its warm-up.

    The slope is that of Theil and Sen: the median of the slopes between all pairs (P. K. Sen,
    "Estimates of the Regression Coefficient Based on Kendall's Tau", 1968).  All six parts of the
    time must take part in it, none with the half of all, and the last two with three quarters of
    their share: what fills up and then stays, goes to and fro, or jumps, is no leak.  `least`:
    growth below which there is none.
    """
    if len(values) < _FEWEST:
        return None
    first = bisect_left(times, times[0] + _WARM_UP * (times[-1] - times[0]))
    times, values = times[first:], values[first:]
    if len(values) < 2 * _PARTS:
        return None
    steps = [b - a for a, b in pairwise(value for _, value in _medians(times, values, _PARTS))]
    whole = sum(steps)
    share = whole / len(steps)
    if min(steps) < 0.3 * share or max(steps) > 2.5 * share or sum(steps[-2:]) < 1.5 * share:
        return None
    finer = [b - a for a, b in pairwise(value for _, value in _medians(times, values, 2 * _PARTS))]
    if fmean(finer) < _STEADY * stdev(finer):
        return None
    points = _medians(times, values, min(_LINE, len(values)))
    slope = median((y - v) / (x - u) for (u, v), (x, y) in combinations(points, 2) if x > u)
    if slope * (times[-1] - times[0]) < least:
        return None
    return Growth(median(value - slope * at for at, value in points), slope)


def _medians(
    times: Sequence[float], values: Sequence[float], parts: int
) -> list[tuple[float, float]]:
    """The middle time and value of each of `parts` equal parts."""
    edges = [len(values) * part // parts for part in range(parts + 1)]
    return [(median(times[a:b]), median(values[a:b])) for a, b in pairwise(edges)]


# Levels.

_BIN: Seconds = 0.2
_BINS, _FEWEST_BINS = 24, 12
_OPERATIONS_IN_BIN = 50
_CLAIMED: Seconds = 0.02
"""Time of the operations that a worker claims at once, and counts when they are done."""
_APART, _LEAST_CHANGE = 5.0, 0.06
"""Levels are so many standard deviations apart (by the median deviation): two halves of a normal
distribution are 2.3, of a slope 2.7, of a wave 3.8.  And they differ by that share."""


_DWELL = 4
"""Bins for which a level lasts on average: faster changes are noise."""


def change_in(times: Sequence[float], done: Sequence[int], workers: int = 1) -> Change | None:
    """Two levels of throughput, each of at least a fifth of the time, that hardly overlap.

    The levels are those that split the rates with the least variance within (N. Otsu, "A Threshold
    Selection Method from Gray-Level Histograms", 1979).
    """
    if len(times) < _FEWEST_BINS or done[-1] <= 0:
        return None
    measured = times[-1] - times[0]
    length = max(measured / _BINS, _BIN, _OPERATIONS_IN_BIN * measured / done[-1])
    rates = _rates(times, done, length)
    rates = rates[max(1, len(rates) // 10) :]  # the first are warm-up
    if len(rates) < _FEWEST_BINS:
        return None
    ordered = sorted(rate for _, rate in rates)
    fewest = max(2, len(ordered) // 5)
    low, high = min(
        ((ordered[:k], ordered[k:]) for k in range(fewest, len(ordered) - fewest + 1)),
        key=lambda two: sum(len(one) * pstdev(one) ** 2 for one in two),
    )
    slower, faster = median(low), median(high)
    apart = faster - slower
    # A bin in which it changed lies between both.
    within = 1.4826 * median([*(abs(r - slower) for r in low), *(abs(r - faster) for r in high)])
    # Counts come in chunks, and are whole.
    coarse = max(_CLAIMED / length, workers / (faster * length)) * faster * 0.4 if faster else 0.0
    if apart < _LEAST_CHANGE * faster or apart < max(_APART * within, 4 * coarse):
        return None
    runs = [
        (level, [at for at, _ in run])
        for level, run in groupby(rates, key=lambda one: one[1] > (slower + faster) / 2)
    ]
    fast = sum(len(starts) for level, starts in runs if level)
    if len(runs) > len(rates) / _DWELL or not fewest <= fast <= len(rates) - fewest:
        return None
    before, after = (faster, slower) if runs[0][0] else (slower, faster)
    return Change(runs[1][1][0], before, after, once=len(runs) == 2)


def _rates(
    times: Sequence[float], done: Sequence[int], length: Seconds
) -> list[tuple[float, float]]:
    """Start and rate of bins of about that length, each from one moment to another."""
    rates, start = [], 0
    for place in range(1, len(times)):
        elapsed = times[place] - times[start]
        if elapsed >= 0.95 * length:
            rates.append((times[start], (done[place] - done[start]) / elapsed))
            start = place
    return rates
