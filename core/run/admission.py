"""The choices for a request, and whether they can be carried out, before anything starts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.judge import limit_terms
from core.language import UsageError, report_to_nobody, tr
from core.measure import sample_dataset, sample_room
from core.vocabulary import (
    THREADS,
    Load,
    Plan,
    Prices,
    declared,
    irrelevant_with,
    load_kinds,
    own_kinds,
    registry,
    text,
    written_in,
)

if TYPE_CHECKING:
    from core.language import ReportProgress
    from core.vocabulary import Dataset, Kind, ServerUse, Value, Workload

CLUSTER = "SLUICE_CLUSTER"
"""Name of the environment variable in place of the flag."""
CLUSTER_FLAG = "--cluster"
CLUSTER_HELP = (
    "Dask cluster whose nodes measure: tcp://HOST:PORT or tls://HOST:PORT of its scheduler, or "
    "local:N for up to N workers on this machine; empty = without one."
)
STUDY_ADJUSTABLE = ("duration", "warm_up", "page_cache", "seed", "operations")
"""Parameters of a published study that can change without making it a different study."""
COUNTED = (THREADS, "processes")
"""Parameters of which any number in a range may be the best."""
_FIRST = ("threads", "processes")


@dataclass(frozen=True, kw_only=True)
class ClusterChoice:
    """The place where trials run, as a form asks for it."""

    cluster: str = text("", help=CLUSTER_HELP)


def cluster_of(command: Sequence[str]) -> str:
    """The cluster that a run's command names, or else the environment; empty = none."""
    arguments = list(command)
    for index, argument in enumerate(arguments):
        if argument == CLUSTER_FLAG:
            return arguments[index + 1] if index + 1 < len(arguments) else ""
        if argument.startswith(f"{CLUSTER_FLAG}="):
            return argument.partition("=")[2]
    return os.environ.get(CLUSTER, "")


def check_cluster(plan: Plan, cluster: str) -> None:
    """Raise what `check_nodes` raises, for the most nodes of any trial."""
    check_nodes(max((spec.load.nodes for spec in plan.specs), default=1), cluster)


def check_nodes(nodes: int, cluster: str) -> None:
    """Raise UsageError for nodes without a cluster or a wrong address, Unavailable without Dask."""
    if cluster:
        from core.measure import DASK, check_address

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


@dataclass(frozen=True)
class FormParameters:
    """The parameters of a workload, or of a study, that a user can choose.

    All methods raise UnknownName and Unavailable if there is no such workload.
    """

    workload: str
    study: str = ""

    @property
    def declaration(self) -> Workload[Any]:
        return registry.load_workload(self.workload)

    def of_trial(self) -> tuple[Kind, ...]:
        """The parameters of load and workload, in the order in which people look for them.

        For a study, only parameters that can change without making it a different study.  The text
        that can hold values of other parameters is left out: these have rows of their own.
        """
        if self.study:
            return tuple(kind for kind in declared(Load) if kind.name in STUDY_ADJUSTABLE)
        workload = self.declaration
        text = written_in(workload.parameters)
        load = load_kinds(workload.usual_load())
        return (
            *(kind for kind in load if kind.name in _FIRST),
            *(kind for kind in declared(workload.parameters) if kind.name != text),
            *(kind for kind in load if kind.name not in _FIRST),
        )

    def important(self) -> tuple[str, ...]:
        """Names of the few parameters that are tried first."""
        return self.declaration.important

    def names_of_workload(self) -> frozenset[str]:
        """The parameters that the workload declares itself."""
        return frozenset(kind.name for kind in declared(self.declaration.parameters))

    def brought_by(self, values: Mapping[str, Value]) -> tuple[Kind, ...]:
        """The parameters that these values bring with them, without those named like the load's.

        For example the placeholders of a command.
        """
        load = {kind.name for kind in declared(Load)}
        own = own_kinds(self.declaration.parameters, values)
        return tuple(kind for kind in own if kind.name not in load)

    def irrelevant_with(self, values: Mapping[str, Value]) -> frozenset[str]:
        """Names of the load's parameters that mean nothing together with these values."""
        return irrelevant_with(self.declaration, values)

    def servers(self) -> tuple[ServerUse, ...]:
        return registry.servers_of(self.workload)

    @staticmethod
    def of_cluster() -> tuple[Kind, ...]:
        return declared(ClusterChoice)

    def of_terms(self) -> tuple[Kind, ...]:
        """The limits for the advice of a sweep, and the prices that matter to the workload."""
        if self.study:
            return ()
        return (*limit_terms(search=False), *Prices.meant_for(self.workload))


@dataclass(frozen=True)
class SampleData:
    """A dataset generated in the cache; for a study with everything that its cells name."""

    workload: str
    study: str = ""
    full: bool = False
    """Whether it is as large as in the publication."""

    def make(self, report: ReportProgress = report_to_nobody) -> Dataset:
        """The dataset; raises UnknownName, UsageError, DatasetError."""
        if not self.study:
            return sample_dataset(self.workload, report)
        from core.judge import load_study

        study = load_study(self.study)
        shape = study.full if self.full else study.sample
        return sample_dataset(study.workload, report, shape, study.data)

    def room(self) -> int:
        """About how many bytes it takes on disk; raises UnknownName, UsageError."""
        if not self.study:
            return sample_room(self.workload)
        from core.judge import load_study

        study = load_study(self.study)
        return sample_room(study.workload, study.full if self.full else study.sample, study.data)
