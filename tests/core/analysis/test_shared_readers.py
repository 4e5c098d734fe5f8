"""Of wrong data the commonest cause is known, said where the data is, and the remedy offered."""

from __future__ import annotations

import building
import pytest

from core.analysis.diagnosis import Cause, Confidence, diagnose, diagnose_all
from core.analysis.shared_readers import shared_reader
from core.analysis.trust import doubts_about
from core.output.card_text import Progress, answer_of
from core.output.next_steps import next_steps
from core.result.result import Result
from core.session import Run

pytestmark = pytest.mark.quick


def read(cache: str, threads: int, wrong: int = 0, workload: str = "fasta") -> Result:
    sizes = {"cache_size": 128} if cache != "none" else {}
    of = building.spec(workload, parameters={"cache": cache, **sizes}, threads=threads)
    trials = [building.trial(of, index=at, rate=1000.0 + at, wrong=wrong) for at in range(3)]
    return building.result(of, trials)


UNLOCKED = read("lru", 8, wrong=3)


@pytest.mark.parametrize("right", ["lru-locked", "per-thread", "none"])
def test_that_what_was_right_with_as_many_threads_is_advised(right: str) -> None:
    results = [UNLOCKED, read("lru", 1), read(right, 8), read("pool", 1)]
    (doubt,) = doubts_about(results, ())
    assert doubt.remedy.endswith(
        "With cache lru, threads share a reader without a lock. "
        f"Use cache {right}: it was right with as many threads."
    )
    found = diagnose(UNLOCKED, results)
    assert (found.cause, found.confidence) == (Cause.SHARED, Confidence.SURE)
    assert found.sentence == "With cache lru, threads share a reader without a lock."
    assert found.advice == f"use cache {right}: it was right with as many threads"


def test_that_without_such_a_result_the_same_with_a_lock_is_offered() -> None:
    results = [UNLOCKED, read("lru-locked", 8, wrong=1), read("lru-locked", 4)]
    found = diagnose_all([UNLOCKED])
    assert found is not None
    assert (found.cause, found.confidence) == (Cause.SHARED, Confidence.LIKELY)
    assert found.advice == "try cache lru-locked"
    plan = building.plan([UNLOCKED.spec], repeats=3)
    run = Run(
        id=1,
        plan=plan,
        environment=building.environment(),
        file_systems={},
        command=(),
        identity="",
        started=1_770_000_000.0,
        ended=1_770_000_040.0,
        how="completed",
        trials=3,
    )
    answer = answer_of([UNLOCKED], Progress(of=1))
    steps = next_steps(run, [UNLOCKED], answer).steps
    (offered,) = [step for step in steps if step.name == "lock"]
    assert offered.request is not None
    assert offered.request.values["cache"] == "lru-locked"
    assert offered.request.values["threads"] == 8
    shared = shared_reader(UNLOCKED, results)
    assert shared is not None
    assert shared.right is None


def test_that_where_nothing_is_declared_one_thread_tells_that_the_threads_disturb_each_other() -> (
    None
):
    many, one = read("pool", 8, wrong=3), read("pool", 1)
    assert shared_reader(many, [many]) is None
    found = diagnose(many, [many, one])
    assert (found.cause, found.confidence) == (Cause.SHARED, Confidence.LIKELY)
    assert found.evidence[0].startswith("The same was right with 1 thread")


def test_that_one_thread_and_right_data_share_nothing() -> None:
    alone = read("lru", 1, wrong=3)
    assert shared_reader(alone, [alone, read("lru-locked", 1)]) is None
    assert shared_reader(read("lru", 8), [UNLOCKED]) is None
    assert shared_reader(read("lru", 8, wrong=1, workload="gone"), []) is None
