"""The local files that trials of a spec read, and its floor: plain reads of the same files, or
plain gets of the same objects by the leanest client.

The files are warmed, evicted and proven cold; open descriptors of them are counted.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from core.language import DatasetError, SluiceError, tr
from core.vocabulary import RunSpec, registry, specify, values_of, work_of

if TYPE_CHECKING:
    from core.vocabulary import Dataset, Load, Value


_MOST_ROOTS = 16
"""Folders that are searched for open files one by one; of more, the folder above them all."""


def files_of(spec: RunSpec) -> Sequence[Path]:
    """The files, sorted as the workload or the dataset kind gives them; none for a remote store.

    Listed once, until `forget_files`.  Raises OSError and SluiceError where they cannot be listed.
    """
    files = _own_files(_Work(work_of(spec), spec)) if reads_own_files(spec) else None
    return _files_of_kind(spec.dataset) if files is None else files


@dataclass(frozen=True)
class _Work:
    """What a spec measures, under whatever load."""

    key: tuple[object, ...]
    spec: RunSpec = field(compare=False)


@lru_cache(maxsize=8)
def _own_files(work: _Work) -> tuple[Path, ...] | None:
    setting = work.spec.known_setting
    files = setting.workload.files(setting.parameters, setting.spec.dataset)
    return None if files is None else tuple(files)


@lru_cache(maxsize=8)
def _files_of_kind(dataset: Dataset) -> Sequence[Path]:
    return registry.dataset_kind(dataset.kind).files(dataset.path) if dataset.local else ()


def require_data(specs: Sequence[RunSpec]) -> None:
    """Raise DatasetError for a local dataset that is not there, before anything is measured."""
    for dataset in dict.fromkeys(spec.dataset for spec in specs):
        if dataset.local and not os.path.exists(dataset.path):  # noqa: PTH110 -- raises nothing
            raise DatasetError(
                tr("{path} does not exist any more", path=dataset.path), tr("bring it back")
            )


def reopened(dataset: Dataset, remedy: str = "") -> Dataset:
    """The dataset, after checking that it is unchanged; one on a server is not checked.

    Raises DatasetError, and UnknownName for a kind that is not known here.
    """
    if not dataset.local:
        return dataset
    path, kind = dataset.path, registry.dataset_kind(dataset.kind)
    with registry.naming(path):
        if not path.exists():
            raise DatasetError(tr("the data is gone: {path} does not exist", path=path), remedy)
        again = kind.open(path) if kind.recognises(path) else None
    if again is None or again.fingerprint != dataset.fingerprint:
        raise DatasetError(tr("{path} has changed since it was measured", path=path), remedy)
    return again


def forget_files() -> None:
    """Drop all listings, since files may have come or gone."""
    _files_of_kind.cache_clear()
    _own_files.cache_clear()


def roots_of(spec: RunSpec) -> Sequence[Path]:
    """The files or folders in which all of these files are; none where there are no files."""
    files = files_of(spec)
    if not files or not reads_own_files(spec):
        return [spec.dataset.path] if files else []
    folders = {file.parent for file in files}
    if len(folders) <= _MOST_ROOTS:
        return sorted(folders)
    return [Path(os.path.commonpath(folders))]


def reads_own_files(spec: RunSpec) -> bool:
    """Whether the workload itself says which files it reads."""
    with suppress(SluiceError):  # its trial reports the error
        return spec.known_setting.has_own("files")
    return False


RAW = "raw"
BARE = frozenset({RAW, "gets"})
"""Workloads that are measured beside others, as the most that these can reach."""
_FLOOR_SECONDS = 0.4
"""Four turns of plain reads: they vary little, and all their data is verified afterwards."""
_COLD_FLOOR_SECONDS = 1.0
"""From the disk they vary more, and read less."""
_SHARED = ("nodes", "threads", "processes", "cores", "page_cache")
"""Parameters of the load that a floor takes from its spec."""


class Measured(Protocol):
    """Measurements with one spec, such as a result."""

    @property
    def spec(self) -> RunSpec: ...


def is_bare(one: RunSpec | Measured) -> bool:
    """Whether this is plain reads of the bare files, or plain gets."""
    return (one if isinstance(one, RunSpec) else one.spec).workload in BARE


def without_bare_files[T: RunSpec | Measured](several: Sequence[T]) -> tuple[T, ...]:
    """The specs or results that can be an answer.

    Plain reads are the yardstick for the others, and no answer unless there is nothing else.
    """
    return tuple(one for one in several if not is_bare(one)) or tuple(several)


def floor_of(spec: RunSpec) -> Mapping[str, object] | None:
    """Parameters of the workload that measures a spec's floor; None where it has none.

    Plain reads read the dataset, so a workload that reads other files or none has no such floor.
    """
    setting = spec.known_setting
    floor = setting.workload.floor(setting.parameters)
    if floor is None or setting.workload.floor_by != RAW:
        return floor
    return floor if _reads_dataset(spec) else None


def _reads_dataset(spec: RunSpec) -> bool:
    if not spec.dataset.local or not reads_own_files(spec):
        return spec.dataset.local
    path, files = spec.dataset.path, files_of(spec)
    return bool(files) and all(file == path or path in file.parents for file in files)


def same_drive(one: Load, two: Load) -> bool:
    """Whether two loads drive the same files alike, so that one can be the other's floor."""
    return all(getattr(one, name) == getattr(two, name) for name in _SHARED)


def floors(specs: Sequence[RunSpec]) -> tuple[RunSpec, ...]:
    """Specs that measure the floor of these: one per load, dataset and store."""
    floor_by_setting: dict[tuple[object, ...], Mapping[str, object] | None] = {}
    by_load: dict[tuple[object, ...], tuple[str, Dataset, dict[str, object]]] = {}
    for spec in specs:
        chosen = (spec.workload, spec.dataset, *spec.parameters.values())
        if chosen not in floor_by_setting:
            floor_by_setting[chosen] = floor_of(spec)
        if (floor := floor_by_setting[chosen]) is not None:
            values = dict(floor) | _floor_load(spec.load)
            name = spec.known_setting.workload.floor_by
            by_load[name, spec.dataset, *values.values()] = (name, spec.dataset, values)
    bare = [specify(*one) for one in by_load.values()]
    return tuple({spec.digest: spec for spec in bare}.values())


def _floor_load(load: Load) -> dict[str, Value]:
    shared = {name: value for name, value in values_of(load).items() if name in (*_SHARED, "seed")}
    if load.page_cache == "cold":
        return shared | {"duration": _COLD_FLOOR_SECONDS, "warm_up": 0.0}
    return shared | {"duration": _FLOOR_SECONDS, "warm_up": 0.2}
