"""When one result is called faster than another, and when that is refused."""

from __future__ import annotations

import math
import random
import re
from typing import Any

import building
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.judge import (
    Difference,
)
from core.judge.comparison import PastOf, compare, compare_all
from core.judge.estimation import Past, bands_are_apart
from core.language import UsageError
from core.vocabulary import (
    Crashed,
    PageCacheProof,
    Problem,
    Residency,
    Result,
    Verdict,
    VerdictKind,
)

pytestmark = pytest.mark.quick

STEADY = (1000.0, 1004.0, 998.0, 1002.0, 997.0, 1001.0)


def one(cache: str = "lru", rates: tuple[float, ...] = STEADY, **load: Any) -> Result:
    return building.good(building.spec(parameters={"cache": cache}, **load), *rates)


def times(factor: float, *, cache: str = "none", wobble: float = 0.002) -> Result:
    """A result whose every trial is so many times the steady one of its block, give or take."""
    rates = tuple(factor * rate * (1 + wobble * (-1) ** at) for at, rate in enumerate(STEADY))
    return one(cache, rates)


def changed(result: Result, **fields: Any) -> Result:
    return msgspec.structs.replace(result, **fields)


def respecified(result: Result, **fields: Any) -> Result:
    """The same trials under a changed spec."""
    spec = msgspec.structs.replace(result.spec, **fields)
    trials = [msgspec.structs.replace(trial, spec_digest=spec.digest) for trial in result.trials]
    return changed(result, spec=spec, trials=tuple(trials))


def interval(verdict: Verdict) -> tuple[float, float]:
    assert verdict.low is not None
    assert verdict.high is not None
    return verdict.low, verdict.high


@pytest.mark.parametrize(
    ("factor", "kind"),
    [
        (1.4, VerdictKind.FASTER),
        (0.7, VerdictKind.SLOWER),
        (1.01, VerdictKind.SAME),
        (0.99, VerdictKind.SAME),
    ],
)
def test_that_the_second_result_is_judged_against_the_first(
    factor: float, kind: VerdictKind
) -> None:
    verdict = compare(one(), times(factor))
    assert verdict.kind is kind
    assert verdict.ratio == pytest.approx(factor, rel=0.01)
    low, high = interval(verdict)
    assert low < verdict.ratio < high


def test_that_the_sentence_names_what_tells_the_sides_apart() -> None:
    assert compare(one("lru"), times(1.4)).sentence.startswith(
        "cache none is faster than cache LRU, no lock: 1.40× ("
    )


def test_that_a_comparison_says_which_side_takes_more_requests_and_bytes() -> None:
    def asking(result: Result, requests: float, times_wanted: float) -> Result:
        trials = [
            msgspec.structs.replace(
                trial,
                counters={
                    "requests": requests * trial.operations,
                    "wire bytes": times_wanted * 1000.0,
                    "wanted bytes": 1000.0,
                },
            )
            for trial in result.trials
        ]
        return changed(result, trials=tuple(trials))

    verdict = compare(asking(one(), 2.0, 1.0), asking(times(1.4), 1.0, 10.0))
    assert verdict.kind is VerdictKind.FASTER
    assert "the baseline takes 2.00× the requests for an operation" in verdict.reasons
    assert "the candidate takes 10.0× the bytes for an operation" in verdict.reasons
    assert compare(
        asking(one(), 2.0, 1.0), asking(times(1.4), 1.0, 10.0), metric="amplification"
    ).sentence.startswith("cache none is higher in amplification than cache LRU, no lock: 10.0×")


def test_that_sides_which_were_asked_alike_are_called_a_and_b() -> None:
    sentence = compare(one("lru"), times(0.7, cache="lru")).sentence
    assert sentence.startswith("B is slower than A: 0.700× (")


def test_that_no_real_difference_is_a_tested_statement_within_a_stated_margin() -> None:
    told = compare(one(), times(1.01), margin=0.05).sentence
    assert told.startswith("No real difference between cache none and cache LRU, no lock: 1.01× (")
    assert told.endswith("within 5 % either way.")
    assert compare(one(), times(1.04, wobble=0.02), margin=0.05).kind is VerdictKind.UNDECIDED


BUSY = building.environment(load_average=(20.0, 9.0, 5.0))


@pytest.mark.parametrize("factor", [1.4, 1.01, 1.0])
@pytest.mark.parametrize("busy", [0, 1], ids=["baseline", "candidate"])
def test_that_a_busy_machine_is_said_with_what_to_do_whatever_the_verdict(
    busy: int, factor: float
) -> None:
    sides = [one(), times(factor, wobble=0.2 if factor == 1.0 else 0.002)]
    quiet = compare(*sides)
    sides[busy] = changed(sides[busy], environment=BUSY)
    verdict = compare(*sides)
    assert (verdict.kind, verdict.reasons) == (quiet.kind, quiet.reasons)
    assert quiet.doubt == ""
    assert verdict.sentence == (
        f"{quiet.sentence} The machine was busy before the first trial: load 20.0, cores 8. "
        "Wait until the machine is quiet, then measure again."
    )


def test_that_a_busy_machine_is_said_of_single_trials_and_not_of_what_cannot_be_compared() -> None:
    single = changed(one(rates=STEADY[:1]), environment=BUSY)
    assert "load 20.0, cores 8" in compare(single, one("none", STEADY[:1])).sentence
    failed = changed(building.invalid()[1], environment=BUSY)
    verdict = compare(failed, times(1.4))
    assert (verdict.kind, verdict.doubt) == (VerdictKind.INVALID, "")


def test_that_for_a_latency_less_is_better() -> None:
    verdict = compare(one(), times(1.4), metric="p99")
    assert verdict.kind is VerdictKind.FASTER
    assert verdict.ratio is not None
    assert verdict.ratio < 1
    assert "lower in p99" in verdict.sentence


def test_that_noise_is_undecided_and_says_what_it_could_have_shown() -> None:
    wild = one("none", (600.0, 1500.0, 900.0, 1300.0, 700.0, 1100.0))
    verdict = compare(one(), wild)
    assert verdict.kind is VerdictKind.UNDECIDED
    assert any(text.startswith("these trials could show a diff") for text in verdict.reasons)


@pytest.mark.parametrize("trials", [1, 2, 4])
def test_that_too_few_trials_say_how_many_it_takes(trials: int) -> None:
    wild = one("none", (1500.0, 700.0, 1400.0, 1000.0)[:trials])
    verdict = compare(one("lru", STEADY[:trials]), wild)
    assert verdict.kind is VerdictKind.UNDECIDED
    assert "at least 5" in verdict.sentence.lower()
    assert verdict.ratio is not None


def test_that_a_drift_of_the_machine_cancels_where_trials_were_interleaved() -> None:
    falling = tuple(1000.0 * 0.8**at for at in range(6))
    verdict = compare(one("lru", falling), one("none", tuple(1.1 * rate for rate in falling)))
    assert verdict.kind is VerdictKind.FASTER
    assert not verdict.reasons


def later(result: Result, seconds: float = 100.0) -> Result:
    """The same, measured in a session of its own afterwards."""
    trials = [msgspec.structs.replace(one, started=one.started + seconds) for one in result.trials]
    return changed(result, trials=tuple(trials))


def drifted(deviation: float, sessions: int) -> PastOf:
    """A past of sessions whose levels lie so far apart, with trials that hardly differ."""
    levels = [deviation * (-1) ** at for at in range(sessions)]
    return lambda _a, _b, _metric: [[[level, level + 0.001, level - 0.001] for level in levels]]


def test_that_a_drift_between_sessions_is_not_called_a_difference() -> None:
    together, apart = compare(one(), times(1.1)), compare(one(), later(times(1.1)))
    assert together.kind is VerdictKind.FASTER
    assert apart.kind is VerdictKind.UNDECIDED
    assert apart.ratio == pytest.approx(together.ratio)
    low, high = interval(apart)
    assert low < 1.0 < high
    assert (together.drift, apart.drift) == (None, 0.05)


def test_that_sameness_is_not_claimed_of_sessions_that_may_drift_by_more_than_the_margin() -> None:
    assert compare(one(), times(1.001)).kind is VerdictKind.SAME
    assert compare(one(), later(times(1.001))).kind is VerdictKind.UNDECIDED


def test_that_a_plain_difference_is_told_of_sessions_apart_too() -> None:
    verdict = compare(one(), later(times(1.4)))
    assert verdict.kind is VerdictKind.FASTER
    assert "Measured apart" in verdict.sentence
    assert verdict.sentence.endswith(": measure both in turn (`compare --again`).")


def test_that_one_setting_measured_twice_is_not_sent_to_be_interleaved() -> None:
    sentence = compare(one("lru"), later(times(1.4, cache="lru"))).sentence
    assert "Measured apart" in sentence
    assert "--again" not in sentence


def test_that_earlier_sessions_tell_how_much_drift_to_allow() -> None:
    calm = compare(one(), later(times(1.1)), past_of=drifted(0.004, 10))
    assert calm.kind is VerdictKind.FASTER
    assert "as 10 earlier ones here had" in calm.sentence
    wild = compare(one(), later(times(1.4)), past_of=drifted(0.3, 10))
    assert wild.kind is VerdictKind.UNDECIDED
    assert wild.drift == pytest.approx(0.3, rel=0.1)


def test_that_few_earlier_sessions_can_widen_an_interval_but_not_narrow_it() -> None:
    calm = compare(one(), later(times(1.1)), past_of=drifted(0.004, 3))
    assert (calm.kind, calm.drift) == (VerdictKind.UNDECIDED, 0.05)
    wild = compare(one(), later(times(1.4)), past_of=drifted(0.3, 3))
    assert wild.kind is VerdictKind.UNDECIDED


def test_that_the_past_is_not_asked_where_trials_were_interleaved() -> None:
    def forbidden(*_: object) -> Past:
        raise AssertionError

    assert compare(one(), times(1.4), past_of=forbidden).kind is VerdictKind.FASTER


def test_that_as_many_trials_on_both_sides_make_no_pairs_of_sessions_apart() -> None:
    falling = one("lru", tuple(1000.0 * 0.8**at for at in range(6)))
    alike = one("none", tuple(1010.0 * 0.8**at for at in range(6)))
    low, high = interval(compare(falling, later(alike)))
    assert high / low > 2.0


SPREADS = st.lists(
    st.tuples(
        st.integers(1, 9),
        st.floats(0.6, 1.6),
        st.sampled_from((0.0, 0.001, 0.01, 0.05, 0.4)),
        st.integers(0, 2**16),
    ),
    min_size=1,
    max_size=12,
)
"""Of each pair of a family: trials, the true ratio, the noise of a trial, and a seed."""


def noisy(cache: str, count: int, factor: float, noise: float, seed: int) -> Result:
    rng = random.Random(seed)
    return one(cache, tuple(1000.0 * factor * math.exp(rng.gauss(0, noise)) for _ in range(count)))


@given(SPREADS, st.booleans(), st.sampled_from((0.001, 0.05, 0.3)))
def test_that_no_interval_says_anything_else_than_its_verdict(
    family: list[tuple[int, float, float, int]], apart: bool, margin: float
) -> None:
    pairs = [
        (noisy("lru", count, 1.0, noise, seed), noisy("none", count, factor, noise, seed + 1))
        for count, factor, noise, seed in family
    ]
    pairs = [(a, later(b) if apart else b) for a, b in pairs]
    for (a, b), verdict in zip(pairs, compare_all(pairs, margin=margin), strict=True):
        if min(verdict.trials) < 3:
            assert (verdict.kind, verdict.low, verdict.high) == (VerdictKind.UNDECIDED, None, None)
            assert "no interval yet" in verdict.sentence
            continue
        low, high = interval(verdict)
        shown = re.fullmatch(r"(\S+)× \((\S+)× to (\S+)×\)", verdict.figures)
        if not verdict.tells:
            assert (shown, verdict.relation) == (None, "too few trials to tell")
            assert low <= 1.0 <= high
            assert high > 10.0 * low
            continue
        assert shown is not None
        least, most = (float(end.replace(",", "")) for end in shown.groups()[1:])
        match verdict.kind:
            case VerdictKind.UNDECIDED:
                assert low <= 1.0 <= high
                assert least <= 1.0 <= most
                alike = verdict.relation == "not measurably different"
                assert alike is not bands_are_apart(a, b, "throughput")
            case VerdictKind.SAME:
                assert 1.0 / (1.0 + margin) <= low <= high <= 1.0 + margin
            case _:
                assert not low <= 1.0 <= high
                assert not least <= 1.0 <= most


def test_that_the_interval_of_one_of_many_is_wider_than_alone() -> None:
    near = times(1.03, wobble=0.007)
    alone = compare(one(), near, margin=0.001)
    among, *_ = compare_all([(one(), near)] * 40, margin=0.001)
    assert (alone.confidence, among.confidence) == (1 - 0.0025, 1 - 0.0025 / 40)
    assert interval(among)[0] < interval(alone)[0] < interval(alone)[1] < interval(among)[1]


def with_trials(result: Result, **fields: Any) -> Result:
    trials = [msgspec.structs.replace(trial, **fields) for trial in result.trials]
    return changed(result, trials=tuple(trials))


def crashed(result: Result) -> Result:
    outcome = Crashed(stage="measuring", signal="SIGSEGV")
    last = building.trial(result.spec, index=9, outcome=outcome)
    return changed(result, trials=(*result.trials[:-1], last))


def lukewarm(result: Result) -> Result:
    return with_trials(
        result, page_cache=PageCacheProof(wanted="cold", before=building.residency(), after=None)
    )


def spoilt(result: Result, **fields: Any) -> Result:
    last = building.trial(result.spec, index=9, **fields)
    return changed(result, trials=(*result.trials[:-1], last))


INCOMPARABLE = {
    "other data": (
        lambda r: respecified(
            r, dataset=msgspec.structs.replace(r.spec.dataset, fingerprint="beef" * 8)
        ),
        "different data",
    ),
    "another machine": (
        lambda r: changed(r, environment=building.environment(machine_id="other")),
        "different machines",
    ),
    "fewer cores": (
        lambda r: changed(r, environment=building.environment(affinity_cores=2)),
        "8 and 2 cores",
    ),
    "another workload": (lambda r: respecified(r, workload="tiles"), "do other work"),
    "another version of the workload": (lambda r: respecified(r, version=2), "do other work"),
    "wrong data": (lambda r: spoilt(r, wrong=3), "wrong data in 3"),
    "failed operations": (lambda r: spoilt(r, errors=7), "7 failed"),
    "a crash": (crashed, "SIGSEGV"),
    "a cold start with half of it in the cache": (lukewarm, "not proven"),
    "no trial": (lambda r: changed(r, trials=()), "not measured"),
}


@pytest.mark.parametrize("how", INCOMPARABLE)
@pytest.mark.parametrize("side", [0, 1])
def test_that_what_does_not_measure_the_same_is_invalid_and_not_the_same(
    how: str, side: int
) -> None:
    spoil, reason = INCOMPARABLE[how]
    pair = [one(), times(1.0)]
    pair[side] = spoil(pair[side])
    verdict = compare(*pair)
    assert verdict.kind is VerdictKind.INVALID
    assert verdict.ratio is None
    assert "cannot be compared" in verdict.sentence
    assert side == 1 or how == "fewer cores" or reason in verdict.sentence
    assert side == 0 or reason in verdict.sentence


HARDLY = msgspec.structs.replace(building.residency(), resident_pages=1)
UNKNOWN = Residency(
    files=0,
    resident_pages=0,
    total_pages=0,
    resident_bytes=0,
    total_bytes=0,
    method="cachestat",
    problems=(Problem("/data/theirs", "only owners are told"),),
)


@pytest.mark.parametrize("before", [HARDLY, UNKNOWN, None])
@pytest.mark.parametrize("side", [0, 1])
def test_that_a_start_that_was_cold_as_far_as_is_known_only_qualifies(
    before: Residency | None, side: int
) -> None:
    """A page of a hundred that a reader keeps mapped, or files that nobody may ask about."""
    pair = [one(), times(1.4)]
    proof = PageCacheProof(wanted="cold", before=before, after=None)
    pair[side] = with_trials(pair[side], page_cache=proof)
    verdict = compare(*pair)
    assert verdict.kind is VerdictKind.FASTER
    name = ("the baseline", "the candidate")[side]
    assert (
        f"{name} should have started with a cold cache, but that is not proven" in verdict.reasons
    )


def test_that_the_same_trials_are_not_compared_with_themselves() -> None:
    assert compare(one(), one()).kind is VerdictKind.INVALID


@pytest.mark.parametrize(
    ("how", "allowed"),
    [
        ("other data", Difference.DATASET),
        ("another machine", Difference.MACHINE),
        ("another version of the workload", Difference.VERSION),
    ],
)
def test_that_a_difference_that_is_asked_about_only_qualifies(
    how: str, allowed: Difference
) -> None:
    spoil, reason = INCOMPARABLE[how]
    verdict = compare(one(), spoil(times(1.4)), allowed=[allowed])
    assert verdict.kind is VerdictKind.FASTER
    assert any(reason in text for text in verdict.reasons)


def test_that_other_versions_of_libraries_are_told() -> None:
    newer = with_trials(times(1.4), versions={"pysam": "0.24"})
    assert "pysam 0.23 became 0.24" in compare(one(), newer).reasons


def test_that_a_page_cache_in_another_state_is_told() -> None:
    full = msgspec.structs.replace(building.residency(), resident_pages=25, total_pages=25)
    warm = with_trials(
        times(1.4), page_cache=PageCacheProof(wanted="as-is", before=full, after=None)
    )
    assert any("page cache held" in reason for reason in compare(one(), warm).reasons)


def test_that_a_harness_that_takes_much_of_the_time_cannot_show_sameness() -> None:
    costly = [with_trials(side, self_cost=8e5) for side in (one(), times(1.01))]
    assert compare(one(), times(1.01), margin=0.02).kind is VerdictKind.SAME
    verdict = compare(*costly, margin=0.02)
    assert verdict.kind is not VerdictKind.SAME
    assert "The harness itself took" in verdict.sentence


def test_that_many_comparisons_make_each_claim_harder() -> None:
    near = times(1.03, wobble=0.007)
    alone = compare(one(), near, margin=0.001)
    family = compare_all([(one(), near)] * 40, margin=0.001)
    assert alone.kind is VerdictKind.FASTER
    assert {verdict.kind for verdict in family} == {VerdictKind.UNDECIDED}
    assert {verdict.family for verdict in family} == {40}


def test_that_invalid_pairs_do_not_weaken_the_others() -> None:
    near = times(1.03, wobble=0.007)
    bad = changed(one(), trials=())
    verdicts = compare_all([(one(), near), *[(one(), bad)] * 40], margin=0.001)
    assert [verdict.kind for verdict in verdicts[:2]] == [VerdictKind.FASTER, VerdictKind.INVALID]


def test_that_an_impossible_margin_or_metric_is_refused() -> None:
    with pytest.raises(UsageError, match="margin"):
        compare(one(), times(1.1), margin=0)
    with pytest.raises(UsageError, match="elapsed"):
        compare(one(), times(1.1), metric="elapsed")
