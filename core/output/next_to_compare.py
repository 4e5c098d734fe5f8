"""Finds what to do after a comparison that leaves something open, and plans it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from core.analysis.comparison import Verdict, VerdictKind, compare, text_that_means
from core.analysis.session_drift import past_of
from core.execution.measure_again import again
from core.language.translation import tr
from core.language.units import Seconds, show
from core.output.card_values import Act, NextStep
from core.output.next_steps import LONGEST, limit
from core.plan.foreseen import seconds_of
from core.plan.limits import REPEATS_TO_COMPARE
from core.plan.schedule import Plan
from core.plan.spec import RunSpec, differing
from core.result.result import Result

_PERCENTS = (50.0, 90.0, 99.0, 99.9)


@dataclass(frozen=True, kw_only=True)
class LatencyPair:
    """A percentile of both results, in seconds."""

    percent: float
    baseline: float
    candidate: float

    @property
    def title(self) -> str:
        """`p99` or `p99.9`."""
        return f"p{self.percent:g}"

    @property
    def text(self) -> str:
        """Both values."""
        return f"{show(self.baseline, 'seconds')} → {show(self.candidate, 'seconds')}"


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Two results against each other: the verdict, the percentiles that both have, what is next."""

    verdict: Verdict
    latencies: tuple[LatencyPair, ...] = ()
    steps: tuple[NextStep, ...] = ()

    @staticmethod
    def of(baseline: Result, candidate: Result) -> Compared:
        """With what the sessions of both tell of the past."""
        verdict = compare(baseline, candidate, past_of=past_of)
        return Compared(
            verdict=verdict,
            latencies=latency_pairs(baseline, candidate),
            steps=next_to_compare(verdict, baseline, candidate),
        )


def latency_pairs(baseline: Result, candidate: Result) -> tuple[LatencyPair, ...]:
    """The percentiles that enough operations of both were timed for."""
    one, two = baseline.latencies, candidate.latencies
    if one is None or two is None:
        return ()
    ours = {each.percent: each.value / 1e9 for each in one.percentiles(_PERCENTS)}
    theirs = {each.percent: each.value / 1e9 for each in two.percentiles(_PERCENTS)}
    return tuple(
        LatencyPair(percent=percent, baseline=ours[percent], candidate=theirs[percent])
        for percent in _PERCENTS
        if ours.get(percent, 0.0) > 0.0 and theirs.get(percent, 0.0) > 0.0
    )


def next_to_compare(verdict: Verdict, baseline: Result, candidate: Result) -> tuple[NextStep, ...]:
    """What would tell more than this verdict on two results; nothing where it is told.

    Two trials of the same setting, such as those of two versions of a library, cannot take turns.
    """
    told = verdict.kind is not VerdictKind.UNDECIDED and verdict.drift is None
    if told or verdict.kind is VerdictKind.INVALID or baseline.spec == candidate.spec:
        return ()
    step = NextStep(
        act=Act.AGAIN,
        text=tr("Measure both in turn (at most {time})", time=limit(_longest(baseline, candidate))),
        why=tr(
            "What is measured in turn has no drift of the machine between its sides. "
            "It ends as soon as the verdict is told."
        ),
        name="in turn",
    )
    return (step,)


def plan_to_compare(baseline: Result, candidate: Result) -> Plan:
    """The plan of that step; raises what `core.execution.measure_again.again` raises."""
    return again([(baseline, candidate)], budget=_longest(baseline, candidate))


def _longest(baseline: Result, candidate: Result) -> Seconds:
    return min(REPEATS_TO_COMPARE * seconds_of([baseline.spec, candidate.spec]), LONGEST)


def comparing_arguments(plan: Plan, session: Path, run: int) -> list[str]:
    """The arguments of the command line that measures the pair of a plan again, from its run."""
    specs = {spec.digest: spec for spec in plan.specs}
    ((one, two),) = plan.pairs
    names = differing(plan.specs)
    sides = [_chosen(specs[side], names, run) for side in (one, two)]
    return [
        "compare",
        f"{session}#{sides[0]}",
        f"#{sides[1]}",
        "--again",
        "--budget",
        f"{plan.budget:g}",
    ]


def _chosen(spec: RunSpec, names: Sequence[str], run: int) -> str:
    values = {"workload": spec.workload, **spec.values}
    told = [f"{name}={text_that_means(values[name])}" for name in names if name in values]
    return ",".join((f"run={run}", *told))
