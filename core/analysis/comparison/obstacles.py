"""Why two results cannot be compared, and what the reader of a comparison needs to know."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING

from core.analysis.estimation import typical
from core.host.environment import digest
from core.language.translation import tr
from core.language.units import show_share
from core.result.ending import ending
from core.result.result import Result

if TYPE_CHECKING:
    from core.analysis.statistics import Drift

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
    found = [
        text for difference, text in _differences(baseline, candidate, set(Difference) - {*allowed})
    ]
    if baseline.spec.workload != candidate.spec.workload:
        found.insert(
            0,
            tr(
                "{one} and {two} do other work",
                one=baseline.spec.workload,
                two=candidate.spec.workload,
            ),
        )
    for name, result in ((tr("the baseline"), baseline), (tr("the candidate"), candidate)):
        if not result.valid:
            found.append(tr("{side} has no throughput: {why}", side=name, why=ending(result)))
        elif any(trial.proven_cold is False for trial in result.finished_trials):
            found.append(
                tr(
                    "{side} should have started with a cold cache, but that is not proven",
                    side=name,
                )
            )
    return tuple(found)


def qualifications(
    baseline: Result, candidate: Result, allowed: Collection[Difference], drift: Drift | None
) -> tuple[str, ...]:
    """What the reader of a valid comparison needs to know; `drift`: as the interval allows."""
    found = [text for _, text in _differences(baseline, candidate, allowed)]
    found += _about_versions(baseline, candidate)
    if drift is not None:
        found.append(told_drift(drift) + _way_out(baseline, candidate))
    if (apart := _residency_apart(baseline, candidate)) is not None:
        first, second = map(show_share, apart)
        found.append(
            tr(
                "the page cache held {first} of the data for the baseline "
                "and {second} for the candidate",
                first=first,
                second=second,
            )
        )
    share = harness_share(baseline, candidate)
    if share > HARNESS_SHOWS:
        found.append(
            tr(
                "the harness itself took {share} of the time, so the true ratio is further from 1",
                share=show_share(share),
            )
        )
    return tuple(found)


def _differences(
    baseline: Result, candidate: Result, wanted: Collection[Difference]
) -> Iterator[tuple[Difference, str]]:
    """The differences of the wanted kinds, as phrases."""
    one, two = baseline.spec, candidate.spec
    if Difference.DATASET in wanted and one.dataset.fingerprint != two.dataset.fingerprint:
        yield Difference.DATASET, tr("they read different data")
    if Difference.VERSION in wanted and one.workload == two.workload and one.version != two.version:
        yield (
            Difference.VERSION,
            tr(
                "version {one} and {two} of {workload} do other work",
                one=one.version,
                two=two.version,
                workload=one.workload,
            ),
        )
    if Difference.MACHINE in wanted and (text := _other_machine(baseline, candidate)):
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
            "they might use {one:g} and {two:g} cores",
            one=one.usable_cores,
            two=two.usable_cores,
        )
    return ""


def _about_versions(baseline: Result, candidate: Result) -> list[str]:
    found = []
    before, after = baseline.environment.python, candidate.environment.python
    if before != after:
        found.append(tr("{before} became {after}", before=before, after=after))
    one, two = _versions(baseline), _versions(candidate)
    found += [
        tr("{before} became {after}", before=f"{name} {one[name]}", after=two[name])
        for name in one
        if name in two and one[name] != two[name]
    ]
    return found


def _versions(result: Result) -> dict[str, str]:
    return {
        name: version
        for trial in result.finished_trials
        for name, version in trial.versions.items()
    }


def told_drift(drift: Drift) -> str:
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
    seen = [
        trial.page_cache.before.fraction
        for trial in result.finished_trials
        if trial.page_cache is not None and trial.page_cache.before is not None
    ]
    return sum(seen) / len(seen) if seen else None
