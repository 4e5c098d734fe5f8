"""Settings and blocks as additive effects: levels without the drift from block to block."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.judge import TwoWayLayout, two_way_layout
from core.judge.statistics.intervals import Floats
from core.judge.statistics.two_way_layout import MACHINE_DRIFT

pytestmark = pytest.mark.quick

seeds = some.integers(0, 2**32 - 1)


def wide(values: Floats) -> list[list[tuple[int, float]]]:
    """A row for each setting, a column for each block."""
    return [list(enumerate(row)) for row in values.tolist()]


def steps(found: TwoWayLayout) -> list[float]:
    """Levels above the first."""
    return [float(level - found.levels[0]) for level in found.levels[1:]]


@given(seed=seeds, settings=some.integers(2, 8), blocks=some.integers(2, 6))
def test_that_where_every_block_has_every_setting_levels_are_means(
    seed: int, settings: int, blocks: int
) -> None:
    logs = np.random.default_rng(seed).normal(size=(settings, blocks))
    found = two_way_layout(wide(logs))
    assert found.levels == pytest.approx(logs.mean(axis=1))
    assert found.unit_error(0, 1) == pytest.approx(math.sqrt(2.0 / blocks))
    assert found.freedom == (settings - 1) * (blocks - 1)


@given(seed=seeds, drift=some.floats(0.01, 3.0))
def test_that_drift_between_blocks_moves_no_difference_and_is_no_noise(
    seed: int, drift: float
) -> None:
    drawn = np.random.default_rng(seed)
    truth, moods = drawn.normal(size=4), drift * drawn.normal(size=5)
    found = two_way_layout(wide(truth[:, None] + moods))
    assert steps(found) == pytest.approx(truth[1:] - truth[0], abs=1e-6)
    assert found.deviation == pytest.approx(0.0, abs=1e-6)


@given(seed=seeds, drift=some.floats(0.01, 1.0))
def test_that_settings_that_never_met_are_compared_by_one_that_met_both(
    seed: int, drift: float
) -> None:
    anchor, one, two = np.random.default_rng(seed).normal(size=3)
    moods = drift * np.random.default_rng(seed + 1).normal(size=2)
    logs = [
        [(0, anchor + moods[0]), (1, anchor + moods[1])],
        [(0, one + moods[0]), (0, one + moods[0])],
        [(1, two + moods[1]), (1, two + moods[1])],
    ]
    found = two_way_layout(logs)
    assert steps(found) == pytest.approx([one - anchor, two - anchor], abs=1e-4)
    # Two trials of each, and two of the anchor, which all add to what is uncertain.
    assert found.unit_error(1, 2) == pytest.approx(math.sqrt(0.5 + 0.5 + 1.0 + 1.0), rel=1e-3)


@given(seed=seeds, noise=some.floats(1e-3, 0.05))
def test_that_what_nothing_connects_is_as_uncertain_as_the_machine(seed: int, noise: float) -> None:
    drawn = np.random.default_rng(seed).normal(scale=noise, size=(4, 3))
    apart = [[(at // 2, log) for log in row] for at, row in enumerate(drawn.tolist())]
    found = two_way_layout(apart)
    error = found.deviation * found.unit_error(0, 2)
    assert error >= 0.99 * math.sqrt(2.0) * MACHINE_DRIFT
    assert found.deviation * found.unit_error(0, 1) < error


def test_that_a_machine_that_drifts_more_is_believed() -> None:
    drawn = np.random.default_rng(1).normal(scale=0.01, size=(3, 4))
    logs = wide(drawn + np.array([0.0, 1.0, -1.0, 0.3]))
    alone = [(9, 0.0), (9, 0.01)]
    found = two_way_layout([*logs, alone])
    assert found.deviation * found.unit_error(0, 3) >= 0.9


@given(seed=seeds, shift=some.floats(-20.0, 20.0))
def test_that_the_unit_moves_all_levels_alike(seed: int, shift: float) -> None:
    drawn = np.random.default_rng(seed)
    logs = [
        [(int(drawn.integers(3)), float(drawn.normal())) for _ in range(drawn.integers(1, 4))]
        for _ in range(4)
    ]
    one = two_way_layout(logs)
    two = two_way_layout([[(block, log + shift) for block, log in row] for row in logs])
    assert two.levels - shift == pytest.approx(one.levels, abs=1e-6)
    assert two.deviation == pytest.approx(one.deviation, abs=1e-6)


@given(seed=seeds)
def test_that_levels_are_means_of_what_is_left_without_the_blocks(seed: int) -> None:
    drawn = np.random.default_rng(seed)
    logs = [
        [(int(drawn.integers(4)), float(drawn.normal())) for _ in range(drawn.integers(1, 6))]
        for _ in range(5)
    ]
    found = two_way_layout(logs)
    left = [[log - found.blocks.get(block, 0.0) for block, log in row] for row in logs]
    assert [sum(row) / len(row) for row in left] == pytest.approx(found.levels.tolist(), abs=1e-6)


def test_that_blocks_of_one_setting_each_are_repeats() -> None:
    found = two_way_layout([[(0, 1.0), (1, 3.0)], [(2, 5.0)]])
    assert found.levels.tolist() == [2.0, 5.0]
    assert (found.freedom, dict(found.blocks)) == (1, {})


def test_that_without_repeats_no_difference_is_bounded() -> None:
    assert two_way_layout([[(0, 1.0)], [(0, 2.0)]]).bound(0, 1, 0.99) == math.inf


def test_that_a_setting_without_trials_is_refused() -> None:
    with pytest.raises(ValueError, match="needs a trial"):
        two_way_layout([[(0, 1.0)], []])


def test_that_the_bounds_to_all_levels_are_those_to_each() -> None:
    found = two_way_layout([[(0, 1.0), (1, 1.2)], [(0, 2.0), (1, 2.1)], [(1, 2.5)]])
    every = found.bounds(1, 0.99)
    assert every == pytest.approx([found.bound(1, other, 0.99) for other in range(3)], abs=1e-12)


def test_that_the_noise_is_what_settings_and_blocks_leave_together() -> None:
    logs = [[(0, 1.0), (1, 1.2), (2, 1.1)], [(0, 2.0), (1, 2.1)], [(1, 2.5), (2, 2.6)]]
    trials = [(at, block, log) for at, one in enumerate(logs) for block, log in one]
    design = [
        [float(at == k) for k in range(3)] + [float(block == k) for k in range(3)]
        for at, block, _ in trials
    ]
    values = np.array([log for *_, log in trials])
    fitted, _, rank, _ = np.linalg.lstsq(np.array(design), values)
    rest = values - np.array(design) @ fitted
    found = two_way_layout(logs)
    assert found.freedom == len(trials) - rank
    assert found.deviation == pytest.approx(math.sqrt(rest @ rest / found.freedom))


def test_that_a_setting_that_wavers_more_than_chance_explains_has_a_noise_of_its_own() -> None:
    drawn = np.random.default_rng(1).normal(scale=0.01, size=(5, 8))
    alike = two_way_layout(wide(drawn))
    drawn[2] *= 8.0
    found = two_way_layout(wide(drawn))
    assert alike.own == {}
    assert set(found.own) == {2}
    assert found.own[2].deviation > 2.5 * found.deviation
    assert found.bound(0, 2, 0.99) > 2.0 * found.bound(0, 1, 0.99)
    every = [0.0 if at == 2 else found.bound(2, at, 0.99) for at in range(5)]
    assert found.bounds(2, 0.99).tolist() == pytest.approx(every)


def test_that_settings_of_one_noise_seldom_seem_to_have_their_own() -> None:
    drawn = np.random.default_rng(2)
    seen = [two_way_layout(wide(drawn.normal(size=(6, 5)))).own for _ in range(400)]
    assert sum(map(bool, seen)) <= 12
