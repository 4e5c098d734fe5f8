"""The published curve of a study beside a line that was measured here."""

from __future__ import annotations

from core.plan.spec import RunSpec
from core.study.preset import Study

_THREADS = "threads"


def published_curve(study: Study, spec: RunSpec) -> tuple[tuple[int, float], ...]:
    """Threads and published operations/s of the cells that differ from a spec in threads alone.

    In rising order; empty where the study publishes no operations/s, or uses another unit than the
    measurement here.
    """
    same_unit = study.published_unit in ("", study.unit)
    if study.metric != "throughput" or not same_unit or spec.workload != study.workload:
        return ()
    varied = {name for cell in study.cells for name in cell.at} - {_THREADS}
    found: dict[int, float] = {}
    for cell in study.cells:
        values = study.base | cell.at
        wanted = {name: values[name] for name in varied if name in values}
        if cell.published and wanted.items() <= spec.values.items():
            found[int(values.get(_THREADS, 1))] = cell.published * study.scale
    return tuple(sorted(found.items()))
