"""The parameters that a form asks for: those of the load, the workload, the cluster, the limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.analysis.limit_check import limit_terms
from core.catalog.load import Load, load_kinds
from core.catalog.parameters import declared, own_kinds, written_in
from core.catalog.registry import load_workload, servers_of
from core.execution.cluster_words import Where
from core.execution.request import STUDY_ADJUSTABLE
from core.plan.specify import moot_with

if TYPE_CHECKING:
    from core.catalog.parameters import Kind, Value
    from core.catalog.server_use import ServerUse

_FIRST = ("threads", "processes")


@dataclass(frozen=True)
class FormParameters:
    """What there is to choose for a workload, or for a study.

    All raise UnknownName and Unavailable where there is no such workload.
    """

    workload: str
    study: str = ""

    def of_trial(self) -> tuple[Kind, ...]:
        """The parameters of load and workload, in the order in which people look for them.

        Of a study those that can change without making it a different study.  The text in which
        values of other parameters can be written is left out: these have rows of their own.
        """
        if self.study:
            return tuple(kind for kind in declared(Load) if kind.name in STUDY_ADJUSTABLE)
        workload = load_workload(self.workload)
        text = written_in(workload.parameters)
        load = load_kinds(workload.usual_load())
        return (
            *(kind for kind in load if kind.name in _FIRST),
            *(kind for kind in declared(workload.parameters) if kind.name != text),
            *(kind for kind in load if kind.name not in _FIRST),
        )

    def important(self) -> tuple[str, ...]:
        """Names of the few that are tried first."""
        return load_workload(self.workload).important

    def names_of_workload(self) -> frozenset[str]:
        """The parameters that the workload declares itself."""
        parameters = load_workload(self.workload).parameters
        return frozenset(kind.name for kind in declared(parameters))

    def brought_by(self, values: Mapping[str, Value]) -> tuple[Kind, ...]:
        """The parameters that these values bring with them, but for those named as one of the load.

        Such are the placeholders of a command.
        """
        load = {kind.name for kind in declared(Load)}
        own = own_kinds(load_workload(self.workload).parameters, values)
        return tuple(kind for kind in own if kind.name not in load)

    def irrelevant_with(self, values: Mapping[str, Value]) -> frozenset[str]:
        """Names of the load's parameters that mean nothing beside these of the workload."""
        return moot_with(self.workload, values)

    def servers(self) -> tuple[ServerUse, ...]:
        """The servers of the lab that it can be measured with."""
        return servers_of(self.workload)

    @staticmethod
    def of_cluster() -> tuple[Kind, ...]:
        """Where trials are carried out."""
        return declared(Where)

    @staticmethod
    def of_limits(*, search: bool) -> tuple[Kind, ...]:
        """The limits for the advice of a sweep, or for a search."""
        return limit_terms(search=search)
