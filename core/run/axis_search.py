"""What to measure next along one axis: a pure function of all points measured on it so far.

The steps: a coarse ladder, the gaps that could hide something better, the points that show whether
a curve is smooth or jagged, the knee, and at last a confirmation of the smallest value near the
best against every rival that could still beat it. What is surely worse has left the race and is not
asked for again. Every answer says why in one sentence.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from core.judge import HOPELESS, MEASURABLY, SURE, Noise, Point, surely_near_best, valley
from core.language import tr


@dataclass(frozen=True, kw_only=True)
class AxisState:
    """All allowed values in rising order, and the points measured so far, in rising order.

    `looks`: how many times the search has looked at the points, including this one.
    """

    values: tuple[int, ...]
    points: tuple[Point, ...]
    usable: tuple[Point, ...]
    noise: Noise
    near: float
    looks: int

    @property
    def best(self) -> Point:
        return max(self.usable, key=lambda point: point.level)

    @property
    def by_value(self) -> Mapping[int, Point]:
        return {point.threads: point for point in self.points}

    @cached_property
    def out(self) -> frozenset[int]:
        """Values that are surely worse than another by more than `near`; they have left the race.

        A search looks after every block.  The k-th look may be wrong with 1 / k(k+1) of the allowed
        chance, so that all looks together stay within it.  Source: Lan & DeMets, "Discrete
        sequential boundaries for clinical trials", Biometrika 70 (1983), for spending the chance of
        an error over the looks.
        """
        floor = math.log1p(-self.near)
        sure = 1.0 - (1.0 - SURE) / (self.looks * (self.looks + 1))
        return frozenset(
            point.threads
            for point in self.usable
            if any(
                point.level - rival.level + self.noise.bound(point, rival, sure) < floor
                for rival in self.usable
                if rival is not point
            )
        )

    def between(self, low: int, high: int) -> list[int]:
        """Allowed values strictly between two others."""
        return [value for value in self.values if low < value < high]


FEW = 8
"""With this many values or fewer, every value is a rung."""


def nearest(values: Sequence[int], target: float) -> int:
    """The allowed value nearest to the target; of two, the smaller."""
    return min(values, key=lambda value: (abs(value - target), value))


def ladder(values: Sequence[int]) -> tuple[int, ...]:
    """Half-octave steps 1, 2, 3, 4, 6, 8, 12, … from the smallest value up, and the largest.

    Each step moves to the nearest allowed value.  A few values are all taken: leaving out one or
    two saves no trial, because the search asks for them later.
    """
    if len(values) <= FEW:
        return tuple(sorted(values))
    steps = {min(values), max(values)}
    octave = max(min(values), 1)
    while octave <= max(values):
        steps |= {nearest(values, octave), nearest(values, 1.5 * octave)}
        octave *= 2
    return tuple(sorted(steps))


# This many repeated trials, beyond the first of each value, show the noise well enough.
ENOUGH_FREEDOM = 8
# A gap is searched if it promises this gain; any gain that stays hidden is below NEAR.
PROMISING = math.log(1.02)
# Between good values, a gap of this many untried values is searched.
WIDE = 2
WITHIN_REACH = math.log(0.75)
# A dip this deep, in log and in standard errors, is measured again, and then believed.
DIP = math.log(1.04)
SUSPICIOUS, PROVEN = 1.7, 3.0
MOST_PER_VALUE = 16


@dataclass(frozen=True, kw_only=True)
class Round:
    """Values to measure once each, in any order, and why."""

    values: tuple[int, ...]
    reason: str


def _round(values: Iterable[int], reason: str) -> Round | None:
    """A round of these values; None if there are none."""
    chosen = tuple(values)
    return Round(values=chosen, reason=reason) if chosen else None


type Rule = Callable[[AxisState], Round | None]


def next_round(line: AxisState, rungs: Sequence[int] | None = None) -> Round | None:
    """What to measure next, or None when more would not change the answer within its precision.

    `rungs`: where to start, by default `ladder(line.values)`.  Raises ValueError as `Point.level`
    does.
    """
    rungs = rungs or ladder(line.values)
    missing = tuple(rung for rung in rungs if rung not in line.by_value)
    if missing:
        return Round(values=missing, reason=_about_first(len(rungs), len(line.values)))
    return _by_rules(line, RULES)


def _about_first(rungs: int, values: int) -> str:
    if values == 1:
        return tr("The first trial shows how fast it is.")
    if rungs == values:
        return tr("The values are few, so that each is measured.")
    return tr("A coarse ladder shows where the knee may be.")


def look_at_all(line: AxisState, rungs: Sequence[int] | None = None) -> Round | None:
    """Every value once, whatever it shows."""
    missing = tuple(value for value in line.values if value not in line.by_value)
    return _round(missing, tr("Another value may be better with another number of threads."))


def last_round(line: AxisState, rungs: Sequence[int] | None = None) -> Round | None:
    """As `next_round`, when only the choice is left to confirm."""
    return _by_rules(line, ((confirm,),))


def _by_rules(line: AxisState, steps: Sequence[Sequence[Rule]]) -> Round | None:
    """The round of the first step that asks for any values, with those of all its rules."""
    if not line.usable:
        return None
    for rules in steps:
        rounds = [one for rule in rules if (one := rule(line))]
        values = dict.fromkeys(value for one in rounds for value in one.values)
        if contenders := tuple(value for value in values if value not in line.out):
            return Round(values=contenders, reason=rounds[0].reason)
    return None


def repeat_the_contenders(line: AxisState) -> Round | None:
    """Measure a second time every value that is not far below the best."""
    once = [
        point.threads
        for point in line.usable
        if len(point.throughputs) < 2 and point.level - line.best.level > HOPELESS
    ]
    if line.noise.freedom >= ENOUGH_FREEDOM:
        return None
    reason = (
        tr("Measuring it again shows the noise.")
        if len(line.values) == 1
        else tr("Measuring the faster ones again shows the noise.")
    )
    return _round(once, reason)


def search_promising_gaps(line: AxisState) -> Round | None:
    """Halve every gap that could hide something clearly better than the best so far."""
    middles = []
    for at in range(len(line.usable) - 1):
        gap = line.between(line.usable[at].threads, line.usable[at + 1].threads)
        open_values = [value for value in gap if value not in line.by_value]
        if open_values and ceiling(line.usable, at, open_values[-1]) - line.best.level > PROMISING:
            middles.append(open_values[len(open_values) // 2])
    return _round(middles, tr("A gap here could hide a better value."))


def ceiling(points: Sequence[Point], at: int, until: int) -> float:
    """Log of the highest throughput to expect between point `at` and the next, up to value `until`.

    Before a fall, curves rise more and more slowly, so the continued last slope is a ceiling.
    Where the curve still rises beyond the gap, nothing inside stands out.
    """
    here, following = points[at], points[at + 1]
    beyond = points[at + 2] if at + 2 < len(points) else None
    if beyond and here.level <= following.level <= beyond.level:
        return following.level
    height = math.exp(here.level)
    slope = height / max(here.threads, 1)
    if at > 0:
        before = points[at - 1]
        rise = (height - math.exp(before.level)) / (here.threads - before.threads)
        slope = min(slope, max(rise, 0.0))
    return math.log(height + slope * (until - here.threads))


def spot_check_the_contenders(line: AxisState) -> Round | None:
    """Halve gaps between good values until none is wide, at odd numbers, which ladders miss."""
    spots = []
    for here, following in pairwise(line.usable):
        if min(here.level, following.level) - line.best.level < WITHIN_REACH:
            continue
        gap = line.between(here.threads, following.threads)
        if len(gap) >= WIDE:
            middle = gap[len(gap) // 2]
            spots.append(middle if middle % 2 or middle + 1 not in gap else middle + 1)
    return _round(spots, tr("A look between good values shows whether work divides unevenly."))


def look_beside_the_best(line: AxisState) -> Round | None:
    """Measure the neighbours of the best: a jagged curve shows there."""
    index = line.values.index(line.best.threads)
    beside = [line.values[p] for p in (index - 1, index + 1) if 0 <= p < len(line.values)]
    missing = [value for value in beside if value not in line.by_value]
    return _round(missing, tr("Neighbours of the best show a jagged curve."))


def settle_a_suspicion(line: AxisState) -> Round | None:
    """Repeat the walls and the bottom of a valley that may be chance, at least once."""
    dip = valley(line.usable, line.noise)
    if dip is None or dip.depth < DIP or dip.errors <= SUSPICIOUS:
        return None
    enough = MOST_PER_VALUE // 2 if dip.errors <= PROVEN else 2
    values = [
        value
        for value in (dip.left, dip.bottom, dip.right)
        if len(line.by_value[value].throughputs) < enough
    ]
    return _round(values, tr("A dip may be chance or a jagged curve."))


def fill_a_jagged_curve(line: AxisState) -> Round | None:
    """On a proven saw-tooth, neighbours say nothing: measure all values that could be best."""
    dip = valley(line.usable, line.noise)
    if dip is None or dip.depth < DIP or dip.errors <= PROVEN:
        return None
    efficiency = max(point.level - math.log(max(point.threads, 1)) for point in line.usable)
    lowest = math.exp(line.best.level + math.log1p(-line.near) - efficiency)
    missing = [v for v in line.values if v >= lowest and v not in line.by_value]
    return _round(missing, tr("The curve is jagged: every value counts."))


def narrow_the_knee(line: AxisState) -> Round | None:
    """Halve the gap below the smallest value near the best: a smaller one may do."""
    close = [p for p in line.usable if p.level - line.best.level >= math.log1p(-line.near)]
    below = [p.threads for p in line.points if p.threads < close[0].threads]
    gap = line.between(below[-1], close[0].threads) if below else []
    return _round(gap[len(gap) // 2 :][:1], tr("A smaller value may be near the best too."))


def confirm(line: AxisState) -> Round | None:
    """Measure the smallest promising value against rivals whose difference is not yet proven."""
    floor = math.log1p(-line.near)
    for point in line.usable:
        room = point.level - line.best.level - floor
        if room <= 0.0 or (_slower(line, point) and _too_close_to_prove(line, point, room)):
            continue
        if line.noise.freedom and surely_near_best(point, line.usable, line.noise, line.near):
            return None
        return _duel(line, point, floor)
    return None


def _slower(line: AxisState, point: Point) -> bool:
    """Whether a point is measurably slower than the best; only proof that it is near helps it."""
    ahead = line.best.level - point.level
    return point is not line.best and ahead > line.noise.bound(line.best, point, MEASURABLY)


def _too_close_to_prove(line: AxisState, point: Point, room: float) -> bool:
    """Whether a proof that it is near the best would need more trials than one value can have."""
    if point is line.best or line.noise.freedom == 0:
        return False
    least = line.noise.deviation * math.sqrt(2.0 / MOST_PER_VALUE)
    return line.noise.quantile(SURE) * least > room


def _duel(line: AxisState, point: Point, floor: float) -> Round | None:
    def shortfall(rival: Point) -> float:
        bound = line.noise.bound(point, rival, SURE)
        return rival.level + bound + floor - point.level

    rivals = [r for r in line.usable if r is not point and shortfall(r) > 0.0]
    worst = sorted(rivals, key=shortfall, reverse=True)[:3]
    chosen = [p.threads for p in (point, *worst) if len(p.throughputs) < MOST_PER_VALUE]
    return _round(chosen, tr("Confirming the choice against what it cannot yet be told from."))


RULES: tuple[tuple[Rule, ...], ...] = (
    # At once, because each further block costs another trial of the best.
    (
        repeat_the_contenders,
        search_promising_gaps,
        spot_check_the_contenders,
        look_beside_the_best,
    ),
    (settle_a_suspicion,),
    (fill_a_jagged_curve,),
    (narrow_the_knee,),
    (confirm,),
)
