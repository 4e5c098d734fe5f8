"""The rows of `make validate`: goals, figures, and whether they are met."""

from __future__ import annotations

from core.selfcheck.cost import GoalRow


def at_most(goal: str, share: float, limit: float, count: int) -> GoalRow:
    """A row for a share of `count` cases that must not exceed `limit`."""
    return _row(goal, share, count, share <= limit)


def at_least(goal: str, share: float, limit: float, count: int) -> GoalRow:
    """A row for a share of `count` cases that must reach `limit`."""
    return _row(goal, share, count, share >= limit)


def between(goal: str, share: float, low: float, high: float, count: int) -> GoalRow:
    """A row for a share of `count` cases that must lie in `low`…`high`."""
    return _row(goal, share, count, low <= share <= high)


def _row(goal: str, share: float, count: int, met: bool) -> GoalRow:
    judgement = "met" if count > 0 and met else "missed"
    return GoalRow(goal=goal, measured=f"{share:.2%} of {count}", judgement=judgement)
