"""Takes in the moments of trials: gives them times on the axis and makes samples of them.

Each generation has one piece of the axis, in the order in which they were measured.  A pause stands
wherever something was prepared in between, and what was prepared at first lies before 0.  The axis
counts only time for which a trial was measured: while trials take turns, it advances by the clock
of the one whose turn it is, and their traces lie over each other.  A recording is replayed through
the same methods, so that it lies where it did live.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from time import perf_counter
from typing import NamedTuple

from app.plots.time.replay import ReplayedTurn, generations, joinings, replay
from app.plots.time.timeline import PAUSE, AxisClock, Preparing, Span, Timeline, behind
from app.plots.time.trace import Trace
from core import Moment, TimePlot, Trial

_LONG = 1.0
"""Seconds of a turn after which a look during it is kept."""
SLICE = 0.01
"""Seconds of work on a long history at once, so that the window stays responsive."""
_MOST_WAITING = 2_048
"""Waiting moments of which samples are made at once."""
_FIRST = 256
"""Moments of a recording that make the first picture."""
_TOGETHER = 32
"""Moments of each of several trials that are better taken in together, since each time costs."""


class Batch(NamedTuple):
    """Moments of the trial of that index with their times on the axis, in order."""

    trial: int
    times: list[float]
    moments: list[Moment]


class WaitingMoments:
    """A queue of batches, one for each trial that has moments waiting."""

    def __init__(self) -> None:
        self.count = 0
        self.batches: dict[int, Batch] = {}
        self.taken: dict[int, Moment] = {}
        """By trial, its newest moment that was taken."""

    def add(self, index: int, moments: Sequence[Moment], times: Sequence[float]) -> None:
        batch = self.batches.setdefault(index, Batch(index, [], []))
        batch.times.extend(times)
        batch.moments.extend(moments)
        self.count += len(moments)

    def take(self) -> tuple[Batch, Moment | None]:
        """The batch that has waited longest, and the moment that came before it."""
        batch = self.batches.pop(next(iter(self.batches)))
        self.count -= len(batch.moments)
        before = self.taken.get(batch.trial)
        self.taken[batch.trial] = batch.moments[-1]
        return batch, before

    def newest(self, index: int) -> Moment | None:
        """The newest moment of the trial of that index, whether it waits or was taken."""
        batch = self.batches.get(index)
        return batch.moments[-1] if batch else self.taken.get(index)


class Intake:
    """Keeps moments until they are taken in; then `traces` have a row for each of them."""

    def __init__(self) -> None:
        self.traces: dict[str, Trace] = {}
        """By setting where trials take turns; otherwise all trials make one trace, named ''."""
        self.timeline = Timeline()
        self.labels: dict[int, str] = {}
        """What the trials of these indexes are called, those included that are still prepared."""
        self.boundaries: list[float] = []
        """Times at which something was prepared."""
        self.workers = 0
        """The largest number of workers so far."""
        self.tallies: tuple[str, ...] = ()
        """Names of what workloads counted live, in the order in which they were first seen."""
        self.count = 0
        """Moments taken in so far."""
        self.first = 0.0
        """The time of the first sample, or 0 where that is earlier."""
        self.last = 0.0
        """The time of the last sample."""
        self._preparing = Preparing()
        self._settings: dict[int, str] = {}
        self._by_setting = False
        """Whether each setting has a trace of its own, since trials take turns."""
        self._clock = AxisClock()
        self._waiting = WaitingMoments()
        self._added: dict[int, int] = {}
        """By trial in turns, how many of its moments were added."""
        self._history: Iterator[None] | None = None
        """What is left of a recording, step by step."""

    @property
    def pending(self) -> bool:
        """Whether some recorded trials are not completely taken in."""
        return self._history is not None

    @property
    def several(self) -> bool:
        """Whether there are several traces, one for each setting."""
        return len(self.traces) > 1

    def settings_of(self, trials: Sequence[int]) -> tuple[str, ...]:
        """The settings of the trials of these indexes, as far as they are known."""
        settings = (self._settings[index] for index in trials if index in self._settings)
        return tuple(dict.fromkeys(settings))

    # As they come.

    def begin(self, index: int, label: str, setting: str = "") -> None:
        """A trial of that index begins; it comes onto the axis with its first moment.

        `setting` tells settings apart; by default the label does.
        """
        if index == self._clock.alone:  # a disturbed trial is measured again, from its beginning
            self.take_in()
            self._clock.alone = None
        self.labels[index] = label
        self._settings[index] = setting or label
        self._waiting.taken.pop(index, None)

    def prepare(self, index: int, moment: Moment) -> None:
        """What the trial of that index uses before its clock starts: shown of the first ones."""
        if not len(self.timeline):
            self._preparing.add(index, moment)

    def begin_round(self, trials: Sequence[int]) -> None:
        """These take turns from now on, as far as they have begun."""
        begun = [index for index in trials if index in self.labels]
        others = self._clock.turn_takers.intersection(begun)
        self._end_turn()
        if len(others) == len(begun):
            return
        self._split_by_setting()
        self._make_traces(begun)
        self._clock.turn_takers |= set(begun)
        if others:
            self._pause()
        else:
            self._begin_piece()

    def add(self, index: int, moment: Moment) -> None:
        """One more look at the trial of that index, which has begun."""
        if index in self._clock.turn_takers:
            self._add_in_turn(index, moment)
            return
        if index != self._clock.alone:
            self._begin_piece()
            self._clock.alone = index
            self.timeline.join(index, self._clock.start)
        self._keep(index, moment, self._clock.time_alone(moment))

    def end(self, trial: Trial) -> None:
        """A trial is over; one in turns was looked at once more after its last turn."""
        if trial.index not in self._clock.turn_takers:
            return
        for moment in trial.moments[self._added.get(trial.index, 0) :]:
            self.add(trial.index, moment)
        self._end_turn()
        self._clock.turn_takers -= {trial.index}
        self._leave(trial.index)

    def _leave(self, index: int) -> None:
        if (part := self.timeline.part_of(index)) is not None:
            part.end = self._clock.now

    def _add_in_turn(self, index: int, moment: Moment) -> None:
        """A look during a turn or at its end.

        Only the last one in a turn is kept, as the others are so close to their neighbours that
        rates between them are chance, unless the turn is a long one.
        """
        self._added[index] = self._added.get(index, 0) + 1
        if self._clock.open_turn and self._clock.open_turn[0] != index:
            self._end_turn()
        before = self._waiting.newest(index)
        seconds = moment.at - (before.at if before else 0.0)
        self.timeline.join(index, self._clock.start)
        self._clock.advance(index, moment, seconds)
        if seconds >= _LONG:
            self._end_turn()

    def _end_turn(self) -> None:
        if turn := self._clock.open_turn:
            self._clock.open_turn = None
            self._keep(*turn, self._clock.now)

    def _begin_piece(self) -> None:
        """Begin a piece of the axis, behind a pause unless nothing was measured yet."""
        self._pause()
        if self._preparing and not len(self.timeline):
            self._break_curves(-PAUSE / 2)
        self._clock.alone = None
        self.timeline.begin(self._clock.start)

    def _pause(self) -> None:
        """Let what is measured next begin behind a pause, unless nothing was measured yet."""
        self._end_turn()
        self.take_in()
        self._resume(behind(self.last) if self.count else 0.0)

    def _resume(self, start: float) -> None:
        """Go on at that time, which lies behind a pause if anything was measured before."""
        self._clock.start = self._clock.now = start
        if self.count:
            self._break_curves(start - PAUSE / 2)

    def _break_curves(self, time: float) -> None:
        self.boundaries.append(time)
        for trace in self.traces.values():
            trace.break_at(time)

    def _lay_out_preparing(self) -> None:
        """Done anew each time, since all of it moves away from 0 until something is measured."""
        for key, trace in self.traces.items():
            self.traces[key] = Trace(trace.name, columns=self._columns)
        for index, times, moments in self._preparing.pieces():
            trace = self._trace_of(index)
            trace.break_at(times[0])
            trace.add(times, TimePlot.values(moments, None, self.tallies)[1])
            self.first = min(self.first, times[0])

    # A recording.

    def record(self, trials: Sequence[tuple[Trial, str]]) -> float:
        """Add whole trials with labels, to be taken in little by little; returns their end."""
        recorded = generations([trial for trial, _ in trials])
        self._by_setting = any(len(generation) > 1 for generation in recorded)
        labels = {trial.index: label for trial, label in trials}
        start = end = 0.0
        for generation in recorded:
            pauses = PAUSE * len(joinings(generation)) if len(generation) > 1 else 0.0
            end = start + pauses + sum(max(trial.moments[-1].at, 0.0) for trial in generation)
            self.timeline.begin(start, end)
            for trial in generation:
                self.begin(trial.index, labels[trial.index], trial.spec_digest)
                self.timeline.join(trial.index, start, end)
            start = behind(end)
        if self._by_setting:
            self._make_traces(list(self.labels))
        self._history = chain.from_iterable(map(self._replay, recorded))
        return end

    def take_slice(self) -> None:
        """Replay for about `SLICE`; called until nothing is `pending`."""
        until = perf_counter() + SLICE
        for _ in self._history or ():
            if perf_counter() >= until:
                return
        self._history = None
        self.take_in()

    def _replay(self, generation: Sequence[Trial]) -> Iterator[None]:
        """Put a generation onto its piece of the axis, which `record` has begun.

        The caller may rest at each `yield`: by then a turn is on the axis with all that follows
        from it, and only samples are still to be made.  The order is: the pause before a turn, the
        start of a trial that joins, the moments, the end of the turn, the end of the trial.
        """
        yield from self._take_in_steps()  # the curves break behind it
        clock, first = self._clock, generation[0].index
        start = self.timeline.piece_of(first).start
        for trace in self.traces.values() if self.count else ():  # there can be a thousand
            trace.break_at(start - PAUSE / 2)
            yield
        self._resume(start)
        clock.alone = first if len(generation) == 1 else None
        moments_left = {trial.index: len(trial.moments) for trial in generation}
        clock.turn_takers = frozenset(moments_left if len(generation) > 1 else ())
        for turn in replay(generation):
            if turn.gap:
                self._pause()
            if not turn.moments and (part := self.timeline.part_of(turn.trial)) is not None:
                part.start = clock.start
            self._add_turn(turn)
            moments_left[turn.trial] -= len(turn.moments)
            if clock.turn_takers and not moments_left[turn.trial]:
                self._leave(turn.trial)
            yield
            several = _TOGETHER * len(self._waiting.batches)
            most = max(_MOST_WAITING, several) if self.count else _FIRST
            if self._waiting.count >= most:
                yield from self._take_in_steps()
        clock.turn_takers = frozenset()

    def _add_turn(self, turn: ReplayedTurn) -> None:
        if turn.trial == (clock := self._clock).alone:
            self._waiting.add(turn.trial, turn.moments, list(map(clock.time_alone, turn.moments)))
        else:
            for moment in turn.moments:
                self.add(turn.trial, moment)
            self._end_turn()

    # Taking in.

    def _keep(self, index: int, moment: Moment, time: float) -> None:
        self._waiting.add(index, [moment], [time])
        if self._history is None and self._waiting.count >= _MOST_WAITING:  # nobody looks
            self.take_in()

    def take_in(self) -> None:
        """Make samples of the moments that were added."""
        if self._preparing and not len(self.timeline):
            self._lay_out_preparing()
        for _ in self._take_in_steps():
            pass

    def _take_in_steps(self) -> Iterator[None]:
        """The same, and with each step only what waits of one trial."""
        while self._waiting.batches:
            (index, times, moments), before = self._waiting.take()
            self._meet_tallies(moments[-1])
            trace = self._trace_of(index)
            trace.add(times, TimePlot.values(moments, before, self.tallies)[1])
            done, seconds = moments[-1].work
            earlier = before.work if before else (0, 0.0)
            trace.count(done - earlier[0], seconds - earlier[1])
            self.first = min(self.first, times[0])
            self.last = max(self.last, times[-1])
            self.count += len(moments)
            self.workers = max(self.workers, *(len(moment.cpu) for moment in moments))
            yield

    def _meet_tallies(self, moment: Moment) -> None:
        """Add a column for each new tally; a job has the same tallies in every moment."""
        if new := tuple(name for name in moment.tallies if name not in self.tallies):
            self.tallies += new
            for trace in self.traces.values():
                trace.samples.widen(self._columns)

    @property
    def _columns(self) -> int:
        """How many columns a trace has, which are those of `TimePlot.values`."""
        return sum(len(plot.columns) for plot in TimePlot.all(self.tallies))

    def _trace_of(self, index: int) -> Trace:
        self._make_traces([index])
        return self.traces[self._settings[index] if self._by_setting else ""]

    def _make_traces(self, trials: Sequence[int]) -> None:
        """Have a trace for each of these trials, in the order of their names."""
        before, columns = len(self.traces), self._columns
        for index in trials:
            key = self._settings[index] if self._by_setting else ""
            if key not in self.traces:
                name = self.labels[index] if self._by_setting else ""
                self.traces[key] = Trace(name, columns=columns)
        if len(self.traces) > before:
            pairs = sorted(self.traces.items(), key=lambda pair: _natural(pair[1].name))
            self.traces = dict(pairs)

    def _split_by_setting(self) -> None:
        """Give each setting a trace of its own, also of what was measured without turns."""
        if self._by_setting:
            return
        self.take_in()
        self._by_setting = True
        if (whole := self.traces.pop("", None)) is None:
            return
        for index in self.labels:
            for start, end in self.timeline.spans([index], self.last):
                self._trace_of(index).take_over(whole, Span(start - PAUSE / 4, end + PAUSE / 4))


def _natural(name: str) -> list[tuple[float, str]]:
    """Sorts names in which numbers stand: `threads 2` before `threads 10`."""
    parts = re.split(r"(\d+(?:\.\d+)?)", name)
    return [(float(part), "") if place % 2 else (0.0, part) for place, part in enumerate(parts)]
