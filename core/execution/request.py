"""A user's request as one value.

The flags of the command line and the form of the window make the same `Request`.  Only
`core.execution.task` turns it into a task.
"""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from core.analysis.limit_check import limit_terms
from core.catalog import registry
from core.catalog.load import Load
from core.catalog.parameters import Choice, Value, declared
from core.errors import DatasetError, InvalidParameter, SluiceError
from core.execution.admission import check_nodes, require_threads
from core.host.program import program_here
from core.language.translation import tr, tr_word
from core.language.units import Seconds
from core.plan.limits import REPEATS
from core.plan.schedule import TURNS, Turns
from core.plan.specify import admit, draft, possible
from core.plan.sweep import Axis, Sweep

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.catalog.parameters import Kind

_MOST_JUDGED = 500
"""Combinations that are judged while a user fills in a form."""

STUDY_ADJUSTABLE = ("duration", "warm_up", "page_cache", "seed", "operations")
"""Parameters of a published study that can change without making it a different study."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """One setting, combinations (of `axes`), a search (`search`) or a published study (`study`)."""

    workload: str = ""
    study: str = ""
    search: bool = False
    values: Mapping[str, Value] = {}
    """Parameters of load and workload; missing ones are as declared or as in the study."""
    axes: tuple[Axis, ...] = ()
    terms: Mapping[str, Value] = {}
    """What the advice on several settings respects: parameters of `core.plan.limits`."""
    dataset: Path | None = None
    """None = a generated sample."""
    repeats: int = REPEATS
    """Trials of each spec; a search decides for itself."""
    order_seed: int = 1
    floor: bool = True
    """Whether to measure the bare files too."""
    turns: Turns = TURNS
    """Whether the settings of a block take turns."""
    budget: Seconds = 0.0
    """Time in which to measure more often what is still open; 0 = `repeats` trials of each.  Trials
    of the usual length are shortened to fit (`core.plan.schedule`).  Of a search: its longest
    time; 0 = until it is sure."""
    full: bool = False
    """Whether the dataset that a study generates is as large as in the publication."""
    cluster: str = ""
    """Address of the cluster whose nodes measure; empty = this machine does."""
    why: bool = False
    """Whether what shows the limits of one setting, or of a search's answer, is measured too."""

    @property
    def varied(self) -> frozenset[str]:
        """Names of the parameters that are varied, so that they have no single value."""
        return frozenset(axis.name for axis in self.axes)

    @property
    def fixed(self) -> dict[str, Value]:
        """Values of the parameters that are not varied; the others' values mean nothing."""
        return {name: value for name, value in self.values.items() if name not in self.varied}

    @property
    def known_terms(self) -> tuple[Kind, ...]:
        """The terms that its command knows."""
        if self.search:
            return limit_terms(search=True)
        return limit_terms(search=False) if self.axes and not self.study else ()

    @property
    def kept_terms(self) -> dict[str, Value]:
        """The known terms that differ from their defaults."""
        usual = {kind.name: kind.default for kind in self.known_terms}
        return {
            name: value
            for name, value in self.terms.items()
            if name in usual and value != usual[name]
        }

    @property
    def of_workload(self) -> str:
        """The workload, or that of the study; raises UnknownName."""
        if not self.study:
            return self.workload
        from core.study.preset import load_study

        return load_study(self.study).workload

    def command_line(self) -> str:
        """The command that asks for the same, quoted for a shell; raises as `arguments` does."""
        from core.execution.request_command import arguments

        return shlex.join([*program_here(), *arguments(self)])

    def as_measured(self) -> Request:
        """The request as it is carried out: one setting, all combinations, or a search."""
        from core.execution.way_to_measure import way_to_measure

        return way_to_measure(self)

    def require_possible(self, dataset: Dataset) -> None:
        """Raise SluiceError, with the reason, if nothing of a request can be measured on that data.

        Reads nothing but its arguments, and costs less than `task_of`, which has the last word.
        """
        if self.study:
            from core.study.preset import load_study

            study = load_study(self.study)
            if not study.fits(dataset.kind):
                raise DatasetError(
                    tr("this study needs other data than {kind}", kind=tr_word(dataset.kind)),
                    tr("make its sample, or choose data of its kind"),
                )
            return
        check_nodes(self._most_nodes(), self.cluster)
        require_threads(self, dataset)
        # The load is admitted with everything.
        of_load = {kind.name for kind in declared(Load)}
        axes = tuple(axis for axis in self.axes if axis.name not in of_load)
        base = draft(self.workload, dataset, self.fixed)
        if not axes:
            admit(base)
        elif prod(len(axis.values) for axis in axes) <= _MOST_JUDGED:
            possible(Sweep(base=base, axes=axes, asked=self.fixed))

    def values_that_fit(self, dataset: Dataset) -> Mapping[str, Value]:
        """What to choose in place of what cannot be measured on that data, such as a reader.

        Empty where nothing is to be changed, or nothing is known that would help.
        """
        try:
            self.require_possible(dataset)
        except InvalidParameter as refusal:
            if refusal.name not in self.varied:
                return {
                    kind.name: kind.default_for(dataset.kind)
                    for kind in declared(registry.load_workload(self.workload).parameters)
                    if kind.by_dataset and kind.name == refusal.name
                }
        except SluiceError:
            pass  # that is said where Start waits
        return {}

    def options_refused(self, kind: Kind, dataset: Dataset) -> Mapping[Value, str]:
        """Why options of a choice cannot be measured on that data, beside the other values."""
        if self.study or not isinstance(kind, Choice):
            return {}
        axes = tuple(axis for axis in self.axes if axis.name != kind.name)
        found: dict[Value, str] = {}
        for option in kind.options:
            asked = msgspec.structs.replace(
                self, values={**self.values, kind.name: option}, axes=axes
            )
            try:
                asked.require_possible(dataset)
            except InvalidParameter as error:
                found[option] = str(error)
            except SluiceError:  # whatever is chosen here
                return {}
        # What refuses every option is no matter of theirs.
        return found if len(found) < len(kind.options) else {}

    def _most_nodes(self) -> int:
        """Of any trial that is asked for."""
        varied = [value for axis in self.axes if axis.name == "nodes" for value in axis.values]
        return max(int(value) for value in (varied or [self.values.get("nodes", 1)]))
