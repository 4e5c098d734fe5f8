"""From a plan back to the request that asks for it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import Axis, Inspection, Request
from core.execution.measure_again import request_of
from core.execution.task import task_of

COUNTS = st.lists(st.integers(1, 16), unique=True, min_size=2, max_size=4)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    for number in range(4):
        (folder / f"{number}.bin").write_bytes(bytes(range(256)) * 64)
    return folder


@given(
    threads=COUNTS,
    cold=st.booleans(),
    repeats=st.integers(1, 9),
    duration=st.sampled_from((0.2, 1.0, 3.0)),
    budget=st.sampled_from((0.0, 20.0)),
    seed=st.integers(1, 99),
)
def test_that_a_request_made_from_a_plan_makes_the_same_plan(
    data: Path,
    threads: list[int],
    cold: bool,
    repeats: int,
    duration: float,
    budget: float,
    seed: int,
) -> None:
    request = Request(
        workload="raw",
        values={"duration": duration, "seed": seed},
        axes=(
            Axis("threads", tuple(sorted(threads))),
            *([Axis("page_cache", ("as-is", "cold"))] if cold else []),
        ),
        repeats=repeats,
        budget=budget,
        floor=False,
    )
    dataset = Inspection.of(data, "raw").dataset
    plan = task_of(request, dataset).plan
    again = task_of(request_of(plan), dataset).plan
    assert {spec.digest for spec in again.specs} == {spec.digest for spec in plan.specs}
    assert (again.repeats, again.budget, again.terms) == (plan.repeats, plan.budget, plan.terms)
    assert (again.turns, again.seed) == (plan.turns, plan.seed)
