"""Makes a search from a user's request; shared by the command line and the window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core.analysis.diagnosis import probe
from core.analysis.limit_check import limits_of
from core.catalog import registry
from core.catalog.dataset import Dataset
from core.catalog.parameters import Value
from core.errors import InvalidParameter, Unavailable
from core.execution.search import Terms
from core.execution.search_plan import Search
from core.execution.search_space import search_axes
from core.language.translation import tr
from core.plan.floor import floors
from core.plan.limits import LEAST_TRIALS, effort_of
from core.plan.spec import RunSpec, named, show_setting
from core.plan.specify import admit, draft, is_about, typed_texts
from core.plan.sweep import Axis, title_of


def search_of(  # noqa: PLR0913 -- what a user chooses for a search, and nothing else
    workload: str,
    dataset: Dataset,
    values: Mapping[str, Value],
    axes: Sequence[Axis],
    terms: Mapping[str, Value],
    seed: int,
) -> tuple[Search, tuple[str, ...]]:
    """A search over threads and at most one more axis, and why values of that are left out.

    Raises UsageError, Unavailable.
    """
    threads, second = search_axes(axes)
    effort = effort_of(terms)
    search = Search(
        title=title_of(workload, axes),
        base=draft(workload, dataset, values),
        parameters=registry.load_workload(workload).parameters,
        threads=threads,
        second=second,
        values=values,
        terms=Terms(limits=limits_of(terms), near=effort.near, seed=seed),
        asked=terms,
    )
    search, reasons = _possible(search)
    most_trials = effort.most_trials or max(LEAST_TRIALS, search.whole)
    return replace(search, terms=replace(search.terms, most_trials=most_trials)), reasons


def beside(search: Search, *, floor: bool, why: bool) -> Search:
    """The search, with the specs that are measured to explain a setting once it is chosen."""
    explained = {
        spec.digest: (*(floors([spec]) if floor else ()), *(probe(spec) if why else ()))
        for spec in search.settings.values()
    }
    return replace(search, beside=explained)


def _possible(search: Search) -> tuple[Search, tuple[str, ...]]:
    """Without the values of the second axis that cannot be combined with the rest, and why.

    Raises InvalidParameter or Unavailable where nothing is left, and where a text that somebody
    typed is at fault.
    """
    if search.second is None:
        _admit(search.specs)
        return search, ()
    name = search.second.name
    texts = typed_texts(search.base.workload, [search.second])
    kept: dict[tuple[str, ...], Value] = {}
    reasons: dict[str, InvalidParameter | Unavailable | None] = {}
    for value in search.second.values:
        specs = replace(search, second=Axis(name, (value,))).specs
        digests = tuple(spec.digest for spec in specs)
        if digests in kept:
            reasons[_same(name, value, kept[digests])] = None
            continue
        try:
            _admit(specs)
        except (InvalidParameter, Unavailable) as reason:
            if is_about(reason, texts):
                raise
            reasons[str(reason)] = reason
        else:
            kept[digests] = value
    if not kept:
        raise next(reason for reason in reasons.values() if reason)
    return replace(search, second=Axis(name, tuple(kept.values()))), tuple(reasons)


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
