"""From a sweep's results to the setting to use."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import building
import msgspec
import pytest

from core.judge import Limits, advise, advise_within, thread_curves
from core.vocabulary import Advice, Grade, Result, Verdict, VerdictKind

pytestmark = pytest.mark.quick

WOBBLE = (1.0, 1.004, 0.997, 1.001, 0.998)
KNEE = {1: 1.0, 2: 1.9, 4: 3.4, 6: 4.7, 8: 4.8, 12: 4.75}


def measured(cache: str, threads: int, rate: float) -> Result:
    spec = building.spec(parameters={"cache": cache}, threads=threads)
    return building.good(spec, *(rate * one for one in WOBBLE))


def sweep(**caches: float) -> list[Result]:
    """One curve with a knee at 6 threads for each cache, so many times as fast."""
    return [
        measured(cache.replace("_", "-"), threads, factor * rate)
        for cache, factor in caches.items()
        for threads, rate in KNEE.items()
    ]


def advised(results: list[Result], limits: Limits | None = None) -> Advice:
    advice = advise(results, limits or Limits())
    assert advice is not None
    return advice


def test_that_the_sentence_says_what_to_use_what_it_gains_and_what_more_would() -> None:
    assert advised(sweep(none=100, lru_locked=480)).sentence == (
        "Use 6 threads with cache LRU, one lock: 22.6× 1 thread with cache none; "
        "more threads gain less than 3 %."
    )


def test_that_a_sweep_over_threads_alone_has_no_other_values_to_tell() -> None:
    assert advised(sweep(lru=100)).sentence.startswith("Use 6 threads: 4.70× 1 thread; ")


def verdict(kind: VerdictKind, low: float, high: float) -> Verdict:
    return Verdict(
        kind=kind, metric="throughput", margin=0.05, baseline="", candidate="", low=low, high=high
    )


SLOWER = verdict(VerdictKind.SLOWER, 0.8, 0.999)


@pytest.mark.parametrize(
    ("beyond", "said"),
    [
        ((), "Use 6 threads: 4.70× 1 thread; more threads cannot be used."),
        ((SLOWER, SLOWER), "Use 6 threads: 4.70× 1 thread; more threads are slower."),
        (
            (verdict(VerdictKind.UNDECIDED, 0.8, 1.2), SLOWER),
            "6 threads are enough: 4.70× 1 thread; more threads are not measurably faster.",
        ),
        (
            (verdict(VerdictKind.UNDECIDED, 1.001, 1.2),),
            "6 threads are enough: 4.70× 1 thread; more threads are not measurably faster.",
        ),
        (
            (SLOWER, verdict(VerdictKind.SAME, 1.01, 1.0149)),
            "Use 6 threads: 4.70× 1 thread; more threads gain less than 2 %.",
        ),
    ],
)
def test_that_the_sentence_says_of_more_threads_what_their_pairs_tell(
    beyond: tuple[Verdict, ...], said: str
) -> None:
    advice = msgspec.structs.replace(advised(sweep(lru=100)), beyond=beyond)
    assert advice.sentence == said


def test_that_without_threads_there_is_no_advice() -> None:
    assert advise([measured("none", 4, 100.0), measured("lru", 4, 200.0)]) is None
    assert advise([]) is None


def test_that_of_lines_that_are_equally_good_the_first_named_is_preferred() -> None:
    advice = advised(sweep(none=100, pool=470, lru=480))
    assert advice.values == {"threads": 6, "cache": "pool"}
    assert [dict(rival.values)["cache"] for rival in advice.rivals] == ["none", "lru"]
    assert advice.rivals[0].verdict.ratio == pytest.approx(4.60, rel=0.01)


def test_that_what_the_law_is_estimated_by_lies_within_its_bounds() -> None:
    law = advised(sweep(lru=100)).law
    assert law is not None
    coherency = law.coherency
    assert coherency.low is not None
    assert coherency.high is not None
    assert 0 < coherency.low < coherency.value < coherency.high


def test_that_every_step_has_its_price() -> None:
    steps = advised(sweep(lru=100)).steps
    assert [(step.start, step.end) for step in steps] == [(1, 2), (2, 4), (4, 6), (6, 8), (8, 12)]
    assert steps[0].verdict.ratio == pytest.approx(1.9, abs=0.01)
    assert steps[0].p99 is not None
    assert steps[0].p99 > 0


def broken(results: list[Result], threads: int) -> list[Result]:
    """The same, with wrong data in the trials of that number of threads."""
    return [
        msgspec.structs.replace(
            result, trials=(*result.trials, building.trial(result.spec, index=9, wrong=3))
        )
        if result.spec.load.threads == threads
        else result
        for result in results
    ]


def test_that_a_setting_with_wrong_data_is_refused_and_named() -> None:
    advice = advised(broken(sweep(lru=100), 6))
    assert advice.values == {"threads": 8}
    assert advice.refused == (({"threads": 6}, "wrong data in 3"),)


def test_that_a_line_on_which_everything_failed_is_no_rival() -> None:
    results = sweep(none=100, lru=480)
    for threads in KNEE:
        results = [
            *[one for one in results if one.spec.values["cache"] == "none"],
            *broken([one for one in results if one.spec.values["cache"] == "lru"], threads),
        ]
    advice = advised(results)
    assert advice.values == {"threads": 6, "cache": "none"}
    assert not advice.rivals


LIMITS: list[tuple[str, Callable[[Result], float], str]] = [
    ("p99", lambda result: max(result.values("p99")), "over the limit on p99"),
    ("peak_rss", lambda result: max(result.values("peak_rss")), "over the limit on memory"),
    ("fds", lambda result: max(result.values("fds")), "over the limit on open files"),
]


@pytest.mark.parametrize(("name", "price", "reason"), LIMITS)
def test_that_a_limit_of_the_user_is_kept(
    name: str, price: Callable[[Result], float], reason: str
) -> None:
    results = [dearer(result) for result in sweep(lru=100)]
    allowed = price(next(one for one in results if one.spec.load.threads == 2))
    advice = advised(results, Limits(most={name: allowed}))
    assert advice.values == {"threads": 2}
    assert {why for _, why in advice.refused} == {reason}
    assert advice.sentence.endswith("more threads cannot be used.")


def test_that_a_setting_at_which_the_server_refuses_requests_is_no_advice() -> None:
    def refusing(result: Result) -> Result:
        share = 0.25 if result.spec.load.threads > 2 else 0.05
        trials = [
            msgspec.structs.replace(
                trial,
                counters={
                    "503": trial.operations * share / (1 - share),
                    "429": 0.0,
                    "retries": 9.0,
                },
            )
            for trial in result.trials
        ]
        return msgspec.structs.replace(result, trials=tuple(trials))

    results = [refusing(result) for result in sweep(lru=100)]
    usual = advise_within(results, {})
    assert usual is not None
    assert usual.values == {"threads": 2}
    assert {why for _, why in usual.refused} == {"the server refuses 25 % of the requests"}
    everything = advise_within(results, {"most_refused": 1.0})
    assert everything is not None
    assert not everything.refused
    assert everything.values != usual.values


def dearer(result: Result) -> Result:
    """The same with memory, files and p99 that rise with the threads."""
    threads = result.spec.load.threads
    last = building.reading(2.0, rss=(64 << 20) * threads, fds=20 * threads)
    latencies = building.histogram([1_000_000 * threads] * 100)
    trials = [
        msgspec.structs.replace(trial, last=last, moments=(), histogram=latencies)
        for trial in result.trials
    ]
    return msgspec.structs.replace(result, trials=tuple(trials))


def test_that_noise_is_not_turned_into_advice() -> None:
    results = [
        building.good(building.spec(threads=threads), *(100.0 * one for one in rates))
        for threads, rates in ((1, (0.3, 1.0, 2.5)), (2, (2.5, 0.3, 1.0)), (4, (1.0, 2.5, 0.3)))
    ]
    advice = advised(results)
    assert not advice.confident
    assert not advice.usable
    assert advice.sentence.startswith("Leading so far: ")
    assert advice.reasons[0].startswith("any of the 3 settings may be the best; ")


def test_that_an_open_choice_says_what_it_may_leave_on_the_table() -> None:
    results = [
        building.good(building.spec(threads=threads), *(100.0 * one for one in rates))
        for threads, rates in (
            (1, (0.96, 1.0, 1.07)),
            (2, (1.07, 0.96, 1.0)),
            (4, (1.0, 1.07, 0.96)),
        )
    ]
    advice = advised(results)
    assert not advice.confident
    reason = advice.reasons[0]
    assert reason.startswith("any of the 3 settings may be the best, and this one is at most ")
    assert "% below it; trials differ by" in reason


def test_that_what_is_surely_within_a_tenth_is_advised_for_now() -> None:
    results = [
        building.good(building.spec(threads=threads), *(100.0 * one for one in rates))
        for threads, rates in (
            (1, (0.50, 0.51, 0.52)),
            (2, (1.00, 1.03, 1.00)),
            (4, (1.03, 1.01, 1.065)),
        )
    ]
    advice = advise(results, near=0.01)
    assert advice is not None
    assert (advice.grade, advice.confident, advice.usable) == (Grade.WITHIN, False, True)
    assert advice.at_most_slower is not None
    assert 0.0 < advice.at_most_slower <= 0.1
    assert advice.sentence.startswith(
        "Use 4 threads for now: surely within 10 % of anything measured; 2 of 3 settings may be "
    )


def test_that_what_a_block_does_to_all_settings_is_no_noise() -> None:
    moods = (0.3, 1.0, 2.5)
    results = [
        building.good(
            building.spec(threads=threads),
            *(rate * mood * wobble for mood, wobble in zip(moods, WOBBLE, strict=False)),
        )
        for threads, rate in ((1, 100.0), (2, 190.0), (4, 191.0))
    ]
    advice = advised(results)
    assert advice.confident
    assert advice.values == {"threads": 2}


def test_that_settings_as_good_as_the_best_are_named_and_the_cheapest_is_advised() -> None:
    def one(cache: str, threads: int, rate: float, memory: int) -> Result:
        of = building.spec(parameters={"cache": cache}, threads=threads)
        found = building.good(of, *(rate * wobble for wobble in WOBBLE))
        trials = [
            msgspec.structs.replace(each, last=building.reading(2.0, rss=(memory - 1) << 20))
            for each in found.trials
        ]
        return msgspec.structs.replace(found, trials=tuple(trials))

    results = [
        one("lru", 1, 500, 100),
        one("lru", 2, 1000, 257),
        one("none", 1, 120, 90),
        one("none", 2, 1005, 128),
    ]
    advice = advised(results)
    assert advice.confident
    assert advice.values == {"threads": 2, "cache": "none"}
    assert [dict(equal.values) for equal in advice.equals] == [{"threads": 2, "cache": "lru"}]
    assert "As good within 5 %: 2 threads with cache LRU, no lock." in advice.sentence
    assert "the least memory: 128 MiB against 257 MiB" in advice.sentence


def test_that_a_cheaper_one_that_is_measurably_slower_is_not_called_as_good() -> None:
    # No blocks' effect, and wobbles of the two that do not cancel: some noise is left.
    wobbled = {1: (1.0, 1.0, 1.0), 2: (1.0, 1.02, 0.99), 4: (1.01, 0.99, 1.0)}
    results = [
        building.good(building.spec(threads=threads), *(rate * one for one in wobbled[threads]))
        for threads, rate in ((1, 500.0), (2, 970.0), (4, 1000.0))
    ]
    advice = advised(results)
    assert advice.confident
    assert advice.values == {"threads": 4}
    assert "As good" not in advice.sentence
    assert "Not measurably different" not in advice.sentence


def test_that_where_nothing_works_nothing_is_advised() -> None:
    results = sweep(lru=100)
    for threads in KNEE:
        results = broken(results, threads)
    advice = advised(results)
    assert advice.values == {}
    assert advice.sentence.startswith("Cannot tell: ")


def test_that_the_highest_number_measured_is_said_not_to_be_the_limit() -> None:
    rising = [measured("lru", threads, 100.0 * threads) for threads in (1, 2, 4)]
    assert advised(rising).sentence.endswith("more than 4 were not tried.")


def test_that_the_best_measured_is_called_that_with_its_lead_over_the_next() -> None:
    rising = [measured("lru", threads, 100.0 * threads) for threads in (1, 2, 4)]
    assert advised(rising).reasons == (
        "the best measured, 100 % faster than the next, 2 threads; surely no other is faster.",
    )


def test_that_a_lead_that_is_hardly_one_is_no_number() -> None:
    other = building.good(building.spec(threads=2), *(100.0 * one for one in reversed(WOBBLE)))
    level = [building.good(building.spec(threads=1), *(100.2 * one for one in WOBBLE)), other]
    assert advised(level).reasons == (
        "the best measured, as good within 5 % as 2 threads; surely 99 % of any other.",
    )


def test_that_a_cheaper_one_is_told_beside_the_best_measured() -> None:
    (reason,) = advised(sweep(lru=100)).reasons
    assert reason == (
        "as good within 5 % as the best measured, 8 threads; surely 97 % of any other."
    )


def test_that_of_one_usable_setting_nothing_is_compared() -> None:
    results = [measured("lru", 1, 100.0), measured("lru", 2, 200.0)]
    assert advised(broken(results, 2)).reasons == ("nothing else can be used.",)


def test_that_the_raw_floor_is_no_line() -> None:
    results = sweep(lru=100)
    floor = [
        msgspec.structs.replace(one, spec=msgspec.structs.replace(one.spec, workload="raw"))
        for one in results
    ]
    assert len(thread_curves([*results, *floor])) == 1


def test_that_advice_survives_its_way_through_json() -> None:
    advice = advised(sweep(none=100, lru=480))
    assert msgspec.json.decode(msgspec.json.encode(advice), type=Advice) == advice


def test_that_blocks_of_one_number_at_other_times_have_nothing_in_common() -> None:
    """As where the results of two sessions are put together: drift looks alike only by chance."""

    def of_session(threads: int, rates: Sequence[float], begun: float) -> Result:
        spec = building.spec(threads=threads)
        trials = [
            building.trial(spec, index=at, block=at, rate=rate, started=begun + at)
            for at, rate in enumerate(rates)
        ]
        return building.result(spec, trials)

    moods = (500.0, 1000.0, 2000.0)
    faster = [1.1 * one for one in moods]
    together = [of_session(1, moods, 0.0), of_session(2, faster, 0.5)]
    apart = [of_session(1, moods, 0.0), of_session(2, faster, 1000.0)]
    assert advised(together).confident
    assert not advised(apart).confident


def test_that_processes_are_counted_as_threads_are() -> None:
    specs = [building.spec(processes=processes) for processes in (1, 2, 4)]
    rates = (100.0, 190.0, 380.0)
    results = [
        building.result(spec, [building.trial(spec, index=at, rate=rate) for at in range(6)])
        for spec, rate in zip(specs, rates, strict=True)
    ]
    found = advise(results)
    assert found is not None
    assert found.values == {"threads": 1, "processes": 4}
    assert found.sentence == (
        "Use 4 processes: 3.80× 1 thread; no other number of threads was to be tried."
    )


def moving(result: Result, amplification: float) -> Result:
    """The same, with so many bytes on the wire for each that was wanted."""
    trials = [
        msgspec.structs.replace(
            one,
            counters={
                "wire bytes": amplification * one.total(lambda worker: worker.bytes),
                "requests": float(one.operations),
            },
        )
        for one in result.trials
    ]
    return msgspec.structs.replace(result, trials=tuple(trials))


def test_that_more_bytes_beside_a_gain_are_told_with_it() -> None:
    few = [moving(one, 1.1) for one in sweep(none=100)]
    many = [moving(one, 11.0) for one in sweep(lru=135)]
    advice = advised([*few, *many])
    assert advice.sentence.endswith(
        "6 threads with cache LRU, no lock: 1.32× the throughput of 8 threads with cache none, "
        "for 10.0× the bytes."
    )
    alike = advised([*few, *(moving(one, 1.1) for one in sweep(lru=135))])
    assert "the bytes" not in alike.sentence
