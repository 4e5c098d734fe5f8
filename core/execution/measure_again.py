"""Measures two settings again in one session, alternating, so that no drift lies between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from core.catalog import registry
from core.catalog.dataset import Dataset
from core.errors import UsageError
from core.language.translation import tr
from core.language.units import Seconds
from core.plan.floor import found_again
from core.plan.limits import FEWEST_TO_STOP, REPEATS_TO_COMPARE
from core.plan.schedule import TURNS, Plan, Turns
from core.plan.spec import RunSpec
from core.plan.specify import specify
from core.result.result import Result

type Pairs = Sequence[tuple[Result, Result]]


def again(
    pairs: Pairs,
    repeats: int | None = None,
    *,
    turns: Turns = TURNS,
    budget: Seconds = 0.0,
) -> Plan:
    """The plan that measures all sides of these pairs alternately, each block holding every one.

    `repeats`: trials of each side; by default `REPEATS_TO_COMPARE` or, with a budget, the fewest
    that can tell, because an open verdict gets more.

    Raises UsageError where the sides of a pair ask for the same, DatasetError where the data is
    gone or has changed, and what `specify` raises where a setting cannot be measured here.
    """
    datasets: dict[Dataset, Dataset] = {}
    renewed: dict[str, RunSpec] = {}
    for spec in (side.spec for pair in pairs for side in pair):
        renewed[spec.digest] = _renewed(spec, datasets)
    named = tuple((renewed[a.spec.digest].digest, renewed[b.spec.digest].digest) for a, b in pairs)
    if any(one == two for one, two in named):
        raise UsageError(
            tr("both sides ask for the same, so that there is nothing to measure in turn"),
            tr("name two settings, such as #threads=1 and #threads=4"),
        )
    specs = {spec.digest: spec for spec in renewed.values()}
    return Plan(
        title="compare again",
        specs=tuple(specs.values()),
        repeats=repeats or (FEWEST_TO_STOP if budget else REPEATS_TO_COMPARE),
        turns=turns,
        budget=budget,
        pairs=named,
    )


def pairs_in(plan: Plan, results: Sequence[Result]) -> tuple[tuple[Result, Result], ...]:
    """The pairs that a plan compares, of which both sides were measured."""
    found = {result.spec.digest: result for result in results}
    return tuple((found[one], found[two]) for one, two in plan.pairs if {one, two} <= found.keys())


def _renewed(spec: RunSpec, datasets: dict[Dataset, Dataset]) -> RunSpec:
    """The same setting, as this Sluice measures it now."""
    if spec.dataset not in datasets:
        registry.load_workload(spec.workload)  # its module can bring the kind of its data
        remedy = tr("compare without --again, or measure both sides on data that is there")
        datasets[spec.dataset] = found_again(spec.dataset, remedy)
    values: Mapping[str, object] = spec.values
    return specify(spec.workload, datasets[spec.dataset], values)
