"""Which results of two sides are a pair, why a pair cannot be compared, and what to know of one."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import permutations
from typing import TYPE_CHECKING

import msgspec

from core.judge.estimation import ratio, typical
from core.language import (
    UsageError,
    listed,
    parse_seconds,
    parse_size,
    show_ratio,
    show_share,
    tr,
    without_thousands,
)
from core.measure import digest, without_bare_files
from core.vocabulary import (
    BESIDE_THE_POINT,
    Plan,
    Result,
    Value,
    differing,
    ending,
    label,
)

if TYPE_CHECKING:
    from core.judge.statistics.ratios import Drift


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of (baseline, candidate), and what is left on each side."""

    pairs: tuple[tuple[Result, Result], ...]
    lonely_baselines: tuple[Result, ...] = ()
    lonely_candidates: tuple[Result, ...] = ()


def choose(results: Sequence[Result], chosen: Mapping[str, str]) -> tuple[Result, ...]:
    """The results whose parameters have these values, as a user writes them; raises UsageError.

    The raw reads that a run adds for comparison count only where nothing else was measured, or
    where the user asks for `workload=raw`.
    """
    names = {name for result in results for name in _values(result)}
    for name in chosen:
        if name not in names:
            raise UsageError(
                f"no result has a parameter {name!r}", f"known: {', '.join(sorted(names))}"
            )
    matches = [
        result
        for result in results
        if (values := _values(result)).keys() >= chosen.keys()
        and all(means_value(text, values[name]) for name, text in chosen.items())
    ]
    own = matches if "workload" in chosen else without_bare_files(matches)
    # The last of each spec, where several runs of a session measured it.
    return tuple({result.spec.digest: result for result in own}.values())


def _values(result: Result) -> dict[str, Value]:
    return {"workload": result.spec.workload, **result.spec.values}


def means_value(written: str, value: Value) -> bool:
    """Whether the written text means that value, by the value's own type.

    The declarations are not used, so that a session can be read where a driver is missing.
    """
    try:
        match value:
            case bool():
                return written.lower() in (
                    ("yes", "true", "on") if value else ("no", "false", "off")
                )
            case int():
                return parse_size(without_thousands(written)) == value
            case float():
                return parse_seconds(written) == value
            case str():
                return written == value
    except ValueError:
        return False


def text_that_means(value: Value) -> str:
    """A text behind `#NAME=` that chooses that value, and no other."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return listed(str(value))


def match(
    baselines: Sequence[Result], candidates: Sequence[Result], chosen: Collection[str] = ()
) -> Match:
    """Pair results with equal parameters and load.

    Raises UsageError where there is no pair, or where two could be meant.
    `chosen`: parameters that define the sides; they may differ within a pair.  Two single results
    are always a pair.  Parameters in `BESIDE_THE_POINT` count only where a side has several values.
    """
    if len(baselines) == len(candidates) == 1:
        return Match(pairs=((baselines[0], candidates[0]),))
    sides = ([result.spec for result in side] for side in (baselines, candidates))
    varied = {name for specs in sides for name in differing(specs)}
    left_out = {*chosen, *(BESIDE_THE_POINT - varied)}
    ours, theirs = _by_work(baselines, left_out), _by_work(candidates, left_out)
    pairs = tuple((result, theirs[work]) for work, result in ours.items() if work in theirs)
    if not pairs:
        differences = [differing([a.spec, b.spec]) for a in baselines for b in candidates]
        closest = min(differences, key=len, default=())
        raise UsageError(
            f"no result of A has the same parameters as one of B: they differ in {', '.join(closest)}",
            "name the parameters that differ after #, such as A#cache=none B#cache=lru",
        )
    return Match(
        pairs=pairs,
        lonely_baselines=tuple(one for work, one in ours.items() if work not in theirs),
        lonely_candidates=tuple(one for work, one in theirs.items() if work not in ours),
    )


def _by_work(
    results: Sequence[Result], left_out: Collection[str]
) -> dict[tuple[tuple[str, Value], ...], Result]:
    by_work: dict[tuple[tuple[str, Value], ...], Result] = {}
    for result in results:
        work = tuple((name, one) for name, one in _values(result).items() if name not in left_out)
        if work in by_work:
            raise _ambiguous(by_work[work], result)
        by_work[work] = result
    return by_work


def _ambiguous(one: Result, two: Result) -> UsageError:
    if not (names := differing([one.spec, two.spec])):
        return UsageError(
            "the same was measured on two datasets, and both could be meant",
            "say in which run, such as #run=1; `show` prints the numbers",
        )
    value = _values(one).get(names[0], "")
    return UsageError(
        f"both {label(one.spec, names)} and {label(two.spec, names)} could be meant",
        f"say which, such as #{names[0]}={text_that_means(value)}",
    )


# Above this the harness shows in the second digit of a ratio.
HARNESS_SHOWS = 0.05
# Cache states further apart than this are two conditions, not one.
RESIDENCY_DIFFERS = 0.1


class Difference(StrEnum):
    """What makes two results incomparable, unless the user asks about exactly that."""

    DATASET = "dataset"
    MACHINE = "machine"
    VERSION = "version"


def obstacles(
    baseline: Result, candidate: Result, allowed: Collection[Difference]
) -> tuple[str, ...]:
    """Why these two cannot be compared, the most basic reason first; empty where they can."""
    if baseline.spec == candidate.spec and baseline.trials == candidate.trials:
        return (tr("both sides are the same trials"),)
    reasons = [
        text for difference, text in _differences(baseline, candidate, set(Difference) - {*allowed})
    ]
    if baseline.spec.workload != candidate.spec.workload:
        reasons.insert(
            0,
            tr(
                "{one} and {two} do other work",
                one=baseline.spec.workload,
                two=candidate.spec.workload,
            ),
        )
    for name, result in _sides(baseline, candidate):
        if not result.valid:
            reasons.append(tr("{side} has no throughput: {why}", side=name, why=ending(result)))
        elif _most_in_cache(result) > RESIDENCY_DIFFERS:
            reasons.append(_not_proven_cold(name))
    return tuple(reasons)


def _sides(baseline: Result, candidate: Result) -> tuple[tuple[str, Result], ...]:
    return ((tr("the baseline"), baseline), (tr("the candidate"), candidate))


def _most_in_cache(result: Result) -> float:
    """The largest share of the data that a trial that should start cold found in the page cache."""
    unproven = [one.cached for one in result.finished_trials if one.proven_cold is False]
    return max((one.fraction for one in unproven if one is not None), default=0.0)


def _not_proven_cold(side: str) -> str:
    return tr("{side} should have started with a cold cache, but that is not proven", side=side)


def qualifications(
    baseline: Result, candidate: Result, allowed: Collection[Difference], drift: Drift | None
) -> tuple[str, ...]:
    """What the reader of a valid comparison needs to know; `drift`: as the interval allows."""
    remarks = [text for _, text in _differences(baseline, candidate, allowed)]
    remarks += _about_versions(baseline, candidate)
    remarks += [
        _not_proven_cold(name)
        for name, result in _sides(baseline, candidate)
        if any(trial.proven_cold is False for trial in result.finished_trials)
    ]
    one, two = (baseline.links, candidate.links)
    if one != two and one and two:
        remarks.append(
            tr(
                "the baseline's server was reached {one}, the candidate's {two}",
                one=", ".join(one),
                two=", ".join(two),
            )
        )
    if drift is not None:
        remarks.append(drift_text(drift) + _way_out(baseline, candidate))
    if (apart := _residency_apart(baseline, candidate)) is not None:
        first, second = map(show_share, apart)
        remarks.append(
            tr(
                "the page cache held {first} of the data for the baseline "
                "and {second} for the candidate",
                first=first,
                second=second,
            )
        )
    for (name, dear), (_, other) in permutations(_sides(baseline, candidate)):
        if more := costs_more(dear, other):
            remarks.append(tr("{side} takes {more} for an operation", side=name, more=more))
    share = harness_share(baseline, candidate)
    if share > HARNESS_SHOWS:
        remarks.append(
            tr(
                "the harness itself took {share} of the time, so the true ratio is further from 1",
                share=show_share(share),
            )
        )
    return tuple(remarks)


def _differences(
    baseline: Result, candidate: Result, kinds: Collection[Difference]
) -> Iterator[tuple[Difference, str]]:
    """The differences of these kinds, as phrases."""
    one, two = baseline.spec, candidate.spec
    if Difference.DATASET in kinds and one.dataset.fingerprint != two.dataset.fingerprint:
        yield Difference.DATASET, tr("they read different data")
    if Difference.VERSION in kinds and one.workload == two.workload and one.version != two.version:
        yield (
            Difference.VERSION,
            tr(
                "version {one} and {two} of {workload} do other work",
                one=one.version,
                two=two.version,
                workload=one.workload,
            ),
        )
    if Difference.MACHINE in kinds and (text := _other_machine(baseline, candidate)):
        yield Difference.MACHINE, text


def _other_machine(baseline: Result, candidate: Result) -> str:
    one, two = baseline.environment, candidate.environment
    if digest(one) != digest(two):
        return tr(
            "they were measured on different machines ({one} and {two})",
            one=one.cpu_model,
            two=two.cpu_model,
        )
    if one.usable_cores != two.usable_cores:
        return tr(
            "they might use {one:g} and {two:g} cores", one=one.usable_cores, two=two.usable_cores
        )
    return ""


def _about_versions(baseline: Result, candidate: Result) -> list[str]:
    changes = []
    before, after = baseline.environment.python, candidate.environment.python
    if before != after:
        changes.append(tr("{before} became {after}", before=before, after=after))
    one, two = _versions(baseline), _versions(candidate)
    changes += [
        tr("{before} became {after}", before=f"{name} {one[name]}", after=two[name])
        for name in one
        if name in two and one[name] != two[name]
    ]
    return changes


def _versions(result: Result) -> dict[str, str]:
    return {
        name: version
        for trial in result.finished_trials
        for name, version in trial.versions.items()
    }


def drift_text(drift: Drift) -> str:
    """What an interval allows for because its sides were measured apart."""
    if drift.sessions:
        return tr(
            "measured apart, so the interval allows for a drift of {share} between sessions, "
            "as {count} earlier ones here had",
            share=show_share(drift.deviation),
            count=drift.sessions,
        )
    return tr(
        "measured apart, so the interval allows for a drift of {share} between sessions, "
        "a guess from these trials",
        share=show_share(drift.deviation),
    )


def _way_out(baseline: Result, candidate: Result) -> str:
    """How to avoid the drift, where two settings of one machine are compared."""
    if baseline.spec.digest == candidate.spec.digest or _other_machine(baseline, candidate):
        return ""
    return tr(": measure both in turn (`compare --again`)")


def harness_share(baseline: Result, candidate: Result) -> float:
    """The larger of both sides' median shares of time that the harness itself took."""
    return max(typical(result, "harness") or 0.0 for result in (baseline, candidate))


def _residency_apart(baseline: Result, candidate: Result) -> tuple[float, float] | None:
    """Both sides' resident shares, where the page cache was left as it was and they differ."""
    if {baseline.spec.load.page_cache, candidate.spec.load.page_cache} != {"as-is"}:
        return None
    one, two = _residency(baseline), _residency(candidate)
    if one is None or two is None or abs(one - two) <= RESIDENCY_DIFFERS:
        return None
    return one, two


def _residency(result: Result) -> float | None:
    shares = [one.fraction for trial in result.finished_trials if (one := trial.cached) is not None]
    return sum(shares) / len(shares) if shares else None


def pairs_in(plan: Plan, results: Sequence[Result]) -> tuple[tuple[Result, Result], ...]:
    """The pairs that a plan compares, of which both sides were measured."""
    by_digest = {result.spec.digest: result for result in results}
    return tuple(
        (by_digest[one], by_digest[two])
        for one, two in plan.pairs
        if {one, two} <= by_digest.keys()
    )


_DEARER = 1.1
"""Times the bytes or requests of another setting, from where on it is told."""


def costs_more(dear: Result, other: Result) -> str:
    """`10.0× the bytes, 2.00× the requests`, of an operation; empty where neither is more."""
    _, texts = _rises(dear, other)
    return ", ".join(texts)


def _rises(dear: Result, other: Result) -> tuple[float, Sequence[str]]:
    """The larger ratio, and what rises as phrases."""
    of_bytes, of_requests, of_money = (
        ratio(other, dear, metric) or 1.0
        for metric in ("amplification", "requests_each", "money_per_terabyte")
    )
    texts = []
    if of_bytes >= _DEARER:
        texts.append(tr("{ratio} the bytes", ratio=show_ratio(of_bytes)))
    if of_requests >= _DEARER:
        texts.append(tr("{ratio} the requests", ratio=show_ratio(of_requests)))
    if of_money >= _DEARER:
        texts.append(tr("{ratio} the money", ratio=show_ratio(of_money)))
    return max(of_bytes, of_requests), texts


def wire_cost(chosen: Result, name_of: Callable[[Result], str], others: Sequence[Result]) -> str:
    """What the chosen setting gains over the fastest of the thriftiest, and for how much more.

    A sentence, in which settings have these names; empty where it moves no more than any.
    """
    rises = {at: _rises(chosen, one)[0] for at, one in enumerate(others) if one is not chosen}
    most = max(rises.values(), default=0.0)
    if most < _DEARER:
        return ""
    thrifty = [others[at] for at, rise in rises.items() if rise > most / _DEARER]
    speed, other = min(
        ((ratio(one, chosen) or math.inf, one) for one in thrifty), key=lambda each: each[0]
    )
    if not 1.0 < speed < math.inf:
        return ""
    return tr(
        "{setting}: {speed} the throughput of {other}, for {more}.",
        setting=name_of(chosen),
        speed=show_ratio(speed),
        other=name_of(other),
        more=costs_more(chosen, other),
    )
