"""The samples behind curves, and which of these are drawn, in full colour or muted.

Among many curves nobody can tell all apart: those that matter have colours and markers, the others
are muted.  A setting's place among all gives its colour, or the next free one, so that colours are
the same whenever the same settings have them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from app.plots.base.samples import Floats, Samples
from app.plots.time.timeline import Span

_BACK = 64
"""Rows in which the last known value is looked for."""


class Trace:
    """A row of all quantities for each moment; times are seconds on the axis."""

    def __init__(self, name: str = "", columns: int = 1) -> None:
        self.name = name
        self.samples = Samples(columns)
        self._broken = True
        self._seconds = 0.0
        self._operations = 0.0

    def add(self, times: Sequence[float], values: Floats) -> None:
        self.samples.extend(times, values)
        self._broken = False

    def interrupt(self, time: float) -> None:
        """Break the curves at a time, unless they are broken there already."""
        if not self._broken:
            self.samples.extend([time], np.full((1, self.samples.curves), np.nan))
            self._broken = True

    def count(self, operations: float, seconds: float) -> None:
        """So many operations more were done in so much time of its own clock."""
        self._operations += operations
        self._seconds += seconds

    @property
    def rate(self) -> float:
        """Operations per second of its own clock so far; 0 while unknown."""
        return self._operations / self._seconds if self._seconds > 0 else 0.0

    def take_over(self, other: Trace, span: Span) -> None:
        """Append what another trace has in a piece of time that is later than all of this one."""
        times, values = other.known(span)
        if times.size:
            self.interrupt(span.start)
            self.add(times.tolist(), values)
            rates, took = values[1:, 0], np.diff(times)  # operations/s are the first column
            known = np.isfinite(rates)
            self.count(float(np.sum(rates[known] * took[known])), float(np.sum(took[known])))

    def at(self, time: float | None) -> Floats:
        """The row just before a time, or the last one; NaN where nothing is known."""
        times = self.samples.times
        place = len(times) if time is None else int(np.searchsorted(times, time, side="right"))
        return self.samples.values[place - 1] if place else np.full(self.samples.curves, math.nan)

    def latest(self, column: int, time: float | None) -> float:
        """The last known value of a column before a time or of all, since the curves broke."""
        times = self.samples.times
        place = len(times) if time is None else int(np.searchsorted(times, time, side="right"))
        rows = self.samples.values[max(place - _BACK, 0) : place]
        broken = np.flatnonzero(np.isnan(rows).all(axis=1))
        rows = rows[broken[-1] + 1 :] if broken.size else rows
        known = np.flatnonzero(np.isfinite(rows[:, column]))
        return float(rows[known[-1], column]) if known.size else math.nan

    def within(self, span: Span | None) -> tuple[Floats, Floats]:
        """Times and rows of a piece of time, or all; rows that only break the line included."""
        times, values = self.samples.times, self.samples.values
        if span is None:
            return times, values
        begin, end = map(int, np.searchsorted(times, span))
        return times[begin:end], values[begin:end]

    def known(self, span: Span | None) -> tuple[Floats, Floats]:
        """The same without the rows that only break the line."""
        times, values = self.within(span)
        known = np.isfinite(values).any(axis=1)
        return times[known], values[known]


MOST = 6
"""The largest number of settings in full colour: as many as there are colours and markers."""
MOST_MUTED = 60
"""The largest number of others that are drawn: more are one grey area, and a second's work."""
_HOLD = 1.05
"""By how much a setting must be faster than one in colour to take its place: else colours would
flicker between settings that are equally fast."""


class Emphasised(NamedTuple):
    """Settings in full colour, with the places of their colours; and those that are decided."""

    ranks: Mapping[str, int]
    decided: Collection[str]
    hidden: Collection[str] = ()
    """Those whose curves are not drawn."""
    muted: tuple[str, ...] = ()
    """Others that are drawn, below those in full colour."""


class Emphasis:
    """Gives colours to a few settings; those that have some are not lightly replaced."""

    def __init__(self) -> None:
        self.picked: Collection[str] = ()
        """The settings that the user has selected."""
        self.hovered = ""
        """The setting under the mouse, which has a colour beside those that are chosen."""
        self.decided: frozenset[str] = frozenset()
        """The settings that are not measured any more."""
        self.hidden: frozenset[str] = frozenset()
        """The settings whose curves the user has hidden."""
        self._chosen: frozenset[str] = frozenset()

    def toggle(self, setting: str) -> None:
        """Hide the curves of a setting, or show them again."""
        self.hidden ^= {setting}

    def among(self, traces: Mapping[str, Trace]) -> Emphasised:
        """What is emphasised among these settings; nothing is where there is one alone."""
        decided = self.decided.intersection(traces)
        if len(traces) < 2:
            return Emphasised({}, decided)
        chosen = self._choose(traces)
        if self.hovered in traces and self.hovered not in chosen:
            chosen = [self.hovered, *chosen][:MOST]
        ranks: dict[str, int] = {}
        for place, key in enumerate(traces):
            if key in chosen:
                free = [rank for rank in range(MOST) if rank not in ranks.values()]
                ranks[key] = place % MOST if place % MOST in free else free[0]
        others = [key for key in traces if key not in ranks]
        # From all over, and the same ones as long as the same settings are in colour.
        muted = tuple(others[:: -(-len(others) // MOST_MUTED) or 1])
        return Emphasised(ranks, decided, self.hidden.intersection(traces), muted)

    def _choose(self, traces: Mapping[str, Trace]) -> list[str]:
        """The picked ones where there are any; else the fastest of those that are not decided, or
        of all once all are decided.
        """
        wanted = [key for key in traces if key in self.picked]
        wanted = wanted or [key for key in traces if key not in self.decided] or list(traces)
        rates = {key: traces[key].rate * (_HOLD if key in self._chosen else 1) for key in wanted}
        fastest = sorted(wanted, key=rates.__getitem__, reverse=True)[:MOST]
        self._chosen = frozenset(fastest)
        return fastest
