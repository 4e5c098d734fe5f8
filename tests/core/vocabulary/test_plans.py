"""Specs and their identity, sweeps and what they expand to, the order of a plan, its limits."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import building
import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.language import InvalidParameter, UnknownName, UsageError
from core.vocabulary import (
    NEAR,
    AnyFiles,
    Axis,
    Dataset,
    Effort,
    Load,
    Plan,
    RunSpec,
    Sweep,
    build,
    choice,
    differing,
    effort_of,
    integer,
    location_of,
    terms_for,
    values_of,
)

pytestmark = pytest.mark.quick

ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, kw_only=True)
class Fetch:
    cache: str = choice("lru", options={"lru": "Keep.", "none": "Forget."}, help="How kept.")
    cache_size: int = integer(
        128, low=1, high=4096, only_when={"cache": ("lru",)}, help="How many."
    )
    length: int = integer(5, low=1, high=100, help="How long.")


def spec(**load: Any) -> RunSpec:
    return building.spec(parameters=values_of(Fetch()), **load)


CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "cache": st.sampled_from(["lru", "none"]),
        "cache_size": st.integers(1, 4096),
        "length": st.integers(1, 100),
        "threads": st.integers(1, 1024),
        "duration": st.floats(0, 100),
        "page_cache": st.sampled_from(["as-is", "warm", "cold"]),
        "seed": st.integers(0, 2**31 - 1),
    },
)


@given(one=CHANGES, other=CHANGES)
def test_that_digests_are_equal_where_specs_are_and_nowhere_else(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    first, second = spec().varied(Fetch, one), spec().varied(Fetch, other)
    assert (first.digest == second.digest) == (first == second)


@given(changes=CHANGES)
def test_that_a_digest_survives_being_written_and_read(changes: dict[str, Any]) -> None:
    varied = spec().varied(Fetch, changes)
    again = msgspec.json.decode(msgspec.json.encode(varied), type=RunSpec)
    assert again == varied
    assert again.digest == varied.digest
    assert len(varied.digest) == 16


def test_that_the_order_of_parameters_does_not_matter() -> None:
    one = building.spec(parameters={"a": 1, "b": 2})
    other = building.spec(parameters={"b": 2, "a": 1})
    assert one.digest == other.digest


def test_that_a_digest_is_the_same_in_every_process() -> None:
    code = "import building; print(building.spec(threads=3).digest)"
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONPATH": f"{ROOT}:{ROOT / 'tests'}", "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        for seed in ("1", "2")
    }
    assert told == {building.spec(threads=3).digest}


def test_that_every_part_of_a_spec_is_part_of_its_identity() -> None:
    bare = spec()
    others = [
        msgspec.structs.replace(bare, workload="raw"),
        msgspec.structs.replace(bare, version=2),
        msgspec.structs.replace(bare, parameters=bare.parameters | {"length": 6}),
        msgspec.structs.replace(bare, load=Load(seed=2)),
        msgspec.structs.replace(bare, dataset=building.dataset("/data/other")),
    ]
    assert len({one.digest for one in (bare, *others)}) == 6


def test_that_a_variation_is_checked() -> None:
    with pytest.raises(UnknownName, match="did you mean threads"):
        spec().varied(Fetch, {"thread": 2})
    with pytest.raises(InvalidParameter, match="threads: 0 is outside"):
        spec().varied(Fetch, {"threads": 0})
    with pytest.raises(InvalidParameter, match="length"):
        spec().varied(Fetch, {"length": 101})


def test_that_a_sweep_holds_every_combination_the_last_axis_fastest() -> None:
    sweep = Sweep(base=spec(), axes=(Axis("threads", (1, 4)), Axis("length", (5, 50))))
    assert [(one.load.threads, one.parameters["length"]) for one in sweep.expand(Fetch)] == [
        (1, 5),
        (1, 50),
        (4, 5),
        (4, 50),
    ]


def test_that_combinations_that_mean_the_same_are_run_once() -> None:
    sweep = Sweep(
        base=spec(), axes=(Axis("cache", ("none", "lru")), Axis("cache_size", (16, 64, 256)))
    )
    assert [(one.parameters["cache"], one.parameters["cache_size"]) for one in sweep.expand(Fetch)] == [
        ("none", 128),
        ("lru", 16),
        ("lru", 64),
        ("lru", 256),
    ]  # fmt: skip


def test_that_a_sweep_without_axes_is_its_base() -> None:
    assert Sweep(base=spec(), axes=()).expand(Fetch) == (spec(),)


def test_that_a_sweep_of_too_many_is_refused_before_it_is_laid_out() -> None:
    every = tuple(range(1, 1025))
    sweep = Sweep(base=spec(), axes=(Axis("threads", every), Axis("seed", every)))
    with pytest.raises(UsageError, match=r"1,048,576 combinations \(leave at most 10,000\)"):
        sweep.expand(Fetch)


@given(count=st.integers(1, 6), repeats=st.integers(1, 5), seed=st.integers(0, 2**31))
@settings(max_examples=50)
def test_that_a_plan_s_order_is_drawn_from_its_seed_alone(
    count: int, repeats: int, seed: int
) -> None:
    specs = tuple(spec(threads=threads) for threads in range(1, count + 1))
    plan = Plan(title="a", specs=specs, repeats=repeats, seed=seed)
    again = Plan(title="b", specs=specs, repeats=repeats, seed=seed)
    assert plan.slots() == again.slots()
    assert [slot.index for slot in plan.slots()] == list(range(count * repeats))
    for block in range(repeats):
        run = [slot.spec.load.threads for slot in plan.slots() if slot.block == block]
        assert sorted(run) == list(range(1, count + 1))


def test_that_seeds_give_different_orders() -> None:
    specs = tuple(spec(threads=threads) for threads in range(1, 9))
    orders = {
        tuple(slot.spec.load.threads for slot in Plan(title="", specs=specs, seed=seed).slots())
        for seed in range(10)
    }
    assert len(orders) == 10


def test_that_only_what_differs_is_named() -> None:
    assert differing([spec(threads=1), spec(threads=2)]) == ("threads",)
    assert differing([spec()]) == ()
    other = msgspec.structs.replace(spec(), workload="raw")
    assert differing([spec(), other]) == ("workload",)


def test_that_the_load_s_defaults_are_those_of_its_declaration() -> None:
    assert build(Load, {}) == Load()


def test_that_who_asks_for_nothing_has_one_thread_of_one_process_on_one_node() -> None:
    usual = Load()
    assert (usual.threads, usual.processes, usual.nodes) == (1, 1, 1)
    assert (usual.cores, usual.memory_limit, usual.seed) == (0, 0, 1)


@pytest.mark.parametrize("name", list(values_of(Load())))
def test_that_a_spec_from_before_a_parameter_of_the_load_has_its_default(name: str) -> None:
    told = msgspec.json.decode(msgspec.json.encode(spec()))
    now = msgspec.convert(told, RunSpec)
    told["load"][name] = getattr(Load(), name)
    usual = msgspec.convert(told, RunSpec)
    del told["load"][name]
    read = msgspec.convert(told, RunSpec)
    assert read == usual
    assert read.digest == usual.digest
    assert read.values.keys() == now.values.keys()


def test_that_the_effort_of_a_search_is_among_its_terms() -> None:
    terms = {"most_trials": 30, "near": 0.1, "most_files": 12}
    assert effort_of(terms) == Effort(most_trials=30, near=0.1)


def test_that_terms_without_an_effort_are_the_usual_ones() -> None:
    assert effort_of({"most_files": 12}) == Effort(most_trials=0, near=NEAR)
    assert terms_for(Effort, {"most_files": 12}) == {}


def test_that_the_usual_effort_may_also_be_written() -> None:
    assert effort_of({"most_trials": 0, "near": NEAR}) == Effort()


def test_that_slots_are_numbered_without_gaps_and_each_block_holds_every_spec() -> None:
    specs = tuple(building.spec(threads=threads) for threads in (1, 2, 4, 8))
    slots = building.plan(specs, repeats=3, seed=5).slots()
    assert [slot.index for slot in slots] == list(range(12))
    blocks = [[slot.spec.digest for slot in slots if slot.block == block] for block in range(3)]
    assert all(sorted(block) == sorted(spec.digest for spec in specs) for block in blocks)
    assert len(set(map(tuple, blocks))) > 1, "each has an order of its own"
    assert slots == building.plan(specs, repeats=3, seed=5).slots()
    assert slots != building.plan(specs, repeats=3, seed=6).slots()


@pytest.mark.skipif(sys.platform != "linux", reason="only there a name can be any bytes")
def test_that_a_path_that_is_not_unicode_can_be_told_and_found_again(tmp_path: Path) -> None:
    folder = tmp_path / os.fsdecode(b"caf\xe9 %41")
    folder.mkdir()
    (folder / "x.fa").write_text(">a\nACGT\n")
    dataset = AnyFiles().open(folder)
    told = msgspec.json.encode(dataset)
    again = msgspec.json.decode(told, type=Dataset)
    assert again.location.startswith("file:///")
    assert again.path == folder
    assert again.local
    assert building.spec(data=again).digest


def test_that_an_ordinary_path_is_told_as_it_is(tmp_path: Path) -> None:
    assert location_of(tmp_path / "café %41") == str(tmp_path / "café %41")
