"""How long log-normal lengths are altogether, before any is drawn."""

from __future__ import annotations

from math import erf, exp, log, sqrt


def usual_sum(count: int, median: float, spread: float) -> float:
    """About the sum of that many lengths, `spread` being the deviation of their logarithm.

    Of wide spreads the mean comes from lengths so rare that few draws hardly meet them, so those
    beyond the longest of so many draws are left out: E[X; X < exp(s z)] = exp(s²/2) Φ(z - s) for
    the median 1, and z = √(2 ln n).
    """
    longest = sqrt(2 * log(max(count, 2)))
    mean = median * exp(spread * spread / 2)
    shorter = (1 + erf((longest - spread) / sqrt(2))) / 2
    return count * max(median, mean * shorter)
