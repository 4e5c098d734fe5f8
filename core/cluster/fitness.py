"""Whether nodes have what a trial needs, and the same as here; judged before any clock runs."""

from __future__ import annotations

import platform
from collections.abc import Iterator
from functools import lru_cache

from core.catalog import registry
from core.catalog.dataset import Dataset
from core.cluster.node_messages import Fitness, Hello
from core.errors import DatasetError, SluiceError
from core.host.program import UNKNOWN, sluice_version
from core.language.translation import tr
from core.plan.spec import RunSpec
from core.trial.trial_value import versions_of


def fitness_of(spec: RunSpec, run_id: str) -> Fitness:
    """What this machine has of what a trial needs; the dataset is looked at once in a run."""
    try:
        workload = registry.load_workload(spec.workload)
        fingerprint, network = _dataset(spec.dataset, run_id)
        return Fitness(
            workload=workload.version,
            versions=versions_of(spec),
            fingerprint=fingerprint,
            network=network,
        )
    except (SluiceError, OSError) as error:
        return Fitness(trouble=str(error))


@lru_cache(maxsize=16)
def _dataset(dataset: Dataset, _run_id: str) -> tuple[str, str]:
    """Fingerprint, and the type of its file system if that is one of a network."""
    from core.host.environment import describe_file_system

    if not dataset.local:
        return dataset.fingerprint, ""
    path, kind = dataset.path, registry.dataset_kind(dataset.kind)
    if not path.exists() or not kind.recognises(path):
        raise DatasetError(
            tr("{path} is not there", path=path),
            tr("put the data where all nodes have it at the same path"),
        )
    system = describe_file_system(path)
    return kind.open(path).fingerprint, system.type if system.network else ""


def misfits(hello: Hello, fitness: Fitness, spec: RunSpec, versions: dict[str, str]) -> str:
    """What of a node differs from here, and what to install; empty where nothing does.

    `versions`: those that the trial would use here.
    """
    return next(_differences(hello, fitness, spec, versions), "")


def _differences(
    hello: Hello, fitness: Fitness, spec: RunSpec, versions: dict[str, str]
) -> Iterator[str]:
    if hello.python != platform.python_version():
        yield _differs("Python", hello.python, platform.python_version(), "")
    if hello.sluice != sluice_version():
        yield _differs("Sluice", hello.sluice, sluice_version(), "sluice")
    if fitness.trouble:
        yield fitness.trouble
    for name, here in versions.items():
        there = fitness.versions.get(name, UNKNOWN)
        if there != here:
            yield _differs(name, there, here, name)
    if fitness.workload != spec.version:
        yield _differs(spec.workload, str(fitness.workload), str(spec.version), "sluice")
    if fitness.fingerprint != spec.dataset.fingerprint:
        yield tr(
            "{path} is other data there; put the same where all nodes have it at that path",
            path=spec.dataset.location,
        )


def _differs(name: str, there: str, here: str, distribution: str) -> str:
    told = tr("it has {name} {there}, and here is {here}", name=name, there=there, here=here)
    wanted = f"pip install {distribution}=={here}" if distribution else f"{name} {here}"
    return f"{told}; {tr('install there: {what}', what=wanted)}"
