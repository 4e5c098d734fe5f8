"""Is a ratio different from 1, or close enough to it, and would the trials show either?"""

import math
from collections.abc import Sequence

from core.analysis.statistics.intervals import Estimate, student_cdf, student_quantile
from core.plan.limits import DECLARE_BELOW

MARGIN = 0.05


def difference_p(found: Estimate) -> float:
    """Two-sided Student p of a log ratio against 0. Source: Student (1908)."""
    if found.error == 0.0:
        return 1.0 if found.mean == 0.0 else 0.0
    return 2.0 * student_cdf(found.freedom, -abs(found.mean) / found.error)


def equivalence_p(found: Estimate, margin: float) -> float:
    """P of the claim that the true ratio lies within 1 + `margin` either way; small: equivalent.

    Two one-sided tests on the log ratio; the larger p counts. Raises ValueError for a margin ≤ 0.
    Source: Schuirmann, "A comparison of the two one-sided tests procedure", J. Pharmacokin. 15
    (1987).
    """
    if margin <= 0.0:
        raise ValueError("the margin of equivalence must be positive")
    inside = math.log1p(margin) - abs(found.mean)
    if found.error == 0.0:
        return 0.0 if inside > 0.0 else 1.0
    return student_cdf(found.freedom, -inside / found.error)


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


def visible_difference(found: Estimate) -> float:
    """Smallest true relative difference (0.05 = 5 %) that such data would declare.

    Twice the half-width of the interval that decides, on the log scale: the first half is needed to
    exclude 1, the second so that an unlucky draw still does. It depends on the spread only, never
    on the ratio seen.

    Source: Kelley & Maxwell, "Sample size planning", Annual Review of Psychology 59 (2008) on
    accuracy rather than significance; Kruschke, "Doing Bayesian Data Analysis" (2015), §13.3.
    """
    try:
        return math.expm1(2.0 * found.half_width(1.0 - DECLARE_BELOW))
    except OverflowError:
        return math.inf


def trials_to_tell(
    found: Estimate, trials: int, distance: float, confidence: float, most: int = 1000
) -> int | None:
    """Trials of each side after which such an estimate would clear a limit at this distance.

    `found` rests on so many `trials`; `distance` is on the log scale.  Supposes that the estimate
    and the spread of trials stay what they are.  None where more than `most` would be needed.
    Source: sample size for a given half-width, Kelley & Maxwell (2008), as above.
    """
    spread = found.error * math.sqrt(trials)
    for count in range(trials + 1, most + 1):
        reached = student_quantile(count - 1.0, 0.5 + confidence / 2.0) * spread / math.sqrt(count)
        if reached <= abs(distance):
            return count
    return None
