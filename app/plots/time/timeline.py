"""The places of trials on the time axis.

Pieces of the axis follow each other with a short pause between.  A trial that was measured on its
own has a piece to itself; the trials of a block in turns share one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from core import Moment


class Span(NamedTuple):
    """A piece of the time axis, in seconds."""

    start: float
    end: float

    @property
    def length(self) -> float:
        return self.end - self.start


PAUSE = 0.5
"""Seconds that pieces stand apart."""


def behind(end: float) -> float:
    """Where the next piece begins.

    It does so at a whole microsecond, for a recording to lie exactly where it did live, though its
    end was added up in another order.
    """
    return round(end + PAUSE, 6)


@dataclass(kw_only=True)
class Part:
    """The part of a piece in which a trial was measured; `end` is None while it goes on."""

    start: float
    end: float | None = None


@dataclass(kw_only=True)
class Piece:
    """A piece of the axis, and by index the trials in it; `end` is None while it goes on."""

    start: float
    end: float | None = None
    parts: dict[int, Part] = field(default_factory=dict)

    def span(self, index: int, now: float) -> Span:
        """Where that trial is; `now` ends what goes on."""
        part = self.parts[index]
        ends = (part.end, self.end, now)
        return Span(part.start, max(next(end for end in ends if end is not None), part.start))


class Timeline:
    """The trials that are shown, in their order; all times are seconds on the axis."""

    def __init__(self) -> None:
        self._pieces: list[Piece] = []
        self._places: dict[int, int] = {}

    def __len__(self) -> int:
        return len(self._pieces)

    def begin(self, start: float, end: float | None = None) -> None:
        """Begin a piece behind all others."""
        if self._pieces and self._pieces[-1].end is None:
            self._pieces[-1].end = max(start - PAUSE, self._pieces[-1].start)
        self._pieces.append(Piece(start=start, end=end))

    def join(self, index: int, start: float, end: float | None = None) -> None:
        """Give the trial of that index a part of the last piece, unless it has one already."""
        if index not in self._places:
            self._pieces[-1].parts[index] = Part(start=start, end=end)
            self._places[index] = len(self._pieces) - 1

    def part_of(self, index: int) -> Part | None:
        """The part of that trial; None if it has none."""
        place = self._places.get(index)
        return None if place is None else self._pieces[place].parts[index]

    def piece_of(self, index: int) -> Piece:
        """The piece of that trial, which must be on the axis."""
        return self._pieces[self._places[index]]

    def at(self, time: float) -> Piece | None:
        """The piece that is shown at a time; the first one before there is any."""
        return self._pieces[self._place_of(time)] if self._pieces else None

    def _place_of(self, time: float) -> int:
        return max(bisect_right(self._pieces, time, key=lambda piece: piece.start) - 1, 0)

    def holds(self, indexes: Collection[int]) -> bool:
        """Whether all these trials are on the axis."""
        return all(index in self._places for index in indexes)

    def covered_by(self, indexes: Collection[int]) -> bool:
        """Whether every piece has one of these trials."""
        return len({self._places[n] for n in indexes if n in self._places}) == len(self)

    def between(self, span: Span, now: float) -> tuple[int, ...]:
        """Indexes of the trials that have any part in a piece of time; `now` ends the last one."""
        first = self._place_of(span.start)
        last = bisect_right(self._pieces, span.end, key=lambda piece: piece.start)
        return tuple(
            index
            for piece in self._pieces[first:last]
            for index in sorted(piece.parts)
            if (part := piece.span(index, now)).end >= span.start and part.start <= span.end
        )

    def spans(self, indexes: Collection[int], now: float) -> list[Span]:
        """The spans of these trials, as far as they are on the axis, in its order."""
        placed = [index for index in indexes if index in self._places]
        return sorted(self.piece_of(index).span(index, now) for index in placed)


class AxisClock:
    """Maps the times of the trials' own clocks to times on the axis.

    A trial that is measured on its own counts from the start of its piece.  Of trials that take
    turns one clock runs at a time, and the axis advances by as much as that clock does.
    """

    alone: int | None = None
    """The trial that is measured on its own."""
    turn_takers: frozenset[int] = frozenset()
    """Trials that take turns now."""
    open_turn: tuple[int, Moment] | None = None
    """The trial whose turn goes on, and the newest look at it."""
    start = 0.0
    """Where what is measured now begins: behind the newest pause."""
    now = 0.0
    """Up to where turns reach."""
    _turn_began = 0.0

    def time_alone(self, moment: Moment) -> float:
        """The time of a moment of `alone`; one from before its clock stays behind the pause."""
        return self.start + max(moment.at, -PAUSE / 2)

    def advance(self, index: int, moment: Moment, seconds: float) -> None:
        """A look at the trial whose turn it is, that long after its last look that was kept."""
        if self.open_turn is None:
            self._turn_began = self.now
        self.open_turn, self.now = (index, moment), self._turn_began + max(seconds, 0.0)


_MOST = 1_200
"""Looks that are kept: two minutes of them, of longer times fewer a second."""


class _Look(NamedTuple):
    trial: int
    time: float
    """Seconds since the first one."""
    moment: Moment


class Preparing:
    """Looks at one trial after the other."""

    def __init__(self) -> None:
        self._looks: list[_Look] = []
        self._newest: _Look | None = None
        self._count, self._every = 0, 1

    def __bool__(self) -> bool:
        return bool(self._looks)

    def add(self, trial: int, moment: Moment) -> None:
        """One more look; while another trial was looked at, no time has gone by for this one."""
        time, before = 0.0, self._newest
        if before is not None:
            same = before.trial == trial
            time = before.time + (max(moment.at - before.moment.at, 0.0) if same else 0.0)
        self._newest = _Look(trial, time, moment)
        if self._count % self._every == 0:
            self._looks.append(self._newest)
        self._count += 1
        if len(self._looks) > _MOST:
            del self._looks[1::2]
            self._every *= 2

    def pieces(self) -> Iterator[tuple[int, list[float], list[Moment]]]:
        """By trial, in order: its index, the times on the axis, and the looks."""
        end = PAUSE + (self._newest.time if self._newest is not None else 0.0)
        for trial, looks in groupby(self._looks, key=lambda look: look.trial):
            these = list(looks)
            yield trial, [look.time - end for look in these], [look.moment for look in these]
