"""What a simulation of our own methods reports: goals, what was measured, whether that was met."""

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Row:
    """One goal in words, the figure measured in words, and whether it meets the goal."""

    goal: str
    measured: str
    passed: bool


@dataclass(frozen=True, kw_only=True)
class Report:
    """Rows in the order they were checked; the seed repeats them exactly."""

    title: str
    seed: int
    rows: tuple[Row, ...]

    @property
    def passed(self) -> bool:
        return all(row.passed for row in self.rows)


def at_most(goal: str, share: float, limit: float, count: int) -> Row:
    """A row for a share of `count` cases that must not exceed `limit`."""
    measured = f"{share:.2%} of {count}"
    return Row(goal=goal, measured=measured, passed=count > 0 and share <= limit)


def at_least(goal: str, share: float, limit: float, count: int) -> Row:
    """A row for a share of `count` cases that must reach `limit`."""
    measured = f"{share:.2%} of {count}"
    return Row(goal=goal, measured=measured, passed=count > 0 and share >= limit)


def between(goal: str, share: float, low: float, high: float, count: int) -> Row:
    """A row for a share of `count` cases that must lie in `low`…`high`."""
    measured = f"{share:.2%} of {count}"
    return Row(goal=goal, measured=measured, passed=count > 0 and low <= share <= high)
