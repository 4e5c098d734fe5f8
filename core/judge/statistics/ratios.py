"""The ratio of two throughputs: its estimate, the drift of sessions that it allows for, its tests.

Two throughputs were measured interleaved by block, partly so, or apart.  How far sessions lie apart
beyond the noise of their trials, one session cannot show.

Each block starts new children, so the ratios of blocks vary for two reasons: the rounds of turns
within a block, of which there are many, and the differences between generations of children, of
which there are as few as blocks.  Three blocks alone give a poor estimate of their variance, and
Student's interval is wide to make up for it.  The rounds estimate the first part well, and no block
can truly vary less than that: where blocks seem to, that is their variance, so that nobody stops
measuring at a lucky moment.  Where a few blocks vary as their rounds and usual generations explain,
they are pooled, too.  Where they vary more, only the blocks count, so that an effect of
generations, or a slow disturbance, is never averaged away.

Sources: "sometimes pool" with a lenient preliminary test: Bancroft, "On biases in estimation due to
the use of preliminary tests of significance", Annals of Mathematical Statistics 15 (1944), at the
level of one half that keeps the final test near its own level: Bozivich, Bancroft & Hartley,
"Power of analysis of variance test procedures", Annals of Mathematical Statistics 27 (1956); the
error of a ratio of sums: Cochran, "Sampling Techniques" (1977), ch. 6.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from core.judge.statistics.intervals import (
    Estimate,
    Floats,
    Samples,
    as_floats,
    over_trials,
    student_cdf,
    student_quantile,
)
from core.vocabulary import CONFIDENCE, DECLARE_BELOW

ENOUGH_FREEDOM = 7
"""Fewest sessions, beyond the first of each kind, that determine the drift by themselves."""
TIMES_THE_SPREAD = 2.5
LEAST = 0.05


@dataclass(frozen=True, kw_only=True)
class Drift:
    """How far the levels of sessions lie apart beyond the noise of their trials.

    `deviation`: standard deviation of the log of a session's level, ≈ relative; `freedom`: the
    degrees of freedom behind it; `sessions`: those it was learnt from, 0 where it is the usual one.
    """

    deviation: float
    freedom: float
    sessions: int = 0


def usual_drift(*sides: Samples) -> Drift:
    """The drift to allow for where too few sessions show it, from the logs of each side's trials.

    It is 2.5 times the deviation of trials within a session, and at least 5 %.  What moves the
    level of a session moves its trials too: over 245 sessions of five kinds of plain reads (trials
    of 0.25 to 3 s; two shared cores, load 1 to 9) the levels of sessions had 0.8 to 2.3 times the
    deviation of their trials.  The 5 % are for what stays for a whole session, such as memory
    layout and clock rate: Mytkowicz et al., "Producing wrong data without doing anything obviously
    wrong!", ASPLOS 2009.
    """
    freedom = sum(len(side) - 1 for side in sides)
    deviation = TIMES_THE_SPREAD * math.sqrt(_within(list(map(as_floats, sides))))
    if deviation <= LEAST:
        return Drift(deviation=LEAST, freedom=math.inf)
    return Drift(deviation=deviation, freedom=float(freedom))


def _within(sides: Sequence[Floats]) -> float:
    """Variance of a trial within its session, pooled; 0 where nothing was repeated."""
    freedom = sum(side.size - 1 for side in sides)
    squares = sum(float(((side - side.mean()) ** 2).sum()) for side in sides)
    return squares / freedom if freedom else 0.0


def drift_between(kinds: Sequence[Sequence[Samples]]) -> Drift | None:
    """The drift that sessions show, by the logs of their trials; None where none was repeated.

    `kinds`: the sessions of each kind; levels are compared within a kind.  The drift's variance is
    that between sessions' means, less what the noise of their trials adds to it; for a session
    with a single trial nothing is subtracted.
    Source: components of variance, Searle, Casella & McCulloch, "Variance Components" (1992),
    ch. 3; freedom: Satterthwaite, Biometrics Bulletin 2 (1946).
    """
    repeated = [list(map(as_floats, kind)) for kind in kinds if len(kind) > 1]
    freedom = sum(len(kind) - 1 for kind in repeated)
    if not freedom:
        return None
    means = [np.array([session.mean() for session in kind]) for kind in repeated]
    between = sum(float(((kind - kind.mean()) ** 2).sum()) for kind in means) / freedom
    sessions = [session for kind in repeated for session in kind]
    noise = float(np.mean([_within([one]) / one.size for one in sessions]))
    own = max(between - noise, 0.0)
    return Drift(
        deviation=math.sqrt(own),
        freedom=max(freedom * (own / between) ** 2, 1.0) if own else float(freedom),
        sessions=len(sessions),
    )


def drift_to_allow(kinds: Sequence[Sequence[Samples]], *sides: Samples) -> Drift:
    """The drift of past sessions; where they are few, the larger of that and the usual drift."""
    usual, observed = usual_drift(*sides), drift_between(kinds)
    if observed is None:
        return usual
    if sum(len(kind) - 1 for kind in kinds if kind) >= ENOUGH_FREEDOM:
        return observed
    if observed.deviation <= usual.deviation:
        return usual
    return Drift(deviation=observed.deviation, freedom=usual.freedom, sessions=observed.sessions)


type LogsByBlock = Mapping[int, float]
"""Natural log of each trial's figure, by the block in which it ran, in the order of the blocks."""

_FEWEST_SHARED = 2
"""Fewest blocks for a covariance."""


def estimate_ratio(
    baseline: LogsByBlock, candidate: LogsByBlock, drift: Drift | None = None
) -> Estimate:
    """Estimate log(candidate / baseline) from at least two trials of each.

    The mean is always the difference of the mean logs: the log of the ratio of the geometric means.
    Where every block has both sides, its error comes from the differences within blocks.  Where
    only some have, it comes from each side's own spread, less what the shared blocks have in
    common.  With `drift` the sides were measured apart: they share no blocks, and each side's
    session adds its own drift.

    Raises ValueError below two trials.  Sources: Student (1908), paired by block: Box, Hunter &
    Hunter, "Statistics for Experimenters", ch. 3; Welch, Biometrika 34 (1947); freedom of summed
    variances: Satterthwaite, Biometrics Bulletin 2 (1946); variance between sessions as a
    component of its own: Kalibera & Jones, "Rigorous benchmarking in reasonable time", ISMM 2013.
    """
    if drift is None and baseline.keys() == candidate.keys():
        return over_trials([candidate[block] - baseline[block] for block in baseline])
    sides = [over_trials(list(side.values())) for side in (baseline, candidate)]
    mean = sides[1].mean - sides[0].mean
    if drift is not None:
        twice = Estimate(mean=0.0, error=math.sqrt(2.0) * drift.deviation, freedom=drift.freedom)
        return _summed(mean, [*sides, twice])
    return _partly_shared(_summed(mean, sides), baseline, candidate)


def and_error(estimate: Estimate, error: float) -> Estimate:
    """The estimate with a further standard error, of figures that were computed; 0 = none."""
    if not error:
        return estimate
    return _summed(estimate.mean, [estimate, Estimate(mean=0.0, error=error, freedom=math.inf)])


def _summed(mean: float, parts: Sequence[Estimate]) -> Estimate:
    """An estimate whose variance is the sum of those of independent parts."""
    variances = [part.error**2 for part in parts]
    total = math.fsum(variances)
    spent = math.fsum(v**2 / part.freedom for v, part in zip(variances, parts, strict=True))
    return Estimate(
        mean=mean,
        error=math.sqrt(total),
        freedom=total**2 / spent if spent > 0.0 else min(part.freedom for part in parts),
    )


def _partly_shared(apart: Estimate, baseline: LogsByBlock, candidate: LogsByBlock) -> Estimate:
    """The estimate of separate sides, less the variance that both share with some blocks.

    Never less than what remains within blocks: the covariance of a few can be too large by chance.
    """
    blocks = [block for block in baseline if block in candidate]
    if len(blocks) < _FEWEST_SHARED:
        return apart
    pairs = np.array([(baseline[block], candidate[block]) for block in blocks])
    covariance = max(float(np.cov(pairs, rowvar=False)[0, 1]), 0.0)
    common = 2.0 * len(blocks) * covariance / (len(baseline) * len(candidate))
    within = float((pairs[:, 1] - pairs[:, 0]).var(ddof=1)) / 2.0
    least = within * (1.0 / len(baseline) + 1.0 / len(candidate))
    return Estimate(
        mean=apart.mean,
        error=math.sqrt(max(apart.error**2 - common, least)),
        freedom=min(apart.freedom, len(blocks) - 1.0),
    )


def difference_p(estimate: Estimate) -> float:
    """Two-sided Student p of a log ratio against 0. Source: Student (1908)."""
    if estimate.error == 0.0:
        return 1.0 if estimate.mean == 0.0 else 0.0
    return 2.0 * student_cdf(estimate.freedom, -abs(estimate.mean) / estimate.error)


def equivalence_p(estimate: Estimate, margin: float) -> float:
    """P of the claim that the true ratio lies within 1 + `margin` either way; small: equivalent.

    Two one-sided tests on the log ratio; the larger p counts. Raises ValueError for a margin ≤ 0.
    Source: Schuirmann, "A comparison of the two one-sided tests procedure", J. Pharmacokin. 15
    (1987).
    """
    if margin <= 0.0:
        raise ValueError("the margin of equivalence must be positive")
    inside = math.log1p(margin) - abs(estimate.mean)
    if estimate.error == 0.0:
        return 0.0 if inside > 0.0 else 1.0
    return student_cdf(estimate.freedom, -inside / estimate.error)


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Adjust a family of p-values, keeping their order.

    The chance of any false claim in the family then stays below the level asked.

    Raises ValueError for a p outside [0, 1].
    Source: Holm, "A simple sequentially rejective multiple test procedure", Scand. J. Stat. 6
    (1979).
    """
    if any(not 0.0 <= p <= 1.0 for p in p_values):
        raise ValueError("p-values lie between 0 and 1")
    adjusted = [0.0] * len(p_values)
    running = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        running = max(running, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = running
    return tuple(adjusted)


def visible_difference(estimate: Estimate) -> float:
    """Smallest true relative difference (0.05 = 5 %) that such data would declare.

    Twice the half-width of the interval that decides, on the log scale: the first half is needed to
    exclude 1, the second so that an unlucky draw still does. It depends on the spread only, never
    on the ratio seen.

    Source: Kelley & Maxwell, "Sample size planning", Annual Review of Psychology 59 (2008) on
    accuracy rather than significance; Kruschke, "Doing Bayesian Data Analysis" (2015), §13.3.
    """
    try:
        return math.expm1(2.0 * estimate.half_width(1.0 - DECLARE_BELOW))
    except OverflowError:
        return math.inf


_MOST_NEEDED = 1000


def trials_needed(
    estimate: Estimate, trials: int, distance: float, confidence: float
) -> int | None:
    """Trials of each side after which such an estimate would clear a limit at this distance.

    `estimate` rests on so many `trials`, two at least; `distance` is on the log scale.  Supposes
    that the estimate and the spread of trials stay what they are.  None where more than 1,000 would
    be needed.
    Source: sample size for a given half-width, Kelley & Maxwell (2008), as above.
    """
    spread = estimate.error * math.sqrt(trials)

    def clears(count: int) -> bool:
        freedom = estimate.freedom * (count - 1.0) / (trials - 1.0)
        quantile = student_quantile(freedom, 0.5 + confidence / 2.0)
        return quantile * spread / math.sqrt(count) <= abs(distance)

    too_few, enough = trials, max(_MOST_NEEDED, trials + 1)
    if not clears(enough):
        return None
    while enough - too_few > 1:
        middle = (too_few + enough) // 2
        too_few, enough = (too_few, middle) if clears(middle) else (middle, enough)
    return enough


GENERATION = 0.03
"""Standard deviation, as a share, that is always allowed for between generations of children: a few
blocks that happen to agree do not show it."""
ENOUGH_BLOCKS = 8
"""From so many on their own variance is known well enough."""
_FEWEST_ROUNDS = 12
"""Of all blocks together: fewer say no more than the blocks themselves."""
_MOST_CORRELATED = 0.9


@dataclass(frozen=True, kw_only=True)
class Within:
    """Variance of one block's log ratio as its rounds explain it, and its degrees of freedom."""

    variance: float
    freedom: float


def variance_within(blocks: Sequence[tuple[Floats, Floats]]) -> Within | None:
    """The variance from the rounds of each block; None if there are too few of them.

    Each side of a block is an array of shape (rounds, 2): what was done, in any unit, and the time
    for it.  Row i of both sides is the same round.  Rounds of the same place in all blocks have a
    common part, such as a cache that fills: it does not make blocks differ, and is left out.
    """
    if len(blocks) < 2:
        return None
    residuals = [_residuals(candidate) - _residuals(baseline) for baseline, candidate in blocks]
    rounds = min(one.size for one in residuals)
    if rounds < 2 or rounds * len(blocks) < _FEWEST_ROUNDS:
        return None
    # Blocks have about equally many rounds; each is scaled to the length that all have.
    table = np.array([one[:rounds] * (one.size / rounds) for one in residuals])
    own = table - table.mean(axis=0)
    own -= own.mean(axis=1, keepdims=True)
    freedom = (len(blocks) - 1.0) * (rounds - 1.0)
    inflation = _inflation(own)
    variance = float((own**2).sum()) / freedom * rounds * inflation
    return Within(variance=variance, freedom=max(freedom / inflation, 1.0))


def _residuals(side: Floats) -> Floats:
    """What each round adds to the log of the block's rate, more or less than its share."""
    done, time = side.sum(axis=0)
    if not (done > 0.0 and time > 0.0):
        return np.zeros(len(side))
    excess: Floats = side[:, 0] / done - side[:, 1] / time
    return excess


def _inflation(residuals: Floats) -> float:
    """How much larger the variance of a mean is because neighbouring rounds resemble each other."""
    squares = float((residuals**2).sum())
    if squares <= 0.0:
        return 1.0
    raw = float((residuals[:, 1:] * residuals[:, :-1]).sum()) / squares
    rounds = residuals.shape[1]
    unbiased: float = raw + (1.0 + 4.0 * raw) / rounds  # Kendall (1954), as in `intervals`
    correlation = min(max(unbiased, 0.0), _MOST_CORRELATED)
    return (1.0 + correlation) / (1.0 - correlation)


def pooled(estimate: Estimate, blocks: int, within: Within | None) -> Estimate:
    """An estimate from the figures of so many blocks, its error pooled with that of their rounds.

    Blocks that vary less than their rounds explain do so by luck: they count as varying as much.  A
    few blocks that vary as rounds and generations explain are known better with the rounds.  All
    others speak for themselves.
    """
    if within is None or estimate.freedom < blocks - 1.0 - 1e-9:
        return estimate
    between = estimate.error**2 * blocks
    estimate = replace(estimate, error=math.sqrt(max(between, within.variance) / blocks))
    explained = replace(within, variance=within.variance + 2.0 * GENERATION**2)
    by_chance = explained.variance * _median_of_chance(estimate.freedom)
    if blocks >= ENOUGH_BLOCKS or between > by_chance:
        return estimate
    freedom = estimate.freedom + explained.freedom
    own = estimate.freedom * estimate.error**2 * blocks
    error = math.sqrt((own + explained.freedom * explained.variance) / freedom / blocks)
    better = replace(estimate, error=error, freedom=freedom)
    return better if better.half_width(CONFIDENCE) < estimate.half_width(CONFIDENCE) else estimate


def _median_of_chance(freedom: float) -> float:
    """Median of chi squared over its degrees of freedom, by Wilson & Hilferty (1931)."""
    return (1.0 - 2.0 / (9.0 * freedom)) ** 3
