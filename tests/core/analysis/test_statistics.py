import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import special

from core.analysis import statistics as s
from core.analysis.statistics import Conclusion, Drift, Outlier
from core.analysis.statistics.student import student_cdf, student_quantile
from core.selfcheck.simulated_trials import Conditions, check_statistics, correlated, interleaved

throughputs = st.floats(min_value=1.0, max_value=1e9)


def constant_trials(*levels: float) -> list[list[float]]:
    return [[level] * 20 for level in levels]


def test_that_a_ramp_is_found_to_be_warm_up() -> None:
    rng = np.random.default_rng(3)
    series = np.concatenate([np.linspace(10, 95, 30), 100 + rng.normal(size=170)])
    found = s.warm_up_end(series)
    assert found.settled
    assert 25 <= found.end <= 60


def test_that_a_series_that_never_settles_is_said_so() -> None:
    assert not s.warm_up_end(np.linspace(1, 100, 200)).settled


def test_that_nothing_is_cut_from_a_series_too_short_to_tell() -> None:
    assert s.warm_up_end([1.0] * 49) == s.WarmUp(end=0, settled=False)


@given(st.lists(throughputs, min_size=1, max_size=300))
def test_that_at_most_half_of_a_series_is_warm_up(series: list[float]) -> None:
    assert 0 <= s.warm_up_end(series).end <= len(series) / 2


def test_that_throughput_is_the_mean_so_that_a_stall_costs_what_it_costs() -> None:
    assert s.trial_throughput([100.0, 100.0, 0.0, 100.0]) == 75.0


@pytest.mark.parametrize("level", [0.0, 0.4, 0.8])
def test_that_lag1_autocorrelation_is_recovered_from_a_long_series(level: float) -> None:
    series = correlated(np.random.default_rng(5), 20_000, level)
    assert s.lag1_autocorrelation(series) == pytest.approx(level, abs=0.03)
    expected = (1 + level) / (1 - level)
    assert s.integrated_autocorrelation(series) == pytest.approx(expected, rel=0.15)
    assert s.effective_size(series) == pytest.approx(20_000 / expected, rel=0.2)


def test_that_a_constant_series_has_no_autocorrelation() -> None:
    assert s.lag1_autocorrelation([0.1] * 50) == 0.0
    assert s.integrated_autocorrelation([0.1] * 50) == 1.0


def test_that_merging_makes_blocks_longer_the_more_readings_resemble_each_other() -> None:
    rng = np.random.default_rng(7)
    lengths = [s.independent_blocks(correlated(rng, 4_000, a)).length for a in (0.0, 0.9)]
    assert lengths[0] < 5
    assert lengths[1] > 20


@given(st.lists(throughputs, min_size=16, max_size=200))
def test_that_at_least_eight_blocks_are_left_and_hold_the_latest_readings(
    series: list[float],
) -> None:
    blocks = s.independent_blocks(series)
    assert blocks.means.size >= 8
    assert blocks.means[-1] == pytest.approx(np.mean(series[-blocks.length :]))
    assert 2.0 <= blocks.effective <= blocks.means.size


def test_that_outliers_are_classified_and_kept() -> None:
    values = [10.0, 11, 12, 13, 14, 15, 16, 24, 80]
    classes = s.classify_outliers(values)
    assert len(classes) == len(values)
    assert classes[-1] is Outlier.SEVERE
    assert classes[-2] is Outlier.MILD
    assert set(classes[:-2]) == {Outlier.NONE}


def test_that_equal_values_hold_no_outlier() -> None:
    assert set(s.classify_outliers([3.0] * 5)) == {Outlier.NONE}


@pytest.mark.parametrize("bad", [[], [math.nan], [math.inf], [[1.0, 2.0]]])
def test_that_impossible_series_are_refused(bad: list[float]) -> None:
    with pytest.raises(ValueError, match=r"expected|finite"):
        s.trial_throughput(bad)


def test_that_a_student_interval_agrees_with_the_textbook() -> None:
    found = s.mean_interval([1.0, 2.0, 3.0, 4.0, 5.0])
    assert found.low == pytest.approx(3 - 1.9632, abs=1e-3)
    assert found.high == pytest.approx(3 + 1.9632, abs=1e-3)


def test_that_correlated_readings_give_a_wider_interval_than_their_number_promises() -> None:
    series = correlated(np.random.default_rng(11), 300, 0.8)
    naive = series.std(ddof=1) / math.sqrt(series.size)
    assert s.estimate(series).error > 2 * naive


def test_that_the_median_of_five_is_given_with_the_confidence_it_has() -> None:
    found = s.median_interval([5.0, 1.0, 3.0, 2.0, 4.0])
    assert (found.low, found.value, found.high) == (1.0, 3.0, 5.0)
    assert found.confidence == pytest.approx(0.9375)


@given(st.lists(throughputs, min_size=6, max_size=40))
def test_that_the_interval_of_a_median_holds_it_and_stays_inside_the_values(
    values: list[float],
) -> None:
    found = s.median_interval(values)
    assert found.confidence == 0.95
    assert min(values) <= found.low <= found.value <= found.high <= max(values)


def test_that_the_bootstrap_of_a_mean_agrees_with_student_where_both_hold() -> None:
    values = np.random.default_rng(13).normal(100, 5, 60)
    boot, student = s.bca_interval(values, np.mean), s.mean_interval(values)
    assert boot.low == pytest.approx(student.low, abs=0.5)
    assert boot.high == pytest.approx(student.high, abs=0.5)


def test_that_the_bootstrap_repeats_with_its_seed_and_takes_equal_values() -> None:
    values = [1.0, 4.0, 2.0, 8.0, 5.0]
    assert s.bca_interval(values, np.mean, seed=4) == s.bca_interval(values, np.mean, seed=4)
    assert s.bca_interval([2.0] * 5, np.mean).high == 2.0


@given(st.lists(st.tuples(throughputs, throughputs), min_size=2, max_size=9))
def test_that_swapping_the_sides_inverts_the_ratio_and_its_interval(
    pairs: list[tuple[float, float]],
) -> None:
    one = constant_trials(*(pair[0] for pair in pairs))
    two = constant_trials(*(pair[1] for pair in pairs))
    there, back = s.ratio_interval(one, two), s.ratio_interval(two, one)
    assert math.log(there.value) == pytest.approx(-math.log(back.value), abs=1e-9)
    assert math.log(there.low) == pytest.approx(-math.log(back.high), rel=1e-6, abs=1e-9)


def test_that_a_drift_shared_by_a_block_cancels_from_the_ratio() -> None:
    baseline = constant_trials(100, 200, 50, 400, 150)
    candidate = constant_trials(110, 221, 54.8, 441, 165)
    found = s.ratio_interval(baseline, candidate)
    assert found.high / found.low < 1.02
    assert s.throughput_interval(baseline).high / s.throughput_interval(baseline).low > 4


def test_that_sides_of_different_number_are_compared_unpaired() -> None:
    found = s.ratio_interval(constant_trials(100, 101, 99), constant_trials(200, 202, 198, 200))
    assert found.low < 2.0 < found.high
    assert found.value == pytest.approx(2.0, rel=0.01)


@given(st.floats(min_value=0.5, max_value=1e4), st.floats(min_value=-80, max_value=80))
def test_that_students_distribution_is_scipys(freedom: float, t: float) -> None:
    known = float(special.stdtr(freedom, t))
    assume(known > 1e-200)
    assert student_cdf(freedom, t) == pytest.approx(known, rel=1e-7)


@given(
    st.floats(min_value=0.5, max_value=1e4),
    st.floats(min_value=1e-6, max_value=1 - 1e-6),
)
def test_that_students_quantile_leads_back_to_its_share(freedom: float, share: float) -> None:
    found = student_quantile(freedom, share)
    assert student_cdf(freedom, found) == pytest.approx(share, rel=1e-9)


def test_that_student_of_endless_freedom_is_normal() -> None:
    assert student_quantile(math.inf, 0.975) == pytest.approx(1.959964, abs=1e-6)


def logs(*values: float) -> dict[int, float]:
    return dict(enumerate(values))


def test_that_a_contrast_of_whole_blocks_is_the_paired_one() -> None:
    one, two = (0.0, 1.0, 0.3), (0.1, 1.2, 0.35)
    found = s.contrast(logs(*one), logs(*two))
    paired = s.estimate([b - a for a, b in zip(one, two, strict=True)])
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
        assert s.contrast(logs(*one), other).mean == pytest.approx(mean, abs=1e-9)


def test_that_what_shared_blocks_have_in_common_is_no_error() -> None:
    drift = (0.0, 2.0, -1.0, 3.0, 1.0)
    one = logs(*drift, 1.0)
    two = logs(*(level + wobble for level, wobble in zip(
        drift, (0.5, 0.51, 0.49, 0.5, 0.5), strict=True)))  # fmt: skip
    partly = s.contrast(one, two)
    assert partly.error < 0.5 * s.contrast(one, dict(enumerate(two.values(), 100))).error
    assert partly.freedom <= 4


def test_that_drift_of_both_sessions_widens_a_contrast() -> None:
    one, two = logs(0.0, 0.01, 0.02), logs(0.5, 0.51, 0.52)
    found = s.contrast(one, two, Drift(deviation=0.3, freedom=20))
    assert found.error == pytest.approx(0.3 * math.sqrt(2), rel=0.01)
    assert found.freedom == pytest.approx(20, rel=0.01)


def test_that_the_drift_of_simulated_sessions_is_found_again() -> None:
    rng = np.random.default_rng(7)
    kinds = [
        [level + rng.normal(scale=0.1, size=4) for level in rng.normal(scale=0.2, size=60)]
        for _ in range(2)
    ]
    found = s.drift_between(kinds)
    assert found is not None
    assert found.deviation == pytest.approx(0.2, rel=0.2)
    assert found.sessions == 120
    assert 60 < found.freedom < 118


def test_that_sessions_which_differ_no_more_than_their_trials_show_no_drift() -> None:
    kind = [[-1.0, 1.0], [-1.1, 1.1], [-0.9, 0.9]]
    found = s.drift_between([kind])
    assert found is not None
    assert found.deviation == 0.0
    assert s.drift_between([[[0.0, 1.0]], []]) is None


def test_that_different_things_are_not_compared_for_drift() -> None:
    slow, fast = [[0.0, 0.1], [0.1, 0.0]], [[5.0, 5.1], [5.1, 5.0]]
    found = s.drift_between([slow, fast])
    assert found is not None
    assert found.deviation == 0.0


def test_that_the_usual_drift_grows_with_the_spread_of_trials_and_is_never_none() -> None:
    assert s.usual_drift([0.0, 0.0], [1.0, 1.0]).deviation == 0.05
    wild = s.usual_drift([0.0, 0.4, 0.8], [1.0, 1.4, 1.8])
    assert wild.deviation == pytest.approx(1.0)
    assert wild.freedom == 4


def test_that_a_trial_that_moved_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="positive"):
        s.throughput_interval(constant_trials(0.0, 1.0))


@pytest.mark.parametrize(("count", "smallest"), [(4, 2 / 16), (5, 2 / 32), (8, 2 / 256)])
def test_that_the_paired_permutation_test_is_exact_for_few_blocks(
    count: int, smallest: float
) -> None:
    baseline = [100.0 + i for i in range(count)]
    faster = [2 * value for value in baseline]
    assert s.permutation_p(baseline, faster, paired=True) == pytest.approx(smallest)


def test_that_the_unpaired_permutation_test_is_exact_for_few_trials() -> None:
    found = s.permutation_p([1.0, 2, 3, 4, 5], [10.0, 20, 30, 40, 50], paired=False)
    assert found == pytest.approx(2 / math.comb(10, 5))


@pytest.mark.parametrize("paired", [True, False])
def test_that_drawn_permutations_never_give_a_p_of_zero(paired: bool) -> None:
    baseline = [100.0 + i for i in range(40)]
    found = s.permutation_p(baseline, [9 * v for v in baseline], paired=paired)
    assert 0.0 < found < 0.001


@pytest.mark.parametrize("paired", [True, False])
def test_that_equal_sides_give_a_permutation_p_of_one(paired: bool) -> None:
    assert s.permutation_p([3.0, 3.0, 3.0], [3.0, 3.0, 3.0], paired=paired) == 1.0


def test_that_pairs_need_equally_many_positive_values() -> None:
    with pytest.raises(ValueError, match="equally many"):
        s.permutation_p([1.0], [1.0, 2.0], paired=True)
    with pytest.raises(ValueError, match="positive"):
        s.permutation_p([0.0], [1.0], paired=True)


def test_that_mann_whitney_is_exact_for_few_values_and_one_for_equal_ones() -> None:
    assert s.mann_whitney_p([1.0, 2, 3, 4], [5.0, 6, 7, 8]) == pytest.approx(2 / 70)
    assert s.mann_whitney_p([1.0, 1.0], [1.0, 1.0]) == 1.0


def test_that_holm_agrees_with_the_textbook_and_keeps_the_order() -> None:
    assert s.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx((0.03, 0.06, 0.06, 0.02))
    assert s.holm([]) == ()
    with pytest.raises(ValueError, match="between 0 and 1"):
        s.holm([1.2])


@given(st.lists(st.floats(min_value=0, max_value=1), max_size=12))
def test_that_holm_never_lowers_a_p_and_stays_within_bonferroni(values: list[float]) -> None:
    for raw, adjusted in zip(values, s.holm(values), strict=True):
        assert raw <= adjusted <= min(1.0, len(values) * raw)


def test_that_equivalence_needs_a_positive_margin() -> None:
    with pytest.raises(ValueError, match="margin"):
        s.compare_samples(constant_trials(1, 2), constant_trials(1, 2), margin=0.0)


@pytest.mark.parametrize(
    ("candidate", "kind"),
    [
        ((120, 121, 119, 120, 120.5), Conclusion.FASTER),
        ((80, 81, 79, 80, 80.5), Conclusion.SLOWER),
        ((100, 101.2, 99, 100, 100.4), Conclusion.SAME),
        ((100, 150, 80, 120, 95), Conclusion.UNDECIDED),
    ],
)
def test_that_a_comparison_names_what_the_trials_show(
    candidate: tuple[float, ...], kind: Conclusion
) -> None:
    baseline = constant_trials(100, 101, 99, 100, 100.5)
    found = s.compare_samples(baseline, constant_trials(*candidate))
    assert found.kind is kind
    assert found.low <= found.ratio <= found.high


def test_that_a_certain_difference_inside_the_margin_is_the_same() -> None:
    baseline = constant_trials(100, 110, 120, 130, 140)
    candidate = constant_trials(101, 111.1, 121.2, 131.3, 141.5)
    assert s.compare_samples(baseline, candidate, margin=0.05).kind is Conclusion.SAME
    assert s.compare_samples(baseline, candidate, margin=0.001).kind is Conclusion.FASTER


def test_that_single_trials_are_never_decided() -> None:
    (one,), (two,) = interleaved(np.random.default_rng(1), 0.2, 3.0, Conditions(blocks=1))
    found = s.compare_samples([one], [two])
    assert found.kind is Conclusion.UNDECIDED
    assert found.low < 3.0 < found.high


def test_that_precision_depends_on_the_spread_and_not_on_the_ratio() -> None:
    baseline, candidate = interleaved(np.random.default_rng(2), 0.0)
    doubled = [2.0 * series for series in candidate]
    there = s.smallest_difference(baseline, candidate)
    assert s.smallest_difference(baseline, doubled) == pytest.approx(there)


def test_that_precision_suffices_only_with_five_trials_that_agree() -> None:
    assert not s.precision_suffices(constant_trials(*[100] * 4), constant_trials(*[101] * 4))
    assert s.precision_suffices(constant_trials(*[100] * 5), constant_trials(*[101] * 5))
    wild = constant_trials(50, 100, 150, 120, 80)
    assert not s.precision_suffices(constant_trials(*[100] * 5), wild)


def test_that_a_slice_of_the_simulation_meets_its_goals_within_chance() -> None:
    report = check_statistics(count=30, seed=1)
    shares = {row.goal: float(row.measured.split("%")[0]) for row in report.rows}
    false = ("A/A", "Confident and less", "For now, and less")
    assert all(share <= 7 for goal, share in shares.items() if goal.startswith(false))
    assert all(share >= 85 for goal, share in shares.items() if not goal.startswith(false))
    assert len(report.rows) == 100
    assert sum("measured apart" in goal for goal in shares) == 17
