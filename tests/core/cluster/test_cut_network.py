"""A node whose cable is pulled: nothing of it closes, it only is not heard of any more."""

from __future__ import annotations

import time

import psutil
from contained_trial import ContainedTrial
from containers import Containers
from patience import PATIENCE

from core.result.outcome import Failed


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
