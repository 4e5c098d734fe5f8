"""Results that ask for an answer of their own each, such as those of one store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from core.catalog import registry
from core.catalog.parameters import Value
from core.errors import SluiceError
from core.plan.floor import is_bare
from core.result.result import Result


class Part(NamedTuple):
    """Results that have these values in common, and the bare files."""

    values: Mapping[str, Value]
    results: Sequence[Result]


def parts_of(results: Sequence[Result]) -> tuple[Part, ...]:
    """The results by the parameter that their workload names in `lines`; none where that does not
    vary, or where there are several workloads.
    """
    own = [result for result in results if not is_bare(result)]
    name = _parameter({result.spec.workload for result in own})
    values = dict.fromkeys(result.spec.parameters.get(name) for result in own) if name else {}
    if len(values) < 2:
        return ()
    return tuple(
        Part(
            {name: value},
            [one for one in results if is_bare(one) or one.spec.parameters.get(name) == value],
        )
        for value in values
        if value is not None
    )


def _parameter(workloads: set[str]) -> str:
    if len(workloads) == 1:
        # A recorded workload may not be here any more.
        with suppress(SluiceError, ImportError):
            return registry.load_workload(next(iter(workloads))).lines
    return ""
