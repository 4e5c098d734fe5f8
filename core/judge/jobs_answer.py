"""Of programs at once: what the advised setting does and costs, and what does it cheaper."""

from __future__ import annotations

from collections.abc import Sequence

from core.judge.comparison import compare
from core.judge.estimation import ratio, told_estimate, typical
from core.vocabulary import WITHIN, Cheaper, Result, RunsAtOnce, Value, VerdictKind


def figures_of(result: Result, values: dict[str, Value]) -> RunsAtOnce:
    """Its figures, with the interval that stands in words."""
    rate, jobs = told_estimate(result), result.spec.load.processes
    memory = typical(result, "peak_rss")
    return RunsAtOnce(
        values=values,
        rate=rate.value or 0.0,
        low=rate.low,
        high=rate.high,
        wall=typical(result, "wall seconds"),
        cpu=typical(result, "cpu_each"),
        memory=memory / jobs if memory else None,
    )


def cheaper_than(
    chosen: Result, settings: Sequence[tuple[Result, dict[str, Value]]]
) -> Cheaper | None:
    """The one with the fewest core-seconds of those within `WITHIN`, if it surely costs less."""
    costs = [
        (cpu, at)
        for at, (one, _) in enumerate(settings)
        if (ratio(chosen, one) or 0.0) >= 1.0 - WITHIN and (cpu := typical(one, "cpu_each"))
    ]
    if not costs:
        return None
    result, values = settings[min(costs)[1]]
    if result is chosen:
        return None
    cost = compare(chosen, result, metric="cpu_each")
    if cost.kind is not VerdictKind.FASTER:
        return None
    return Cheaper(values=values, speed=compare(chosen, result), cost=cost)
