"""Everything that is measured rather than simulated."""

from __future__ import annotations

from core.language.reporting import Tell, tell_nobody
from core.selfcheck.goals import CheckReport
from core.selfcheck.known_operations import operations_beside_loop
from core.selfcheck.loop_cost import check_loop
from core.selfcheck.raw_reads import file_to_read, reads_beside_fio, without_fio
from core.selfcheck.sampling_cost import check_watching
from core.selfcheck.truth import compare

_LOOP_SECONDS = 4.0  # for each kind of operation
_ROUNDS, _SECONDS = 3, 0.5
_WATCHING_SECONDS = 10.0


def check_truth(tell: Tell = tell_nobody) -> CheckReport:
    """What trials report against other programs, in some seconds for each pair and round."""
    dataset = file_to_read(tell)
    comparisons = [*reads_beside_fio(dataset), *operations_beside_loop(dataset)]
    rows = (*without_fio(), *compare(comparisons, _ROUNDS, _SECONDS, tell))
    return CheckReport(title="Throughput", rows=rows)


def check_speed(tell: Tell = tell_nobody) -> CheckReport:
    """The loop, what trials report, and the sampling against their goals."""
    return CheckReport(
        title="Speed",
        rows=(
            *check_loop(_LOOP_SECONDS, tell),
            *check_truth(tell).rows,
            check_watching(_WATCHING_SECONDS, tell),
        ),
    )
