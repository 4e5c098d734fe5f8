"""The command line that the window shows means what the window's Start would do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as some
from parsing import parsed
from strategies import axes_for, chosen

from core.judge import Limits, limit_terms, load_study
from core.language import SluiceError
from core.run import (
    MOST_COMBINATIONS,
    STUDY_ADJUSTABLE,
    Request,
    arguments,
    task_of,
    way_to_measure,
)
from core.run.request import REPEATS
from core.vocabulary import (
    Axis,
    Choice,
    Dataset,
    Flag,
    Integer,
    Kind,
    Load,
    Plan,
    Real,
    Text,
    Value,
    declared,
    effort_of,
    workloads,
)
from core.vocabulary.registry import load_workload

DATASET = Dataset(kind="files", location="/data/snapshot", fingerprint="00ff")


@some.composite
def requests(draw: Any) -> Request:
    name = draw(some.sampled_from(sorted(workloads())))
    kinds = [*declared(load_workload(name).parameters), *declared(Load)]
    return Request(
        workload=name,
        values=draw(chosen(kinds)),
        axes=draw(axes_for(kinds)),
        dataset=Path(draw(some.sampled_from(["/data/snapshot", "-odd", "/a b/it's $HOME/ü"]))),
        repeats=draw(some.sampled_from([REPEATS, 1, 17])),
        until_sure=draw(some.booleans()),
        order_seed=draw(some.sampled_from([1, 0, -5])),
        floor=draw(some.booleans()),
        turns=draw(some.sampled_from(["auto", "off"])),
        why=draw(some.booleans()),
        terms=draw(chosen([*limit_terms(search=True)])),
    )


CACHE_SIZE = Request(
    workload="fasta",
    values={"cache": "none", "cache_size": 64},
    axes=(Axis("cache", ("none", "lru")),),
)

SLICE = Request(
    workload="fasta",
    search=True,
    values={"slice": "whole", "length": 1},
    axes=(Axis("threads", (1, 2)), Axis("slice", ("first",))),
    floor=False,
)
"""The value at which `length` has no effect is replaced by one at which it has."""
MANY_OF_A_SLICE = msgspec.structs.replace(
    SLICE, search=False, axes=(Axis("threads", tuple(range(1, 26))), Axis("slice", ("first",)))
)
CACHES = Axis("cache", ("none", "lru", "lru-locked", "per-thread"))
DOUBLED = Request(workload="fasta", axes=(Axis("threads", (1, 2, 4, 8, 16, 32, 64)), CACHES))
"""As the window asks: only these numbers are searched, and not those between them."""
COUNTED_UP = Request(workload="fasta", axes=(Axis("threads", tuple(range(1, 65))), CACHES))


def plan_or_reason(asked: Request) -> Plan | str:
    """The plan, with all its specs; or why there is none."""
    try:
        return task_of(asked, DATASET).plan
    except SluiceError as reason:
        return str(reason)


@given(requests(), some.booleans())
@example(CACHE_SIZE, False)
@example(MANY_OF_A_SLICE, False)
@example(DOUBLED, False)
@example(COUNTED_UP, False)
@example(COUNTED_UP, True)
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_that_a_shown_command_line_means_the_same_plan(question: Request, everything: bool) -> None:
    asked = way_to_measure(question, everything=everything)
    understood = parsed(asked.command_line())
    assert understood.dataset == asked.dataset
    if asked.search or asked.axes:
        assert Limits.of(understood.terms) == Limits.of(asked.terms)
    if asked.search:
        assert effort_of(understood.terms) == effort_of(asked.terms)
    ours = plan_or_reason(asked)
    assert plan_or_reason(understood) == ours


def test_that_a_sweep_keeps_a_value_which_has_no_effect_at_its_base() -> None:
    plan = task_of(CACHE_SIZE, DATASET).plan
    sizes = {spec.parameters["cache"]: spec.parameters["cache_size"] for spec in plan.specs[:2]}
    assert sizes == {"none": 128, "lru": 64}


def test_that_a_search_keeps_a_value_which_has_no_effect_at_its_base() -> None:
    plan = task_of(SLICE, DATASET).plan
    assert {(spec.parameters["slice"], spec.parameters["length"]) for spec in plan.specs} == {
        ("first", 1)
    }


@pytest.mark.parametrize("tune", [False, True])
def test_that_what_a_varied_parameter_was_set_to_says_nothing(tune: bool) -> None:
    threads = Axis("threads", (1, 2))
    for kind in (*declared(load_workload("fasta").parameters), *declared(Load)):
        if kind.name == "threads" or isinstance(kind, Text):
            continue
        values = first_values(kind)
        asked = Request(
            workload="fasta", search=tune, axes=(threads, Axis(kind.name, values)), floor=False
        )
        held = [msgspec.structs.replace(asked, values={kind.name: value}) for value in values]
        assert {repr(plan_or_reason(one)) for one in held} == {repr(plan_or_reason(asked))}


def first_values(kind: Kind) -> tuple[Value, ...]:
    """Two values of a parameter that are not its default, where it has so many."""
    match kind:
        case Choice():
            return tuple(kind.options)[-2:]
        case Flag():
            return (False, True)
        case Integer() | Real():
            return (kind.check(kind.low), kind.check(kind.low + 1))
        case _:
            raise AssertionError(kind)


@given(
    chosen([kind for kind in declared(Load) if kind.name in STUDY_ADJUSTABLE]),
    some.sampled_from([5, 1, 3]),
)
@settings(max_examples=60, deadline=None)
@example({"warm_up": 0.5, "operations": 0}, 5)  # as declared, but not as in the study
def test_that_a_studys_command_line_means_the_same_plan(
    values: dict[str, Value], repeats: int
) -> None:
    asked = Request(study="seqrepo-fd-cache", values=values, repeats=repeats, dataset=Path("/d"))
    ours = task_of(asked, DATASET).plan
    assert task_of(parsed(asked.command_line()), DATASET).plan == ours


def test_that_only_what_differs_from_the_declarations_is_written() -> None:
    kinds = (*declared(load_workload("fasta").parameters), *declared(Load))
    usual = {kind.name: kind.default for kind in kinds}
    asked = Request(workload="fasta", values=usual, dataset=Path("/data"), until_sure=True)
    assert arguments(asked) == ["measure", "fasta", "--dataset", "/data"]
    found = load_study("seqrepo-fd-cache")
    base = {name: found.base[name] for name in STUDY_ADJUSTABLE if name in found.base}
    asked = Request(study=found.name, values=base, repeats=found.repeats, dataset=Path("/data"))
    assert arguments(asked) == ["study", "seqrepo-fd-cache", "--dataset", "/data"]


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ({"block_size": 65536 * 4}, ["--block-size", "256KiB"]),
        ({"block_size": 1 << 22}, ["--block-size", "4MiB"]),
        ({"block_size": 1000}, ["--block-size", "1000"]),
        ({"duration": 5.0}, ["--duration", "5s"]),
        ({"duration": 0.25}, ["--duration", "0.25s"]),
    ],
)
def test_that_quantities_are_written_as_people_write_them(
    values: dict[str, Value], told: list[str]
) -> None:
    asked = Request(workload="raw", values=values, until_sure=True)
    assert arguments(asked) == ["measure", "raw", *told]


@pytest.mark.parametrize("threads", [1, 2, 4])
def test_that_what_tells_a_runs_limits_stands_beside_what_was_asked_for(threads: int) -> None:
    asked = Request(workload="raw", values={"threads": threads}, dataset=Path("/d"))
    plain, explained = (
        task_of(msgspec.structs.replace(asked, why=why), DATASET) for why in (False, True)
    )
    assert not plain.beside
    own = [one for one in explained.plan.specs if one.digest not in explained.beside]
    assert own == list(plain.plan.specs)
    loads = {(one.load.threads, one.load.processes) for one in explained.plan.specs}
    assert loads == {(1, 1), (max(threads, 2), 1), (1, max(threads, 2))}
    assert len({one.digest for one in explained.plan.specs}) == len(explained.plan.specs)


def test_that_readers_of_other_data_are_refused_and_the_fitting_ones_are_not() -> None:
    reads = Dataset(kind="pod5", location="/data/reads.pod5", fingerprint="00ff")
    kinds = {kind.name: kind for kind in declared(load_workload("signal").parameters)}
    refused = Request(workload="signal", axes=(Axis("reader", ("pod5",)),)).options_refused(
        kinds["reader"], reads
    )
    reader = kinds["reader"]
    assert isinstance(reader, Choice)
    assert refused.keys() == {name for name in reader.options if not name.startswith("pod5")}
    assert all(reason.startswith("reader: ") for reason in refused.values())


def test_that_a_store_whose_address_is_not_given_yet_can_be_chosen() -> None:
    layer = Dataset(kind="tile-layer", location="/data/layer", fingerprint="00ff")
    kinds = {kind.name: kind for kind in declared(load_workload("tiles").parameters)}
    assert not Request(workload="tiles").options_refused(kinds["store"], layer)


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


def test_that_programs_at_once_are_searched_however_few_since_their_memory_is_not_known() -> None:
    jobs, threads = Axis("processes", (1, 2)), Axis("threads", (1, 2))
    programs = Request(workload="command", values={"run": "pigz -p {threads}"})
    assert way_to_measure(msgspec.structs.replace(programs, axes=(jobs, threads))).search
    assert not way_to_measure(
        msgspec.structs.replace(programs, axes=(jobs, threads)), everything=True
    ).search
    assert not way_to_measure(msgspec.structs.replace(programs, axes=(threads,))).search
    assert not way_to_measure(asked(jobs, threads)).search


def test_that_what_no_search_knows_is_measured_whole() -> None:
    wide = Axis("cache_size", tuple(range(1, 40)))
    for axes in ((wide,), (MANY, CACHE, Axis("reader", ("pysam", "pyfaidx")))):
        assert not way_to_measure(asked(*axes)).search


def test_that_a_study_stays_as_it_is() -> None:
    study = Request(study="seqrepo-fd-cache")
    assert way_to_measure(study) is study
