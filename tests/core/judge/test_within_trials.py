"""What is said of what the moments of trials show."""

from __future__ import annotations

from collections.abc import Callable

import building
import msgspec
import pytest

from core.judge import doubts_within
from core.language import show_count
from core.measure import describe_environment, describe_limits
from core.tell.card_text import sum_up
from core.vocabulary import Moment, Result

pytestmark = pytest.mark.quick

_RATE = 320


def seen(
    *,
    done: Callable[[float], float] = lambda at: _RATE * at,
    fds: Callable[[float], float] = lambda _: 20,
    rss: Callable[[float], float] = lambda _: 64 << 20,
    longest: float = 0.003,
) -> Result:
    """Three trials of 10 s."""
    of = building.spec()
    moments = tuple(
        Moment(
            at=at,
            operations=(round(done(at)),),
            cpu=(round(at * 1e8),),
            bytes=5 * round(done(at)),
            errors=0,
            wrong=0,
            p50=0,
            p99=0,
            reading=building.reading(at, fds=round(fds(at)), rss=2 * round(rss(at))),
        )
        for at in (place / 10 for place in range(1, 101))
    )
    latencies = building.histogram([3_000_000] * 30 + [round(1e9 * longest)], 1)
    trials = [
        building.trial(of, index=i, seconds=10.0, moments=moments, histogram=latencies)
        for i in range(3)
    ]
    return building.result(of, trials)


def told(result: Result) -> str:
    return " ".join(doubt.text for doubt in doubts_within(result))


def test_that_nothing_is_said_of_an_even_trial() -> None:
    assert told(seen()) == ""


def frozen(at: float) -> float:
    """The server stood still from 4.4 s to 5.4 s."""
    return _RATE * (at - max(0.0, min(at, 5.4) - 4.4))


def test_that_a_stall_is_told_with_the_p99_of_steady_requests() -> None:
    result = seen(done=frozen, longest=1.0)
    assert "at 4.4 s; whoever asks at a steady rate sees a p99 of at least 9" in told(result)
    assert told(result) in sum_up([result], 1).detail


def test_that_a_rest_in_which_no_operation_took_long_is_no_stall() -> None:
    assert told(seen(done=frozen)) == ""


def test_that_slow_operations_are_no_stall() -> None:
    assert told(seen(done=lambda at: at // 0.7, longest=0.7)) == ""


def test_that_nothing_is_a_stall_at_the_ends() -> None:
    assert told(seen(done=lambda at: _RATE * min(max(0.0, at - 1), 8.0), longest=1.0)) == ""


def test_that_growing_files_are_told_with_the_time_until_the_limit() -> None:
    result = seen(fds=lambda at: 20 + 350 * at)
    assert told(result) == "Open files grow by 350 a second."
    here = msgspec.structs.replace(result, environment=describe_environment())
    limit = describe_limits().open_files_soft
    if limit is not None:
        assert f"350 a second; the limit of {show_count(limit)} is reached in " in told(here)


def test_that_growing_memory_is_told_with_the_time_until_the_machine_has_no_more() -> None:
    result = seen(rss=lambda at: (64 << 20) * (1 + at / 2))
    assert told(result) == (
        "Memory grows by 32.0 MiB a second; the machine's 32.0 GiB are reached in 17:02 min."
    )


def test_that_a_cache_that_fills_and_then_stays_is_no_leak() -> None:
    assert (
        told(seen(fds=lambda at: 20 + min(350 * at, 1024), rss=lambda at: min(at, 4) * 2e8)) == ""
    )


def test_that_a_throughput_that_changed_is_told_with_the_moment() -> None:
    text = told(seen(done=lambda at: _RATE * (at - 0.2 * max(0.0, at - 6))))
    assert text.startswith("Throughput changed from 320 sequences/s to 25")


def test_that_two_levels_are_told_with_the_first_change() -> None:
    def done(at: float) -> float:
        periods, left = divmod(at, 4)
        return _RATE * (3.4 * periods + left - 0.3 * max(0.0, left - 2))

    assert told(seen(done=done)).startswith("Throughput has two levels, 320 sequences/s and 22")
