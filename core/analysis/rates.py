"""How fast counts grow from one look at a running trial to the next: the same on every face."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from core.result.moments import Moment


def operations_until(moment: Moment) -> int:
    """Operations of all workers since the clock started."""
    return sum(moment.operations)


def rate_between(
    before: Moment | None, moment: Moment, count: Callable[[Moment], float] = operations_until
) -> float | None:
    """By how much a count grew per second, or since the clock started; by default the throughput.

    None before the clock has started, and where no time went by.
    """
    elapsed = moment.at - (before.at if before else 0.0)
    if elapsed <= 0 or moment.at <= 0:
        return None
    return (count(moment) - (count(before) if before else 0)) / elapsed


def rates_between(times: NDArray[np.float64], counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """As `rate_between`, for many moments at once: one row fewer than there are moments.

    `times`: seconds since the clock started. `counts`: a row for each moment, a column for each
    count. NaN where no time went by, or a count is not known.
    """
    # What shows a single rate does not wait for numpy.
    import numpy as np

    elapsed = np.diff(times)
    elapsed[elapsed <= 0] = np.nan
    return np.diff(counts, axis=0) / elapsed[:, None]
