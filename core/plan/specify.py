"""From what a user asked for to specs and plans; shared by the command line and the window."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from core.catalog import registry
from core.catalog.dataset import Dataset, Tell, tell_nobody
from core.catalog.parameters import Integer, Kind, Real, Value, build, declared, values_of
from core.catalog.workload import Workload
from core.errors import InvalidParameter, SluiceError, Unavailable, UnknownName, UsageError
from core.language.translation import say
from core.plan.schedule import Axis, Load, RunSpec, Sweep

FLOOR = "raw"
_FLOOR_SECONDS = 1.0


def specify(name: str, dataset: Dataset, values: Mapping[str, object]) -> RunSpec:
    """The spec of a workload on a dataset; values of both load and workload, the rest as declared.

    Raises UnknownName, InvalidParameter, Unavailable.
    """
    spec = draft(name, dataset, values)
    admit(spec)
    return spec


def draft(name: str, dataset: Dataset, values: Mapping[str, object]) -> RunSpec:
    """As `specify`, but choices that exclude each other pass: what a sweep starts from."""
    workload = registry.workload(name)
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
    workload = registry.workload(spec.workload)
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
    # The load has no say in it, so that many specs are judged as one.
    judged: dict[tuple[Value, ...], SluiceError | None] = {}
    for spec in sweep.expand(registry.workload(sweep.base.workload).parameters):
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


def find_dataset(name: str, path: Path) -> Dataset:
    """The dataset at a path, as the workload of that name reads it; raises DatasetError."""
    return registry.open_dataset(path, registry.workload(name).dataset_kinds)


def sample_dataset(name: str, tell: Tell = tell_nobody) -> Dataset:
    """A generated dataset for a workload, of its first kind that can be generated, in the cache."""
    from core.catalog.generate import make_dataset

    for kind_name in registry.workload(name).dataset_kinds or tuple(registry.dataset_kinds()):
        kind = registry.dataset_kind(kind_name)
        if kind.shape is not None:
            return make_dataset(kind_name, kind.shape(), None, tell)
    raise UsageError(
        say("{workload} has no dataset that can be generated", workload=name),
        say("give one with --dataset"),
    )


def parameter(name: str, workload: Workload[Any]) -> Kind:
    """The declaration of a load or workload parameter; raises UnknownName."""
    kinds = {kind.name: kind for kind in (*declared(workload.parameters), *declared(Load))}
    wanted = name.replace("-", "_")
    if wanted not in kinds:
        raise UnknownName("parameter", name, tuple(kinds))
    return kinds[wanted]


def axis(written: str, workload: Workload[Any], every: Collection[str] = ()) -> Axis:
    """The axis that `threads=1,2,4` or `threads=1..8` names; raises UsageError.

    A range of whole numbers doubles where the parameter's scale is logarithmic, else counts up;
    that of a parameter named in `every` always counts up.
    """
    name, equals, values = written.partition("=")
    if not equals or not values:
        raise UsageError(
            f"{written!r} is not an axis", "write name=value,value,… such as threads=1,2,4,8"
        )
    kind = parameter(name, workload)
    parsed: dict[Value, None] = {}
    for one in values.split(","):
        low, dots, high = one.partition("..")
        if dots and isinstance(kind, Integer):
            doubling = kind.scale != "linear" and kind.name not in every
            parsed |= dict.fromkeys(
                _range(kind, kind.parse(low), kind.parse(high), doubling=doubling)
            )
        else:
            parsed[kind.parse(one)] = None
    return Axis(kind.name, tuple(parsed))


def _range(kind: Integer, low: int, high: int, *, doubling: bool) -> Iterable[int]:
    if low > high:
        raise UsageError(f"{kind.name}: {low}..{high} goes down", "write the smaller value first")
    if not doubling:
        return range(low, high + 1)
    doubled = [low]
    while doubled[-1] * 2 < high:
        doubled.append(max(doubled[-1] * 2, 1))
    return [*doubled, high] if high != low else doubled


def floor_of(spec: RunSpec) -> Mapping[str, object] | None:
    """Parameters of the raw workload that give the floor under a spec; None = it has none."""
    workload = registry.workload(spec.workload)
    return workload.floor(build(workload.parameters, spec.parameters))


def floors(specs: Sequence[RunSpec]) -> tuple[RunSpec, ...]:
    """Specs of the raw workload that give the floor under these: one per load and dataset."""
    wanted: dict[tuple[object, ...], Mapping[str, object] | None] = {}
    asked: dict[tuple[object, ...], tuple[Dataset, dict[str, object]]] = {}
    for spec in specs:
        if not spec.dataset.local:
            continue
        chosen = (spec.workload, spec.dataset, *spec.parameters.values())
        if chosen not in wanted:
            wanted[chosen] = floor_of(spec)
        if (floor := wanted[chosen]) is not None:
            values = dict(floor) | _floor_load(spec.load)
            asked[spec.dataset, *values.values()] = (spec.dataset, values)
    found = [specify(FLOOR, dataset, values) for dataset, values in asked.values()]
    return tuple({spec.digest: spec for spec in found}.values())


def _floor_load(load: Load) -> dict[str, Value]:
    kept = {
        name: value
        for name, value in values_of(load).items()
        if name in ("threads", "processes", "page_cache", "seed")
    }
    return kept | {"duration": _FLOOR_SECONDS, "warm_up": 0.0 if load.page_cache == "cold" else 0.2}


def spaced(kind: Integer | Real, low: float, high: float, steps: int) -> tuple[Value, ...]:
    """So many values from low to high, evenly on the parameter's scale; fewer where whole ones run out."""
    gaps = max(steps - 1, 1) if low != high else 0
    shares = [step / gaps for step in range(steps)] if gaps else [0.0]
    if kind.scale == "linear" or low <= 0:
        found = [low + (high - low) * share for share in shares]
    else:
        found = [low * (high / low) ** share for share in shares]
    if isinstance(kind, Integer):
        return tuple(dict.fromkeys(min(max(round(value), kind.low), kind.high) for value in found))
    rounded = [low, *(float(f"{value:.4g}") for value in found[1:-1]), high]
    return tuple(dict.fromkeys(rounded if len(found) > 1 else [float(low)]))
