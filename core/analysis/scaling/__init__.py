"""From throughputs at several thread counts to the one to use, and what more would cost."""

from core.analysis.limit_check import NO_LIMITS, Limits
from core.analysis.scaling.recommendation import (
    Evidence,
    Recommendation,
    StepUp,
    recommend,
    surely_near_best,
)
from core.analysis.scaling.scalability_law import Bounds, ScalabilityLaw, fit_law
from core.analysis.scaling.scaling_curve import Noise, Shape, classify, pooled_noise, valley
from core.analysis.threads_point import Point

__all__ = [
    "NO_LIMITS",
    "Bounds",
    "Evidence",
    "Limits",
    "Noise",
    "Point",
    "Recommendation",
    "ScalabilityLaw",
    "Shape",
    "StepUp",
    "classify",
    "fit_law",
    "pooled_noise",
    "recommend",
    "surely_near_best",
    "valley",
]
