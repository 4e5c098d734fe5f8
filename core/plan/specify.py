"""Makes specs from a user's names and values, and says what cannot be run."""

from __future__ import annotations

from collections.abc import Mapping

from core.catalog import registry
from core.catalog.dataset import Dataset
from core.catalog.load import Load
from core.catalog.parameters import Value, build, values_of
from core.errors import InvalidParameter, SluiceError, Unavailable
from core.plan.spec import RunSpec
from core.plan.sweep import Sweep


def specify(name: str, dataset: Dataset, values: Mapping[str, object]) -> RunSpec:
    """The spec of a workload on a dataset; values of both load and workload, the rest as declared.

    Raises UnknownName, InvalidParameter, Unavailable.
    """
    spec = draft(name, dataset, values)
    admit(spec)
    return spec


def draft(name: str, dataset: Dataset, values: Mapping[str, object]) -> RunSpec:
    """As `specify`, but accepts choices that exclude each other: the base of a sweep."""
    workload = registry.load_workload(name)
    bare = RunSpec(
        workload=name,
        version=workload.version,
        parameters=values_of(build(workload.parameters, {})),
        load=Load(),
        dataset=dataset,
    )
    return bare.varied(workload.parameters, values)


def admit(spec: RunSpec) -> None:
    """Raise InvalidParameter where the spec's choices exclude each other, Unavailable where one
    needs a package that is missing.
    """
    workload = registry.load_workload(spec.workload)
    parameters = build(workload.parameters, spec.parameters)
    workload.admit(parameters, spec.dataset)
    for driver in workload.drivers(parameters):
        driver.require()


def possible(sweep: Sweep) -> tuple[tuple[RunSpec, ...], tuple[str, ...]]:
    """The specs of a sweep that can be run, and why others cannot (each reason once).

    Raises the reason where nothing is left.
    """
    specs: list[RunSpec] = []
    reasons: dict[str, SluiceError] = {}
    # The load does not matter here, so many specs are judged as one.
    judged: dict[tuple[Value, ...], SluiceError | None] = {}
    for spec in sweep.expand(registry.load_workload(sweep.base.workload).parameters):
        chosen = tuple(spec.parameters.values())
        if chosen not in judged:
            judged[chosen] = _refusal(spec)
        if (reason := judged[chosen]) is None:
            specs.append(spec)
        else:
            reasons[str(reason)] = reason
    if not specs:
        raise next(iter(reasons.values()))
    return tuple(specs), tuple(reasons)


def _refusal(spec: RunSpec) -> SluiceError | None:
    try:
        admit(spec)
    except (InvalidParameter, Unavailable) as reason:
        return reason
    return None
