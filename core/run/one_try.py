"""One operation outside of any measurement, so that a person sees what it does."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.language import UsageError, several_lines, tr
from core.measure import tried
from core.vocabulary import specify

if TYPE_CHECKING:
    from core.language import ReportProgress
    from core.measure import Cancel
    from core.run.request import Request
    from core.vocabulary import Dataset


def try_once(request: Request, dataset: Dataset, cancel: Cancel, report: ReportProgress) -> str:
    """What it does with the first value of each axis; raises SluiceError."""
    if not request.can_be_tried:
        raise UsageError(
            tr("only a command can be tried once"), tr("measure it, with --repeats 1 if it is long")
        )
    first = {axis.name: axis.values[0] for axis in request.axes}
    spec = specify(request.workload, dataset, {**request.values, **first})
    return several_lines(tried(spec, cancel, report))
