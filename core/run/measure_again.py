"""Measures again what a session has: the rest of a run, its request, two settings side by side.

Two settings are measured in one session, alternating, so that no drift lies between them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING

from core.language import Seconds, SluiceError, UnknownName, UsageError, tr
from core.measure import floors, is_bare, reopened, require_data, without_bare_files
from core.run.admission import STUDY_ADJUSTABLE, cluster_of
from core.run.recording import own_session
from core.run.request import Request
from core.run.session import Session
from core.run.session.plan_trust import require_trust
from core.run.task import Task, rest_of_plan
from core.vocabulary import (
    FEWEST_TO_STOP,
    REPEATS,
    REPEATS_TO_COMPARE,
    THREADS,
    TURNS,
    Axis,
    Dataset,
    Plan,
    Result,
    RunSpec,
    Turns,
    differing,
    specify,
)

if TYPE_CHECKING:
    from core.run.session import Run
    from core.vocabulary import Trial, Value

type Pairs = Sequence[tuple[Result, Result]]


def again(
    pairs: Pairs,
    repeats: int | None = None,
    *,
    turns: Turns = TURNS,
    budget: Seconds = 0.0,
) -> Plan:
    """A plan that measures all sides of these pairs alternately; each block holds every side.

    `repeats`: trials of each side; by default `REPEATS_TO_COMPARE` or, with a budget, the fewest
    that allow a verdict, because an open verdict gets more.

    Raises UsageError if both sides of a pair are the same setting, DatasetError if the data is gone
    or has changed, and what `specify` raises if a setting cannot be measured here.
    """
    datasets: dict[Dataset, Dataset] = {}
    renewed: dict[str, RunSpec] = {}
    for spec in (side.spec for pair in pairs for side in pair):
        renewed[spec.digest] = _renewed(spec, datasets)
    digests = tuple(
        (renewed[a.spec.digest].digest, renewed[b.spec.digest].digest) for a, b in pairs
    )
    if any(one == two for one, two in digests):
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
        pairs=digests,
    )


def _renewed(spec: RunSpec, datasets: dict[Dataset, Dataset]) -> RunSpec:
    """The same setting, as this Sluice measures it now."""
    if spec.dataset not in datasets:
        spec.setting  # noqa: B018 -- its module can bring the kind of its data
        remedy = tr("compare without --again, or measure both sides on data that is there")
        datasets[spec.dataset] = reopened(spec.dataset, remedy)
    values: Mapping[str, object] = spec.values
    return specify(spec.workload, datasets[spec.dataset], values)


@dataclass(frozen=True, kw_only=True)
class Rest:
    """The unmeasured part of a run, and the trials that it keeps."""

    session: Session
    run: Run
    trials: tuple[Trial, ...]
    """Its trials that are not measured again."""
    task: Task

    def own_session(self) -> Session:
        """Where it goes on: a copy, where somebody else has begun it.  Raises SessionError."""
        return own_session(self.session)


def rest_of_run(session: Session, number: int) -> Rest:
    """The task that measures the rest of a run, and the trials that the run keeps.

    Raises NotTrusted for a run from elsewhere, DatasetError without its data, and what
    `check_cluster` raises.
    """
    run = session.run(number)
    require_trust(run)
    require_data(run.plan.specs)
    trials = session.trials(number)
    slots = session.remaining(number, trials)
    indexes_left = {slot.index for slot in slots}
    kept_trials = tuple(trial for trial in trials if trial.index not in indexes_left)
    task = rest_of_plan(run.plan, slots, kept_trials, cluster_of(run.command))
    return Rest(session=session, run=run, trials=kept_trials, task=task)


def data_changes(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """How the data differs from the data these specs were planned for, as far as it can be told.

    Raises DatasetError if the data is gone.  Takes as long as a look at all files.
    """
    require_data(specs)
    datasets = dict.fromkeys(spec.dataset for spec in specs)
    return tuple(change for change in map(_change, datasets) if change)


def _change(dataset: Dataset) -> str:
    try:
        reopened(dataset)
    except UnknownName:
        path = dataset.location
        return tr("{path} cannot be compared: nobody knows its kind here", path=path)
    except SluiceError as error:
        return error.cause
    return ""


def request_of(plan: Plan) -> Request:
    """The request that leads to this plan, as far as a request can express it.

    Combinations that a sweep left out are asked for again, and settings of different workloads, as
    `compare --again` measures them, become a sweep of the first workload.
    """
    # Without the bare files, and the specs that only explain the answer of a search.
    specs = without_bare_files(plan.specs[: plan.choices] if plan.choices else plan.specs)
    first, names = specs[0], differing(specs)
    return Request(
        workload="" if plan.study else first.workload,
        study=plan.study,
        search=plan.adaptive,
        values=_of_study(first, names) if plan.study else plan.chosen(first.values),
        axes=() if plan.study else _axes(plan, specs, names),
        terms=plan.terms,
        dataset=first.dataset.path if first.dataset.local else None,
        repeats=_repeats(plan),
        order_seed=plan.seed,
        floor=_floor(plan, specs),
        turns=plan.turns,
        budget=plan.budget,
        until_sure=plan.until_sure,
    )


def request_of_setting(plan: Plan, spec: RunSpec) -> Request:
    """The request that measures one setting of a plan by itself, as often as the plan did."""
    return Request(
        workload=spec.workload,
        values=plan.chosen(spec.values),
        dataset=spec.dataset.path if spec.dataset.local else None,
        repeats=_repeats(plan),
        until_sure=plan.until_sure,
        floor=_floor(plan, [spec]),
        turns=plan.turns,
    )


def _repeats(plan: Plan) -> int:
    return REPEATS if plan.until_sure or not plan.repeats else plan.repeats


def _axes(plan: Plan, specs: Sequence[RunSpec], names: Sequence[str]) -> tuple[Axis, ...]:
    """In the order in which they were asked for: the last one varies fastest.

    A search begins with the threads.
    """
    axes = []
    for name in names:
        values = [spec.values[name] for spec in specs if name in spec.values]
        if different := [at for at, value in enumerate(values) if value != values[0]]:
            place = name != THREADS if plan.adaptive else -different[0]
            axes.append((place, Axis(name, tuple(dict.fromkeys(values)))))
    return tuple(axis for _, axis in sorted(axes, key=itemgetter(0)))


def _of_study(first: RunSpec, names: Sequence[str]) -> dict[str, Value]:
    return {
        name: value
        for name, value in first.values.items()
        if name in STUDY_ADJUSTABLE and name not in names
    }


def _floor(plan: Plan, specs: Sequence[RunSpec]) -> bool:
    """Whether the request includes the bare files: true, the default, if the plan can have none."""
    if is_bare(specs[0]) or any(map(is_bare, plan.specs)):
        return True
    with suppress(SluiceError, OSError):  # such as a dataset that is gone
        return not floors(specs)
    return False
