"""What a trial tells of its processes as a whole."""

import pytest
from building import reading, spec, trial
from msgspec.structs import replace

from core.result.metrics import METRICS


def test_that_cpu_of_library_threads_counts_and_verification_does_not() -> None:
    made = trial(spec(), seconds=2.0)
    (worker, *_) = made.workers
    worker = replace(
        worker, started=0, ended=2_500_000_000, paused=500_000_000, verifying=400_000_000
    )
    made = replace(
        made,
        workers=(worker,),
        first=replace(reading(0.0), cpu_user=1.0, cpu_system=0.5),
        last=replace(reading(2.5), cpu_user=4.0, cpu_system=0.9),
    )
    assert METRICS["process_cpu"].of(made) == pytest.approx(3.0)
    assert METRICS["elapsed"].of(made) == pytest.approx(2.0)
    assert METRICS["cores_used"].of(made) == pytest.approx(1.5)


def test_that_verification_takes_no_more_than_was_used() -> None:
    made = trial(spec(), seconds=1.0)
    (worker, *_) = made.workers
    looks = {"first": reading(0.0), "last": reading(0.0)}
    made = replace(made, workers=(replace(worker, verifying=10**9),), **looks)
    assert METRICS["process_cpu"].of(made) == 0.0


def test_that_nothing_is_told_without_a_look_before_the_clock() -> None:
    made = replace(trial(spec(), seconds=1.0), first=None)
    assert METRICS["process_cpu"].of(made) is None
    assert METRICS["cores_used"].of(made) is None


def test_that_memory_of_its_own_and_mapped_memory_are_told_apart() -> None:
    made = replace(trial(spec(), seconds=1.0), last=replace(reading(1.0), rss_file=1 << 40))
    assert METRICS["file_backed"].of(made) == 1 << 40
    assert 0 < (METRICS["anonymous"].of(made) or 0) < 1 << 40
