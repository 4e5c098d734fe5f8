"""`make validate` in small: the promises hold within chance, and a broken judge is noticed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from simulated_pairs import checks_of_pairs
from simulated_turns import checks_of_turns
from validate import CHECKS, rows_of

from core.judge.statistics import ratios
from core.judge.statistics.intervals import Estimate
from core.judge.statistics.ratios import pooled
from core.selfcheck.cost import GoalRow

COUNTS = {
    "pairs": 20,
    "sessions": 20,
    "sweeps": 6,
    "races": 12,
    "turns": 6,
    "tuning": 40,
    "beside": 30,
}
ROWS = {
    "pairs": 33,
    "sessions": 17,
    "sweeps": 20,
    "races": 6,
    "turns": 30,
    "tuning": 8,
    "beside": 5,
}


@pytest.mark.parametrize("part", CHECKS)
def test_that_a_slice_of_the_simulation_meets_its_goals_within_chance(part: str) -> None:
    rows = list(rows_of(part, COUNTS[part]))
    assert len(rows) == ROWS[part]
    assert not [row for row in rows if not _nearly(row)]


def _nearly(row: GoalRow) -> bool:
    share = float(row.measured.split("%")[0])
    return row.passed or share <= 10 if "≤" in row.goal else row.passed or share >= 80


@pytest.mark.parametrize("checks", [checks_of_pairs, checks_of_turns])
def test_that_a_judge_which_is_too_sure_is_noticed(
    checks: Callable[..., tuple[GoalRow, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def too_sure(found: Estimate, *more: Any) -> Estimate:
        return replace(pooled(found, *more), error=found.error / 4)

    monkeypatch.setattr(ratios, "pooled", too_sure)
    missed = {row.goal for row in checks(np.random.default_rng(1), 0.0, 20) if not row.passed}
    assert any(goal.startswith("Ratio of 5 + 5") for goal in missed)
