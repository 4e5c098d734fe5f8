"""The search behind `tune`: the answer of a sweep of many settings in a fraction of its trials."""

from core.execution.search.axis_search import Round, next_round
from core.execution.search.tuner import (
    SPENT,
    Ask,
    Configuration,
    Sample,
    SearchAxis,
    Terms,
    Tuner,
    Tuning,
)

__all__ = [
    "SPENT",
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
