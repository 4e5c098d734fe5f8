"""Cores that were granted beside those that a program used, and what its runs cost."""

from __future__ import annotations

import building
import pytest
from msgspec.structs import replace

from core.judge import CoreAccount, doubts_about
from core.vocabulary import OfPrograms, Result

pytestmark = pytest.mark.quick


def ran(
    threads: int, *, started: int, computing: int, used: float, limits: str = "", cores: int = 0
) -> Result:
    """A program's runs, two a second, that kept so many of eight cores busy."""
    of = building.spec(
        workload="command", parameters={"run": "tool -@ {threads}"}, threads=threads, cores=cores
    )
    trials = []
    for index in range(3):
        one = building.trial(of, index=index, rate=2.0)
        counters = {
            OfPrograms.CPU: used / 2.0 * one.operations,
            OfPrograms.SYSTEM: 0.1 * used / 2.0 * one.operations,
            OfPrograms.THREADS: float(started),
            OfPrograms.COMPUTING: float(computing),
            **({f"{OfPrograms.LIMIT}{limits}": 1.0} if limits else {}),
        }
        trials.append(replace(one, counters=counters))
    return building.result(of, trials)


def with_job(result: Result, cores: int) -> Result:
    return replace(result, environment=replace(result.environment, job_cores=cores))


def said(*results: Result) -> str:
    return " ".join(doubt.full_text for doubt in doubts_about(results) if "granted" in doubt.text)


def test_that_a_program_that_takes_more_than_a_job_was_granted_is_named_with_its_remedy() -> None:
    one = ran(2, started=64, computing=60, used=5.3, limits="OMP_NUM_THREADS")
    assert said(with_job(one, 2)) == (
        "Asked for 2, started 64 threads, used 5.3 of 2 granted cores (SLURM_CPUS_PER_TASK). "
        "Limit it by OMP_NUM_THREADS: write OMP_NUM_THREADS={threads} before the command."
    )


@pytest.mark.parametrize(
    ("threads", "started", "computing", "used"),
    [(2, 3, 2, 1.9), (1, 3, 2, 1.8), (4, 40, 5, 4.1), (4, 9, 5, 4.9), (8, 10, 8, 1.3)],
    ids=["a manager", "one more that computes", "a JVM", "samtools", "it does not scale"],
)
def test_that_threads_beside_the_workers_are_no_warning(
    threads: int, started: int, computing: int, used: float
) -> None:
    assert said(ran(threads, started=started, computing=computing, used=used)) == ""


def test_that_a_program_with_as_many_threads_for_any_number_ignores_it() -> None:
    same = [ran(threads, started=2, computing=2, used=1.9) for threads in (1, 2)]
    heeded = [
        ran(threads, started=threads + 1, computing=threads, used=threads) for threads in (1, 2)
    ]
    assert said(*same).startswith("Asked for 1, started 2 threads, used 1.9 of ")
    assert said(*heeded) == ""


def test_that_what_a_thousand_runs_cost_counts_the_cores_that_they_keep() -> None:
    account = CoreAccount.of(ran(4, started=5, computing=4, used=3.0))
    assert account is not None
    assert account.core_hours == pytest.approx(4 * 0.5 * 1000 / 3600)
    assert account.cost_text() == "0.556 core-hours"
    assert account.cost_text("0.04 EUR") == "0.556 core-hours, 0.0222 EUR"
    assert account.cost_text("2") == "0.556 core-hours, 1.11"


def test_that_a_trial_without_programs_has_no_account() -> None:
    assert CoreAccount.of(building.good(building.spec(), 10.0, 11.0)) is None
