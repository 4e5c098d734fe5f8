"""The local files that trials of a spec read through the page cache.

They are warmed, evicted and proven cold; open files that point into them are counted; plain reads
of them are the floor.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from core.catalog import registry
from core.catalog.parameters import build
from core.catalog.workload import Workload, files_of_kind
from core.errors import DatasetError, SluiceError
from core.language.translation import tr

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.catalog.parameters import Value
    from core.plan.spec import RunSpec

_MOST_ROOTS = 16
"""Folders in which open files are looked for one by one; of more, the one above them is taken."""


def files_of(spec: RunSpec) -> tuple[Path, ...]:
    """The files, sorted as the workload or the dataset kind gives them; none for a remote store.

    Listed once, until `forget_files`.  Raises OSError and SluiceError where they cannot be listed.
    """
    if not reads_own_files(spec):
        return _of_dataset(spec.dataset)
    return _of_workload(spec.workload, tuple(spec.parameters.items()), spec.dataset)


def require_data(specs: Sequence[RunSpec]) -> None:
    """Raise DatasetError for a local dataset that is not there, before anything is measured."""
    for dataset in dict.fromkeys(spec.dataset for spec in specs):
        if dataset.local and not os.path.exists(dataset.path):  # noqa: PTH110 -- raises nothing
            raise DatasetError(
                tr("{path} does not exist any more", path=dataset.path), tr("bring it back")
            )


def found_again(dataset: Dataset, remedy: str = "") -> Dataset:
    """The dataset, after checking that it is unchanged; one on a server is not checked.

    Raises DatasetError, and UnknownName for a kind that is not known here.
    """
    if not dataset.local:
        return dataset
    path, kind = dataset.path, registry.dataset_kind(dataset.kind)
    with registry.naming(path):
        if not path.exists():
            raise DatasetError(tr("the data is gone: {path} does not exist", path=path), remedy)
        found = kind.open(path) if kind.recognises(path) else None
    if found is None or found.fingerprint != dataset.fingerprint:
        raise DatasetError(tr("{path} has changed since it was measured", path=path), remedy)
    return found


def forget_files() -> None:
    """Files may have come or gone: list them anew when they are asked for."""
    _of_dataset.cache_clear()
    _of_workload.cache_clear()


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
    with suppress(SluiceError):  # one that cannot be loaded says so in its trial
        return type(registry.known_workload(spec.workload)).files is not Workload.files
    return False


@lru_cache(maxsize=8)
def _of_dataset(dataset: Dataset) -> tuple[Path, ...]:
    return tuple(files_of_kind(dataset))


@lru_cache(maxsize=8)
def _of_workload(
    name: str, parameters: tuple[tuple[str, Value], ...], dataset: Dataset
) -> tuple[Path, ...]:
    workload = registry.known_workload(name)
    return tuple(workload.files(build(workload.parameters, dict(parameters)), dataset))
