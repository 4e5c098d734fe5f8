"""Is B faster than A? A verdict that says why, or why it cannot be told.

    compare(baseline, candidate)                    one pair
    compare_all([(baseline, candidate), …])         a family, judged together
    match(baselines, candidates, chosen)            which of two sides' results belong together

The ratio is always candidate over baseline.  INVALID is not SAME: the two figures do not measure
the same thing.
"""

from core.analysis.comparison.judge_family import Asked, Found, judge_family
from core.analysis.comparison.judge_pairs import PastOf, compare, compare_all
from core.analysis.comparison.obstacles import Difference
from core.analysis.comparison.pairing import Match, choose, match, means_value, text_that_means
from core.analysis.verdict import Verdict, VerdictKind

__all__ = [
    "Asked",
    "Difference",
    "Found",
    "Match",
    "PastOf",
    "Verdict",
    "VerdictKind",
    "choose",
    "compare",
    "compare_all",
    "judge_family",
    "match",
    "means_value",
    "text_that_means",
]
