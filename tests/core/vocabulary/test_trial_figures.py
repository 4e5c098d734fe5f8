"""What figures of a trial are of, such as its processes and cores, and what it says of its end."""

from __future__ import annotations

from collections.abc import Mapping

import building
import msgspec
import pytest
from building import reading, spec, trial
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from core.language import DatasetError, SluiceError, Unavailable, UsageError
from core.measure.trial.trial_value import doubt_about
from core.vocabulary import (
    METRICS,
    Failed,
    MachineNoise,
    Prices,
    Trial,
    describe,
    ending_of,
    share_refused,
    stolen_share,
)


def test_that_cpu_of_all_processes_counts_and_what_was_seen_from_outside_does_not() -> None:
    made = trial(spec(), seconds=2.0)
    (worker, *_) = made.workers
    worker = replace(
        worker, started=0, ended=2_500_000_000, paused=500_000_000, process_cpu=1_000_000_000
    )
    made = replace(
        made,
        workers=(worker, replace(worker, process=1, process_cpu=2_000_000_000)),
        first=replace(reading(0.0), cpu_user=1.0, cpu_system=0.5),
        last=replace(reading(2.5), cpu_user=9.0, cpu_system=0.9),
    )
    assert METRICS["process_cpu"].of(made) == pytest.approx(3.0)
    assert METRICS["elapsed"].of(made) == pytest.approx(2.0)
    assert METRICS["cores_used"].of(made) == pytest.approx(1.5)


def test_that_cpu_that_was_not_recorded_is_unknown() -> None:
    made = trial(spec(), seconds=1.0)
    made = replace(made, workers=tuple(replace(one, process_cpu=None) for one in made.workers))
    assert METRICS["process_cpu"].of(made) is None
    assert METRICS["cores_used"].of(made) is None


def test_that_memory_of_its_own_and_mapped_memory_are_told_apart() -> None:
    made = replace(trial(spec(), seconds=1.0), last=replace(reading(1.0), rss_file=1 << 40))
    assert METRICS["file_backed"].of(made) == 1 << 40
    assert 0 < (METRICS["anonymous"].of(made) or 0) < 1 << 40


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


@pytest.mark.parametrize(("threads", "share"), [(1, 1.0), (2, 1.0), (16, 1.1 / 8), (64, 0.01)])
def test_that_what_the_cores_can_do_is_a_result(threads: int, share: float) -> None:
    assert not claiming(threads, share, 2.0).exceeds(2.0)


@pytest.mark.parametrize("threads", [4, 64])
def test_that_threads_that_each_had_a_core_of_their_own_are_more_than_there_are(
    threads: int,
) -> None:
    """As clocks told that stood still one by one."""
    trial = claiming(threads, 1.0, 2.0)
    assert trial.exceeds(2.0)
    doubt = doubt_about(trial, 2.0)
    assert f"{threads}.00 CPU seconds a second" in doubt
    assert "more than the 2 that the cores have" in doubt


def test_that_a_short_window_may_have_a_batch_more() -> None:
    assert not claiming(4, 1.0, 0.1).exceeds(2.0)
    assert claiming(4, 1.0, 10.0).exceeds(2.0)


def test_that_a_doubtful_figure_is_kept() -> None:
    trial = claiming(64, 1.0, 2.0)
    doubted = replace(trial, doubt=doubt_about(trial, 2.0))
    assert doubted.doubt
    assert doubted.valid
    assert doubted.throughput == trial.throughput is not None
    assert ending_of([trial, doubted]) == "figures doubtful (1 of 2)"


@given(st.floats(0.0, 18.0), st.integers(1, 64))
def test_that_no_number_of_bytes_a_second_is_doubtful(magnitude: float, threads: int) -> None:
    """What memory copies depends on where buffers begin, the processor and its state: no bound."""
    made = building.trial(building.spec(threads=threads), seconds=2.0)
    each = round(10**magnitude)
    many = replace(
        made, workers=tuple(replace(one, bytes=each, window_bytes=each) for one in made.workers)
    )
    assert many.byte_rate
    assert doubt_about(many, threads) == ""


SECONDS = 2.0
shares = st.floats(0.0, 0.45)


def robbed(share: float, *, waited: float = 0.0, busy: float = 1.0, **noise: object) -> Trial:
    """A trial of one worker that kept a core busy for `busy` of its time, but for what was stolen.

    `waited`: seconds for which it waited for a core beside that.
    """
    wanted = busy * SECONDS
    first, last = building.reading(0.0), building.reading(SECONDS)
    return building.trial(
        building.spec(),
        first=msgspec.structs.replace(first, queued=0.0),
        last=msgspec.structs.replace(last, queued=waited),
        noise=MachineNoise(
            **{
                "seconds": SECONDS,
                "cores": 4,
                "own": wanted * (1.0 - share),
                "others": 0.0,
                "steal": wanted * share,
            }
            | noise  # type: ignore[arg-type]
        ),
    )


@given(shares)
def test_that_a_worker_that_computes_loses_what_was_stolen(share: float) -> None:
    assert robbed(share).stolen == pytest.approx(share)


@given(shares, st.floats(0.01, 1.0))
def test_that_a_worker_that_waits_for_something_else_loses_less(share: float, busy: float) -> None:
    assert robbed(share, busy=busy).stolen == pytest.approx(share * busy)


def test_that_waiting_for_a_core_counts_as_keeping_it_busy() -> None:
    assert robbed(0.2, busy=0.25, waited=10.0).stolen == pytest.approx(0.2)


def test_that_waiting_for_a_core_counts_by_its_seconds() -> None:
    half = robbed(0.2, busy=0.25, waited=SECONDS / 4)
    assert half.pressure == pytest.approx(0.5)
    since = msgspec.structs.replace(building.reading(0.0), queued=SECONDS / 8)
    assert msgspec.structs.replace(half, first=since).pressure == pytest.approx(0.375)


@pytest.mark.parametrize("unseen", ["first", "last"])
def test_that_no_waiting_is_known_where_a_kernel_does_not_count_it(unseen: str) -> None:
    waiting = robbed(0.2, busy=0.25)
    bare = msgspec.structs.replace(getattr(waiting, unseen), queued=None)
    assert msgspec.structs.replace(waiting, **{unseen: bare}).pressure == pytest.approx(0.25)


def test_that_it_keeps_no_fewer_than_none_busy_and_no_more_than_all() -> None:
    """The waiting of a process that has ended is missing in the last look."""
    assert robbed(0.2, waited=-10.0).pressure == robbed(0.2).pressure == 1.0
    assert robbed(0.2, busy=0.25, waited=-10.0).pressure == pytest.approx(0.25)
    assert robbed(0.2, waited=10.0).pressure == 1.0
    assert robbed(0.2, seconds=0.0).pressure == 0.0


def test_that_a_trial_keeps_all_the_cores_busy_that_it_is_bound_to() -> None:
    two = msgspec.structs.replace(robbed(0.2), workers=2 * robbed(0.2).workers)
    assert two.stolen == pytest.approx(0.2 / 2)
    assert msgspec.structs.replace(two, bound_cores=(1,)).stolen == pytest.approx(0.2)


@pytest.mark.parametrize("unknown", ["own", "others", "steal"])
def test_that_nothing_was_stolen_as_far_as_is_known_where_something_is_unknown(
    unknown: str,
) -> None:
    assert robbed(0.3, **{unknown: None}).stolen == 0.0


def test_that_a_trial_without_a_record_lost_nothing_that_is_known() -> None:
    assert msgspec.structs.replace(robbed(0.3), noise=None).stolen == 0.0
    assert msgspec.structs.replace(robbed(0.3), first=None).stolen == 0.0


@given(shares)
def test_that_rates_are_those_of_the_clock_on_the_wall(share: float) -> None:
    plain, taken = robbed(0.0), robbed(share)
    assert taken.throughput == plain.throughput
    assert taken.byte_rate == plain.byte_rate


@given(*[st.floats(0.0, 100.0)] * 3)
def test_that_others_lose_their_part_of_what_is_stolen(
    steal: float, own: float, others: float
) -> None:
    share = stolen_share(steal, own, others)
    assert 0.0 <= share <= 1.0
    assert share * (steal + own + others) == pytest.approx(steal, abs=1e-9)


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


def test_that_requests_are_told_for_each_operation_and_bytes_for_each_that_was_wanted() -> None:
    asked = counted(8, {"requests": 20, "wire bytes": 4000, "sent bytes": 100})
    wanted = asked.total(lambda worker: worker.bytes)
    assert METRICS["requests_each"].of(asked) == 2.5
    assert METRICS["amplification"].of(asked) == pytest.approx(4000 / wanted)
    decoded = replace(asked, counters={**asked.counters, "wanted bytes": 1000.0})
    assert METRICS["amplification"].of(decoded) == 4.0
    written = replace(asked, counters={"sent bytes": 9000.0, "wire bytes": 10.0})
    assert METRICS["amplification"].of(written) == pytest.approx(9000 / wanted)


def test_that_money_is_told_for_each_terabyte_wanted_by_what_was_counted_and_costs() -> None:
    money = METRICS["money_per_terabyte"].of
    asked = counted(8, {"requests": 20, "wire bytes": 4000, "wanted bytes": 1000})
    assert money(asked) is None  # nobody said what it costs
    prices = Prices.on_wire({"request_price": "0.0004 EUR", "gigabyte_price": "0.09 EUR"})
    # 20 requests for 1,000 B: 20 billion for a TB, at 0.0004 for 1,000; and 4 TB at 90.
    assert money(replace(asked, **prices)) == pytest.approx(8000 + 360)
    of_requests = replace(asked, **Prices.on_wire({"request_price": "0.0004"}))
    assert money(of_requests) == pytest.approx(8000)
    uncounted = replace(of_requests, counters={"wire bytes": 4000.0, "wanted bytes": 1000.0})
    assert money(uncounted) is None
    assert money(replace(uncounted, **prices)) is None  # a part of it is no price
    assert not Prices.on_wire({"price": "0.04 EUR"})


def test_that_prices_in_two_currencies_have_no_sum() -> None:
    with pytest.raises(UsageError, match="different currencies"):
        Prices.on_wire({"request_price": "0.0004 EUR", "gigabyte_price": "0.09 USD"})


def test_that_what_nobody_counted_is_not_told() -> None:
    asked = counted(8, {"files arrived": 9})
    assert METRICS["requests_each"].of(asked) is METRICS["amplification"].of(asked) is None


@pytest.mark.parametrize(
    ("trials", "share"),
    [
        ([(9, {"503": 1})], 0.1),
        ([(9, {"503": 1}), (9, {"429": 1, "bytes": 50})], 0.1),
        ([(5, {"503": 10, "429": 5})], 0.75),
        ([(9, {"refusals": 1})], 0.1),
        ([(9, {"files arrived": 9})], 0.0),
        ([(0, {"503": 3})], 1.0),
        ([], 0.0),
    ],
)
def test_that_each_refusal_is_one_request_more(
    trials: list[tuple[int, Mapping[str, int]]], share: float
) -> None:
    assert share_refused([counted(*one) for one in trials]) == share
