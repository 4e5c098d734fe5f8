"""What varies makes the question; how it is measured follows from how much that is."""

from __future__ import annotations

import pytest

from core import Axis, Request
from core.execution.request import MOST_COMBINATIONS, way_to_measure

pytestmark = pytest.mark.quick
THREADS = Axis("threads", (1, 2, 4, 8))
MANY = Axis("threads", tuple(range(1, MOST_COMBINATIONS + 2)))
CACHE = Axis("cache", ("none", "lru", "pool"))


def asked(*axes: Axis, budget: float = 0.0) -> Request:
    return Request(workload="fasta", axes=axes, budget=budget, repeats=5)


def test_that_one_value_of_each_is_one_setting() -> None:
    found = way_to_measure(asked(Axis("threads", (4,)), Axis("cache", ("none",))))
    assert (found.axes, found.search) == ((), False)
    assert found.values == {"threads": 4, "cache": "none"}


def test_that_few_combinations_are_all_measured() -> None:
    found = way_to_measure(asked(THREADS, CACHE, budget=60.0))
    assert (found.axes, found.search) == ((THREADS, CACHE), False)


def test_that_many_are_searched_and_all_of_them_measured_on_demand() -> None:
    assert way_to_measure(asked(MANY, CACHE)).search
    assert not way_to_measure(asked(MANY, CACHE), everything=True).search


def test_that_a_short_time_searches_what_a_long_one_measures_whole() -> None:
    assert way_to_measure(asked(THREADS, CACHE, budget=20.0)).search
    assert not way_to_measure(asked(THREADS, budget=5.0)).search


def test_that_what_no_search_knows_is_measured_whole() -> None:
    wide = Axis("cache_size", tuple(range(1, 40)))
    for axes in ((wide,), (MANY, CACHE, Axis("reader", ("pysam", "pyfaidx")))):
        assert not way_to_measure(asked(*axes)).search


def test_that_a_study_stays_as_it_is() -> None:
    study = Request(study="seqrepo-fd-cache")
    assert way_to_measure(study) is study
