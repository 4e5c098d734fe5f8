"""Which results a user means, and which of two sides belong together."""

from __future__ import annotations

import re

import building
import pytest

from core.judge import choose, match, means_value, text_that_means
from core.language import UsageError
from core.vocabulary import Result, Value

pytestmark = pytest.mark.quick


def measured(cache: str = "lru", workload: str = "fasta", rate: float = 1.0, **load: int) -> Result:
    spec = building.spec(workload, parameters={"cache": cache}, **load)
    return building.good(spec, rate, rate)


@pytest.mark.parametrize(
    ("value", "written", "others"),
    [
        (65_536, ("65536", "65,536", "64k", "64KiB"), ("64", "64KB", "many")),
        (0.25, ("0.25", "250ms"), ("250", "soon")),
        (True, ("yes", "true", "On"), ("no", "1", "")),
        (False, ("no", "false", "OFF"), ("yes", "0", "")),
        ("lru", ("lru",), ("LRU", "lr", "")),
    ],
)
def test_that_a_value_is_meant_by_all_its_spellings_and_by_nothing_else(
    value: Value, written: tuple[str, ...], others: tuple[str, ...]
) -> None:
    assert all(means_value(one, value) for one in (*written, text_that_means(value)))
    assert not any(means_value(one, value) for one in others)


def test_that_results_are_chosen_by_all_that_is_said_of_them() -> None:
    results = [measured(cache, threads=n) for cache in ("none", "lru") for n in (1, 4)]
    assert choose(results, {}) == tuple(results)
    assert choose(results, {"cache": "lru"}) == tuple(results[2:])
    assert choose(results, {"cache": "lru", "threads": "4"}) == (results[3],)
    assert choose(results, {"workload": "fasta"}) == tuple(results)
    assert choose(results, {"workload": "tiles"}) == ()


def test_that_a_parameter_that_no_result_has_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match="no result has a parameter 'colour'") as refused:
        choose([measured()], {"colour": "red"})
    assert refused.value.remedy.startswith("known: cache, ")


def test_that_of_the_same_setting_the_newest_result_counts() -> None:
    old, new = measured(rate=1.0), measured(rate=2.0)
    assert choose([old, measured("none"), new], {"cache": "lru"}) == (new,)


def test_that_plain_reads_count_only_alone_or_where_they_are_asked_for() -> None:
    raw, own = measured(workload="raw"), measured()
    assert choose([raw, own], {}) == (own,)
    assert choose([raw], {}) == (raw,)
    assert choose([raw, own], {"workload": "raw"}) == (raw,)


def test_that_results_are_paired_by_what_they_have_in_common() -> None:
    ones = [measured("none", threads=n) for n in (1, 4, 16)]
    twos = [measured("lru", threads=n) for n in (4, 16, 64)]
    found = match(ones, twos, chosen=["cache"])
    assert found.pairs == ((ones[1], twos[0]), (ones[2], twos[1]))
    assert found.lonely_baselines == (ones[0],)
    assert found.lonely_candidates == (twos[2],)
    with pytest.raises(UsageError, match="they differ in cache"):
        match(ones, twos)


def test_that_another_place_of_the_same_data_is_no_difference() -> None:
    here, there = (
        [building.good(building.spec(data=data, threads=n), 1.0) for n in (1, 2)]
        for data in (building.dataset("/a"), building.dataset("/elsewhere"))
    )
    assert len(match(here, there).pairs) == 2


def test_that_two_single_results_are_a_pair_whatever_they_are() -> None:
    one, two = measured("none", threads=1), measured("lru", threads=64)
    assert match([one], [two]).pairs == ((one, two),)


def test_that_seeds_tell_results_apart_only_where_a_side_has_several() -> None:
    ones = [measured("none", threads=n, seed=1) for n in (1, 4)]
    twos = [measured("lru", threads=n, seed=2) for n in (1, 4)]
    assert len(match(ones, twos, chosen=["cache"]).pairs) == 2
    several = [measured("lru", threads=1, seed=seed) for seed in (1, 2)]
    assert match(ones, several, chosen=["cache"]).pairs == ((ones[0], several[0]),)


def test_that_it_is_asked_which_of_two_results_is_meant() -> None:
    ones = [measured("none", threads=n) for n in (1, 4)]
    with pytest.raises(UsageError, match="could be meant") as refused:
        match(ones, [measured(threads=1)], chosen=["cache", "threads"])
    assert re.fullmatch("say which, such as #threads=1", refused.value.remedy)
    elsewhere = [
        building.good(building.spec(data=building.dataset(place)), 1.0) for place in ("/a", "/b")
    ]
    with pytest.raises(UsageError, match="measured on two datasets"):
        match(elsewhere, ones, chosen=["cache"])
