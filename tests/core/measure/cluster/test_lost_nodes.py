"""Ways to lose nodes: each ends in an outcome with its cause, and leaves no process anywhere."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from dask_cluster import DaskProcesses, Far, once
from distributed import Client
from marking import arguments_of
from patience import PATIENCE, until

from core.measure import Connection
from core.measure.cluster.connection import Deadlines, Heard, PlacedAgent
from core.measure.cluster.node_messages import Message, NodeLine
from core.vocabulary import (
    Completed,
    Crashed,
    Dataset,
    Failed,
    PhaseChanged,
    Trial,
    TrialEvent,
)

SOON = Deadlines(silence=3.0, joining=PATIENCE)
ENDLESS = {"nodes": 2, "duration": 300, "operations": 0, "pace": 0.001}


def lost(trial: Trial) -> str:
    assert isinstance(trial.outcome, Failed), trial.outcome
    return f"{trial.outcome.error} while {trial.outcome.stage}: {trial.outcome.message}"


def gone(processes: list[psutil.Process]) -> bool:
    return not psutil.wait_procs(processes, PATIENCE)[1]


@pytest.mark.parametrize(
    ("stage", "wishes"),
    [
        ("preparing", {"act": "hang", "at": "open"}),
        ("measuring", {}),
        ("verifying", {"duration": 0.6, "act": "hang", "at": "check"}),
    ],
)
def test_that_a_killed_worker_is_named_and_the_others_end(
    dask: DaskProcesses, data: Dataset, stage: str, wishes: dict[str, object]
) -> None:
    dask.worker()
    name = dask.worker()
    started: list[psutil.Process] = []

    def kill() -> None:
        started.extend([*dask.children_of("worker 0"), *dask.children_of(name)])
        dask.signal(name, signal.SIGKILL)

    with Connection(dask.address, SOON) as connection:
        far = Far(connection, data)
        trial = far.run(far.spec(**(ENDLESS | wishes)), once(stage, kill))
    assert "NodeLost" in lost(trial)
    assert "it is gone: its Dask worker was killed" in lost(trial)
    assert len(trial.nodes) == 2
    if stage != "preparing":
        assert all(node.operations > 0 for node in trial.nodes)
        assert trial.operations == sum(node.operations for node in trial.nodes)
    assert started
    assert gone(started)


def test_that_a_lost_worker_is_waited_for_once_and_for_seconds(
    dask: DaskProcesses, data: Dataset
) -> None:
    dask.worker()
    name = dask.worker()
    limits = replace(SOON, rejoining=1.0)
    waiting: list[PhaseChanged] = []

    def heed(event: TrialEvent) -> None:
        if isinstance(event, PhaseChanged) and event.awaited:
            waiting.append(event)

    with Connection(dask.address, limits) as connection:
        far = Far(connection, data)
        assert connection.patience(2) == limits.joining
        kill = once("measuring", lambda: dask.signal(name, signal.SIGKILL))
        assert "it is gone" in lost(far.run(far.spec(**ENDLESS), kill))
        assert connection.patience(2) == limits.rejoining < Deadlines().rejoining <= 5
        assert "did not have 2 workers within 1" in lost(far.run(far.spec(nodes=2), heed))
        assert {(event.done, event.total) for event in waiting} == {(1, 2)}
        assert connection.patience(2) == 0
        assert connection.patience(1) == limits.rejoining
        assert "still has fewer than 2 workers" in lost(far.run(far.spec(nodes=2)))
        dask.worker()
        until(lambda: far.run(far.spec(nodes=2)).outcome == Completed())
        assert connection.patience(2) == limits.rejoining


def test_that_a_nanny_that_starts_its_worker_again_measures_nothing_twice(
    dask: DaskProcesses, data: Dataset
) -> None:
    dask.worker("--nanny")
    with Connection(dask.address, SOON) as connection:
        far = Far(connection, data)

        def kill() -> None:
            (worker,) = [
                one
                for one in dask.children_of("worker 0")
                if "spawn_main" in str(arguments_of(one))
            ]
            worker.kill()

        trial = far.run(far.spec(**(ENDLESS | {"nodes": 1})), once("measuring", kill))
        assert "NodeLost" in lost(trial)
        assert trial.operations > 0
        again = far.run(far.spec(nodes=1))
        assert again.operations == 200


def test_that_a_worker_that_dies_while_it_is_chosen_gets_no_part(
    dask: DaskProcesses, data: Dataset
) -> None:
    """The scheduler is asked for its workers before it can see that one of them is gone."""
    names = [dask.worker(), dask.worker()]

    def lose(name: str) -> None:
        dask.signal(name, signal.SIGKILL)
        dask.processes[name].wait(PATIENCE)
        dask.signal("scheduler", signal.SIGCONT)

    with Connection(dask.address, SOON) as connection:
        far = Far(connection, data)
        assert far.run(far.spec(nodes=2)).outcome == Completed()
        dask.signal("scheduler", signal.SIGSTOP)
        loss = threading.Timer(0.3, lose, (min(names, key=dask.address_of),))
        loss.start()
        trial = far.run(far.spec(nodes=1))
        loss.join()
    assert trial.outcome == Completed()


def test_that_a_stopped_worker_is_lost_and_ends_its_children_once_it_goes_on(
    dask: DaskProcesses, data: Dataset
) -> None:
    dask.worker()
    name = dask.worker()
    children: list[psutil.Process] = []

    def stop() -> None:
        children.extend(dask.children_of(name))
        dask.signal(name, signal.SIGSTOP)

    with Connection(dask.address, SOON) as connection:
        far = Far(connection, data)
        trial = far.run(far.spec(**ENDLESS), once("measuring", stop))
    assert "was not heard of for 3.0 s" in lost(trial) or "was not heard of for 3" in lost(trial)
    dask.signal(name, signal.SIGCONT)
    assert children
    assert gone(children)


def test_that_the_end_of_the_scheduler_ends_the_trial_with_what_was_measured(
    dask: DaskProcesses, data: Dataset
) -> None:
    dask.worker()
    dask.worker()
    children: list[psutil.Process] = []

    def kill() -> None:
        children.extend([*dask.children_of("worker 0"), *dask.children_of("worker 1")])
        dask.signal("scheduler", signal.SIGKILL)

    with Connection(dask.address, SOON) as connection:
        far = Far(connection, data)
        trial = far.run(far.spec(**ENDLESS), once("measuring", kill))
    assert "scheduler" in lost(trial) or "its Dask worker is clos" in lost(trial)
    assert trial.operations > 0
    assert gone(children)


def test_that_too_few_workers_are_an_outcome(dask: DaskProcesses, data: Dataset) -> None:
    dask.worker()
    with Connection(dask.address, Deadlines(joining=2.0)) as connection:
        far = Far(connection, data)
        told = lost(far.run(far.spec(nodes=3)))
    assert "did not have 3 workers within 2" in told
    assert "start more, or ask for fewer nodes" in told


def test_that_a_busy_worker_is_not_waited_for_for_ever(dask: DaskProcesses, data: Dataset) -> None:
    from distributed import Client

    dask.worker()
    joining = 3.0
    with Client(dask.address, set_as_default=False) as other:
        busy = other.submit(time.sleep, 3600)
        while True:  # that there is a worker must be heard before, however busy the machine is
            with Connection(dask.address, Deadlines(joining=joining)) as connection:
                far = Far(connection, data)
                told = lost(far.run(far.spec(nodes=1)))
            if "did not have a worker" not in told or joining > PATIENCE:
                break
            joining *= 4
        busy.cancel()
    assert "it did not come within " in told


def test_that_what_comes_late_of_an_earlier_trial_s_nodes_is_no_loss_of_this_one_s(
    on_pair: Far, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = on_pair.connection
    answer, enlist = connection._answer, connection.enlist
    late: list[NodeLine] = []

    def hold_back(line: NodeLine, message: Message | None) -> None:
        if message is None:
            late.append(line)
        else:
            answer(line, message)

    def enlist_and_let_go(nodes: int, hear: Heard) -> Future[list[PlacedAgent]]:
        placing = enlist(nodes, hear)
        for line in late:
            answer(line, None)
        return placing

    monkeypatch.setattr(connection, "_answer", hold_back)
    first = on_pair.run(on_pair.spec(nodes=2))
    until(lambda: len(late) == 2)
    monkeypatch.setattr(connection, "_answer", answer)
    monkeypatch.setattr(connection, "enlist", enlist_and_let_go)
    then = [on_pair.run(on_pair.spec(nodes=nodes)) for nodes in (1, 2)]
    assert [trial.outcome for trial in (first, *then)] == [Completed()] * 3


def test_that_a_child_that_crashes_is_named_with_its_node(on_pair: Far) -> None:
    trial = on_pair.run(on_pair.spec(**(ENDLESS | {"act": "segfault", "process": 1, "first": 99})))
    assert isinstance(trial.outcome, Crashed)
    assert trial.outcome.signal == "SIGSEGV"
    assert "node 2 of 2 (tcp://127.0.0.1:" in trial.outcome.item
    assert trial.nodes[0].operations > 0


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP], ids=["killed", "stopped"])
def test_that_nothing_goes_on_once_the_coordinator_is_gone(
    pair: DaskProcesses, tmp_path: Path, number: signal.Signals
) -> None:
    words = ["measure", "raw", "--nodes=2", "--duration=300", "--json", "--cluster", pair.address]
    with (tmp_path / "output.txt").open("wb") as output:
        run = subprocess.Popen(
            [sys.executable, "-m", "core", *words, f"--session={tmp_path / 'a.sluice'}"],
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    names = ("worker 0", "worker 1")
    until(lambda: b"moment-taken" in (tmp_path / "output.txt").read_bytes())
    children = [child for name in names for child in pair.children_of(name)]
    assert len(children) >= 2
    run.send_signal(number)
    try:
        assert gone(children)
    finally:
        run.kill()
        run.wait(PATIENCE)


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
        running, trial = far.run_with_nodes(spec, once("measuring", shrink))
    (left,) = [node for node in running.nodes if node.placed.address == dask.address_of(name)]
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
