"""How often a server refused what it was asked, such as by 503 SlowDown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from core.result.result import Trial

_REFUSED = re.compile(r"503|429|slow ?down|throttl|backpressure|rejected", re.IGNORECASE)


def counts_refusals(name: str) -> bool:
    """Whether a workload's counter of that name counts requests that a server refused."""
    return _REFUSED.search(name) is not None


def share_refused(trials: Sequence[Trial]) -> float:
    """The share of requests that were refused, 0 to 1; 0 where the workload counts none.

    What was not refused is taken for one request of each operation.
    """
    refused = sum(
        count for trial in trials for name, count in trial.counters.items() if counts_refusals(name)
    )
    done = sum(trial.operations for trial in trials)
    return refused / (done + refused) if refused > 0 else 0.0
