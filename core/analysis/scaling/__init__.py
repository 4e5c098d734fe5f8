"""From throughputs at several thread counts to the one to use, and what more would cost."""

from core.analysis.scaling.recommendation import (
    NEAR,
    NO_LIMITS,
    Evidence,
    Limits,
    Recommendation,
    Step,
    recommend,
    surely_near_best,
)
from core.analysis.scaling.scalability_law import Bounds, Law, fit_law
from core.analysis.scaling.scaling_curve import Noise, Point, Shape, classify, pooled_noise, valley

__all__ = [
    "NEAR",
    "NO_LIMITS",
    "Bounds",
    "Evidence",
    "Law",
    "Limits",
    "Noise",
    "Point",
    "Recommendation",
    "Shape",
    "Step",
    "classify",
    "fit_law",
    "pooled_noise",
    "recommend",
    "surely_near_best",
    "valley",
]
