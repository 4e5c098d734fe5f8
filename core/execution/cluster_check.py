"""Whether there is a cluster for the nodes that are asked for."""

from __future__ import annotations

from core.errors import UsageError
from core.language.translation import tr
from core.plan.schedule import Plan


def check_cluster(plan: Plan, cluster: str) -> None:
    """Raise what `check_nodes` raises, for the most nodes of any trial."""
    check_nodes(max((spec.load.nodes for spec in plan.specs), default=1), cluster)


def check_nodes(nodes: int, cluster: str) -> None:
    """Raise UsageError for nodes without a cluster or what is none, Unavailable without Dask."""
    if cluster:
        from core.cluster.connection import DASK, check_address

        check_address(cluster, nodes)
        DASK.require()
    elif nodes > 1:
        raise UsageError(
            tr("{count} nodes need a cluster", count=nodes),
            tr(
                "add --cluster tcp://HOST:PORT of a Dask scheduler, or --cluster local:{count}",
                count=nodes,
            ),
        )
