"""Whether a request and a dataset fit together, told before anything is started."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from core.analysis.advice import THREADS
from core.catalog import registry
from core.catalog.load import Load
from core.catalog.parameters import build, declared
from core.errors import InvalidParameter, SluiceError, UsageError
from core.language.translation import tr
from core.plan.schedule import Plan
from core.plan.specify import admit, draft, possible
from core.plan.sweep import Sweep

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.catalog.dataset import Dataset
    from core.catalog.parameters import Value
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


_MOST_JUDGED = 500
"""Combinations that are judged while a user fills in a form."""


def require_possible(request: Request, dataset: Dataset) -> None:
    """Raise SluiceError, with the reason, if nothing of a request can be measured on that data.

    Reads nothing but its arguments, and costs less than `task_of`, which has the last word.
    """
    if request.study:
        return
    check_nodes(_most_nodes(request), request.cluster)
    require_threads(request, dataset)
    # The load is admitted with everything.
    of_load = {kind.name for kind in declared(Load)}
    axes = tuple(axis for axis in request.axes if axis.name not in of_load)
    base = draft(request.workload, dataset, request.fixed)
    if not axes:
        admit(base)
    elif prod(len(axis.values) for axis in axes) <= _MOST_JUDGED:
        possible(Sweep(base=base, axes=axes, asked=request.fixed))


def require_threads(request: Request, dataset: Dataset) -> None:
    """Raise InvalidParameter where threads are varied of what has no place for their number."""
    varied = {axis.name for axis in request.axes if len(axis.values) > 1}
    if request.tune and not request.axes:
        varied.add(THREADS)
    if request.study or THREADS not in varied:
        return
    workload = registry.load_workload(request.workload)
    if varied.isdisjoint(kind.name for kind in declared(workload.parameters)):
        base = draft(request.workload, dataset, request.fixed)
        workload.admit_threads(build(workload.parameters, base.parameters))


def values_that_fit(request: Request, dataset: Dataset) -> Mapping[str, Value]:
    """What to choose in place of what cannot be measured on that data, such as a reader.

    Empty where nothing is to be changed, or nothing is known that would help.
    """
    try:
        require_possible(request, dataset)
    except InvalidParameter as refusal:
        if refusal.name not in request.varied:
            return {
                kind.name: kind.default_for(dataset.kind)
                for kind in declared(registry.load_workload(request.workload).parameters)
                if kind.by_dataset and kind.name == refusal.name
            }
    except SluiceError:
        pass  # that is said where Start waits
    return {}


def _most_nodes(request: Request) -> int:
    """Of any trial that is asked for."""
    varied = [value for axis in request.axes if axis.name == "nodes" for value in axis.values]
    return max(int(value) for value in (varied or [request.values.get("nodes", 1)]))
