"""Recorded trials in the order in which they were measured, a few moments at a time.

A recorded trial tells only the time of its own clock.  Where trials took turns, their slices tell
when each of them had the clock, and so in which order their turns came.

- generation: the trials that took turns together, or one that was measured on its own
- round: in each of them every trial of a generation has one turn
- turn: the time for which one trial has the clock; its `Slice` is what the trial did in it
- look: one moment of a trial, with the slice in which it was taken
- piece: the moments of a trial that are read at once
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from heapq import heapify, heappop, heapreplace
from itertools import accumulate, chain, groupby, pairwise
from operator import attrgetter
from typing import NamedTuple

from core import Moment, SessionError, Trial

_PIECE = 2_048
"""Moments: reading them takes about 10 ms, so that the window stays responsive."""
_CLOCK_TOLERANCE = 1e-6
"""Seconds within which two clocks say the same."""
_WITHIN_TURN = 0.09
"""Seconds: shorter than any turn but a trial's last one."""


class ReplayedTurn(NamedTuple):
    """Moments of the trial of that index, in the order of time: of one turn, or a piece."""

    trial: int
    moments: Sequence[Moment]
    gap: bool = False
    """Whether measuring paused just before, since other trials joined."""


class _Look(NamedTuple):
    slice_began: int
    """Nanoseconds since the first turn of the block."""
    round: int
    trial: int
    """Its index."""
    moment: Moment | None
    """None: the trial is about to be read, and nobody looks at it yet."""


def _pieces(trial: Trial) -> Iterator[Sequence[Moment]]:
    for start in range(0, len(trial.moments), _PIECE):
        try:
            yield trial.moments[start : start + _PIECE]
        except SessionError:  # whoever sums the trials up reports it
            return


def _progress(moment: Moment) -> int:
    return moment.done + moment.errors


def generations(trials: Sequence[Trial]) -> list[tuple[Trial, ...]]:
    """Trials in the order in which they were measured, those together that took turns.

    `trials`: in the order of their slots, and of the attempts at each.  One that nobody looked at,
    and so has no moments, is left out, as is one that was measured again in a later block: an index
    has one place on the axis.
    """
    found: list[tuple[Trial, ...]] = []
    newest = {trial.index: trial for trial in trials}.values()
    in_order = sorted(newest, key=lambda trial: trial.block)
    for _, block in groupby(in_order, key=lambda trial: trial.block):
        seen = [trial for trial in block if trial.moments]
        if together := tuple(trial for trial in seen if trial.slices):
            found.append(together)
        found += [(trial,) for trial in seen if not trial.slices]
    return found


def joinings(trials: Sequence[Trial]) -> list[int]:
    """The rounds in which trials joined those that had turns already; mostly none."""
    return sorted({first.round for trial in trials if (first := trial.beginning) is not None})[1:]


def replay(trials: Sequence[Trial]) -> Iterator[ReplayedTurn]:
    """A generation as it was measured; what cannot be read is left out.

    Turns without moments come while trials are still being read.
    """
    return _replay_alone(trials[0]) if len(trials) == 1 else _replay_turns(trials)


def _replay_alone(trial: Trial) -> Iterator[ReplayedTurn]:
    left = len(trial.moments)
    for piece in _pieces(trial):
        left -= len(piece)
        yield ReplayedTurn(trial.index, piece if left else _without_short_end(piece))


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
    of_one_turn = attrgetter("slice_began", "round", "trial")
    for (_, in_round, trial), looks in groupby(_in_order(trials), key=of_one_turn):
        moments = [look.moment for look in looks if look.moment is not None]
        gap = bool(moments) and in_round >= next_joining
        if gap:
            next_joining = next(coming, math.inf)
        yield ReplayedTurn(trial, moments, gap)


def _in_order(trials: Sequence[Trial]) -> Iterator[_Look]:
    """The looks at trials that took turns, in the order of their slices.

    There can be a thousand trials, and reading one takes a while.  So each is read only when its
    first turn begins, and a look without a moment comes before, for the caller to rest at.
    """
    # The next look at each trial, the earliest first.  The key is `(slice_began, place)`; no two
    # trials have the same place, so looks are never compared.
    heap = [
        (trial.beginning.began, place, _Look(-1, 0, trial.index, None), _looks(trial))
        for place, trial in enumerate(trials)
        if trial.beginning is not None
    ]
    heapify(heap)
    while heap:
        _, place, look, looks = heap[0]
        yield look
        if (following := next(looks, None)) is not None:
            heapreplace(heap, (following.slice_began, place, following, looks))
        else:
            heappop(heap)


def _looks(trial: Trial) -> Iterator[_Look]:
    """The moments of a trial, each with the slice in which it was taken.

    Each turn ends with a moment, when its operations are done and its time is over; there may be
    more in a long one.  So slices go on with the moments by two rules:

    - before a moment, skip to the slice that holds its progress;
    - after it, leave the slice once its time and its work are over, unless the next moment is a
      repeat of this one.
    """
    try:
        turns = trial.turns
    except SessionError:
        return
    if not turns:
        return
    # Whatever else was done belongs to the last slice, which is never left.
    done_by_end_of = [*accumulate(turn.done for turn in turns[:-1]), math.inf]
    current, turn_began_at, previous_at = 0, 0.0, 0.0
    moments = chain.from_iterable(_pieces(trial))
    for moment, following in pairwise(chain(moments, (None,))):
        assert moment is not None
        progress = _progress(moment)
        while done_by_end_of[current] < progress:
            current, turn_began_at = current + 1, previous_at
        turn = turns[current]
        yield _Look(turn.began, turn.round, trial.index, moment)
        time_over = moment.at - turn_began_at > turn.active / 1e9 - _CLOCK_TOLERANCE
        work_done = done_by_end_of[current] <= progress
        if time_over and work_done and not _is_repeat(following, moment):
            current, turn_began_at = current + 1, moment.at
        previous_at = moment.at


def _is_repeat(following: Moment | None, moment: Moment) -> bool:
    """Whether a moment follows in the same turn: so soon and with nothing done in between."""
    if following is None:
        return False
    return following.at - moment.at < _WITHIN_TURN and _progress(following) == _progress(moment)
