"""The search behind `tune`: the answer of a sweep of many settings in a fraction of its trials."""

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
