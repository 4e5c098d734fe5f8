"""Figures that cannot be are a fault that says so, and never a result."""

from __future__ import annotations

import building
import msgspec
import pytest

from core.host.processor import copy_speed
from core.result.result import Trial
from core.trial.trial_value import impossible

pytestmark = pytest.mark.quick

SECOND = 10**9


def claiming(threads: int, share: float, seconds: float) -> Trial:
    """A trial whose workers each had a core for that share of their windows."""
    trial = building.trial(building.spec(threads=threads), seconds=seconds)
    workers = tuple(
        msgspec.structs.replace(
            one, window=round(seconds * SECOND), window_cpu=round(share * seconds * SECOND)
        )
        for one in trial.workers
    )
    return msgspec.structs.replace(trial, workers=workers)


@pytest.mark.parametrize(("threads", "share"), [(1, 1.0), (2, 1.0), (64, 1 / 32), (64, 0.01)])
def test_that_what_the_cores_can_do_is_a_result(threads: int, share: float) -> None:
    assert not claiming(threads, share, 2.0).exceeds(2.0)


@pytest.mark.parametrize("threads", [4, 64])
def test_that_threads_that_each_had_a_core_of_their_own_are_more_than_there_are(
    threads: int,
) -> None:
    """As clocks told that stood still one by one."""
    trial = claiming(threads, 1.0, 2.0)
    assert trial.exceeds(2.0)
    told = impossible(trial, 2.0, None)
    assert told is not None
    assert f"{threads}.00 CPU seconds a second" in told.message
    assert "more than the cores have (2)" in told.message


def test_that_a_short_window_may_have_a_batch_more() -> None:
    assert not claiming(2, 1.5, 0.1).exceeds(2.0)
    assert claiming(2, 1.5, 10.0).exceeds(2.0)


def test_that_more_bytes_than_the_cores_copy_are_a_fault() -> None:
    trial = building.trial(building.spec(threads=2), seconds=2.0)
    assert trial.byte_rate
    assert impossible(trial, 2.0, trial.byte_rate / 2) is None
    assert impossible(trial, 2.0, None) is None
    told = impossible(trial, 2.0, trial.byte_rate / 2.1)
    assert told is not None
    assert "the cores (2) copy" in told.message


def test_that_a_core_copies_as_much_as_memory_allows() -> None:
    assert 1e9 < copy_speed() < 1e13
