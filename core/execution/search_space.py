"""The axes of a search; apart from the search itself, so that a form needs no numpy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING

from core.analysis.advice import THREADS
from core.catalog import registry
from core.catalog.parameters import build, declared
from core.errors import InvalidParameter, SluiceError, UsageError
from core.host.environment import usable_cores
from core.language.translation import tr
from core.plan.sweep import Axis
from core.plan.sweep_axes import axis

if TYPE_CHECKING:
    from core.catalog.parameters import Value

COUNTED = (THREADS, "processes")
"""Of these every number in a range may be found to be the best."""


def search_axes(
    workload: str, axes: Sequence[Axis], values: Mapping[str, Value] | None = None
) -> tuple[Axis, Axis | None]:
    """Threads, and the one other axis; raises UsageError.

    `values`: of the other parameters; they can say that threads are not searched unasked.
    """
    given = {one.name: one for one in axes}
    threads = given.pop(THREADS, None) or _threads_unasked(workload, given, values or {})
    if len(given) > 1:
        raise UsageError(
            tr(
                "a search goes over threads and one more parameter, not over {names}",
                names=", ".join(given),
            ),
            tr("set the others with their flags, or use sweep"),
        )
    return threads, next(iter(given.values()), None)


def _threads_unasked(workload: str, given: Mapping[str, Axis], values: Mapping[str, Value]) -> Axis:
    known = registry.load_workload(workload)
    own = {kind.name for kind in declared(known.parameters)}
    with suppress(SluiceError):  # what is wrong with it is said where it is specified
        chosen = build(known.parameters, {name: values[name] for name in own & values.keys()})
        try:
            known.admit_threads(chosen)
        except InvalidParameter:
            if given:
                return Axis(THREADS, (values.get(THREADS, 1),))
    return axis(f"{THREADS}=1..{_most_threads()}", known, COUNTED)


@lru_cache  # asked with every key that is pressed in the form, and reads a dozen files
def _most_threads() -> int:
    return max(8, round(4 * usable_cores()))
