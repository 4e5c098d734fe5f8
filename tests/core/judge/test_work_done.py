"""Settings that are compared did the same work, or the answer says that they did not."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from itertools import accumulate

import building
import pytest
from calls import calls_in
from msgspec.structs import replace

from core.judge import (
    advise,
    doubts_about,
)
from core.judge.comparison import compare
from core.judge.work_done import doubts_about_work
from core.tell.card_text import Progress, answer_of
from core.vocabulary import Grade, Result, Trial

pytestmark = pytest.mark.quick

UNEQUAL = [0.1] * 10 + [0.01] * 1000
"""Seconds of each item: the long ones come first."""
EQUAL = [0.05] * 200
LAST_ONES = [0.01] * 100 + [0.1] * 100


def timed(items: Sequence[float], threads: int, *noise: float, duration: float = 2.0) -> Result:
    """So many threads, each of which has a core, at these items one after the other for a time."""
    of = building.spec(threads=threads, duration=duration)
    return building.result(of, [walked(items, of, at, one) for at, one in enumerate(noise)])


def walked(items: Sequence[float], of: building.RunSpec, index: int, noise: float) -> Trial:
    threads, duration = of.load.threads, of.load.duration
    ends = list(accumulate(item * noise / threads for item in items))
    looks = [at / 10 for at in range(1, round(10 * duration) + 1)]
    done = [sum(end <= at for end in ends) for at in looks]
    trial = building.trial(of, index=index, rate=done[-1] / duration, seconds=duration)
    moments = tuple(
        replace(trial.moments[0], at=at, operations=(count,), measured=at, counted=float(count))
        for at, count in zip(looks, done, strict=True)
    )
    return replace(trial, moments=moments)


QUIET = (1.0, 1.01, 0.99)


def told(*results: Result) -> str:
    return " ".join(doubt.full_text for doubt in doubts_about(results))


@pytest.mark.parametrize(("items", "how"), [(UNEQUAL, "was 1.59×"), (LAST_ONES, "was 0.")])
def test_that_what_is_faster_over_the_same_items_too_is_sure_and_how_much_is_doubted(
    items: Sequence[float], how: str
) -> None:
    one, four = timed(items, 1, *QUIET), timed(items, 4, *QUIET)
    assert (found := advise([one, four])) is not None
    assert found.grade is Grade.SURE
    assert "got differently far" in told(one, four)
    assert how in told(one, four)
    assert "--operations" in told(one, four)
    assert "got differently far" in compare(one, four).sentence


def test_that_what_is_faster_over_other_items_alone_is_not_sure() -> None:
    """Over the items that all did, the second one is slower than the third."""
    one = timed([0.05] * 100, 1, *QUIET)
    two = timed([0.075] * 40 + [0.002] * 2000, 2, *QUIET)
    three = timed([0.06] * 40 + [0.06] * 2000, 3, *QUIET)
    assert (found := advise([one, two, three])) is not None
    assert found.grade is Grade.LEADING
    assert "got differently far" in found.sentence


def test_that_items_that_cost_the_same_leave_the_answer_sure() -> None:
    one, four = timed(EQUAL, 1, *QUIET), timed(EQUAL, 4, *QUIET)
    assert told(one, four) == ""
    assert (found := advise([one, four])) is not None
    assert found.grade is Grade.SURE


def far_away(threads: int, operation: float = 0.15, duration: float = 2.0) -> Result:
    """So many threads, each of which waits for a store as long at each item."""
    of = building.spec(threads=threads, duration=duration)
    first = building.trial(of, rate=threads / operation, seconds=duration).moments[0]
    looks = [at / 10 for at in range(1, round(10 * duration) + 1)]
    done = [int(at / operation + 1e-9) for at in looks]
    moments = tuple(
        replace(first, at=at, operations=(n,) * threads, measured=at, counted=float(threads * n))
        for at, n in zip(looks, done, strict=True)
    )
    trials = [
        replace(
            building.trial(of, index=index, rate=threads * done[-1] / duration, seconds=duration),
            moments=moments,
        )
        for index in range(3)
    ]
    return building.result(of, trials)


def test_that_waiting_for_the_first_answers_of_a_store_is_no_matter_of_items() -> None:
    """While one thread has 13 of them, each of 16 has its first, and the next is under way."""
    one, many = far_away(1), far_away(16)
    assert told(one, many) == ""
    assert (found := advise([one, many])) is not None
    assert found.grade is Grade.SURE


def test_that_a_change_that_not_every_trial_has_is_no_matter_of_items() -> None:
    one = timed(EQUAL, 1, *QUIET)
    four = timed(EQUAL, 4, *QUIET)
    odd = timed(UNEQUAL, 4, 1.0).trials[0]
    trials = (*four.trials[:2], replace(odd, spec_digest=four.spec.digest, index=2, block=2))
    assert "differently far" not in told(one, replace(four, trials=trials))


def test_that_settings_that_all_do_the_whole_work_are_held_against_each_other() -> None:
    one, four = timed(UNEQUAL, 1, *QUIET), timed(UNEQUAL, 4, *QUIET)
    limited = [
        replace(one, spec=replace(one.spec, load=dataclasses.replace(one.spec.load, operations=99)))
        for one in (one, four)
    ]
    assert "differently far" in told(one, four)
    assert "differently far" not in told(*limited)


def written(threads: int, size: float, rate: float, cpu: float = 0.0) -> Result:
    """Results of a program that writes so much in each run."""
    result = building.good(building.spec(threads=threads), rate, 1.01 * rate, 0.99 * rate)
    return replace(
        result,
        trials=tuple(
            replace(
                one,
                counters={
                    "bytes written": size * one.operations,
                    **({"CPU seconds": cpu * one.operations} if cpu else {}),
                },
            )
            for one in result.trials
        ),
    )


def test_that_less_output_is_named_before_any_advice_and_nothing_is_sure() -> None:
    one, four = written(1, 61_000, 10.0), written(4, 248, 300.0)
    assert (found := advise([one, four])) is not None
    assert found.grade is Grade.LEADING
    assert "59.6 KiB" in found.sentence
    assert "248 B" in found.sentence
    assert "--same" in told(one, four)
    headline = answer_of([one, four], Progress(of=2)).headline
    assert headline.grade is Grade.LEADING
    assert headline.mood == "open"


def test_that_other_output_with_other_parameters_is_what_was_asked_for() -> None:
    one, four = written(1, 61_000, 10.0), written(1, 248, 300.0)
    other = replace(four.spec, parameters={**four.spec.parameters, "reader": "pyfaidx"})
    four = replace(
        four,
        spec=other,
        trials=tuple(replace(trial, spec_digest=other.digest) for trial in four.trials),
    )
    assert told(one, four) == ""


@pytest.mark.parametrize(
    ("cpu", "doubted"), [(0.1, False), (0.003, True)], ids=["as much work", "less work"]
)
def test_that_a_program_that_computes_less_with_more_threads_is_doubted(
    cpu: float, doubted: bool
) -> None:
    """With as much work it is the cores of other programs that it took."""
    cores = building.environment().usable_cores
    one, many = written(1, 100, 10.0, 0.1), written(4, 100, 30.0 * cores, cpu)
    assert ("cores can be" in told(one, many)) is doubted
    assert (found := advise([one, many])) is not None
    assert (found.grade is Grade.LEADING) >= doubted


def test_that_ten_times_the_settings_take_no_more_than_eleven_times_the_calls() -> None:
    def settings(count: int) -> list[Result]:
        specs = [
            building.spec(threads=1 + number % 4, parameters={"block": number // 4})
            for number in range(count)
        ]
        return [building.result(one, [building.trial(one, index=0)]) for one in specs]

    few, many = settings(20), settings(200)
    assert not list(doubts_about_work(settings(20)))
    calls = [calls_in(lambda: list(doubts_about_work(some))).total() for some in (few, many)]  # noqa: B023
    assert calls[1] <= 11 * calls[0]
