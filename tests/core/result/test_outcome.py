"""How a trial that failed says why, and how large a share of the requests a server refused."""

from __future__ import annotations

from collections.abc import Mapping

import building
import msgspec
import pytest

from core.errors import DatasetError, SluiceError, Unavailable
from core.result.outcome import Failed, describe, share_refused
from core.result.result import Trial

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("kind", [SluiceError, DatasetError, Unavailable])
def test_that_what_sluice_says_to_its_user_comes_without_a_class_of_its_own(
    kind: type[SluiceError],
) -> None:
    error = kind("the bucket is not there", "make it first")
    failed = Failed(stage="placing", error=type(error).__name__, message=str(error))
    assert describe(failed) == "failed while placing: the bucket is not there (make it first)"


def test_that_an_error_of_somebody_else_is_named() -> None:
    failed = Failed(stage="opening", error="KeyError", message="'reads'")
    assert describe(failed) == "failed while opening: KeyError: 'reads'"


@pytest.mark.parametrize("error", ["MemoryError", "SluiceError"])
def test_that_an_error_without_a_message_is_named(error: str) -> None:
    assert describe(Failed(stage="opening", error=error, message="")) == (
        f"failed while opening: {error}"
    )


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
