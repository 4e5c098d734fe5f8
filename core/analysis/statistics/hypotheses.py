"""Tests across interleaved trials.

All take one positive figure per trial, in any one unit, and return a p-value in [0, 1].
"""

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np

from core.analysis.statistics.intervals import Estimate
from core.analysis.statistics.student import student_cdf
from core.analysis.statistics.time_series import Floats, Samples, as_floats

EXACT_UP_TO = 20_000
DRAWN = 9_999


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


def permutation_p(baseline: Samples, candidate: Samples, *, paired: bool, seed: int = 0) -> float:
    """Two-sided p that labels do not matter, on the difference of mean logs.

    Exact where few labelings exist.

    `paired`: value i of both sides ran in block i, and labels change places only within a block.
    Above 20,000 labelings 9,999 are drawn with `seed`, the observed one counted in.

    Raises ValueError for values that are not positive, or pairs of different number.
    Sources: Fisher, "The Design of Experiments" (1935), §21; counting the observed one: Phipson &
    Smyth, "Permutation p-values should never be zero", SAGMB 9 (2010).
    """
    first, second = _logs(baseline), _logs(candidate)
    if paired and first.size != second.size:
        raise ValueError(f"pairs need equally many values, got {first.size} and {second.size}")
    rng = np.random.default_rng(seed)
    if paired:
        observed, others = _sign_flips(second - first, rng)
    else:
        observed, others = _relabelings(first, second, rng)
    reached = np.abs(others) >= abs(observed) * (1.0 - 1e-12) - 1e-15
    return float(reached.mean())


def _logs(values: Samples) -> Floats:
    array = as_floats(values)
    if (array <= 0.0).any():
        raise ValueError("values must be positive")
    return np.log(array)


def _sign_flips(differences: Floats, rng: np.random.Generator) -> tuple[float, Floats]:
    count = differences.size
    if 2**count <= EXACT_UP_TO:
        bits = (np.arange(2**count)[:, None] >> np.arange(count)) & 1
    else:
        bits = rng.integers(2, size=(DRAWN + 1, count))
        bits[0] = 0
    signs = 1.0 - 2.0 * bits
    return float(differences.mean()), signs @ differences / count


def _relabelings(first: Floats, second: Floats, rng: np.random.Generator) -> tuple[float, Floats]:
    pool = np.concatenate([second, first])
    size = second.size
    if math.comb(pool.size, size) <= EXACT_UP_TO:
        chosen = np.array(list(combinations(range(pool.size), size)))
    else:
        chosen = rng.permuted(np.tile(np.arange(pool.size), (DRAWN + 1, 1)), axis=1)[:, :size]
        chosen[0] = np.arange(size)
    sums = pool[chosen].sum(axis=1)
    differences = sums / size - (pool.sum() - sums) / first.size
    return float(second.mean() - first.mean()), differences


def mann_whitney_p(baseline: Samples, candidate: Samples) -> float:
    """Two-sided p that neither side tends to larger values; exact up to 8 values without ties.

    Ranks only, so one wild trial cannot decide it. It ignores blocks: prefer the paired permutation
    where blocks exist. Raises ValueError for an empty side.
    Source: Mann & Whitney, Annals of Mathematical Statistics 18 (1947).
    """
    from scipy import stats

    first, second = as_floats(baseline), as_floats(candidate)
    if np.ptp(np.concatenate([first, second])) == 0.0:
        return 1.0
    return float(stats.mannwhitneyu(first, second, alternative="two-sided").pvalue)


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
