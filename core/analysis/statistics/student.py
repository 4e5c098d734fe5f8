"""Student's t distribution in plain Python.

scipy has it too, but takes longer to load than a table takes to print, and every table has
intervals.
"""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_CLOSE = 1e-15
_MOST_TERMS = 10_000


def student_cdf(freedom: float, t: float) -> float:
    """P(T ≤ t) of Student's t with `freedom` > 0, which may be infinite: the normal one.

    Source: Abramowitz & Stegun, "Handbook of Mathematical Functions" (1964), 26.5.27 and 26.7.1.
    """
    if math.isinf(freedom):
        return 0.5 * math.erfc(-t / math.sqrt(2.0))
    whole = freedom + t * t
    beyond = 0.5 * _incomplete_beta(0.5 * freedom, 0.5, freedom / whole, t * t / whole)
    return beyond if t < 0.0 else 1.0 - beyond


@lru_cache(maxsize=4096)
def student_quantile(freedom: float, share: float) -> float:
    """The t below which that share of Student's distribution lies, 0 < share < 1."""
    if share == 0.5:
        return 0.0
    if share > 0.5:
        return -student_quantile(freedom, 1.0 - share)
    low, high = -1.0, 0.0
    while student_cdf(freedom, low) > share:
        low, high = 2.0 * low, low
    while high - low > 1e-14 * abs(low):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        low, high = (middle, high) if student_cdf(freedom, middle) < share else (low, middle)
    return 0.5 * (low + high)


def _incomplete_beta(a: float, b: float, x: float, rest: float) -> float:
    """The regularised incomplete beta function I_x(a, b) for 0 ≤ x ≤ 1, `rest` being 1 - x."""
    if x == 0.0 or rest == 0.0:
        return 0.0 if x == 0.0 else 1.0
    beta = math.lgamma(a) + math.lgamma(b) - math.lgamma(a + b)
    front = math.exp(a * math.log(x) + b * math.log(rest) - beta)
    # The fraction converges fast on this side of the peak only.
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _fraction(a, b, x) / a
    return 1.0 - front * _fraction(b, a, rest) / b


def _fraction(a: float, b: float, x: float) -> float:
    """The continued fraction of the incomplete beta function, from the front on.

    Sources: Abramowitz & Stegun (1964), 26.5.8; Lentz, "Generating Bessel functions in Mie
    scattering calculations using continued fractions", Applied Optics 15 (1976).
    """
    numerator = 1.0
    value = denominator = 1.0 / _held(1.0 - (a + b) * x / (a + 1.0))
    for m in range(1, _MOST_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        before = value
        for term in (even, odd):
            denominator = 1.0 / _held(1.0 + term * denominator)
            numerator = _held(1.0 + term / numerator)
            value *= numerator * denominator
        if abs(value - before) <= _CLOSE * abs(value):
            break
    return value


def _held(value: float) -> float:
    """The value, away from 0."""
    return value if abs(value) > _TINY else _TINY
