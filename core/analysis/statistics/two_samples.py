"""Is the candidate faster than the baseline, and are the data enough to ask?"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from core.analysis.statistics.hypotheses import difference_p, equivalence_p
from core.analysis.statistics.intervals import Estimate, interval_of
from core.analysis.statistics.ratios import log_ratio
from core.analysis.statistics.student import student_quantile
from core.analysis.statistics.time_series import Samples
from core.plan.limits import CONFIDENCE, FEWEST_TO_STOP

MARGIN = 0.05
# Stricter than 0.05: one false alarm in twenty makes a gate in a pipeline worthless, and people
# look while trials come in; looking after every block about doubles false alarms.
DECLARE_BELOW = 0.0025


class Conclusion(StrEnum):
    FASTER = "faster"
    SLOWER = "slower"
    SAME = "same"
    UNDECIDED = "undecided"


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """`ratio`: candidate over baseline, with its 95 % interval `low` to `high`.

    `p`: of no difference; `p_same`: of a difference above the margin.
    """

    kind: Conclusion
    ratio: float
    low: float
    high: float
    p: float
    p_same: float


def compare_samples(
    baseline: Sequence[Samples], candidate: Sequence[Samples], margin: float = MARGIN
) -> Comparison:
    """Compare two configurations from interleaved trials, each a 1-D array of interval throughputs.

    SAME: the true ratio lies within 1 + `margin` either way (p_same < 0.0025), even where a
    difference that small is certain. FASTER, SLOWER: there is a difference (p < 0.0025).
    UNDECIDED: neither, or a side with a single trial, which says nothing about the next one.
    The interval is the usual 95 % one; it can exclude 1 while the kind is still undecided.

    Raises ValueError for a margin ≤ 0, no trials, or a throughput that is not positive.
    Sources: Student (1908), paired by block; equivalence: Schuirmann (1987).
    """
    found = log_ratio(baseline, candidate)
    several = min(len(baseline), len(candidate)) > 1
    return compare_estimate(found, margin, decidable=several)


def compare_estimate(found: Estimate, margin: float = MARGIN, *, decidable: bool) -> Comparison:
    """Judge an estimate of log(candidate / baseline) as `compare_samples` judges its trials.

    `decidable`: whether both sides have several trials. Raises ValueError for a margin ≤ 0.
    """
    p, p_same = difference_p(found), equivalence_p(found, margin)
    if not decidable:
        kind = Conclusion.UNDECIDED
    elif p_same < DECLARE_BELOW:
        kind = Conclusion.SAME
    elif p < DECLARE_BELOW:
        kind = Conclusion.FASTER if found.mean > 0.0 else Conclusion.SLOWER
    else:
        kind = Conclusion.UNDECIDED
    shown = interval_of(found, CONFIDENCE)
    return Comparison(
        kind=kind, ratio=shown.value, low=shown.low, high=shown.high, p=p, p_same=p_same
    )


def smallest_difference(baseline: Sequence[Samples], candidate: Sequence[Samples]) -> float:
    """Smallest true relative difference (0.05 = 5 %) that these data would declare.

    Twice the half-width of the interval that decides, on the log scale: the first half is needed to
    exclude 1, the second so that an unlucky draw still does. It depends on the spread only, never
    on the ratio seen, so that stopping on it does not favour lucky ratios.

    Raises ValueError as `compare_samples`. Source: Kelley & Maxwell, "Sample size planning",
    Annual Review of Psychology 59 (2008) on accuracy rather than significance; Kruschke, "Doing
    Bayesian Data Analysis" (2015), §13.3.
    """
    return visible_difference(log_ratio(baseline, candidate))


def visible_difference(found: Estimate) -> float:
    """As `smallest_difference`, from an estimate of the log ratio."""
    try:
        return math.expm1(2.0 * found.half_width(1.0 - DECLARE_BELOW))
    except OverflowError:
        return math.inf


def precision_suffices(
    baseline: Sequence[Samples], candidate: Sequence[Samples], delta: float = MARGIN
) -> bool:
    """Whether a true difference of `delta` (0.05 = 5 %) would be declared.

    Measuring stops on this rule.  False below five trials a side: fewer that agree by luck would
    stop it too soon.
    """
    if min(len(baseline), len(candidate)) < FEWEST_TO_STOP:
        return False
    return smallest_difference(baseline, candidate) <= delta


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
