"""The floor of a spec: plain reads of the bare files under the same load."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

from core.catalog import registry
from core.catalog.parameters import build, values_of
from core.plan.data_files import files_of, reads_own_files
from core.plan.spec import RunSpec
from core.plan.specify import specify

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.catalog.load import Load
    from core.catalog.parameters import Value

RAW = "raw"
_FLOOR_SECONDS = 0.4
"""Four turns of plain reads: they vary little, and all that they read is verified afterwards."""
_COLD_FLOOR_SECONDS = 1.0
"""From the disk they vary more, and read less."""
_SHARED = ("nodes", "threads", "processes", "cores", "page_cache")
"""Parameters of the load that a floor has from its spec."""


class Measured(Protocol):
    """What was measured with one spec, such as a result."""

    @property
    def spec(self) -> RunSpec: ...


def is_bare(one: RunSpec | Measured) -> bool:
    """Whether this is plain reads of the bare files."""
    return (one if isinstance(one, RunSpec) else one.spec).workload == RAW


def without_bare_files[T: RunSpec | Measured](found: Sequence[T]) -> tuple[T, ...]:
    """Those of some specs or results that are an answer.

    The bare files are what others are held against, and no answer, unless there is nothing else.
    """
    return tuple(one for one in found if not is_bare(one)) or tuple(found)


def floor_of(spec: RunSpec) -> Mapping[str, object] | None:
    """Parameters of the raw workload that measure a spec's floor; None where it has none.

    Plain reads are reads of the dataset, so what reads other files or none has no floor.
    """
    workload = registry.known_workload(spec.workload)
    floor = workload.floor(build(workload.parameters, spec.parameters))
    return floor if floor is not None and _reads_dataset(spec) else None


def _reads_dataset(spec: RunSpec) -> bool:
    if not spec.dataset.local or not reads_own_files(spec):
        return spec.dataset.local
    place, files = spec.dataset.path, files_of(spec)
    return bool(files) and all(file == place or place in file.parents for file in files)


def same_drive(one: Load, two: Load) -> bool:
    """Whether two loads drive the same files alike, so that one can be the other's floor."""
    return all(getattr(one, name) == getattr(two, name) for name in _SHARED)


def floors(specs: Sequence[RunSpec]) -> tuple[RunSpec, ...]:
    """Specs of the raw workload that measure the floor of these: one per load and dataset."""
    wanted: dict[tuple[object, ...], Mapping[str, object] | None] = {}
    asked: dict[tuple[object, ...], tuple[Dataset, dict[str, object]]] = {}
    for spec in specs:
        chosen = (spec.workload, spec.dataset, *spec.parameters.values())
        if chosen not in wanted:
            wanted[chosen] = floor_of(spec)
        if (floor := wanted[chosen]) is not None:
            values = dict(floor) | _floor_load(spec.load)
            asked[spec.dataset, *values.values()] = (spec.dataset, values)
    found = [specify(RAW, dataset, values) for dataset, values in asked.values()]
    return tuple({spec.digest: spec for spec in found}.values())


def _floor_load(load: Load) -> dict[str, Value]:
    kept = {name: value for name, value in values_of(load).items() if name in (*_SHARED, "seed")}
    if load.page_cache == "cold":
        return kept | {"duration": _COLD_FLOOR_SECONDS, "warm_up": 0.0}
    return kept | {"duration": _FLOOR_SECONDS, "warm_up": 0.2}
