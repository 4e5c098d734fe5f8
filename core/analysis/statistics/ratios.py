"""Estimates of the ratio of two throughputs: interleaved by block, partly so, or measured apart."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from core.analysis.statistics.drift import Drift
from core.analysis.statistics.intervals import Estimate, over_trials

type LogsByBlock = Mapping[int, float]
"""Natural log of each trial's figure, by the block in which it ran, in the order of the blocks."""

_FEWEST_SHARED = 2
"""Fewest blocks for a covariance."""


def contrast(baseline: LogsByBlock, candidate: LogsByBlock, drift: Drift | None = None) -> Estimate:
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
