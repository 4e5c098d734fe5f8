"""What will go wrong in trials, as far as it is known before the first of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import TYPE_CHECKING

from core.catalog import registry
from core.catalog.load import Load
from core.catalog.parameters import Integer, build, declared
from core.catalog.workload import Workload
from core.errors import SluiceError
from core.host.descriptors import descriptor_limit
from core.host.environment import describe_file_system, effects
from core.language.translation import tr
from core.language.units import show_count
from core.plan.floor import files_of
from core.plan.spec import named

if TYPE_CHECKING:
    from core.catalog.parameters import Kind, Value
    from core.plan.spec import RunSpec

_OF_EVERY_CHILD = 24
"""Descriptors that a child has besides: Python's, its pipes, its libraries'."""


def foreseen(specs: Sequence[RunSpec], limit: int | None = None) -> tuple[str, ...]:
    """Sentences about what the specs need more of than there is: descriptors.

    `limit`: how many a process may have; None = as many as this one.
    """
    allowed = descriptor_limit() if limit is None else limit
    if allowed is None:
        return ()
    needs = list(filter(None, map(_descriptors, specs)))
    most: Mapping[str, int] = max(needs, key=lambda need: sum(need.values()), default={})
    whole = sum(most.values()) + _OF_EVERY_CHILD
    return (_told(most, whole, allowed),) if most and whole > allowed else ()


def of_little_data(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """A phrase about what the data is too small to show of the most workers, if it is."""
    most = max(specs, key=_workers, default=None)
    if most is None or _workers(most) < 2:
        return ()
    with suppress(SluiceError, OSError):  # as for descriptors
        workload = registry.known_workload(most.workload)
        parameters = build(workload.parameters, most.parameters)
        said = workload.too_little(parameters, most.load, most.dataset)
        return (said,) if said else ()
    return ()


def _workers(spec: RunSpec) -> int:
    return spec.load.threads * spec.load.processes


def of_file_systems(specs: Sequence[RunSpec]) -> tuple[str, ...]:
    """Phrases about what the file systems of the specs' data do to the figures."""
    places = {spec.dataset.location: spec.dataset.path for spec in specs if spec.dataset.local}
    found = (effects(describe_file_system(path)) for path in places.values())
    return tuple(dict.fromkeys(chain.from_iterable(found)))


def fitting(spec: RunSpec, limit: int | None = None) -> dict[str, Value]:
    """The largest value of the greediest parameter with which the descriptors are enough.

    Empty where they are enough, where that is not known, or where no single lower value helps.
    """
    allowed = descriptor_limit() if limit is None else limit
    need = _descriptors(spec)
    if allowed is None or sum(need.values()) + _OF_EVERY_CHILD <= allowed:
        return {}
    kinds = {kind.name: kind for kind in _kinds(spec)}
    for name, _ in sorted(need.items(), key=lambda pair: -pair[1]):
        kind = kinds.get(name)
        if isinstance(kind, Integer) and (value := _largest(spec, kind, allowed)) is not None:
            return {name: value}
    return {}


def _kinds(spec: RunSpec) -> tuple[Kind, ...]:
    return (*declared(registry.known_workload(spec.workload).parameters), *declared(Load))


def _largest(spec: RunSpec, kind: Integer, allowed: int) -> int | None:
    """The largest value below the spec's own with which it needs no more than allowed."""
    parameters = registry.known_workload(spec.workload).parameters

    def fits(value: int) -> bool:
        need = _descriptors(spec.varied(parameters, {kind.name: value}))
        return sum(need.values()) + _OF_EVERY_CHILD <= allowed

    low, high = kind.low, int(spec.values[kind.name])
    if low >= high or not fits(low):
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if fits(middle) else (low, middle)
    return low


def _descriptors(spec: RunSpec) -> Mapping[str, int]:
    """Descriptors of one process by what they are for; empty where that is not known."""
    with suppress(SluiceError, OSError):  # what cannot be loaded or listed says so in its trial
        workload = registry.known_workload(spec.workload)
        if type(workload).descriptors is Workload.descriptors:
            return {}
        parameters = build(workload.parameters, spec.parameters)
        files = len(files_of(spec))
        return workload.descriptors(parameters, spec.load, spec.dataset, files)
    return {}


def _told(need: Mapping[str, int], whole: int, allowed: int) -> str:
    return tr(
        "up to about {whole} files will be open in a process, where {allowed} may be: "
        "lower {what}, or raise `ulimit -n`",
        whole=show_count(whole),
        allowed=show_count(allowed),
        what=", ".join(_causes(need)),
    )


def _causes(need: Mapping[str, int]) -> Iterator[str]:
    """The parameters that ask for descriptors, the greediest first."""
    for name, count in sorted(need.items(), key=lambda pair: -pair[1]):
        if count:
            yield tr(
                "{parameter} (1 file)",
                "{parameter} ({count:,} files)",
                count=count,
                parameter=named(name),
            )
