"""The far side of a helper process: what a workload does there outside trials."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

from core.catalog import registry
from core.catalog.declarations import build
from core.catalog.load import Load
from core.catalog.workload_job import Context, Remains
from core.errors import SluiceError
from core.host.descriptors import shortage
from core.host.folders import index_folder
from core.language.reporting import ReportProgress
from core.language.sanitise import ending, remembered, said
from core.trial.messages import Broke, Finished, FromChild, HelperDone, HelperTask, PhaseProgress
from core.trial.operation_timer import Complaints

_LONGEST_TRACE = 8000  # characters of its end


def broken(stage: str, error: BaseException, lacking: str, item: str = "") -> Broke:
    """What to say of an error that is being handled.

    `lacking`: what it came for want of; `item`: what it came with.  Errors of ours need neither
    a trace nor that.
    """
    words, ours = said(error), isinstance(error, SluiceError)
    return Broke(
        stage=stage,
        error=type(error).__name__,
        message=f"{words} ({lacking})" if words and lacking else words or lacking,
        trace="" if ours else ending(traceback.format_exc(), _LONGEST_TRACE, remembered()),
        item="" if ours else item,
    )


def do_task(task: HelperTask, send: Callable[[FromChild], None]) -> None:
    """Do it, and send progress and how it ended, whatever the workload raises."""
    send(PhaseProgress(task.stage))
    try:
        send(_do(task, send))
    except BaseException as error:  # noqa: BLE001 -- the workload's code may raise anything; this is where it ends
        send(broken(task.stage, error, shortage(error)))
    else:
        send(Finished())


def _do(task: HelperTask, send: Callable[[FromChild], None]) -> HelperDone:
    def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        send(PhaseProgress(task.stage, doing, done, total, unit))

    if task.what == "adopt":
        kind = registry.dataset_kind(task.kind)
        assert kind.adoption is not None
        kind.adopt(build(kind.adoption, task.parameters), Path(task.folder), report)
        return HelperDone(0)
    return _do_for_trials(task, report)


def _do_for_trials(task: HelperTask, report: ReportProgress) -> HelperDone:
    workload = registry.load_workload(task.workload)
    parameters = build(workload.parameters, task.parameters)
    for driver in workload.drivers(parameters):
        driver.require()
    if task.what == "clean-up":
        return HelperDone(workload.remove_leftovers(task.mark, parameters, report))
    assert task.dataset is not None
    if task.what == "audit":
        return _as_done(workload.remains(task.mark, task.dataset, parameters, report))
    if task.what == "refer":
        context = Context(
            dataset=task.dataset,
            parameters=parameters,
            load=task.load or Load(),
            process=0,
            run_id=task.run_id,
            mark=task.mark,
            cache=index_folder(task.dataset.fingerprint),
            report=report,
        )
        workload.open(context).close()
    else:
        workload.place(task.dataset, parameters, report)
    return HelperDone(0)


def _as_done(remains: Remains | None) -> HelperDone:
    if remains is None:
        return HelperDone(0)
    complaints = Complaints()
    for fault in remains.faults:
        complaints.add_fault(fault)
    counters = {name: float(count) for name, count in remains.counters.items()}
    return HelperDone(remains.verified, tuple(complaints.found.values()), counters)
