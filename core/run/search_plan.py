"""The space of a search, as values: its settings, their specs, and the number of trials."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from core.judge import Limits, left_out_text, probe, within_cores
from core.language import InvalidParameter, Seconds, Unavailable, UsageError, tr
from core.measure import floors, timings_of, usable_cores
from core.run.jobs_search import JobsSearcher
from core.run.sample_layout import Configuration, SearchAxis, SearchTerms
from core.run.search import Searcher
from core.vocabulary import (
    BLOCKS,
    LEAST_TRIALS,
    POOLED,
    REPEATS,
    THREADS,
    TURNS,
    Axis,
    Plan,
    RunSpec,
    Sweep,
    Turns,
    Value,
    admit,
    differing,
    draft,
    effort_of,
    is_about,
    named,
    shortened,
    show_setting,
    title_of,
    typed_texts,
)

if TYPE_CHECKING:
    from core.run.request import Request
    from core.vocabulary import Dataset

_USUAL = 0.6
"""Share of its most trials that a search takes."""
_FEWEST_OF_JOBS, _SHARE_OF_JOBS = 16, 0.4
"""Most trials of a search over programs at once and their threads, unless the user says otherwise:
programs take long, so it takes less time than to measure each setting once."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """What to search: a base, the numbers of threads, and the values of one more parameter.

    `values`: the user's values beside the axes, even those without effect in the base.
    `beside`: specs measured to explain the chosen setting, by the digest of that setting.
    Raises UsageError where threads are no whole numbers from 1 up.
    """

    title: str
    base: RunSpec
    parameters: type[Any]
    threads: Axis
    second: Axis | None = None
    values: Mapping[str, Value] = field(default_factory=dict)
    terms: SearchTerms = field(default_factory=SearchTerms)
    turns: Turns = TURNS
    budget: Seconds = 0.0
    """Time for the whole search; 0 = until it is sure."""
    is_shortened: bool = False
    """Whether its trials are shorter than usual, so that they fit."""
    requested_terms: Mapping[str, Value] = field(default_factory=dict)
    """The user's terms, for the session."""
    beside: Mapping[str, Sequence[RunSpec]] = field(default_factory=dict)
    over_commit: bool = False
    """Whether programs at once may have more threads than there are cores."""

    def __post_init__(self) -> None:
        counts = self.threads.values
        whole = all(isinstance(value, int) and value > 0 for value in counts)
        if self.threads.name != THREADS or not counts or not whole:
            raise UsageError("a search needs numbers of threads", "write threads=1..16")

    @property
    def pooled(self) -> bool:
        """Whether no value of the second axis can be better, so that each setting is measured
        with all of them.
        """
        return self.second is not None and self.second.name in POOLED

    @property
    def ordered(self) -> bool:
        """Whether the second axis is a count, of which less is preferred."""
        return self.second is not None and all(
            isinstance(value, int) and not isinstance(value, bool) for value in self.second.values
        )

    @cached_property
    def axes(self) -> tuple[SearchAxis, SearchAxis | None]:
        """The axes as the search knows them; unordered values are known by their places."""
        counts = tuple(int(value) for value in self.threads.values)
        threads = SearchAxis(name=THREADS, values=counts)
        if self.second is None or self.pooled or len(self.second.values) == 1:
            return threads, None
        places = tuple(sorted(self._places.values()))
        return threads, SearchAxis(name=self.second.name, values=places, ordered=self.ordered)

    @cached_property
    def _places(self) -> dict[Value, int]:
        """The search's own names for the values of the second axis."""
        values = self.second.values if self.second else ()
        return {value: int(value) if self.ordered else at for at, value in enumerate(values)}

    @cached_property
    def specs_of_settings(self) -> dict[Configuration, tuple[RunSpec, ...]]:
        """The specs measured, once each, whenever the search asks for a setting."""
        axes = (self.threads,) if self.second is None else (self.second, self.threads)
        if self.second is not None and self.ordered:  # the least of equals comes first
            axes = (Axis(self.second.name, tuple(sorted(self.second.values))), self.threads)
        sweep = Sweep(base=self.base, axes=axes, fixed=dict(self.values))
        by_setting: dict[Configuration, list[RunSpec]] = {}
        for (*others, threads), spec in sweep.combinations(self.parameters).items():
            position = self._places[others[0]] if others and self.axes[1] is not None else None
            setting = Configuration(threads=int(threads), second=position)
            by_setting.setdefault(setting, []).append(spec)
        every = [spec for specs in by_setting.values() for spec in specs]
        fits = {spec.digest for spec in within_cores(every, usable_cores())}
        return {
            setting: tuple(specs)
            for setting, specs in by_setting.items()
            if self.over_commit or specs[0].digest in fits
        }

    @cached_property
    def settings(self) -> dict[Configuration, RunSpec]:
        """The first spec of every setting that can be chosen."""
        return {setting: specs[0] for setting, specs in self.specs_of_settings.items()}

    @cached_property
    def specs(self) -> tuple[RunSpec, ...]:
        """All specs that can be measured to find the answer."""
        return tuple(spec for specs in self.specs_of_settings.values() for spec in specs)

    def searcher(self) -> Searcher:
        """What decides which settings to measure."""
        if self.is_of_jobs:
            return JobsSearcher(self.settings, usable_cores(), self.terms)
        return Searcher(*self.axes, terms=self.terms, each=self.each)

    @property
    def is_of_jobs(self) -> bool:
        """Whether it searches how many programs run at once, with how many threads each."""
        of_jobs = self.second is not None and self.second.name == "processes"
        return of_jobs and self.axes[1] is not None and bool(self.specs[0].at_once)

    @property
    def each(self) -> int:
        """Trials needed to measure a setting once."""
        return len(self.second.values) if self.second and self.pooled else 1

    @property
    def varied(self) -> tuple[str, ...]:
        """Names of the parameters that are searched, also of those that a text sets."""
        if self.second is None:
            return (THREADS,)
        name, values = self.second.name, self.second.values
        if any(spec.values.get(name) in values for spec in self.specs):
            return (THREADS, name)
        return (THREADS, *(one for one in differing(self.specs) if one != THREADS))

    @property
    def plan(self) -> Plan:
        beside = (spec for specs in self.beside.values() for spec in specs)
        choices = {spec.digest: spec for spec in self.specs}
        specs = choices | {spec.digest: spec for spec in beside if spec.digest not in choices}
        return Plan(
            title=self.title,
            specs=tuple(specs.values()),
            seed=self.terms.seed,
            adaptive=True,
            choices=len(choices),
            terms=dict(self.requested_terms),
            turns=self.turns,
            budget=self.budget,
            is_shortened=self.is_shortened,
        )

    @property
    def whole(self) -> int:
        """Trials of the sweep over the same settings."""
        return REPEATS * len(self.specs)

    @property
    def guess(self) -> int:
        """The usual number of trials of a search, before its noise is known.

        With noise of 2 to 10 % of the throughput a search takes two to six tenths of its most
        trials, or all of them (`make validate`).
        """
        most = min(max(LEAST_TRIALS, self.whole), self.terms.most_trials)
        return math.ceil(_USUAL * most) + self.explaining

    @property
    def explaining(self) -> int:
        """Trials at its end that explain the answer."""
        return REPEATS * max(map(len, self.beside.values()), default=0)


def search_for_request(request: Request, dataset: Dataset) -> tuple[Search, tuple[str, ...]]:
    """The search for a request, over threads and at most one more axis.

    Also says why values of an axis are left out.  Raises UsageError, Unavailable.
    """
    search, reasons = _search_with(request, dataset, request.fixed)
    timings = timings_of(search.specs, request.turns)
    timings = [timings[at % len(timings)] for at in range(-(-search.guess // BLOCKS))]
    if changes := shortened(request.values, request.varied, request.budget, timings):
        search, reasons = _search_with(request, dataset, {**request.fixed, **changes})
    beside = {
        spec.digest: (
            *(floors([spec]) if request.floor else ()),
            *(probe(spec) if request.why else ()),
        )
        for spec in search.settings.values()
    }
    search = replace(
        search,
        turns=request.turns,
        budget=request.budget,
        beside=beside,
        is_shortened=bool(changes),
    )
    return search, reasons


def search_axes(axes: Sequence[Axis]) -> tuple[Axis, Axis | None]:
    """Threads, and the one other axis; raises UsageError."""
    by_name = {one.name: one for one in axes}
    threads = by_name.pop(THREADS, None)
    if threads is None or len(by_name) > 1:
        raise UsageError(
            tr(
                "a search goes over threads and one more parameter, not over {names}",
                names=", ".join(one.name for one in axes),
            ),
            tr("set the others with their flags, or measure all combinations"),
        )
    return threads, next(iter(by_name.values()), None)


def _search_with(
    request: Request, dataset: Dataset, values: Mapping[str, Value]
) -> tuple[Search, tuple[str, ...]]:
    threads, second = search_axes(request.axes)
    terms = request.kept_terms
    effort = effort_of(terms)
    search = Search(
        title=title_of(request.workload, request.axes),
        base=draft(request.workload, dataset, values),
        parameters=request.declaration.parameters,
        threads=threads,
        second=second,
        values=values,
        terms=SearchTerms(limits=Limits.of(terms), near=effort.near, seed=request.order_seed),
        over_commit=request.over_commit,
        requested_terms=terms,
    )
    search, reasons = _possible(search)
    every = math.prod(len(one.values) for one in (search.threads, search.second) if one)
    if search.is_of_jobs and len(search.specs) < every:
        left = every - len(search.specs)
        reasons = (*reasons, left_out_text(left, every, usable_cores()))
    most_trials = effort.most_trials or max(LEAST_TRIALS, search.whole)
    if search.is_of_jobs and not (effort.most_trials or request.budget):
        most_trials = max(_FEWEST_OF_JOBS, math.ceil(_SHARE_OF_JOBS * len(search.specs)))
    return replace(search, terms=replace(search.terms, most_trials=most_trials)), reasons


def _possible(search: Search) -> tuple[Search, tuple[str, ...]]:
    """The search without values of its second axis that cannot be combined, and why not.

    Raises InvalidParameter or Unavailable if no value is left, or if a typed text is at fault.
    """
    if search.second is None:
        _admit(search.specs)
        return search, ()
    name = search.second.name
    texts = typed_texts(search.parameters, [search.second])
    distinct: dict[tuple[str, ...], Value] = {}
    reasons: dict[str, InvalidParameter | Unavailable | None] = {}
    for value in search.second.values:
        specs = replace(search, second=Axis(name, (value,))).specs
        digests = tuple(spec.digest for spec in specs)
        if digests in distinct:
            reasons[_same(name, value, distinct[digests])] = None
            continue
        try:
            _admit(specs)
        except (InvalidParameter, Unavailable) as reason:
            if is_about(reason, texts):
                raise
            reasons[str(reason)] = reason
        else:
            distinct[digests] = value
    if not distinct:
        raise next(reason for reason in reasons.values() if reason)
    return replace(search, second=Axis(name, tuple(distinct.values()))), tuple(reasons)


def _same(name: str, value: Value, other: Value) -> str:
    return tr(
        "{parameter} {value} does the same as {other} here",
        parameter=named(name),
        value=show_setting(name, value),
        other=show_setting(name, other),
    )


def _admit(specs: Iterable[RunSpec]) -> None:
    for spec in specs:
        admit(spec)
