"""Throughputs at several numbers of threads: their noise, their law, the shape they make."""

from core.analysis.best_settings import SURE
from core.analysis.limit_check import NO_LIMITS, Limits
from core.analysis.scaling.nearness import surely_near_best
from core.analysis.scaling.scalability_law import Bounds, ScalabilityLaw, fit_law
from core.analysis.scaling.scaling_curve import Noise, Shape, classify, pooled_noise, valley
from core.analysis.threads_point import Point

__all__ = [
    "NO_LIMITS",
    "SURE",
    "Bounds",
    "Limits",
    "Noise",
    "Point",
    "ScalabilityLaw",
    "Shape",
    "classify",
    "fit_law",
    "pooled_noise",
    "surely_near_best",
    "valley",
]
