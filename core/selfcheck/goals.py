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
    """Rows in the order they were checked."""

    title: str
    rows: tuple[GoalRow, ...]

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
