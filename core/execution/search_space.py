"""The axes of a search; apart from the search itself, so that a form needs no scipy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from core.analysis.advice import THREADS
from core.catalog import registry
from core.errors import UsageError
from core.host.environment import usable_cores
from core.language.translation import tr
from core.plan.sweep import Axis
from core.plan.sweep_axes import axis

COUNTED = (THREADS, "processes")
"""Of these every number in a range may be found to be the best."""


def search_axes(workload: str, axes: Sequence[Axis]) -> tuple[Axis, Axis | None]:
    """Threads, and the one other axis; raises UsageError."""
    given = {one.name: one for one in axes}
    threads = given.pop(THREADS, None) or axis(
        f"{THREADS}=1..{_most_threads()}", registry.load_workload(workload), COUNTED
    )
    if len(given) > 1:
        raise UsageError(
            tr(
                "a search goes over threads and one more parameter, not over {names}",
                names=", ".join(given),
            ),
            tr("set the others with their flags, or use sweep"),
        )
    return threads, next(iter(given.values()), None)


@lru_cache  # asked with every key that is pressed in the form, and reads a dozen files
def _most_threads() -> int:
    return max(8, round(4 * usable_cores()))
