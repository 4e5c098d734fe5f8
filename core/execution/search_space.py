"""The axes of a search; apart from the search itself, so that a form needs no numpy."""

from __future__ import annotations

from collections.abc import Sequence

from core.analysis.advice import THREADS
from core.errors import UsageError
from core.language.translation import tr
from core.plan.sweep import Axis

COUNTED = (THREADS, "processes")
"""Of these every number in a range may be found to be the best."""


def search_axes(axes: Sequence[Axis]) -> tuple[Axis, Axis | None]:
    """Threads, and the one other axis; raises UsageError."""
    given = {one.name: one for one in axes}
    threads = given.pop(THREADS, None)
    if threads is None or len(given) > 1:
        raise UsageError(
            tr(
                "a search goes over threads and one more parameter, not over {names}",
                names=", ".join(one.name for one in axes),
            ),
            tr("set the others with their flags, or measure all combinations"),
        )
    return threads, next(iter(given.values()), None)
