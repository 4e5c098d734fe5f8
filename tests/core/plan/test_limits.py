"""The limits of a setting and of a search, as sessions keep them."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.plan.limits import NEAR, Effort, effort_of, terms_for
from core.plan.schedule import Plan

pytestmark = pytest.mark.quick


@given(most=some.integers(0, 10_000), near=some.floats(0.001, 0.999))
def test_that_the_terms_of_an_earlier_session_mean_what_they_meant(most: int, near: float) -> None:
    written = msgspec.json.encode(
        {
            "title": "tune raw",
            "specs": [],
            "adaptive": True,
            "terms": {"budget": most, "near": near},
        }
    )
    terms = msgspec.json.decode(written, type=Plan).terms
    assert effort_of(terms) == Effort(most_trials=most, near=near)


def test_that_terms_without_an_effort_are_the_usual_ones() -> None:
    assert effort_of({"most_files": 12}) == Effort(most_trials=0, near=NEAR)
    assert terms_for(Effort, {"most_files": 12}) == {}
