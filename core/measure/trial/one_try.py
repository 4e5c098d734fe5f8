"""Tries an operation in a process of its own, outside of any trial."""

from __future__ import annotations

import secrets
from dataclasses import replace

from core.language import ReportProgress, SluiceError
from core.measure.trial.cancel import Cancel
from core.measure.trial.errand_process import HelperProcess, silence
from core.measure.trial.messages import HelperTask
from core.vocabulary import Failed, RunSpec


def tried(spec: RunSpec, cancel: Cancel, report: ReportProgress) -> str:
    """What it does, for a person to read; raises SluiceError where it does not come to an end."""
    task = HelperTask(
        what="try",
        workload=spec.workload,
        parameters=spec.parameters,
        dataset=spec.dataset,
        load=replace(spec.load, processes=1),
        mark=f"try-{secrets.token_hex(4)}",
    )
    runner = HelperProcess(task, cancel, stall=silence(spec), deadline=spec.load.deadline)
    for progress in runner.run():
        report(progress.detail, progress.done, progress.total, progress.unit)
    outcome = runner.outcome
    if isinstance(outcome, Failed) and not outcome.trace:  # in the workload's own words
        raise SluiceError(outcome.message)
    if runner.why:
        raise SluiceError(runner.why)
    return runner.done.text
