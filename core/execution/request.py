"""A user's request as one value, and the task that carries it out.

The flags of the command line and the form of the window make the same `Request`.  Only `task_of`
turns a request into a task.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from core.analysis.advice import THREADS
from core.analysis.limit_check import limit_terms
from core.catalog import registry
from core.catalog.load import Load
from core.catalog.parameters import Choice, Value, declared
from core.errors import DatasetError, InvalidParameter, SluiceError, UsageError
from core.execution.admission import check_nodes, require_threads
from core.host.program import program_here
from core.language.translation import tr, tr_word
from core.language.units import Seconds
from core.plan.expected_time import seconds_of, timings_of
from core.plan.floor import floors
from core.plan.foreseen import foreseen, of_file_systems, of_little_data
from core.plan.limits import REPEATS
from core.plan.schedule import BLOCKS, MOST_TRIALS, TURNS, Plan, Turns, shortened
from core.plan.specify import admit, draft, possible, specify
from core.plan.sweep import Axis, Sweep

if TYPE_CHECKING:
    from core.catalog.dataset import Dataset
    from core.catalog.parameters import Kind
    from core.execution.budget import StillOpen
    from core.execution.engine import Means
    from core.execution.events import Event
    from core.execution.search_plan import Search
    from core.plan.schedule import Slot
    from core.plan.spec import RunSpec
    from core.result.result import Trial
    from core.trial.cancel import Cancel

_MOST_JUDGED = 500
"""Combinations that are judged while a user fills in a form."""

STUDY_ADJUSTABLE = ("duration", "warm_up", "page_cache", "seed", "operations")
"""Parameters of a published study that can change without making it a different study."""


class Request(msgspec.Struct, frozen=True, kw_only=True):
    """A run, a sweep (with `axes`), a search (with `tune`) or a published study (with `study`)."""

    workload: str = ""
    study: str = ""
    tune: bool = False
    values: Mapping[str, Value] = {}
    """Parameters of load and workload; missing ones are as declared or as in the study."""
    axes: tuple[Axis, ...] = ()
    terms: Mapping[str, Value] = {}
    """What the advice of a sweep and a search respect: parameters of `core.plan.limits`."""
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
    """Whether a run or a search also measures what shows its limits."""

    @property
    def varied(self) -> frozenset[str]:
        """Names of the parameters that are varied, so that they have no single value."""
        return frozenset(axis.name for axis in self.axes) | ({THREADS} if self.tune else set())

    @property
    def fixed(self) -> dict[str, Value]:
        """Values of the parameters that are not varied; the others' values mean nothing."""
        return {name: value for name, value in self.values.items() if name not in self.varied}

    @property
    def known_terms(self) -> tuple[Kind, ...]:
        """The terms that its command knows."""
        if self.tune:
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

    def question(self) -> str:
        """The command `measure` that asks this, quoted for a shell; raises as `arguments` does."""
        from core.execution.request_command import question

        return shlex.join([*program_here(), *question(self)])

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


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a request means: everything to measure, and how to carry it out."""

    plan: Plan
    left_out: tuple[str, ...] = ()
    """Why combinations of a sweep cannot be run."""
    foreseen: tuple[str, ...] = ()
    """What there will be too little of, and what the data lies on."""
    beside: frozenset[str] = frozenset()
    """Digests of what a run measures only to find its limits; a search's plan names its own."""
    carry_out: Callable[[Cancel], Iterator[Event]]


def task_of(request: Request, dataset: Dataset) -> Task:
    """The task for a request, from any face; raises UsageError, Unavailable."""
    require_threads(request, dataset)
    task = _search(request, dataset) if request.tune else _task(request, dataset)
    specs = task.plan.specs
    return replace(
        task,
        foreseen=(
            *foreseen(specs),
            *_of_budget(task.plan),
            *of_little_data(specs),
            *of_file_systems(specs),
        ),
    )


def _of_budget(plan: Plan) -> Iterator[str]:
    """That it cannot be held, as far as it is known before."""
    each = seconds_of(plan.specs, plan.turns)
    if plan.budget and not plan.adaptive and each > plan.budget:
        from core.execution.budget import too_little_time  # brings along what judges

        yield too_little_time(plan.budget, each)


def _task(request: Request, dataset: Dataset) -> Task:
    wanted = _wanted(request, dataset)
    if not request.study:
        timings = timings_of(wanted.all, request.turns)
        changes = shortened(request.values, request.varied, request.budget, timings)
        if changes:
            values = {**request.values, **changes}
            wanted = _wanted(msgspec.structs.replace(request, values=values), dataset)
    plan = Plan(
        title=wanted.title,
        specs=wanted.all,
        repeats=request.repeats,
        seed=request.order_seed,
        study=request.study,
        terms=request.kept_terms,
        turns=request.turns,
        budget=request.budget,
    )
    beside = frozenset(spec.digest for spec in wanted.beside)
    return task_of_plan(plan, wanted.left_out, beside, cluster=request.cluster)


@dataclass(frozen=True, kw_only=True)
class _Wanted:
    """The specs of a request, and those that it measures besides."""

    title: str
    specs: tuple[RunSpec, ...]
    floors: tuple[RunSpec, ...]
    beside: tuple[RunSpec, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[RunSpec, ...]:
        return (*self.specs, *self.floors, *self.beside)


def _wanted(request: Request, dataset: Dataset) -> _Wanted:
    left_out: tuple[str, ...] = ()
    beside: tuple[RunSpec, ...] = ()
    if request.study:
        from core.study.preset import load_study

        found = load_study(request.study)
        title, specs = found.title, tuple(found.specs(dataset, request.values).values())
    elif request.axes:
        title = f"sweep {request.workload}"
        base = draft(request.workload, dataset, request.fixed)
        specs, left_out = possible(Sweep(base=base, axes=request.axes, asked=request.fixed))
    else:
        title = f"run {request.workload}"
        specs = (specify(request.workload, dataset, request.values),)
        beside = _probes(request, specs[0])
    return _Wanted(
        title=title,
        specs=specs,
        floors=floors(specs) if request.floor else (),
        beside=beside,
        left_out=left_out,
    )


def task_of_plan(
    plan: Plan,
    left_out: tuple[str, ...] = (),
    beside: frozenset[str] = frozenset(),
    cluster: str = "",
) -> Task:
    """The task that carries out a plan block by block.

    Raises UsageError for one of more than a million trials, and what `check_cluster` raises.
    """
    if plan.most_trials > MOST_TRIALS:
        raise UsageError(
            tr("there would be {count:,} trials", count=plan.most_trials),
            tr("leave at most {most:,}", most=MOST_TRIALS),
        )
    from core.execution.admission import check_cluster

    check_cluster(plan, cluster)

    def still_open() -> StillOpen | None:
        if not plan.budget:
            return None
        from core.execution.open_questions import questions_of

        return questions_of(plan, beside)

    carry_out = _carrying_out(plan, cluster, still_open)
    return Task(plan=plan, left_out=left_out, beside=beside, carry_out=carry_out)


def rest_of_plan(
    plan: Plan, slots: Sequence[Slot], measured: Sequence[Trial], cluster: str = ""
) -> Task:
    """The task that measures what is left of a plan; `measured`: the trials that it has.

    Raises what `check_cluster` raises.
    """
    from core.execution.admission import check_cluster
    from core.execution.open_questions import questions_of

    check_cluster(plan, cluster)
    rest = _Rest(slots, measured)
    still_open = partial(questions_of, plan) if plan.budget else lambda: None
    return Task(plan=plan, carry_out=_carrying_out(plan, cluster, still_open, rest))


class _Rest(NamedTuple):
    """What is left of a plan, and what was measured of it."""

    slots: Sequence[Slot] | None = None
    measured: Sequence[Trial] = ()


_ALL = _Rest()


def _carrying_out(
    plan: Plan,
    cluster: str,
    still_open: Callable[[], StillOpen | None],
    rest: _Rest = _ALL,
) -> Callable[[Cancel], Iterator[Event]]:
    from core.execution.engine import run, with_means

    def carry_out(cancel: Cancel) -> Iterator[Event]:
        def events(means: Means) -> Iterator[Event]:
            return run(
                plan,
                cancel,
                slots=rest.slots,
                measured=rest.measured,
                still_open=still_open(),
                run_trial=means.run_trial,
                run_block=means.run_block,
            )

        return with_means(cluster, plan, events)

    return carry_out


def _probes(request: Request, spec: RunSpec) -> tuple[RunSpec, ...]:
    """The specs that show the limits of a run, if the request asks for them."""
    if not request.why:
        return ()
    from core.analysis.diagnosis import probe

    return tuple(one for one in probe(spec) if one.digest != spec.digest)


def _search(request: Request, dataset: Dataset) -> Task:
    from core.execution.admission import check_cluster
    from core.execution.engine import with_means
    from core.execution.search.tune import tune
    from core.host.environment import describe_environment

    search, left_out = search_for_request(request, dataset)
    plan = search.plan
    check_cluster(plan, request.cluster)

    def carry_out(cancel: Cancel) -> Iterator[Event]:
        def events(means: Means) -> Iterator[Event]:
            return tune(
                search,
                describe_environment(),
                cancel,
                run_trial=means.run_trial,
                run_block=means.run_block,
            )

        return with_means(request.cluster, plan, events)

    return Task(plan=plan, left_out=left_out, carry_out=carry_out)


def search_for_request(request: Request, dataset: Dataset) -> tuple[Search, tuple[str, ...]]:
    """The search for a request, and why values of an axis are left out."""
    from core.execution.search.search_request import beside

    search, reasons = _search_with(request, dataset, request.fixed)
    timings = timings_of(search.specs, request.turns)
    timings = [timings[at % len(timings)] for at in range(-(-search.guess // BLOCKS))]
    if changes := shortened(request.values, request.varied, request.budget, timings):
        search, reasons = _search_with(request, dataset, {**request.fixed, **changes})
    search = replace(search, turns=request.turns, budget=request.budget)
    return beside(search, floor=request.floor, why=request.why), reasons


def _search_with(
    request: Request, dataset: Dataset, values: Mapping[str, Value]
) -> tuple[Search, tuple[str, ...]]:
    from core.execution.search.search_request import search_of

    return search_of(
        request.workload,
        dataset,
        values,
        request.axes,
        request.kept_terms,
        request.order_seed,
    )
