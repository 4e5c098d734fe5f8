"""Whether a request and a dataset fit together, told before anything is started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.analysis.advice import THREADS
from core.catalog import registry
from core.catalog.parameters import build, declared
from core.errors import UsageError
from core.language.translation import tr
from core.plan.schedule import Plan
from core.plan.specify import draft

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.execution.request import Request


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


def require_threads(request: Request, dataset: Dataset) -> None:
    """Raise InvalidParameter where threads are varied of what has no place for their number."""
    varied = {axis.name for axis in request.axes if len(axis.values) > 1}
    if request.study or THREADS not in varied:
        return
    workload = registry.load_workload(request.workload)
    if varied.isdisjoint(kind.name for kind in declared(workload.parameters)):
        base = draft(request.workload, dataset, request.fixed)
        workload.admit_threads(build(workload.parameters, base.parameters))
