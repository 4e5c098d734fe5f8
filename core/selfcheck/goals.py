"""The report of a check of our own methods: goals, figures, and whether they are met."""

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class GoalRow:
    """One goal in words, the figure measured in words, and whether it meets the goal."""

    goal: str
    measured: str
    passed: bool


@dataclass(frozen=True, kw_only=True)
class CheckReport:
    """Rows in the order they were checked; a simulation's seed repeats them exactly."""

    title: str
    rows: tuple[GoalRow, ...]
    seed: int | None = None

    @property
    def passed(self) -> bool:
        return all(row.passed for row in self.rows)

    @property
    def verdict(self) -> str:
        """How many goals are met."""
        met = sum(row.passed for row in self.rows)
        return f"all {met} goals met" if self.passed else f"{met} of {len(self.rows)} goals met"


def median_reaches(
    goal: str, ratios: Sequence[float], limit: float, remark: str, *, most: float = math.inf
) -> GoalRow:
    """A row for the median of independent ratios (at least 2), from `limit` to `most`."""
    from core.analysis.statistics import median_interval

    found = median_interval(ratios)
    measured = f"{found.value:.3f} ({found.low:.3f}–{found.high:.3f}) · {remark}"
    return GoalRow(goal=goal, measured=measured, passed=limit <= found.value <= most)


def at_most(goal: str, share: float, limit: float, count: int) -> GoalRow:
    """A row for a share of `count` cases that must not exceed `limit`."""
    measured = f"{share:.2%} of {count}"
    return GoalRow(goal=goal, measured=measured, passed=count > 0 and share <= limit)


def at_least(goal: str, share: float, limit: float, count: int) -> GoalRow:
    """A row for a share of `count` cases that must reach `limit`."""
    measured = f"{share:.2%} of {count}"
    return GoalRow(goal=goal, measured=measured, passed=count > 0 and share >= limit)


def between(goal: str, share: float, low: float, high: float, count: int) -> GoalRow:
    """A row for a share of `count` cases that must lie in `low`…`high`."""
    measured = f"{share:.2%} of {count}"
    return GoalRow(goal=goal, measured=measured, passed=count > 0 and low <= share <= high)
