"""What a request means: the plan, and how it is carried out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from core.language import UsageError, tr
from core.measure import (
    floors,
    foreseen,
    lab_servers,
    of_file_systems,
    of_holes,
    of_little_data,
    of_unread_data,
    seconds_of,
    seconds_of_plan,
    timings_of,
    usable_cores,
    without_bare_files,
)
from core.run.admission import check_cluster
from core.run.request import require_threads
from core.vocabulary import (
    MOST_REPEATS,
    MOST_TRIALS,
    Location,
    Plan,
    Prices,
    Sweep,
    declared,
    draft,
    possible,
    shortened,
    specify,
    title_of,
    work_of,
)

if TYPE_CHECKING:
    from core.language import Seconds
    from core.measure import Cancel
    from core.run.budget import StillOpen
    from core.run.request import Request
    from core.vocabulary import Dataset, Event, RunSpec, Slot, Trial


MOST_UNASKED = 10_000
"""Requests up to which nobody is asked: more cost money, or are in the way of others."""


class ServerRequests(msgspec.Struct, frozen=True, kw_only=True):
    """About the most requests of a run, by what they are for; none for the lab's own servers."""

    addresses: tuple[str, ...] = ()
    placing: int = 0
    measuring: int = 0
    verifying: int = 0
    removing: int = 0

    @property
    def total(self) -> int:
        return self.placing + self.measuring + self.verifying + self.removing

    @property
    def are_many(self) -> bool:
        """Whether the user is asked before any is made."""
        return self.total > MOST_UNASKED

    @property
    def question(self) -> str:
        """What is to be agreed to before any is made; empty = nothing."""
        return self.text if self.are_many else ""

    @property
    def text(self) -> str:
        """In a sentence; empty where none are made."""
        if not self.total:
            return ""
        return tr(
            "About {total:,} requests at most to {addresses}: {placing:,} to place the data, "
            "{measuring:,} while it measures, {verifying:,} to verify, {removing:,} to remove.",
            total=self.total,
            addresses=", ".join(self.addresses),
            placing=self.placing,
            measuring=self.measuring,
            verifying=self.verifying,
            removing=self.removing,
        )


def server_requests(plan: Plan, trials: Mapping[str, float]) -> ServerRequests:
    """Those of a plan; with a budget, at most what fits into it.

    `trials`: about how many of each spec, by its digest.
    """
    sums: Counter[str] = Counter()
    fastest = 0.0
    addresses: dict[str, None] = {}
    placed: set[tuple[object, ...]] = set()
    for spec in plan.specs:
        each = trials.get(spec.digest, 0)
        own = dict(_requests_of(spec)) if each else {}
        if not own:
            continue
        addresses |= dict.fromkeys(_locations(spec))
        placing = own.pop("placing", 0)
        sums["placing"] += placing if work_of(spec) not in placed else 0
        placed.add(work_of(spec))
        seconds = spec.load.duration + spec.load.warm_up
        fastest = max(fastest, own["measuring"] / seconds if seconds else 0.0)
        sums.update({name: round(each * count) for name, count in own.items()})
    if plan.budget and fastest:
        sums["measuring"] = round(fastest * plan.budget)
    return ServerRequests(addresses=tuple(addresses), **sums)


def _requests_of(spec: RunSpec) -> dict[str, int]:
    places = {*_locations(spec)}
    if not places or places & {server.address for server in lab_servers().values()}:
        return {}
    setting = spec.setting
    return dict(setting.workload.requests(setting.parameters, spec.load, spec.dataset))


def _locations(spec: RunSpec) -> Sequence[str]:
    setting = spec.setting
    kinds = declared(setting.workload.parameters)
    names = [kind.name for kind in kinds if isinstance(kind, Location)]
    # Built: an older session lacks the parameters that are new.
    places = [str(getattr(setting.parameters, name)) for name in names]
    return [place for place in places if "://" in place]


@dataclass(frozen=True, kw_only=True)
class Task:
    """What a request means: everything to measure, and how to carry it out."""

    plan: Plan
    left_out: tuple[str, ...] = ()
    """Why combinations of a sweep cannot be run."""
    warnings: tuple[str, ...] = ()
    """Shortages to expect, and doubts about the data and its file system."""
    beside: frozenset[str] = frozenset()
    """Digests of specs that only show the limits of a run; a search's plan names its own."""
    slots: Sequence[Slot] | None = None
    """What is left of a run that goes on; None: the whole plan."""
    measured: Sequence[Trial] = ()
    """The trials that such a run has."""
    guess: int = 0
    """Usual number of trials of a search; 0 if the plan has their number."""
    carry_out: Callable[[Cancel], Iterator[Event]]

    @property
    def settings(self) -> int:
        """How many settings are measured, or searched."""
        if self.plan.adaptive:
            return self.plan.choices
        specs = without_bare_files(self.plan.specs)
        return sum(spec.digest not in self.beside for spec in specs)

    @property
    def trials(self) -> int:
        """How many trials there will be: with a budget at least, in a search about."""
        return self.guess or self.plan.least_trials

    @property
    def requests(self) -> ServerRequests:
        """What it will ask of servers that are not the lab's."""
        plan = self.plan
        if self.slots is not None:
            return self._requests_left(self.slots)
        ends_sooner = plan.until_sure and not plan.budget
        trials = plan.most_trials if ends_sooner else self.trials
        return server_requests(
            plan, dict.fromkeys((spec.digest for spec in plan.specs), trials / len(plan.specs))
        )

    def _requests_left(self, slots: Sequence[Slot]) -> ServerRequests:
        plan, counts = self.plan, Counter(slot.spec.digest for slot in slots)
        if not plan.budget:
            return server_requests(plan, counts)
        from core.run.budget import with_time_left  # brings along what judges

        most = {digest: min(count, plan.first_look) for digest, count in counts.items()}
        return server_requests(with_time_left(plan, self.measured), most)

    @property
    def seconds(self) -> Seconds:
        """The time of all trials by `seconds_of_plan`; for a search that of its usual trials."""
        plan = self.plan
        if not plan.adaptive:
            return seconds_of_plan(plan)
        searched = plan.specs[: plan.choices]
        usual = self.guess * seconds_of(searched, plan.turns) / len(searched)
        return min(usual, plan.budget) if plan.budget else usual


def task_of(request: Request, dataset: Dataset) -> Task:
    """The task for a request, from any face; raises UsageError, Unavailable."""
    require_threads(request, dataset)
    Prices.on_wire(request.kept_terms)
    task = _search(request, dataset) if request.search else _task(request, dataset)
    specs = task.plan.specs
    return replace(
        task,
        warnings=(
            *foreseen(specs),
            *_of_budget(task.plan),
            *of_little_data(specs),
            *of_holes(specs),
            *(of_unread_data(specs) if request.dataset is not None else ()),
            *of_file_systems(specs),
        ),
    )


def _of_budget(plan: Plan) -> Iterator[str]:
    """A warning if the budget is known to be too short."""
    each = seconds_of(plan.specs, plan.turns)
    if plan.budget and not plan.adaptive and each > plan.budget:
        from core.run.budget import too_little_time  # brings along what judges

        yield too_little_time(plan.budget, each)


def _task(request: Request, dataset: Dataset) -> Task:
    requested = _specs_of(request, dataset)
    until_sure, changes = request.ends_once_sure, {}
    if until_sure or (request.budget and not request.study):
        timings = timings_of(requested.all, request.turns)
        changes = shortened(request.values, request.varied, request.budget, timings)
        if changes:
            values = {**request.values, **changes}
            requested = _specs_of(msgspec.structs.replace(request, values=values), dataset)
    plan = Plan(
        title=requested.title,
        specs=requested.all,
        repeats=MOST_REPEATS if until_sure and not request.budget else request.repeats,
        until_sure=until_sure,
        seed=request.order_seed,
        study=request.study,
        terms=request.kept_terms,
        turns=request.turns,
        budget=request.budget,
        is_shortened=bool(changes),
    )
    beside = frozenset(spec.digest for spec in requested.beside)
    return task_of_plan(plan, requested.left_out, beside, cluster=request.cluster)


@dataclass(frozen=True, kw_only=True)
class _Specs:
    """The specs of a request, and those that it measures besides."""

    title: str
    specs: tuple[RunSpec, ...]
    floors: tuple[RunSpec, ...]
    beside: tuple[RunSpec, ...] = ()
    left_out: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[RunSpec, ...]:
        return (*self.specs, *self.floors, *self.beside)


def _specs_of(request: Request, dataset: Dataset) -> _Specs:
    left_out: tuple[str, ...] = ()
    beside: tuple[RunSpec, ...] = ()
    if request.study:
        from core.judge import load_study

        study = load_study(request.study)
        here = study.cells_here(dataset, request.values)
        title, specs, left_out = study.title, tuple(here.specs.values()), here.left_out
    elif request.axes:
        title = title_of(request.workload, request.axes)
        base = draft(request.workload, dataset, request.fixed)
        every, left_out = possible(Sweep(base=base, axes=request.axes, fixed=request.fixed))
        specs, crowded = _within_cores(request, every)
        left_out += crowded
    else:
        title = request.workload
        specs = (specify(request.workload, dataset, request.values),)
        beside = _probes(request, specs[0])
    return _Specs(
        title=title,
        specs=specs,
        floors=floors(specs) if request.floor else (),
        beside=beside,
        left_out=left_out,
    )


def _within_cores(
    request: Request, specs: tuple[RunSpec, ...]
) -> tuple[tuple[RunSpec, ...], tuple[str, ...]]:
    """The specs that fit the cores, and what is said of the others; all where the user wants."""
    if request.over_commit or not any(spec.at_once for spec in specs[:1]):
        return specs, ()
    from core.judge import left_out_text, within_cores

    fitting = within_cores(specs, usable_cores())
    left = len(specs) - len(fitting)
    return fitting, (left_out_text(left, len(specs), usable_cores()),) if left else ()


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
    check_cluster(plan, cluster)
    carry_out = _carrying_out(plan, cluster, beside)
    return Task(plan=plan, left_out=left_out, beside=beside, carry_out=carry_out)


def rest_of_plan(
    plan: Plan, slots: Sequence[Slot], measured: Sequence[Trial], cluster: str = ""
) -> Task:
    """The task that measures what is left of a plan; `measured`: the trials that it has.

    Raises what `check_cluster` raises.
    """
    check_cluster(plan, cluster)
    carry_out = _carrying_out(plan, cluster, (), slots, measured)
    return Task(plan=plan, slots=slots, measured=measured, carry_out=carry_out)


def _carrying_out(
    plan: Plan,
    cluster: str,
    beside: Collection[str],
    slots: Sequence[Slot] | None = None,
    measured: Sequence[Trial] = (),
) -> Callable[[Cancel], Iterator[Event]]:
    from core.run.engine import carried_out, run

    def carry_out(cancel: Cancel) -> Iterator[Event]:
        still_open = _still_open(plan, beside)
        running = partial(run, plan, cancel, slots=slots, measured=measured, still_open=still_open)
        return carried_out(cluster, plan, running)

    return carry_out


def _still_open(plan: Plan, beside: Collection[str]) -> StillOpen | None:
    if not plan.open_ended:
        return None
    from core.run.budget import questions_of

    return questions_of(plan, beside)


def _probes(request: Request, spec: RunSpec) -> tuple[RunSpec, ...]:
    """The specs that show the limits of a run, if the request asks for them."""
    if not request.why:
        return ()
    from core.judge import probe

    return tuple(one for one in probe(spec) if one.digest != spec.digest)


def _search(request: Request, dataset: Dataset) -> Task:
    from core.measure import describe_environment
    from core.run.engine import carried_out
    from core.run.run_search import run_search
    from core.run.search_plan import search_for_request

    search, left_out = search_for_request(request, dataset)
    plan = search.plan
    check_cluster(plan, request.cluster)

    def carry_out(cancel: Cancel) -> Iterator[Event]:
        searching = partial(run_search, search, describe_environment(), cancel)
        return carried_out(request.cluster, plan, searching)

    return Task(plan=plan, left_out=left_out, guess=search.guess, carry_out=carry_out)
