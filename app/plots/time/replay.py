"""Recorded trials in the order in which they were measured, a few moments at a time.

A moment has the time of its trial's own clock, and the round in which it was taken.  Where trials
took turns, their slices tell in which order these came.

- generation: the trials that took turns together, or one that was measured on its own
- round: in each of them every trial of a generation has one turn
- turn: the time for which one trial has the clock; its `Slice` is what the trial did in it
- chunk: the moments of a trial that are read at once
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import accumulate, chain, groupby
from operator import attrgetter
from typing import NamedTuple

from core import Moment, SessionError, Trial

_CHUNK = 2_048
"""Moments: reading them takes about 10 ms, so that the window stays responsive."""


class ReplayedTurn(NamedTuple):
    """Moments of the trial of that index, in the order of time: of one turn, or a chunk."""

    trial: int
    moments: Sequence[Moment]
    """Empty in a first turn that only says that its trial is about to be read."""
    round: int = 0
    began: int = 0
    """Nanoseconds since the first turn of the block."""
    gap: bool = False
    """Whether measuring paused just before, because other trials joined."""


def _chunks(trial: Trial) -> Iterator[Sequence[Moment]]:
    for start in range(0, len(trial.moments), _CHUNK):
        try:
            yield trial.moments[start : start + _CHUNK]
        except SessionError:  # whoever sums the trials up reports it
            return


def generations(trials: Sequence[Trial]) -> list[tuple[Trial, ...]]:
    """Trials in the order in which they were measured, those together that took turns.

    `trials`: in the order of their slots, and of the attempts at each.  One that nobody looked at,
    and so has no moments, is left out, as is one that was measured again in a later block: an index
    has one place on the axis.
    """
    measured: list[tuple[Trial, ...]] = []
    newest = {trial.index: trial for trial in trials}.values()
    in_order = sorted(newest, key=lambda trial: trial.block)
    for _, block in groupby(in_order, key=lambda trial: trial.block):
        begun = [trial for trial in block if trial.moments]
        if together := tuple(trial for trial in begun if trial.slices):
            measured.append(together)
        measured += [(trial,) for trial in begun if not trial.slices]
    return measured


def joinings(trials: Sequence[Trial]) -> list[int]:
    """The rounds in which trials joined those that had turns already; mostly none."""
    return sorted({first.round for trial in trials if (first := trial.beginning) is not None})[1:]


def replay(trials: Sequence[Trial]) -> Iterator[ReplayedTurn]:
    """A generation as it was measured; what cannot be read is left out.

    A turn without moments comes before each trial is read.
    """
    return _replay_alone(trials[0]) if len(trials) == 1 else _replay_turns(trials)


def _replay_alone(trial: Trial) -> Iterator[ReplayedTurn]:
    remaining = len(trial.moments)
    for chunk in _chunks(trial):
        remaining -= len(chunk)
        yield ReplayedTurn(trial.index, chunk if remaining else _without_short_end(chunk))


def _without_short_end(moments: Sequence[Moment]) -> Sequence[Moment]:
    """The last moments of a trial, without the one that the very last follows too soon.

    Operations count once they are verified, a batch at a time; at the end nothing waits any more,
    which a rate over a short while shows as a jump.
    """
    if len(moments) < 3:
        return moments
    *_, one, two, end = moments
    if end.at - two.at < (two.at - one.at) / 2:
        return (*moments[:-2], end)
    return moments


def _replay_turns(trials: Sequence[Trial]) -> Iterator[ReplayedTurn]:
    coming = iter(joinings(trials))
    next_joining = next(coming, math.inf)
    for turn in merge(*map(_turns_of, trials), key=attrgetter("began")):
        if gap := turn.round >= next_joining:
            next_joining = next(coming, math.inf)
        yield turn._replace(gap=gap)


def _turns_of(trial: Trial) -> Iterator[ReplayedTurn]:
    """The turns of one trial, first one without moments.

    There can be a thousand trials, and reading one takes a while.  So each is read only when its
    first turn begins, and the turn without moments lets the caller rest before.
    """
    if trial.beginning is None:
        return
    yield ReplayedTurn(trial.index, (), *trial.beginning)
    try:
        slices = trial.turns
    except SessionError:
        return
    places = {turn.round: place for place, turn in enumerate(slices)}
    done_by_end = [*accumulate(turn.done for turn in slices[:-1])]

    def place_of(moment: Moment) -> int:
        if moment.round is None:  # sessions from before moments had rounds
            return bisect_left(done_by_end, moment.done + moment.errors)
        # A trial that was cut off has looks in a turn that is not among its slices.
        return places.get(moment.round, len(slices) - 1)

    for place, moments in groupby(chain.from_iterable(_chunks(trial)), key=place_of):
        turn = slices[place]
        yield ReplayedTurn(trial.index, list(moments), turn.round, turn.began)
