"""Clusters lose workers by intention, too: that ends a trial that needs them, and no other."""

from __future__ import annotations

import signal
from collections.abc import Callable

import psutil
import pytest
from dask_processes import DaskProcesses
from distributed import Client
from far_running import Far, once
from patience import PATIENCE
from waiting import until

from core.catalog.dataset import Dataset
from core.cluster.connection import Connection, Deadlines
from core.result.outcome import Completed, Failed

SOON = Deadlines(silence=3.0, joining=PATIENCE)


def retire(dask: DaskProcesses, name: str) -> None:
    """As a scheduler does that makes its cluster smaller."""
    with Client(dask.address, set_as_default=False) as client:
        client.retire_workers(names=[name])


def close(dask: DaskProcesses, name: str) -> None:
    """As a batch system does at the end of a worker's time."""
    dask.signal(name, signal.SIGTERM)


def keep_from_work(dask: DaskProcesses, name: str) -> None:
    """Leave a worker that takes no tasks any more, as one is while it is being retired."""
    with Client(dask.address, set_as_default=False) as client:
        client.retire_workers(names=[name], close_workers=False, remove=False)


@pytest.mark.parametrize("leave", [retire, close])
def test_that_a_worker_that_leaves_while_it_measures_is_named(
    dask: DaskProcesses, data: Dataset, leave: Callable[[DaskProcesses, str], None]
) -> None:
    dask.worker()
    name = dask.worker()
    begun: list[psutil.Process] = []

    def shrink() -> None:
        begun.extend([*dask.children_of("worker 0"), *dask.children_of(name)])
        leave(dask, name)

    with Connection(dask.address, SOON) as connection:
        far = Far(connection, data)
        spec = far.spec(nodes=2, duration=300, operations=0, pace=0.001)
        flown, trial = far.fly(spec, once("measuring", shrink))
    (left,) = [node for node in flown.nodes if node.placed.address == dask.address_of(name)]
    assert isinstance(trial.outcome, Failed)
    assert trial.outcome.error == "NodeLost"
    assert trial.outcome.message.startswith(f"{left.name(2)}: its Dask worker is clos")
    assert all(node.operations > 0 for node in trial.nodes)
    assert len(begun) >= 2
    assert not psutil.wait_procs(begun, PATIENCE)[1]


@pytest.mark.parametrize("leave", [retire, close, keep_from_work])
def test_that_a_worker_that_leaves_between_two_trials_is_not_missed(
    dask: DaskProcesses, data: Dataset, leave: Callable[[DaskProcesses, str], None]
) -> None:
    names = [dask.worker() for _ in range(3)]
    with Connection(dask.address, SOON) as connection:
        far = Far(connection, data)
        before = far.run(far.spec(nodes=3))
        leaving = next(name for name in names if dask.address_of(name) == before.nodes[0].address)
        leave(dask, leaving)
        if leave is not keep_from_work:
            until(lambda: dask.processes[leaving].poll() is not None)
        trial = far.run(far.spec(nodes=2))
    assert before.outcome == trial.outcome == Completed()
    assert trial.operations == sum(node.operations for node in trial.nodes) == 200
    assert before.nodes[0].address not in {node.address for node in trial.nodes}
