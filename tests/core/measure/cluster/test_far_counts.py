"""What is measured on several nodes is what each of them measured, put together."""

from __future__ import annotations

import pytest
from dask_cluster import Far

from core.measure import Cancel
from core.vocabulary import Completed, MomentTaken, Reading, Trial, TrialEvent, merged
from core.vocabulary.histogram import from_bytes


def test_that_merged_counts_are_the_sum_of_the_nodes(on_pair: Far) -> None:
    far, trial = on_pair.run_with_nodes(
        on_pair.spec(nodes=2, threads=2, processes=2, operations=4000)
    )
    assert trial.outcome == Completed()
    nodes = [node.ended.trial for node in far.nodes if node.ended]
    assert trial.operations == sum(node.operations for node in nodes) == 4000
    assert len(trial.workers) == sum(len(node.workers) for node in nodes) == 8
    assert {worker.process for worker in trial.workers} == {0, 1, 2, 3}
    for name in ("items", "bytes", "timed", "process_cpu", "cpu", "unverified"):
        both = [[getattr(worker, name) for worker in node.workers] for node in nodes]
        assert [getattr(worker, name) for worker in trial.workers] == both[0] + both[1]
    assert [node.operations for node in trial.nodes] == [node.operations for node in nodes]
    assert trial.counters["asked"] == sum(node.counters["asked"] for node in nodes)


def test_that_merged_latencies_are_those_of_the_nodes_bit_by_bit(on_pair: Far) -> None:
    far, trial = on_pair.run_with_nodes(
        on_pair.spec(nodes=2, threads=3, duration=1.2, operations=0)
    )
    nodes = [from_bytes(node.ended.trial.histogram) for node in far.nodes if node.ended]
    both = merged(nodes)
    found = from_bytes(trial.histogram)
    assert list(found.buckets) == list(both.buckets)
    assert list(found.counts) == list(both.counts)
    assert found.total > 0


@pytest.mark.parametrize("share", ["queue", "split"])
def test_that_every_item_is_done_by_one_node(on_pair: Far, share: str) -> None:
    spec = on_pair.spec(nodes=2, threads=2, operations=999, share=share, answer="wrong")
    _, trial = on_pair.run_with_nodes(spec)
    assert trial.operations == 999
    assert trial.wrong == 998  # the number 0 reads the same from both ends
    assert abs(trial.nodes[0].operations - trial.nodes[1].operations) <= 1


def test_that_nodes_start_together_on_clocks_that_are_known(on_pair: Far) -> None:
    trial = on_pair.run(on_pair.spec(nodes=2, operations=400))
    for node in trial.nodes:
        assert node.uncertainty > 0
        assert abs(node.ahead) <= node.uncertainty  # both are on this machine, which has one clock
        assert node.late is not None
        assert node.late >= -node.uncertainty
    assert len({node.machine for node in trial.nodes}) == 1


@pytest.mark.parametrize("load", [{"duration": 1e-4, "operations": 0}, {"operations": 2}])
def test_that_a_trial_too_short_for_its_clocks_keeps_what_it_measured(
    on_pair: Far, load: dict[str, float]
) -> None:
    trial = on_pair.run(on_pair.spec(nodes=2, **load))
    assert trial.outcome == Completed()
    assert trial.throughput


def test_that_nodes_are_seen_twice_a_second_while_they_measure(on_pair: Far) -> None:
    moments: list[MomentTaken] = []

    def keep(event: TrialEvent) -> None:
        if isinstance(event, MomentTaken):
            moments.append(event)

    trial = on_pair.run(on_pair.spec(nodes=2, duration=1.8, operations=0, pace=0.001), keep)
    assert [one.moment.at for one in moments] == [0.5 * n for n in range(1, len(moments) + 1)]
    assert len(moments) >= 3
    sums = [sum(one.moment.operations) for one in moments]
    assert sums == sorted(sums)
    assert sums[-1] <= trial.operations
    assert isinstance(moments[-1].moment.reading, Reading)
    assert moments[-1].moment.reading.processes >= 2


def test_that_what_a_node_got_wrong_counts(on_pair: Far) -> None:
    trial = on_pair.run(on_pair.spec(nodes=2, operations=300, answer="wrong", first=5, last=5))
    assert trial.outcome == Completed()
    assert trial.wrong == 2
    assert trial.throughput is None
    assert [complaint.count for complaint in trial.complaints] == [2]


def test_that_cancelling_ends_all_nodes_and_keeps_what_was_measured(on_pair: Far) -> None:
    cancel = Cancel()

    def ask(event: TrialEvent) -> None:
        if isinstance(event, MomentTaken):
            cancel.request()

    trial: Trial = on_pair.run(
        on_pair.spec(nodes=2, duration=300, operations=0, pace=0.001), ask, cancel
    )
    assert type(trial.outcome).__name__ == "Cancelled"
    assert trial.operations > 0
    assert len(trial.nodes) == 2
