import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import Point, surely_near_best
from core.judge.curves import Shape, classify, fit_law, pooled_noise

LADDER = (1, 2, 4, 8, 16, 32)


def point(threads: int, level: float, noise: float = 0.005, trials: int = 5) -> Point:
    """A point whose trials scatter evenly around `level`."""
    spread = np.linspace(-noise, noise, trials)
    return Point(threads=threads, throughputs=tuple(level * np.exp(spread)))


def curve(*levels: float, threads: tuple[int, ...] = LADDER) -> list[Point]:
    return [point(n, level) for n, level in zip(threads, levels, strict=True)]


def law(n: float, contention: float, coherency: float) -> float:
    return 100 * n / (1 + contention * (n - 1) + coherency * n * (n - 1))


@given(st.floats(min_value=0, max_value=0.5), st.floats(min_value=0, max_value=0.02))
def test_that_the_law_is_recovered_from_points_that_follow_it(
    contention: float, coherency: float
) -> None:
    found = fit_law([point(n, law(n, contention, coherency)) for n in LADDER], resamples=0)
    assert found is not None
    assert found.rate == pytest.approx(100, rel=1e-3)
    assert found.contention == pytest.approx(contention, abs=1e-3)
    assert found.coherency == pytest.approx(coherency, abs=1e-4)
    assert found.misfit < 1e-3


def test_that_the_peak_of_the_law_is_where_its_throughput_is_highest() -> None:
    found = fit_law([point(n, law(n, 0.05, 0.002)) for n in LADDER], resamples=0)
    assert found is not None
    assert found.throughput(found.peak) > found.throughput(found.peak - 1)
    assert found.throughput(found.peak) > found.throughput(found.peak + 1)


def test_that_intervals_of_the_law_hold_the_truth_as_often_as_they_say() -> None:
    rng = np.random.default_rng(17)
    held = 0
    for _ in range(60):
        points = [
            Point(threads=n, throughputs=tuple(law(n, 0.1, 0.002) * np.exp(rng.normal(0, 0.03, 5))))
            for n in LADDER
        ]
        found = fit_law(points, resamples=200)
        assert found is not None
        assert found.contention_bounds is not None
        low, high = found.contention_bounds
        held += low <= 0.1 <= high
    assert held >= 51


def test_that_costs_are_never_negative_where_scaling_is_better_than_linear() -> None:
    found = fit_law(curve(100, 210, 440, 900, 1900, 4000))
    assert found is not None
    assert found.contention >= 0.0
    assert found.coherency >= 0.0
    assert found.peak == math.inf or found.peak > 32


def test_that_two_thread_counts_are_too_few_for_a_law() -> None:
    assert fit_law(curve(1, 2, threads=(1, 2))) is None


def test_that_points_without_repetition_give_a_law_without_intervals() -> None:
    found = fit_law([point(n, law(n, 0.1, 0.0), trials=1) for n in LADDER])
    assert found is not None
    assert found.contention_bounds is None


def test_that_a_point_without_throughput_is_refused() -> None:
    for none in ((), (1.0, 0.0)):
        with pytest.raises(ValueError, match="1 threads: throughputs must be given and positive"):
            Point(threads=1, throughputs=none).level  # noqa: B018 -- it raises


@pytest.mark.parametrize(
    ("levels", "shape"),
    [
        ((1, 2, 4, 8, 16, 31), Shape.LINEAR),
        ((1, 1.9, 3.6, 6, 9, 12), Shape.RISING),
        ((1, 2, 4, 5, 5.1, 5.05), Shape.PLATEAU),
        ((1, 2, 4, 8, 3, 3), Shape.CLIFF),
        ((1, 2, 4, 5, 4.3, 3.6), Shape.OVERSUBSCRIBED),
        ((1, 2, 4, 3, 6, 4), Shape.SAW_TOOTH),
    ],
)
def test_that_shapes_are_named(levels: tuple[float, ...], shape: Shape) -> None:
    assert classify(curve(*levels)) is shape


def test_that_noise_of_a_flat_curve_is_not_taken_for_a_saw_tooth() -> None:
    rng = np.random.default_rng(19)
    jagged = 0
    for _ in range(100):
        points = [
            Point(threads=n, throughputs=tuple(np.exp(rng.normal(0, 0.03, 5))))
            for n in range(1, 33)
        ]
        jagged += classify(points) is Shape.SAW_TOOTH
    assert jagged <= 3


@pytest.mark.parametrize(
    "points",
    [
        curve(1, 2, threads=(1, 2)),
        [point(n, float(n), trials=1) for n in LADDER],
        [point(n, float(n), noise=0.5) for n in LADDER],
    ],
    ids=["two points", "nothing repeated", "much noise"],
)
def test_that_a_shape_that_cannot_be_seen_is_unclear(points: list[Point]) -> None:
    assert classify(points) is Shape.UNCLEAR


def test_that_noise_is_pooled_over_points_of_any_level() -> None:
    rng = np.random.default_rng(23)
    points = [
        Point(threads=n, throughputs=tuple(n * np.exp(rng.normal(0, 0.03, 3))))
        for n in range(1, 200)
    ]
    found = pooled_noise(points)
    assert found.deviation == pytest.approx(0.03, rel=0.15)
    assert found.freedom == 398


@given(
    st.lists(st.floats(min_value=0.5, max_value=100), min_size=2, max_size=6),
    st.floats(min_value=0.001, max_value=0.2),
)
def test_that_what_is_surely_near_the_best_measured_near_it(
    levels: list[float], noise: float
) -> None:
    points = [point(n, level, noise) for n, level in zip(LADDER, levels, strict=False)]
    for one in points:
        if surely_near_best(one, points, pooled_noise(points)):
            assert math.exp(one.level) >= 0.949 * max(levels)


def test_that_points_that_never_met_are_less_surely_near() -> None:
    one, two = point(1, 1.0), point(2, 1.0)
    near = pooled_noise([one, two])
    far = replace(near, between={(1, 2): (1.0, 9.0), (2, 1): (1.0, 9.0)})
    assert surely_near_best(one, [two], near)
    assert not surely_near_best(one, [two], far)
