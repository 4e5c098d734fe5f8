"""From a plan back to the request that asks for it: of a session's run, for the form to show it."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from core.errors import SluiceError
from core.execution.request import STUDY_ADJUSTABLE, Request
from core.plan.floor import floors, is_bare, without_bare_files
from core.plan.limits import REPEATS
from core.plan.spec import differing
from core.plan.sweep import Axis

if TYPE_CHECKING:
    from core.catalog.parameters import Value
    from core.plan.schedule import Plan
    from core.plan.spec import RunSpec


def request_of(plan: Plan) -> Request:
    """The request whose task has this plan, as far as a request can tell it.

    Combinations that a sweep left out are asked for again, and settings of different workloads,
    as `compare --again` measures them, become a sweep of the first one's.
    """
    wanted = _wanted(plan)
    first, names = wanted[0], differing(wanted)
    return Request(
        workload="" if plan.study else first.workload,
        study=plan.study,
        search=plan.adaptive,
        values=_of_study(first, names) if plan.study else first.values,
        axes=() if plan.study else _axes(wanted, names),
        terms=plan.terms,
        dataset=first.dataset.path if first.dataset.local else None,
        repeats=plan.repeats or REPEATS,
        order_seed=plan.seed,
        floor=_floor(plan, wanted),
        turns=plan.turns,
        budget=plan.budget,
    )


def request_of_setting(plan: Plan, spec: RunSpec) -> Request:
    """The request that measures one setting of a plan by itself, as often as the plan did."""
    return Request(
        workload=spec.workload,
        values=spec.values,
        dataset=spec.dataset.path if spec.dataset.local else None,
        repeats=plan.repeats or REPEATS,
        floor=_floor(plan, [spec]),
        turns=plan.turns,
    )


def _wanted(plan: Plan) -> Sequence[RunSpec]:
    """The specs that were asked for: neither the bare files, nor what a search only explains by."""
    return without_bare_files(plan.specs[: plan.choices] if plan.choices else plan.specs)


def _axes(wanted: Sequence[RunSpec], names: Sequence[str]) -> tuple[Axis, ...]:
    found = []
    for name in names:
        values = dict.fromkeys(spec.values[name] for spec in wanted if name in spec.values)
        if len(values) > 1:
            found.append(Axis(name, tuple(values)))
    return tuple(found)


def _of_study(first: RunSpec, names: Sequence[str]) -> dict[str, Value]:
    return {
        name: value
        for name, value in first.values.items()
        if name in STUDY_ADJUSTABLE and name not in names
    }


def _floor(plan: Plan, wanted: Sequence[RunSpec]) -> bool:
    """Whether the bare files were asked for; where there are none to measure, as by default."""
    if is_bare(wanted[0]) or any(map(is_bare, plan.specs)):
        return True
    with suppress(SluiceError, OSError):  # such as a dataset that is gone
        return not floors(wanted)
    return False
