"""The far side of an errand: what a workload does in its child process outside trials."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path

from core.catalog import registry
from core.catalog.dataset import Tell
from core.catalog.parameters import build
from core.errors import SluiceError
from core.language.sanitise import ending, remembered, said
from core.trial.messages import Broke, Doing, Done, Errand, Finished, FromChild

_LONGEST_TRACE = 8000


def last_of_trace() -> str:
    """The end of the trace of the error that is being handled, without secrets."""
    return ending(traceback.format_exc(), _LONGEST_TRACE, remembered())


def do_errand(errand: Errand, send: Callable[[FromChild], None]) -> None:
    """Do it, and send progress and how it ended, whatever the workload raises."""
    send(Doing(errand.stage))
    try:
        send(Done(_do(errand, send)))
    except BaseException as error:  # noqa: BLE001 -- the workload's code may raise anything; this is where it ends
        trace = "" if isinstance(error, SluiceError) else last_of_trace()
        send(
            Broke(stage=errand.stage, error=type(error).__name__, message=said(error), trace=trace)
        )
    else:
        send(Finished())


def _do(errand: Errand, send: Callable[[FromChild], None]) -> int:
    def tell(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
        send(Doing(errand.stage, doing, done, total, unit))

    if errand.what == "adopt":
        kind = registry.dataset_kind(errand.kind)
        assert kind.adoption is not None
        kind.adopt(build(kind.adoption, errand.parameters), Path(errand.folder), tell)
        return 0
    return _do_for_trials(errand, tell)


def _do_for_trials(errand: Errand, tell: Tell) -> int:
    workload = registry.load_workload(errand.workload)
    parameters = build(workload.parameters, errand.parameters)
    for driver in workload.drivers(parameters):
        driver.require()
    if errand.what == "sweep":
        return workload.sweep(errand.mark, parameters, tell)
    assert errand.dataset is not None
    workload.place(errand.dataset, parameters, tell)
    return 0
