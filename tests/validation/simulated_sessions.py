"""Do comparisons of sessions that were measured apart keep their promises?

Sessions are simulated whose levels drift, with and without earlier ones to learn from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from shares import at_least, at_most
from simulated_pairs import DIFFERENT
from simulated_results import BASELINE, CANDIDATE, session_of

from core.judge.comparison import compare
from core.judge.statistics.intervals import Floats
from core.selfcheck.cost import GoalRow
from core.vocabulary import Verdict, VerdictKind

EARLIER = (0, 4, 8, 20)
"""Numbers of earlier sessions of the same thing."""
DRIFTS = (0.5, 2.0)
"""Deviations of sessions' levels over those of their trials."""
PLAIN_DIFFERENCE = 1.5
QUIET_DRIFT = 0.02


@dataclass(frozen=True, kw_only=True)
class Sessions:
    """Sessions of a few trials each, on the log scale; noise and drift as relative deviations."""

    trials: int = 5
    noise: float = 0.05
    drift: float = 0.05

    def one(self, rng: np.random.Generator, level: float = 0.0) -> Floats:
        """The logs of one session's trials."""
        drifted = level + rng.normal(scale=self.drift)
        found: Floats = drifted + rng.normal(scale=self.noise, size=self.trials)
        return found

    def compared(self, rng: np.random.Generator, earlier: int, difference: float = 1.0) -> Verdict:
        """Two sessions, the second so many times as fast, judged with so many earlier ones."""
        past = [[self.one(rng) for _ in range(earlier)]]
        one, two = self.one(rng), self.one(rng, float(np.log(difference)))
        return compare(
            session_of(BASELINE, np.exp(one).tolist(), 0),
            session_of(CANDIDATE, np.exp(two).tolist(), 1),
            past_of=lambda *_: past,
        )


def checks_of_drift() -> list[Callable[[np.random.Generator, int], tuple[GoalRow, ...]]]:
    """Every check, each to be given numbers and how often to simulate."""
    return [
        *(_alike(drift, earlier) for drift in DRIFTS for earlier in EARLIER),
        _different,
    ]


def _alike(drift: float, earlier: int) -> Callable[[np.random.Generator, int], tuple[GoalRow, ...]]:
    bench = Sessions(drift=drift * Sessions.noise)
    told = f"measured apart, drift {drift:g} × noise, {earlier} earlier sessions"

    def check(rng: np.random.Generator, count: int) -> tuple[GoalRow, ...]:
        """Identical settings: how often one is called faster, how often the interval holds 1."""
        found = [bench.compared(rng, earlier) for _ in range(count)]
        wrong = sum(one.kind in DIFFERENT for one in found) / count
        held = sum(_holds_one(one) for one in found) / count
        return (
            at_most(f"A/A declared different, {told}: ≤ 1 %", wrong, 0.01, count),
            at_least(f"Interval of the ratio holds 1, {told}: ≥ 93 %", held, 0.93, count),
        )

    return check


def _holds_one(one: Verdict) -> bool:
    assert one.low is not None
    assert one.high is not None
    return one.low <= 1.0 <= one.high


def _different(rng: np.random.Generator, count: int) -> tuple[GoalRow, ...]:
    """A plain difference on a known, quiet machine must still be declared."""
    bench = Sessions(noise=QUIET_DRIFT, drift=QUIET_DRIFT)
    found = [bench.compared(rng, EARLIER[-1], PLAIN_DIFFERENCE) for _ in range(count)]
    right = sum(one.kind is VerdictKind.FASTER for one in found) / count
    goal = f"{PLAIN_DIFFERENCE}× declared, measured apart, drift {QUIET_DRIFT:.0%}, "
    return (at_least(f"{goal}{EARLIER[-1]} earlier sessions: ≥ 95 %", right, 0.95, count),)
