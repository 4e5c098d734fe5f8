"""Estimates, intervals and tests for measured throughput: pure functions on numbers.

Nothing here reads files or prints.

The unit of replication is the trial, not the sample: samples of one trial share its memory layout,
its cache state and its scheduling, so a thousand of them are still one draw (Kalibera & Jones,
"Rigorous benchmarking in reasonable time", ISMM 2013). Intervals and tests across trials therefore
use one figure per trial; samples inside a trial are merged into independent blocks first.
"""

from core.analysis.statistics.drift import Drift, drift_between, drift_to_allow, usual_drift
from core.analysis.statistics.hypotheses import (
    difference_p,
    equivalence_p,
    holm,
    mann_whitney_p,
    permutation_p,
)
from core.analysis.statistics.intervals import (
    Estimate,
    Interval,
    bca_interval,
    estimate,
    interval_of,
    mean_interval,
    median_interval,
    over_trials,
    throughput_interval,
)
from core.analysis.statistics.ratios import contrast, ratio_interval
from core.analysis.statistics.rounds import Within, pooled, variance_within
from core.analysis.statistics.time_series import (
    Blocks,
    Outlier,
    WarmUp,
    classify_outliers,
    effective_size,
    independent_blocks,
    integrated_autocorrelation,
    lag1_autocorrelation,
    trial_throughput,
    warm_up_end,
)
from core.analysis.statistics.two_samples import (
    DECLARE_BELOW,
    MARGIN,
    Comparison,
    Conclusion,
    compare_estimate,
    compare_samples,
    precision_suffices,
    smallest_difference,
    trials_to_tell,
    visible_difference,
)
from core.plan.limits import FEWEST_TO_STOP

__all__ = [
    "DECLARE_BELOW",
    "FEWEST_TO_STOP",
    "MARGIN",
    "Blocks",
    "Comparison",
    "Conclusion",
    "Drift",
    "Estimate",
    "Interval",
    "Outlier",
    "WarmUp",
    "Within",
    "bca_interval",
    "classify_outliers",
    "compare_estimate",
    "compare_samples",
    "contrast",
    "difference_p",
    "drift_between",
    "drift_to_allow",
    "effective_size",
    "equivalence_p",
    "estimate",
    "holm",
    "independent_blocks",
    "integrated_autocorrelation",
    "interval_of",
    "lag1_autocorrelation",
    "mann_whitney_p",
    "mean_interval",
    "median_interval",
    "over_trials",
    "permutation_p",
    "pooled",
    "precision_suffices",
    "ratio_interval",
    "smallest_difference",
    "throughput_interval",
    "trial_throughput",
    "trials_to_tell",
    "usual_drift",
    "variance_within",
    "visible_difference",
    "warm_up_end",
]
