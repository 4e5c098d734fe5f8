"""Everything that is measured rather than simulated, in about two minutes."""

from __future__ import annotations

from core.catalog.dataset import Tell, tell_nobody
from core.selfcheck.goals import CheckReport
from core.selfcheck.loop_cost import check_loop
from core.selfcheck.raw_reads import check_reads
from core.selfcheck.sampling_cost import check_watching

_LOOP_SECONDS = 4.0  # for each kind of operation
_READ_ROUNDS, _READ_SECONDS = 7, 0.5
_WATCHING_SECONDS = 10.0


def check_speed(tell: Tell = tell_nobody) -> CheckReport:
    """The loop, the raw reads and the sampling against their goals."""
    return CheckReport(
        title="Speed",
        rows=(
            *check_loop(_LOOP_SECONDS, tell),
            *check_reads(_READ_ROUNDS, _READ_SECONDS, tell),
            check_watching(_WATCHING_SECONDS, tell),
        ),
    )
