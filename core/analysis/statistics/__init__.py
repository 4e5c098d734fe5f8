"""Estimates, intervals and tests for what was measured: pure functions on numbers.

Nothing here reads files or prints.

The unit of replication is the trial, not the sample: samples of one trial share its memory layout,
its cache state and its scheduling, so a thousand of them are still one draw (Kalibera & Jones,
"Rigorous benchmarking in reasonable time", ISMM 2013).  All take one figure per trial.
"""

from core.analysis.statistics.drift import Drift, drift_to_allow
from core.analysis.statistics.hypotheses import (
    MARGIN,
    difference_p,
    equivalence_p,
    holm,
    trials_to_tell,
    visible_difference,
)
from core.analysis.statistics.intervals import (
    Estimate,
    Interval,
    interval_of,
    median_interval,
    over_trials,
)
from core.analysis.statistics.ratios import contrast
from core.analysis.statistics.rounds import Within, pooled, variance_within

__all__ = [
    "MARGIN",
    "Drift",
    "Estimate",
    "Interval",
    "Within",
    "contrast",
    "difference_p",
    "drift_to_allow",
    "equivalence_p",
    "holm",
    "interval_of",
    "median_interval",
    "over_trials",
    "pooled",
    "trials_to_tell",
    "variance_within",
    "visible_difference",
]
