"""Makes specs from a user's names and values, and refuses those that cannot run."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import msgspec

from core.language import MOST_WORKERS, InvalidParameter, SluiceError, Unavailable, tr
from core.vocabulary import registry
from core.vocabulary.declarations import build, declared, defaults_for, values_of
from core.vocabulary.load import Load
from core.vocabulary.parameters import Text
from core.vocabulary.spec import RunSpec, named
from core.vocabulary.workload import Workload

if TYPE_CHECKING:
    from core.vocabulary.dataset import Dataset
    from core.vocabulary.parameters import Value
    from core.vocabulary.sweep import Axis, Sweep


def irrelevant_with(workload: Workload[Any], parameters: Mapping[str, object]) -> frozenset[str]:
    """Names of the load's parameters that mean nothing for a workload with these parameters."""
    if type(workload).irrelevant is not Workload.irrelevant:
        with suppress(SluiceError):  # `specify` reports the error
            return workload.irrelevant(build(workload.parameters, parameters))
    return frozenset()


def _irrelevant_in(spec: RunSpec) -> frozenset[str]:
    with suppress(SluiceError):  # as above
        return irrelevant_with(spec.known_setting.workload, spec.parameters)
    return frozenset()


def settled(spec: RunSpec) -> RunSpec:
    """The spec with its irrelevant parameters at their defaults."""
    return _settled(spec, _irrelevant_in(spec))


def settled_each[Key](specs: Mapping[Key, RunSpec]) -> dict[Key, RunSpec]:
    """As `settled`, for many specs with few sets of parameters."""
    irrelevant: dict[tuple[str, tuple[Value, ...]], frozenset[str]] = {}
    by_key = {}
    for key, spec in specs.items():
        chosen = spec.workload, tuple(spec.parameters.values())
        if chosen not in irrelevant:
            irrelevant[chosen] = _irrelevant_in(spec)
        by_key[key] = _settled(spec, irrelevant[chosen])
    return by_key


def _settled(spec: RunSpec, irrelevant: frozenset[str]) -> RunSpec:
    if not irrelevant:
        return spec
    values = {name: value for name, value in values_of(spec.load).items() if name not in irrelevant}
    load = build(Load, values)
    return spec if load == spec.load else msgspec.structs.replace(spec, load=load)


def specify(name: str, dataset: Dataset, values: Mapping[str, object]) -> RunSpec:
    """The spec of a workload on a dataset; values of both load and workload, the rest as declared
    for that kind of dataset.

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
        parameters=values_of(
            build(workload.parameters, defaults_for(workload.parameters, dataset.kind))
        ),
        load=build(Load, workload.usual_load()),
        dataset=dataset,
    )
    return settled(bare.varied(workload.parameters, values))


def admit(spec: RunSpec) -> None:
    """Raise InvalidParameter where the spec's choices exclude each other, Unavailable where one
    needs a package that is missing.
    """
    workers = spec.load.all_workers
    if workers > MOST_WORKERS:
        raise InvalidParameter(
            "threads",
            tr("there would be {count:,} in all processes", count=workers),
            tr("leave at most {most:,}", most=MOST_WORKERS),
        )
    setting = spec.setting
    setting.workload.admit(setting.parameters, spec.dataset)
    setting.workload.admit_load(setting.parameters, spec.load)
    for driver in setting.workload.drivers(setting.parameters):
        driver.require()


def possible(sweep: Sweep) -> tuple[tuple[RunSpec, ...], tuple[str, ...]]:
    """The specs of a sweep that can run, and the reasons against the others (each reason once).

    Raises the reason where no spec can run, and where a text that the user typed is at fault.
    """
    parameters = sweep.base.setting.workload.parameters
    texts = typed_texts(parameters, sweep.axes)
    specs: list[RunSpec] = []
    reasons: dict[str, SluiceError] = {}
    # Of the load only threads matter here, so many specs are judged as one.
    judged: dict[tuple[Value, ...], SluiceError | None] = {}
    for spec in sweep.expand(parameters):
        chosen = (*spec.parameters.values(), spec.load.threads)
        if chosen not in judged:
            judged[chosen] = _refusal(spec)
        if (reason := judged[chosen]) is None:
            specs.append(spec)
        elif is_about(reason, texts):
            raise reason
        else:
            reasons[str(reason)] = reason
    if not specs:
        raise next(iter(reasons.values()))
    return tuple(specs), (*reasons, *_irrelevant_axes(sweep.axes, specs))


def typed_texts(parameters: type[Any], axes: Sequence[Axis]) -> frozenset[str]:
    """The names of the axes whose values are texts, such as programs.

    A text that cannot be measured is the user's slip; an option may merely be missing here.
    """
    kinds = {kind.name: kind for kind in declared(parameters)}
    return frozenset(axis.name for axis in axes if isinstance(kinds.get(axis.name), Text))


def is_about(reason: SluiceError, names: Collection[str]) -> bool:
    """Whether a refusal is about the value of one of these parameters."""
    return isinstance(reason, InvalidParameter) and reason.name in names


def _refusal(spec: RunSpec) -> SluiceError | None:
    try:
        admit(spec)
    except (InvalidParameter, Unavailable) as reason:
        return reason
    return None


def _irrelevant_axes(axes: Sequence[Axis], specs: Sequence[RunSpec]) -> Iterator[str]:
    """A sentence for each axis that means nothing for some specs or all."""
    meaningless = [_irrelevant_in(spec) for spec in specs]
    for axis in axes:
        affected = sum(axis.name in irrelevant for irrelevant in meaningless)
        if affected and len(axis.values) > 1:
            yield _without_effect(axis, everywhere=affected == len(meaningless))


def _without_effect(axis: Axis, *, everywhere: bool) -> str:
    name = named(axis.name)
    if everywhere:
        return tr("{parameter} has no meaning here, so it is not varied", parameter=name)
    return tr(
        "{parameter} has no meaning for some settings, so they are measured once", parameter=name
    )
