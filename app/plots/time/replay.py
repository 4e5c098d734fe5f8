"""Recorded trials in the order in which they were measured, a few moments at a time.

A recorded trial tells the time of its own clock.  Where trials took turns, their slices tell when
each of them had the clock, so the turns of a block can be told as they came.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from heapq import heappop, heappush, heapreplace
from itertools import accumulate, chain, count, groupby, pairwise
from operator import itemgetter
from typing import NamedTuple

from core import Moment, SessionError, Trial

PIECE = 2_048
"""Moments read at once: about 10 ms, so that the window stays responsive."""
_INSTANT = 1e-6
"""Seconds within which two clocks say the same."""
_SHORT = 0.09
"""Seconds that are shorter than a turn, but for a last one."""


class ReplayedTurn(NamedTuple):
    """Some moments of the trial of that index, which had the clock; `gap`: others joined before."""

    trial: int
    moments: Sequence[Moment]
    gap: bool = False


class _Look(NamedTuple):
    """A moment, with the slice in which it was taken."""

    began: int
    round: int
    trial: int
    moment: Moment | None


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
    return sorted({found.round for one in trials if (found := one.beginning) is not None})[1:]


def replay(trials: Sequence[Trial]) -> Iterator[ReplayedTurn]:
    """A generation as it was measured; what cannot be read is left out.

    Turns without moments come while trials are still being read.
    """
    if len(trials) == 1:
        last = len(trials[0].moments) - 1
        for start, piece in zip(count(0, PIECE), _pieces(trials[0]), strict=False):
            ends = start + len(piece) > last
            yield ReplayedTurn(trials[0].index, _without_short_end(piece) if ends else piece)
        return
    joined = joinings(trials)
    for (_, number, index), few in groupby(_in_order(trials), key=itemgetter(0, 1, 2)):
        moments = [look.moment for look in few if look.moment is not None]
        gap = bool(moments and joined) and number >= joined[0]
        if gap:
            del joined[0]
        yield ReplayedTurn(index, moments, gap)


def _in_order(trials: Sequence[Trial]) -> Iterator[_Look]:
    """The looks at trials that took turns, each trial read only when its first turn begins.

    There can be a thousand of them.  A look without a moment comes with each that was read.
    """
    begun = [(trial.beginning, place) for place, trial in enumerate(trials)]
    left = deque(sorted((one.began, place) for one, place in begun if one is not None))
    open_ones: list[tuple[int, int, _Look, Iterator[_Look]]] = []
    while left or open_ones:
        if left and (not open_ones or left[0] <= open_ones[0][:2]):
            _, place = left.popleft()
            looks = _looks(trials[place])
            if (first := next(looks, None)) is not None:
                heappush(open_ones, (first.began, place, first, looks))
            yield _Look(-1, 0, trials[place].index, None)
            continue
        _, place, look, looks = open_ones[0]
        yield look
        if (following := next(looks, None)) is not None:
            heapreplace(open_ones, (following.began, place, following, looks))
        else:
            heappop(open_ones)


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


def _looks(trial: Trial) -> Iterator[_Look]:
    """The moments of a trial, each with the slice in which it was taken.

    Each turn ends with a look, when its operations are done and its time is over; there may be
    more in a long one.
    """
    try:
        slices = trial.turns
    except SessionError:
        return
    done = list(accumulate(each.done or each.operations + each.errors for each in slices))
    place, began, before = 0, 0.0, 0.0
    moments = chain.from_iterable(_pieces(trial)) if slices else ()
    for moment, after in pairwise(chain(moments, (None,))):
        assert moment is not None
        while place < len(done) - 1 and done[place] < _progress(moment):
            place, began = place + 1, before
        now = slices[place]
        yield _Look(now.began, now.round, trial.index, moment)
        before = moment.at
        over = moment.at - began > now.active / 1e9 - _INSTANT and done[place] <= _progress(moment)
        if over and place < len(done) - 1 and not _goes_on(moment, after):
            place, began = place + 1, moment.at


def _goes_on(moment: Moment, after: Moment | None) -> bool:
    """Whether the next look is in the same turn: so soon and with nothing done in between."""
    if after is None:
        return False
    return after.at - moment.at < _SHORT and _progress(after) == _progress(moment)


def _progress(moment: Moment) -> int:
    return moment.done + moment.errors


def _pieces(trial: Trial) -> Iterator[Sequence[Moment]]:
    for start in range(0, len(trial.moments), PIECE):
        try:
            yield trial.moments[start : start + PIECE]
        except SessionError:  # who sums the trials up is told of it, and tells
            return
