"""Parameters of the load that mean nothing for a workload, such as the page cache for a server.

They keep their defaults, so that requests with the same meaning are equal.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

import msgspec

from core.catalog import registry
from core.catalog.load import Load
from core.catalog.parameters import build, values_of
from core.catalog.workload import Workload
from core.errors import SluiceError

if TYPE_CHECKING:
    from core.catalog.parameters import Value
    from core.plan.spec import RunSpec


def moot_with(name: str, parameters: Mapping[str, object]) -> frozenset[str]:
    """Names of the load's parameters that mean nothing for a workload with these parameters."""
    with suppress(SluiceError):  # what is wrong with it is said where it is specified
        workload = registry.known_workload(name)
        if type(workload).moot is not Workload.moot:
            return workload.moot(build(workload.parameters, parameters))
    return frozenset()


def settled(spec: RunSpec) -> RunSpec:
    """The spec with the defaults of what means nothing there."""
    return _settled(spec, moot_with(spec.workload, spec.parameters))


def settled_each[Key](specs: Mapping[Key, RunSpec]) -> dict[Key, RunSpec]:
    """As `settled`, for many specs with few sets of parameters."""
    known: dict[tuple[str, tuple[Value, ...]], frozenset[str]] = {}
    found = {}
    for key, spec in specs.items():
        chosen = spec.workload, tuple(spec.parameters.values())
        if chosen not in known:
            known[chosen] = moot_with(spec.workload, spec.parameters)
        found[key] = _settled(spec, known[chosen])
    return found


def _settled(spec: RunSpec, moot: frozenset[str]) -> RunSpec:
    if not moot:
        return spec
    kept = {name: value for name, value in values_of(spec.load).items() if name not in moot}
    load = build(Load, kept)
    return spec if load == spec.load else msgspec.structs.replace(spec, load=load)
