"""The limits of a setting and of a search, as sessions keep them."""

from __future__ import annotations

import pytest

from core.plan.limits import NEAR, Effort, effort_of, terms_for

pytestmark = pytest.mark.quick


def test_that_the_effort_of_a_search_is_among_its_terms() -> None:
    terms = {"most_trials": 30, "near": 0.1, "most_files": 12}
    assert effort_of(terms) == Effort(most_trials=30, near=0.1)


def test_that_terms_without_an_effort_are_the_usual_ones() -> None:
    assert effort_of({"most_files": 12}) == Effort(most_trials=0, near=NEAR)
    assert terms_for(Effort, {"most_files": 12}) == {}


def test_that_the_usual_effort_may_also_be_written() -> None:
    assert effort_of({"most_trials": 0, "near": NEAR}) == Effort()
