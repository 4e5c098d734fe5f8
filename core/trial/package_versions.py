"""Versions of installed packages and of programs, which are recorded with every trial.

The engine looks them up once for its children, which have the same packages.  In a child, the
imports for this would take longer than some children measure.
"""

from __future__ import annotations

from functools import cache

from core.catalog import registry
from core.catalog.parameters import build
from core.host.version import version_of
from core.plan.spec import RunSpec

_ALWAYS_USED = ("numpy", "msgspec")


def versions_of(spec: RunSpec) -> dict[str, str]:
    """The versions that a trial of that spec uses, by the name of a distribution or program."""
    workload = registry.load_workload(spec.workload)
    parameters = build(workload.parameters, spec.parameters)
    drivers = workload.drivers(parameters)
    names = dict.fromkeys((*_ALWAYS_USED, *(driver.distribution for driver in drivers)))
    return {name: _version(name) for name in names} | dict(workload.programs(parameters))


@cache
def _version(distribution: str) -> str:
    return version_of(distribution)
