"""What is written of an axis, and of a setting, becomes just these values or is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.language import InvalidParameter, UnknownName
from core.run import Request, arguments
from core.vocabulary import (
    Axis,
    Dataset,
    Integer,
    Load,
    Real,
    Value,
    admit,
    axis,
    declared,
    draft,
    specify,
)
from core.vocabulary.registry import load_workload

pytestmark = pytest.mark.quick
KINDS = {kind.name: kind for kind in declared(Load)}


@pytest.mark.parametrize(
    ("written", "values"),
    [
        ("threads=1..8", (1, 2, 4, 8)),
        ("threads=1..9", (1, 2, 4, 8, 9)),
        ("threads=3..20", (3, 6, 12, 20)),
        ("threads=4..4", (4,)),
        ("threads=8,1..2,8", (8, 1, 2)),
        ("operations=0..3", (0, 1, 2, 3)),
        ("seed=0..3", (0, 1, 2, 3)),
        ("duration=0.5,2", (0.5, 2.0)),
        ("duration=0, 5", (0.0, 5.0)),
        ("duration=2s,5s", (2.0, 5.0)),
        ("duration=1,2,4", (1.0, 2.0, 4.0)),
        ("operations=1,128", (1, 128)),
        ("block_size=512,64KiB", (512, 65536)),
    ],
)
def test_that_a_range_doubles_or_counts_to_its_end(written: str, values: tuple[Value, ...]) -> None:
    assert axis(written, load_workload("raw")).values == values


@pytest.mark.parametrize(
    ("written", "remedy"),
    [
        ("duration=0,5", "write 0.5, or"),
        ("duration=2,5 s", "write 2.5s, or"),
        ("duration=0,5, 1,5", "write 0.5, or"),
        ("duration=0,05,1", "put a space"),
        ("operations=10,000", "write 10000, or"),
        ("operations=1,000,000", "write 1000000, or"),
        ("block_size=1,5MiB", "write 1.5MiB, or"),
    ],
)
def test_that_a_comma_within_a_number_is_not_taken_for_one_between_two(
    written: str, remedy: str
) -> None:
    with pytest.raises(InvalidParameter, match="looks like one") as refused:
        axis(written, load_workload("raw"))
    assert remedy in refused.value.remedy


@pytest.mark.parametrize(
    ("name", "values"),
    [("warm_up", (0.0, 5.0)), ("warm_up", (1.0, 2.5, 7.0)), ("operations", (0, 10, 1000))],
)
def test_that_written_values_are_read_again(name: str, values: tuple[Value, ...]) -> None:
    kind = KINDS[name]
    assert Axis.read(kind, Axis(name, values).written(kind)).values == values
    rate = Real(name="rate", default=1.0, low=0, high=9, help="")
    size = Integer(name="size", default=1, low=0, high=1 << 30, unit="bytes", help="")
    assert Axis.read(rate, Axis("rate", (0.0, 5.0)).written(rate)).values == (0, 5)
    assert Axis.read(rate, Axis("rate", (3e-25, 0.0)).written(rate)).values == (3e-25, 0)
    assert Axis.read(size, Axis("size", (0, 1024)).written(size)).values == (0, 1024)


def test_that_quotes_keep_a_comma_in_a_value() -> None:
    written = """run="cut -f1,2 x",awk '{print $1,$2}' x,cat x"""
    found = axis(written, load_workload("command"))
    assert found.values == ("cut -f1,2 x", "awk '{print $1,$2}' x", "cat x")
    (_, _, told) = arguments(Request(workload="command", axes=(found,), until_sure=True))
    assert axis(told, load_workload("command")) == found


def test_that_a_range_counts_where_every_value_is_meant() -> None:
    assert axis("threads=1..5", load_workload("raw"), every=["threads"]).values == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("name", "low", "high", "steps", "values"),
    [
        ("threads", 1, 16, 5, (1, 2, 4, 8, 16)),
        ("threads", 1, 2, 5, (1, 2)),
        ("threads", 4, 4, 3, (4,)),
        ("threads", 1, 100, 1, (1,)),
        ("seed", 0, 100, 3, (0, 50, 100)),
        ("warm_up", 0, 9, 4, (0, 3.0, 6.0, 9)),
    ],
)
def test_that_steps_are_even_on_the_scale_of_their_parameter(
    name: str, low: float, high: float, steps: int, values: tuple[Value, ...]
) -> None:
    kind = KINDS[name]
    assert isinstance(kind, Integer | Real)
    assert Axis.spaced(kind, low, high, steps).values == values


@pytest.mark.parametrize(
    ("name", "low", "high", "values"),
    [
        ("threads", 1, 16, (1, 2, 4, 8, 16)),
        ("seed", 0, 15, tuple(range(16))),
        ("seed", 0, 16, (0, 5, 11, 16)),
        ("warm_up", 0, 9, (0, 3.0, 6.0, 9)),
    ],
)
def test_that_between_two_ends_are_all_values_or_a_few(
    name: str, low: float, high: float, values: tuple[Value, ...]
) -> None:
    kind = KINDS[name]
    assert isinstance(kind, Integer | Real)
    assert Axis.between(kind, low, high).values == values


def test_that_an_axis_of_no_parameter_is_refused_with_the_closest_name() -> None:
    with pytest.raises(UnknownName, match=r"named 'thread' \(did you mean threads\?\)"):
        axis("thread=1,2", load_workload("raw"))


def test_that_more_threads_than_a_session_can_hold_are_refused_in_all_processes_together(
    tmp_path: Path,
) -> None:
    dataset = Dataset(kind="files", location=str(tmp_path), fingerprint="")
    most = specify("raw", dataset, {"threads": 1024, "processes": 16})
    admit(most)
    for name in ("processes", "nodes"):
        many = {"threads": 1024, "processes": 16} | {name: 17 if name == "processes" else 2}
        with pytest.raises(InvalidParameter, match="in all processes") as refused:
            specify("raw", dataset, many)
        assert "leave at most 16,384" in str(refused.value)
        assert draft("raw", dataset, many).load.threads == 1024  # the base of a sweep may be so
