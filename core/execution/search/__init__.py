"""The search among many settings: the answer of measuring all, in a fraction of the trials."""

from core.execution.search.axis_search import Round, next_round
from core.execution.search.configurations import (
    Ask,
    Configuration,
    Sample,
    SearchAxis,
    Terms,
    Tuning,
)
from core.execution.search.tuner import Tuner

__all__ = [
    "Ask",
    "Configuration",
    "Round",
    "Sample",
    "SearchAxis",
    "Terms",
    "Tuner",
    "Tuning",
    "next_round",
]
