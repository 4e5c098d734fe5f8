"""The far side of an errand: what a workload does in its child process outside trials."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from core.catalog import registry
from core.catalog.dataset import Dataset
from core.catalog.load import Load
from core.catalog.parameters import build
from core.catalog.workload import Context, Remains
from core.errors import SluiceError
from core.host.descriptors import shortage
from core.host.folders import index_folder
from core.language.sanitise import ending, remembered, said
from core.language.telling import Tell
from core.trial.messages import Broke, Done, Errand, Finished, FromChild, PhaseProgress
from core.trial.performer import Complaints

_LONGEST_TRACE = 8000


def last_of_trace() -> str:
    """The end of the trace of the error that is being handled, without secrets."""
    return ending(traceback.format_exc(), _LONGEST_TRACE, remembered())


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
        trace="" if ours else last_of_trace(),
        item="" if ours else item,
    )


def do_errand(errand: Errand, send: Callable[[FromChild], None]) -> None:
    """Do it, and send progress and how it ended, whatever the workload raises."""
    send(PhaseProgress(errand.stage))
    try:
        send(_do(errand, send))
    except BaseException as error:  # noqa: BLE001 -- the workload's code may raise anything; this is where it ends
        send(broken(errand.stage, error, shortage(error)))
    else:
        send(Finished())


def _do(errand: Errand, send: Callable[[FromChild], None]) -> Done:
    def tell(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        send(PhaseProgress(errand.stage, doing, done, total, unit))

    if errand.what == "adopt":
        kind = registry.dataset_kind(errand.kind)
        assert kind.adoption is not None
        kind.adopt(build(kind.adoption, errand.parameters), Path(errand.folder), tell)
        return Done(0)
    return _do_for_trials(errand, tell)


def _do_for_trials(errand: Errand, tell: Tell) -> Done:
    workload = registry.load_workload(errand.workload)
    parameters = build(workload.parameters, errand.parameters)
    for driver in workload.drivers(parameters):
        driver.require()
    if errand.what == "sweep":
        return Done(workload.sweep(errand.mark, parameters, tell))
    assert errand.dataset is not None
    if errand.what == "audit":
        return _told(workload.remains(errand.mark, errand.dataset, parameters, tell))
    if errand.what == "refer":
        workload.open(_context(errand, errand.dataset, parameters, tell)).close()
    else:
        workload.place(errand.dataset, parameters, tell)
    return Done(0)


def _context(errand: Errand, dataset: Dataset, parameters: Any, tell: Tell) -> Context[Any]:
    return Context(
        dataset=dataset,
        parameters=parameters,
        load=errand.load or Load(),
        process=0,
        run_id=errand.run_id,
        mark=errand.mark,
        cache=index_folder(dataset.fingerprint),
        tell=tell,
    )


def _told(found: Remains | None) -> Done:
    if found is None:
        return Done(0)
    complaints = Complaints()
    for fault in found.faults:
        complaints.add(wrong_data=fault.wrong_data, text=fault.text, item=fault.item)
    counters = {name: float(count) for name, count in found.counters.items()}
    return Done(found.verified, tuple(complaints.found.values()), counters)
