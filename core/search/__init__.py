"""The search behind `tune`: the answer of a sweep of many settings in a fraction of its trials."""

from core.search.line import Round, next_round
from core.search.tuner import SPENT, Ask, Configuration, Sample, SearchAxis, Terms, Tuner, Tuning

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
