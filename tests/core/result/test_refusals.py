"""How large a share of all requests a server refused, by what the workload counted."""

from __future__ import annotations

from collections.abc import Mapping

import building
import msgspec
import pytest

from core.result.ending import share_refused
from core.result.result import Trial

pytestmark = pytest.mark.quick


def counted(operations: int, counters: Mapping[str, int]) -> Trial:
    made = building.trial(building.spec(threads=1), rate=max(operations, 1), seconds=1)
    workers = made.workers if operations else ()
    return msgspec.structs.replace(made, workers=workers, counters=dict(counters))


@pytest.mark.parametrize(
    ("trials", "share"),
    [
        ([(9, {"503": 1})], 0.1),
        ([(9, {"503": 1}), (9, {"429": 1, "bytes": 50})], 0.1),
        ([(5, {"503": 10, "429": 5})], 0.75),
        ([(9, {"files arrived": 9})], 0.0),
        ([(0, {"503": 3})], 1.0),
        ([], 0.0),
    ],
)
def test_that_each_refusal_is_one_request_more(
    trials: list[tuple[int, Mapping[str, int]]], share: float
) -> None:
    assert share_refused([counted(*one) for one in trials]) == share
