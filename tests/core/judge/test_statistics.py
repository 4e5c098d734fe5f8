import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special
from simulated_pairs import correlated

from core.judge import median_interval
from core.judge.statistics.intervals import (
    as_floats,
    independent_blocks,
    interval_of,
    lag1_autocorrelation,
    over_trials,
    student_cdf,
    student_quantile,
)
from core.judge.statistics.ratios import (
    Drift,
    drift_between,
    equivalence_p,
    estimate_ratio,
    holm,
    usual_drift,
    visible_difference,
)

throughputs = st.floats(min_value=1.0, max_value=1e9)


@pytest.mark.parametrize("level", [0.0, 0.4, 0.8])
def test_that_lag1_autocorrelation_is_recovered_from_a_long_series(level: float) -> None:
    series = correlated(np.random.default_rng(5), 20_000, level)
    assert lag1_autocorrelation(series) == pytest.approx(level, abs=0.03)


def test_that_a_constant_series_has_no_autocorrelation() -> None:
    assert lag1_autocorrelation([0.1] * 50) == 0.0


def test_that_merging_makes_blocks_longer_the_more_readings_resemble_each_other() -> None:
    rng = np.random.default_rng(7)
    lengths = [independent_blocks(correlated(rng, 4_000, a)).length for a in (0.0, 0.9)]
    assert lengths[0] < 5
    assert lengths[1] > 20


@given(st.lists(throughputs, min_size=16, max_size=200))
def test_that_at_least_eight_blocks_are_left_and_hold_the_latest_readings(
    series: list[float],
) -> None:
    blocks = independent_blocks(series)
    assert blocks.means.size >= 8
    assert blocks.means[-1] == pytest.approx(np.mean(series[-blocks.length :]))
    assert 2.0 <= blocks.effective <= blocks.means.size


@pytest.mark.parametrize("bad", [[], [math.nan], [math.inf], [[1.0, 2.0]]])
def test_that_impossible_series_are_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match=r"expected|finite"):
        as_floats(bad)


def test_that_a_student_interval_agrees_with_the_textbook() -> None:
    found = interval_of(over_trials([1.0, 2.0, 3.0, 4.0, 5.0]))
    assert math.log(found.low) == pytest.approx(3 - 1.9632, abs=1e-3)
    assert math.log(found.high) == pytest.approx(3 + 1.9632, abs=1e-3)


def test_that_correlated_readings_give_a_wider_interval_than_their_number_promises() -> None:
    series = correlated(np.random.default_rng(11), 300, 0.8)
    naive = series.std(ddof=1) / math.sqrt(series.size)
    assert over_trials(series).error > 2 * naive


def test_that_the_median_of_five_lies_between_the_smallest_and_the_largest() -> None:
    found = median_interval([5.0, 1.0, 3.0, 2.0, 4.0])
    assert (found.low, found.value, found.high) == (1.0, 3.0, 5.0)


@given(st.lists(throughputs, min_size=6, max_size=40))
def test_that_the_interval_of_a_median_holds_it_and_stays_inside_the_values(
    values: list[float],
) -> None:
    found = median_interval(values)
    assert min(values) <= found.low <= found.value <= found.high <= max(values)


@given(st.floats(min_value=0.5, max_value=1e4), st.floats(min_value=-80, max_value=80))
def test_that_students_distribution_is_scipys(freedom: float, t: float) -> None:
    known = float(special.stdtr(freedom, t))
    assume(known > 1e-200)
    assert student_cdf(freedom, t) == pytest.approx(known, rel=1e-7)


@given(st.floats(min_value=1e4, max_value=1e17), st.floats(min_value=-8, max_value=8))
def test_that_students_distribution_holds_with_any_freedom(freedom: float, t: float) -> None:
    assert student_cdf(freedom, t) == pytest.approx(float(special.stdtr(freedom, t)), rel=1e-4)


@given(st.floats(min_value=0.5, max_value=1e4), st.floats(min_value=1e-6, max_value=1 - 1e-6))
def test_that_students_quantile_leads_back_to_its_share(freedom: float, share: float) -> None:
    found = student_quantile(freedom, share)
    assert student_cdf(freedom, found) == pytest.approx(share, rel=1e-9)


def test_that_student_of_endless_freedom_is_normal() -> None:
    assert student_quantile(math.inf, 0.975) == pytest.approx(1.959964, abs=1e-6)


def logs(*values: float) -> dict[int, float]:
    return dict(enumerate(values))


def test_that_a_contrast_of_whole_blocks_is_the_paired_one() -> None:
    one, two = (0.0, 1.0, 0.3), (0.1, 1.2, 0.35)
    found = estimate_ratio(logs(*one), logs(*two))
    paired = over_trials([b - a for a, b in zip(one, two, strict=True)])
    assert (found.mean, found.error) == pytest.approx((paired.mean, paired.error))
    assert found.freedom == 2


@given(st.lists(st.tuples(*[st.floats(min_value=-3, max_value=3)] * 2), min_size=3, max_size=10))
def test_that_a_contrast_is_the_difference_of_the_means_whatever_blocks_are_shared(
    pairs: list[tuple[float, float]],
) -> None:
    one, two = zip(*pairs, strict=True)
    mean = math.fsum(two) / len(two) - math.fsum(one) / len(one)
    apart = dict(enumerate(two, start=2))
    for other in (logs(*two), apart, logs(*two[:-1]) | {99: two[-1]}):
        assert estimate_ratio(logs(*one), other).mean == pytest.approx(mean, abs=1e-9)


def test_that_what_shared_blocks_have_in_common_is_no_error() -> None:
    drift = (0.0, 2.0, -1.0, 3.0, 1.0)
    one = logs(*drift, 1.0)
    two = logs(*(level + wobble for level, wobble in zip(
        drift, (0.5, 0.51, 0.49, 0.5, 0.5), strict=True)))  # fmt: skip
    partly = estimate_ratio(one, two)
    assert partly.error < 0.5 * estimate_ratio(one, dict(enumerate(two.values(), 100))).error
    assert partly.freedom <= 4


def test_that_drift_of_both_sessions_widens_a_contrast() -> None:
    one, two = logs(0.0, 0.01, 0.02), logs(0.5, 0.51, 0.52)
    found = estimate_ratio(one, two, Drift(deviation=0.3, freedom=20))
    assert found.error == pytest.approx(0.3 * math.sqrt(2), rel=0.01)
    assert found.freedom == pytest.approx(20, rel=0.01)


def test_that_the_drift_of_simulated_sessions_is_found_again() -> None:
    rng = np.random.default_rng(7)
    kinds = [
        [level + rng.normal(scale=0.1, size=4) for level in rng.normal(scale=0.2, size=60)]
        for _ in range(2)
    ]
    found = drift_between(kinds)
    assert found is not None
    assert found.deviation == pytest.approx(0.2, rel=0.2)
    assert found.sessions == 120
    assert 60 < found.freedom < 118


def test_that_sessions_which_differ_no_more_than_their_trials_show_no_drift() -> None:
    kind = [[-1.0, 1.0], [-1.1, 1.1], [-0.9, 0.9]]
    found = drift_between([kind])
    assert found is not None
    assert found.deviation == 0.0
    assert drift_between([[[0.0, 1.0]], []]) is None


def test_that_different_things_are_not_compared_for_drift() -> None:
    slow, fast = [[0.0, 0.1], [0.1, 0.0]], [[5.0, 5.1], [5.1, 5.0]]
    found = drift_between([slow, fast])
    assert found is not None
    assert found.deviation == 0.0


def test_that_the_usual_drift_grows_with_the_spread_of_trials_and_is_never_none() -> None:
    assert usual_drift([0.0, 0.0], [1.0, 1.0]).deviation == 0.05
    wild = usual_drift([0.0, 0.4, 0.8], [1.0, 1.4, 1.8])
    assert wild.deviation == pytest.approx(1.0)
    assert wild.freedom == 4


def test_that_holm_agrees_with_the_textbook_and_keeps_the_order() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert holm([]) == ()
    with pytest.raises(ValueError, match="between 0 and 1"):
        holm([1.2])


@given(st.lists(st.floats(min_value=0, max_value=1), max_size=12))
def test_that_holm_never_lowers_a_p_and_stays_within_bonferroni(values: list[float]) -> None:
    for raw, adjusted in zip(values, holm(values), strict=True):
        assert raw <= adjusted <= min(1.0, len(values) * raw)


def test_that_equivalence_needs_a_positive_margin() -> None:
    with pytest.raises(ValueError, match="margin"):
        equivalence_p(over_trials([0.0, 0.1]), 0.0)


def test_that_precision_depends_on_the_spread_and_not_on_the_ratio() -> None:
    one, two = logs(0.0, 0.1, 0.05), logs(0.2, 0.32, 0.25)
    doubled = {block: value + math.log(2.0) for block, value in two.items()}
    seen, farther = (visible_difference(estimate_ratio(one, side)) for side in (two, doubled))
    assert seen == pytest.approx(farther)
