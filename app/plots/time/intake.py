"""Moments on the time axis, as they come or from a recording.

The axis tells for how long anything was measured.  Trials that were measured on their own follow
each other.  While trials take turns, one at a time has the clock, so the axis goes on by what the
clock of that one goes on; their traces lie over each other.  A pause stands wherever something was
prepared in between, and what was prepared at first lies before 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain
from time import perf_counter
from typing import NamedTuple

from app.plots.time.replay import ReplayedTurn, generations, joinings, replay
from app.plots.time.timeline import PAUSE, Preparing, Span, Timeline, behind
from app.plots.time.trace import Trace
from core import Moment, TimePlot, Trial

_LONG = 1.0
"""Seconds of a turn after which a look during it is kept."""
SLICE = 0.01
"""Seconds of work on a long history at once, so that the window stays responsive."""
_MOST_WAITING = 2_048
"""Moments that wait to be taken in."""
_FIRST = 256
"""Moments of a recording that make the first picture."""
_TOGETHER = 32
"""Moments of each of several trials that are better taken in together, since each time costs."""


class _OpenTurn(NamedTuple):
    """The newest look at the trial that has the clock; `began`: where its curve goes on."""

    trial: int
    moment: Moment
    began: float


class _Waiting(NamedTuple):
    """Moments that are not taken in yet, and their times on the axis."""

    times: list[float]
    moments: list[Moment]


class Intake:
    """Keeps moments until they are taken in; `traces` have a row for each taken in."""

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
        self._in_turns = False
        self._turning: set[int] = set()
        """Trials that take turns now."""
        self._alone: int | None = None
        """The trial that is measured on its own."""
        self._start = 0.0
        """Where what is measured now begins."""
        self._now = 0.0
        """Up to where trials have taken turns."""
        self._waiting: dict[int, _Waiting] = {}
        self._waiting_moments = 0
        self._before: dict[int, Moment] = {}
        self._added: dict[int, int] = {}
        """By trial in turns, how many of its moments were added."""
        self._turn: _OpenTurn | None = None
        self._history: Iterator[ReplayedTurn | None] | None = None
        self._emptying = False
        """Whether what waits is taken in before more of the history."""

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
        if index == self._alone:  # a disturbed trial is measured again, from its own beginning
            self.take_in()
            self._alone = None
        self.labels[index] = label
        self._settings[index] = setting or label
        self._before.pop(index, None)

    def prepare(self, index: int, moment: Moment) -> None:
        """What the trial of that index uses before its clock starts: shown of the first ones."""
        if not len(self.timeline):
            self._preparing.add(index, moment)

    def round(self, trials: Sequence[int]) -> None:
        """These take turns from now on, as far as they have begun."""
        now = [index for index in trials if index in self.labels]
        fresh = [index for index in now if index not in self._turning]
        self._end_turn()
        if not fresh:
            return
        self._part_settings()
        self._make_traces(now)
        others = self._turning.intersection(now)
        self._turning.update(fresh)
        if others:
            self._pause()
        else:
            self._begin_piece()

    def add(self, index: int, moment: Moment) -> None:
        """One more look at the trial of that index, which has begun."""
        if index in self._turning:
            self._added[index] = self._added.get(index, 0) + 1
            self._take_turn(index, moment)
            return
        if index != self._alone:
            self._begin_piece()
            self._alone = index
            self._join(index)
        self._keep(index, moment, self._on_axis(moment))

    def end(self, trial: Trial) -> None:
        """A trial is over; one in turns was looked at once more after its last turn."""
        if trial.index not in self._turning:
            return
        for moment in trial.moments[self._added.get(trial.index, 0) :]:
            self.add(trial.index, moment)
        self._end_turn()
        self._turning.discard(trial.index)
        self._leave(trial.index)

    def _take_turn(self, index: int, moment: Moment) -> None:
        """A look during a turn or at its end.

        Only the last one in a turn is kept, as the others are so close to their neighbours that
        rates between them are chance, unless the turn is a long one.
        """
        if self._turn is None or self._turn.trial != index:
            self._end_turn()
            self._join(index)
            self._turn = _OpenTurn(index, moment, self._now)
        waiting, before = self._waiting.get(index), self._before.get(index)
        before = waiting.moments[-1] if waiting else before
        since = before.at if before else 0.0
        self._now = self._turn.began + max(moment.at - since, 0.0)
        self._turn = self._turn._replace(moment=moment)
        if moment.at - since >= _LONG:
            self._end_turn()

    def _end_turn(self) -> None:
        turn, self._turn = self._turn, None
        if turn is not None:
            self._keep(turn.trial, turn.moment, self._now)

    def _join(self, index: int) -> None:
        if self.timeline.part_of(index) is None:
            self.timeline.join(index, self._start)

    def _leave(self, index: int) -> None:
        if (part := self.timeline.part_of(index)) is not None:
            part.end = self._now

    def _begin_piece(self) -> None:
        """Begin a piece of the axis, behind a pause unless nothing was measured yet."""
        self._pause()
        if self._preparing and not len(self.timeline):
            self._break(-PAUSE / 2)
        self._alone = None
        self.timeline.begin(self._start)

    def _pause(self) -> None:
        """Let what is measured next begin behind a pause, unless nothing was measured yet."""
        self._end_turn()
        self.take_in()
        self._separate(behind(self.last) if self.count else 0.0)

    def _separate(self, start: float) -> None:
        """Break the curves before what starts at that time."""
        self._start = self._now = start
        if self.count:
            self._break(start - PAUSE / 2)

    def _break(self, time: float) -> None:
        self.boundaries.append(time)
        for trace in self.traces.values():
            trace.interrupt(time)

    def _lay_out_preparing(self) -> None:
        """Done anew each time, since all of it moves away from 0 until something is measured."""
        for key, trace in self.traces.items():
            self.traces[key] = Trace(trace.name, columns=self._columns)
        for index, times, moments in self._preparing.pieces():
            trace = self._trace_of(index)
            trace.interrupt(times[0])
            trace.add(times, TimePlot.values(moments, None, self.tallies)[1])
            self.first = min(self.first, times[0])

    # A recording.

    def record(self, trials: Sequence[tuple[Trial, str]]) -> float:
        """Add whole trials with labels, to be taken in little by little; returns their end."""
        measured = generations([trial for trial, _ in trials])
        self._in_turns = any(len(together) > 1 for together in measured)
        labels = {trial.index: label for trial, label in trials}
        start = end = 0.0
        for together in measured:
            pauses = PAUSE * len(joinings(together)) if len(together) > 1 else 0.0
            end = start + pauses + sum(max(trial.moments[-1].at, 0.0) for trial in together)
            self.timeline.begin(start, end)
            for trial in together:
                self.begin(trial.index, labels[trial.index], trial.spec_digest)
                self.timeline.join(trial.index, start, end)
            start = behind(end)
        if self._in_turns:
            self._make_traces(list(self.labels))
        self._history = chain.from_iterable(map(self._replayed, measured))
        return end

    def _replayed(self, together: Sequence[Trial]) -> Iterator[ReplayedTurn | None]:
        """The turns of a generation; before the first, the axis goes on to its piece.

        None = what there was before is to be taken in.
        """
        yield None
        start = self.timeline.piece_of(together[0].index).start
        for trace in self.traces.values() if self.count else ():  # there can be a thousand
            trace.interrupt(start - PAUSE / 2)
            yield ReplayedTurn(together[0].index, ())
        self._separate(start)
        self._alone = together[0].index if len(together) == 1 else None
        self._turning = set() if len(together) == 1 else {trial.index for trial in together}
        moments_left = {trial.index: len(trial.moments) for trial in together}
        for turn in replay(together):
            if turn.gap:
                self._pause()
            if not turn.moments and (part := self.timeline.part_of(turn.trial)) is not None:
                part.start = self._start
            yield turn
            self._end_turn()
            moments_left[turn.trial] -= len(turn.moments)
            if self._turning and not moments_left[turn.trial]:
                self._leave(turn.trial)
        self._turning = set()

    def take_slice(self) -> None:
        until = perf_counter() + SLICE
        while self._history is not None and perf_counter() < until:
            if self._emptying and self._waiting:
                self._take_in_next()
                continue
            self._emptying = False
            try:
                self._go_on(next(self._history))
            except StopIteration:
                self._history = None
                self.take_in()

    def _go_on(self, turn: ReplayedTurn | None) -> None:
        """Let a turn of the recording wait to be taken in."""
        if turn is None:
            self._emptying = True
        elif turn.trial == self._alone:
            self._wait(turn.trial, turn.moments, list(map(self._on_axis, turn.moments)))
        else:
            for moment in turn.moments:
                self.add(turn.trial, moment)
        most = max(_MOST_WAITING, _TOGETHER * len(self._waiting)) if self.count else _FIRST
        if self._waiting_moments >= most:
            self._emptying = True

    # Taking in.

    def _on_axis(self, moment: Moment) -> float:
        """The time of a moment of the trial that is measured on its own.

        Moments may be taken shortly before the clock starts, but stay behind the pause.
        """
        return self._start + max(moment.at, -PAUSE / 2)

    def _keep(self, index: int, moment: Moment, time: float) -> None:
        self._wait(index, [moment], [time])
        if self._history is None and self._waiting_moments >= _MOST_WAITING:  # nobody looks
            self.take_in()

    def _wait(self, index: int, moments: Sequence[Moment], times: Sequence[float]) -> None:
        waiting = self._waiting.setdefault(index, _Waiting([], []))
        waiting.times.extend(times)
        waiting.moments.extend(moments)
        self._waiting_moments += len(moments)

    def take_in(self) -> None:
        """Make samples of the moments that were added."""
        if self._preparing and not len(self.timeline):
            self._lay_out_preparing()
        self._meet_tallies([waiting.moments[-1] for waiting in self._waiting.values()])
        while self._waiting:
            self._take_in_next()

    def _take_in_next(self) -> None:
        index, (times, moments) = next(iter(self._waiting.items()))
        self._meet_tallies(moments[-1:])
        del self._waiting[index]
        self._waiting_moments -= len(moments)
        before = self._before.get(index)
        self._before[index] = moments[-1]
        trace = self._trace_of(index)
        trace.add(times, TimePlot.values(moments, before, self.tallies)[1])
        done, seconds = moments[-1].work
        earlier = before.work if before else (0, 0.0)
        trace.count(done - earlier[0], seconds - earlier[1])
        self.first = min(self.first, times[0])
        self.last = max(self.last, times[-1])
        self.count += len(moments)
        self.workers = max(self.workers, *(len(moment.cpu) for moment in moments))

    def _meet_tallies(self, moments: Sequence[Moment]) -> None:
        """Add a column for each new tally; a job has the same tallies in every moment."""
        names = dict.fromkeys(
            (*self.tallies, *chain.from_iterable(moment.tallies for moment in moments))
        )
        if len(names) > len(self.tallies):
            self.tallies = tuple(names)
            for trace in self.traces.values():
                trace.samples.widen(self._columns)

    @property
    def _columns(self) -> int:
        """How many columns a trace has, which are those of `TimePlot.values`."""
        return sum(len(plot.columns) for plot in TimePlot.all(self.tallies))

    def _trace_of(self, index: int) -> Trace:
        self._make_traces([index])
        return self.traces[self._settings[index] if self._in_turns else ""]

    def _make_traces(self, trials: Sequence[int]) -> None:
        """Have a trace for each of these trials, in the order of their names."""
        before, columns = len(self.traces), self._columns
        for index in trials:
            key, name = (self._settings[index], self.labels[index]) if self._in_turns else ("", "")
            if key not in self.traces:
                self.traces[key] = Trace(name, columns=columns)
        if len(self.traces) > before:
            pairs = sorted(self.traces.items(), key=lambda pair: _natural(pair[1].name))
            self.traces = dict(pairs)

    def _part_settings(self) -> None:
        """Give each setting a trace of its own, also of what was measured without turns."""
        if self._in_turns:
            return
        self.take_in()
        self._in_turns = True
        if (whole := self.traces.pop("", None)) is None:
            return
        for index in self.labels:
            for start, end in self.timeline.spans([index], self.last):
                self._trace_of(index).take_over(whole, Span(start - PAUSE / 4, end + PAUSE / 4))


def _natural(name: str) -> list[tuple[float, str]]:
    """Sorts names in which numbers stand: `threads 2` before `threads 10`."""
    parts = re.split(r"(\d+(?:\.\d+)?)", name)
    return [(float(part), "") if place % 2 else (0.0, part) for place, part in enumerate(parts)]
