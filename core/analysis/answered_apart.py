"""Results that ask for an answer of their own each, such as those of one store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from core.catalog import registry
from core.catalog.parameters import Value
from core.errors import SluiceError
from core.plan.floor import without_bare_files
from core.result.result import Result

_CORES = "cores"


class PartOfResults(NamedTuple):
    """Results that have these values in common, and the bare files."""

    values: Mapping[str, Value]
    results: Sequence[Result]


def parts_of(results: Sequence[Result]) -> tuple[PartOfResults, ...]:
    """The results by the parameters that their workload names in `lines`, and by cores.

    Cores are what a machine has, and no choice.  None where nothing of that varies; several
    workloads have no such parameters in common.
    """
    own = without_bare_files(results)
    parts = [PartOfResults({}, own)]
    for name in (*_parameters({result.spec.workload for result in own}), _CORES):
        parts = [finer for part in parts for finer in _split(part, name)]
    if len(parts) < 2:
        return ()
    answers = {id(one) for one in own}
    beside = [one for one in results if id(one) not in answers]
    return tuple(PartOfResults(part.values, [*part.results, *beside]) for part in parts)


def _split(part: PartOfResults, name: str) -> Sequence[PartOfResults]:
    values = dict.fromkeys(one.spec.values.get(name) for one in part.results)
    if len(values) < 2:
        return (part,)
    return [
        PartOfResults(
            {**part.values, name: value},
            [one for one in part.results if one.spec.values.get(name) == value],
        )
        for value in values
        if value is not None
    ]


def _parameters(workloads: set[str]) -> tuple[str, ...]:
    if len(workloads) == 1:
        # A recorded workload may not be here any more.
        with suppress(SluiceError, ImportError):
            return registry.known_workload(next(iter(workloads))).lines
    return ()
