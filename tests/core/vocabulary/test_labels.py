"""What results are called: never two by one name."""

from __future__ import annotations

from typing import Any

import building
import msgspec
import pytest

from core.desk import names_of
from core.judge import (
    diagnose,
    match,
)
from core.judge.comparison import compare_all
from core.tell.card_text import sum_up
from core.tell.result_figures import result_curves
from core.vocabulary import (
    BESIDE_THE_POINT,
    Cause,
    Integer,
    Load,
    PageCacheProof,
    Reading,
    Real,
    Result,
    RunSpec,
    declared,
    distinguishing,
    label,
    named,
    registry,
    setting_of,
    show_setting,
    show_value,
)
from core.vocabulary.parameters import PLAIN, Choice
from core.vocabulary.spec import AT_ZERO, IN_BYTES, IN_SECONDS

pytestmark = pytest.mark.quick
VALUES = {
    "deadline": (20.0, 30.0),
    "stall": (5.0, 6.0),
    "memory_limit": (0, 1 << 30),
    "seed": (1, 2),
    "timeout": (10.0, 30.0),
}


def spec_of(**values: Any) -> RunSpec:
    """`timeout` is a parameter of stores, the others are of any load."""
    own = {name: values.pop(name) for name in ("timeout",) if name in values}
    return building.spec(parameters={"cache": "lru", "cache_size": 128, **own}, **values)


def along(name: str, threads: tuple[int, ...] = (1, 2), rate: float = 100.0) -> list[Result]:
    return [
        building.good(spec_of(threads=count, **{name: value}), rate + at, rate + at)
        for count in threads
        for at, value in enumerate(VALUES[name])
    ]


beside_the_point = pytest.mark.parametrize("name", sorted(BESIDE_THE_POINT))


def test_that_everything_beside_the_point_is_tried_here() -> None:
    assert {*VALUES} == BESIDE_THE_POINT


@beside_the_point
def test_that_what_is_beside_the_point_is_named_only_where_nothing_else_tells(name: str) -> None:
    one, two = VALUES[name]
    apart = [spec_of(threads=1, **{name: one}), spec_of(threads=2, **{name: two})]
    assert distinguishing(apart) == ("threads",)
    alike = [*apart, spec_of(threads=2, **{name: one})]
    assert {*distinguishing(alike)} == {"threads", name}
    assert distinguishing(alike, without=("threads",)) == (name,)


@beside_the_point
def test_that_a_report_has_a_name_and_a_place_for_every_result(name: str) -> None:
    results = along(name)
    assert len({*names_of(results)}) == len(results)
    found = result_curves(results, "threads")
    assert len(found) == len(VALUES[name])
    assert sum(map(len, found.values())) == len(results)


@beside_the_point
def test_that_the_fastest_of_a_sweep_is_named(name: str) -> None:
    results = along(name, threads=(1,))
    told = f"{named(name)} {show_setting(name, VALUES[name][1])}"
    assert told in sum_up(results, of=2).text
    assert (
        diagnose(results[0], results).of == f"{named(name)} {show_setting(name, VALUES[name][0])}"
    )


@beside_the_point
def test_that_sweeps_along_what_is_beside_the_point_are_compared_value_by_value(name: str) -> None:
    found = match(along(name), along(name, rate=200.0))
    assert len(found.pairs) == 4
    for one, two in found.pairs:
        assert one.spec == two.spec


@beside_the_point
def test_that_sides_with_one_value_each_are_compared_whatever_it_is(name: str) -> None:
    ones, twos = along(name)[::2], along(name)[1::2]
    assert len(match(ones, twos).pairs) == 2


@beside_the_point
def test_that_of_several_comparisons_no_two_have_one_name(name: str) -> None:
    results = along(name)
    steps = list(zip(results[:2], results[2:], strict=True))
    versions = list(zip(results, along(name, rate=200.0), strict=True))
    for pairs in (steps, versions):
        verdicts = compare_all(pairs)
        assert len({(one.baseline, one.candidate) for one in verdicts}) == len(pairs)
        assert named(name) in verdicts[0].baseline


@beside_the_point
def test_that_one_comparison_names_only_what_is_to_the_point(name: str) -> None:
    one, _, _, two = along(name)
    (verdict,) = compare_all([(one, two)])
    assert (verdict.baseline, verdict.candidate) == ("1 thread", "2 threads")


def copying(at: float) -> Reading:
    """A look at a process that has run all the time, half of it in the kernel."""
    return msgspec.structs.replace(
        building.reading(at), cpu_user=0.5 * at, cpu_system=0.5 * at, read_bytes=0
    )


def warm(workload: str, rate: float, page_cache: str = "warm") -> Result:
    """Reads out of the page cache."""
    of = building.spec(workload, parameters={}, page_cache=page_cache)
    resident = building.residency()
    all_of_it = msgspec.structs.replace(resident, resident_pages=resident.total_pages)
    proof = PageCacheProof(wanted=page_cache, before=all_of_it, after=None)
    looks = {"first": copying(0.0), "last": copying(2.0), "moments": ()}
    return building.result(of, [building.trial(of, rate=rate, page_cache=proof, **looks)])


def test_that_reads_are_held_against_bare_files_in_the_same_state_of_the_page_cache() -> None:
    found, floor = warm("fasta", 1000.0), warm("raw", 1500.0)
    assert diagnose(found, [found, floor]).cause is Cause.PAGE_CACHE
    other = warm("raw", 1_000_000.0, page_cache="as-is")
    assert diagnose(found, [found, other, floor]).cause is Cause.PAGE_CACHE
    assert diagnose(found, [found, other]).cause is not Cause.PAGE_CACHE


def test_that_a_result_is_explained_by_what_was_drawn_alike() -> None:
    one_thread = [
        building.good(spec_of(threads=1, seed=seed), rate, rate)
        for seed, rate in ((1, 1000.0), (2, 100.0))
    ]
    many = building.good(spec_of(threads=4, seed=2), 110.0, 110.0)
    found = diagnose(many, [*one_thread, many])
    assert "4 threads reach 1.10× what one does" in found.evidence


@pytest.mark.parametrize(
    ("value", "told"),
    [(True, "yes"), (False, "no"), (3.0, "3"), (0.1234567, "0.1234567"), (7, "7"), ("a", "a")],
)
def test_that_a_value_is_told_in_full(value: object, told: str) -> None:
    assert show_value(value) == told  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("part_size", 16 << 20, "16 MiB"),
        ("block_size", 65_536, "64 KiB"),
        ("block_size", 1536, "1,536 B"),
        ("memory_limit", 0, "none"),
        ("cache_size", 1024, "1024"),
        ("duration", 0.5, "0.5 s"),
        ("deadline", 600.0, "600 s"),
        ("duration", 0.0, "until done"),
        ("warm_up", 0.0, "0 s"),
        ("cores", 0, "all"),
        ("jobs", 0, "0"),
    ],
)
def test_that_a_size_is_told_with_its_unit_and_no_limit_as_none(
    name: str, value: int, told: str
) -> None:
    assert show_setting(name, value) == told


NUMBERS = [
    kind
    for declaring in (Load, *(registry.load_workload(n).parameters for n in registry.workloads()))
    for kind in declared(declaring)
    if isinstance(kind, Integer | Real)
]
OFTEN_PLACEHOLDERS = {"length", "partitions", "size", "window"}
"""Names of parameters that people also give placeholders of commands, which have no such unit."""


def test_that_every_parameter_in_bytes_or_seconds_is_told_with_its_unit() -> None:
    of_bytes = {kind.name for kind in NUMBERS if kind.unit == "bytes"}
    assert of_bytes - OFTEN_PLACEHOLDERS == IN_BYTES
    assert {kind.name for kind in NUMBERS if kind.unit == "seconds"} == IN_SECONDS


def test_that_a_zero_that_means_something_else_is_told_so() -> None:
    meaning = {kind.name for kind in NUMBERS if "0 = " in kind.help}
    assert meaning - OFTEN_PLACEHOLDERS <= AT_ZERO.keys()
    others = {kind.name for kind in NUMBERS if kind.low == 0} - meaning
    assert {name for name in others & AT_ZERO.keys() if AT_ZERO[name] != "none"} == set()


def test_that_values_have_their_plain_names_from_one_place() -> None:
    choices = [
        kind
        for name in registry.workloads()
        for kind in declared(registry.load_workload(name).parameters)
        if isinstance(kind, Choice)
    ]
    assert {(kind.name, value) for kind in choices for value in kind.options} >= PLAIN.keys()
    assert not any(option.title for kind in choices for option in kind.options.values())
    assert setting_of({"threads": 2, "cache": "lru-locked"}) == "2 threads with cache LRU, one lock"
    assert setting_of({"threads": 4, "processes": 2}) == "2 processes of 4 threads"
    assert setting_of({"threads": 4, "processes": 1}) == "4 threads"
    assert setting_of({"threads": 1, "processes": 4}) == "4 processes"
    assert label(building.spec(threads=2), ("cache", "threads")) == (
        "2 threads with cache LRU, no lock"
    )
