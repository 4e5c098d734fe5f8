"""Nodes that share nothing but a network and the data are put together as others are."""

from __future__ import annotations

import time
from pathlib import Path

import psutil
import pytest
from containers import SHARED, Containers
from coordinator_inside import ContainedTrial
from patience import PATIENCE

from core.vocabulary import Completed, Failed, merged
from core.vocabulary.histogram import from_bytes


@pytest.mark.parametrize("count", [1, 2, 4])
def test_that_nodes_in_containers_measure_what_each_of_them_did(
    containers: Containers, count: int
) -> None:
    for _ in range(count):
        containers.node()
    report = ContainedTrial(containers, threads=2, duration=1.2, operations=0, pace=0.001).report()
    trial, ended = report.trial, report.ended
    assert trial.outcome == Completed()
    assert len(ended) == len(trial.nodes) == count
    assert trial.operations == sum(one.operations for one in ended) > 0
    assert [node.operations for node in trial.nodes] == [one.operations for one in ended]
    for name in ("items", "bytes", "timed", "process_cpu", "cpu", "unverified"):
        each = [getattr(worker, name) for one in ended for worker in one.workers]
        assert [getattr(worker, name) for worker in trial.workers] == each
    found = from_bytes(trial.histogram)
    whole = merged([from_bytes(one.histogram) for one in ended])
    assert 0 < found.total <= trial.operations  # without those of run-ins
    assert list(found.buckets) == list(whole.buckets)
    assert list(found.counts) == list(whole.counts)
    assert all(node.uncertainty > 0 for node in trial.nodes)
    (told,) = [one for one in report.sentences if one.startswith("Measured on")]
    assert f"Measured on nodes: up to {count}, machines: 1. They started within" in told
    assert "of each other, on clocks known to ± " in told
    print(told)
    assert (report.skew > 0) == (count > 1)
    assert {node.host for node in trial.nodes} == {node.name for node in containers.nodes}


def test_that_nodes_in_containers_share_nothing_but_data(containers: Containers) -> None:
    for _ in range(2):
        containers.node()
    report = ContainedTrial(containers).report()
    assert report.trial.outcome == Completed()
    names = {node.name for node in containers.nodes}
    assert {one.host for one in report.surroundings} == names
    assert {one.home for one in report.surroundings} == {str(SHARED / name) for name in names}
    assert {one.folder for one in report.surroundings} == {str(SHARED / name) for name in names}
    assert len({node.address.rpartition(":")[0] for node in report.trial.nodes}) == 2
    for one in report.surroundings:
        assert not any("pytest" in name for name in one.temporary)
        assert min(one.processes) == 1
        assert len(one.processes) < 10


def test_that_no_container_is_left_after_a_failure(containers: Containers) -> None:
    folder = containers.folder / "failing"
    folder.mkdir()
    inside: list[psutil.Process] = []

    def fail() -> None:
        with Containers(folder) as failing:
            inside.extend([*failing.network.processes(), *failing.node().processes()])
            assert failing.address == "elsewhere"

    with pytest.raises(AssertionError, match="elsewhere"):
        fail()
    assert len(inside) >= 3  # the worker may not have come so far
    assert not any(one.is_running() for one in inside)
    assert not Path("/sys/class/net/bridge0").exists()


def test_that_a_node_that_is_cut_off_is_named_and_nothing_goes_on_in_any(
    containers: Containers,
) -> None:
    near, cut = containers.node(), containers.node()
    coordinator = ContainedTrial(containers, silence=3.0, duration=300, operations=0, pace=0.001)
    coordinator.measures()
    begun = {node.name: node.begun() for node in (near, cut)}
    assert all(begun.values())
    containers.cut(cut)
    began = time.monotonic()
    assert not psutil.wait_procs([*begun[near.name], *begun[cut.name]], PATIENCE)[1]
    print(f"All children on both nodes had ended after {time.monotonic() - began:.1f} s.")
    trial = coordinator.report().trial
    assert near.begun() == cut.begun() == []
    assert isinstance(trial.outcome, Failed)
    assert trial.outcome.error == "NodeLost"
    assert trial.outcome.stage == "measuring"
    assert trial.outcome.message.startswith("node 2 of 2 (tcp://10.77.0.3:")
    assert " on node-2): " in trial.outcome.message
    assert "was not heard of for 3" in trial.outcome.message
    assert [node.host for node in trial.nodes] == ["node-1", "node-2"]
    assert all(node.operations > 0 for node in trial.nodes)
    assert trial.operations == sum(node.operations for node in trial.nodes)
    assert "was not heard of for 3" in trial.nodes[1].ended
