"""From what a user asked for to a search; shared by the command line and the window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from core import registry
from core.dataset import Dataset
from core.diagnosis import probe
from core.errors import InvalidParameter, Unavailable
from core.parameters import Value
from core.plan import Axis, RunSpec
from core.planning import admit, draft, floors
from core.search import Terms
from core.search_space import search_axes
from core.terms import LEAST_BUDGET, effort_of, limits_of
from core.tuning import SWEEP_REPEATS, Search


def search_of(
    workload: str,
    dataset: Dataset,
    values: Mapping[str, Value],
    axes: Sequence[Axis],
    terms: Mapping[str, Value],
    seed: int,
) -> tuple[Search, tuple[str, ...]]:
    """A search over threads and at most one more axis, and why values of that are left out.

    Where `axes` does not name threads every number from 1 to four times the cores may be the
    answer.  Raises UsageError, Unavailable.
    """
    threads, second = search_axes(workload, axes)
    effort = effort_of(terms)
    search = Search(
        title=f"tune {workload}",
        base=draft(workload, dataset, values),
        parameters=registry.workload(workload).parameters,
        threads=threads,
        second=second,
        terms=Terms(
            limits=limits_of(terms),
            near=effort.near,
            budget=effort.budget or _half_a_sweep(threads, second),
            seed=seed,
        ),
        asked=terms,
    )
    return _possible(search)


def beside(search: Search, *, floor: bool, why: bool) -> Search:
    """The search with what is measured beside the chosen setting to explain it, whichever that is."""
    explained = {
        spec.digest: (*(floors([spec]) if floor else ()), *(probe(spec) if why else ()))
        for spec in search.settings.values()
    }
    return replace(search, beside=explained)


def _half_a_sweep(threads: Axis, second: Axis | None) -> int:
    settings = len(threads.values) * (len(second.values) if second else 1)
    return max(LEAST_BUDGET, SWEEP_REPEATS * settings // 2)


def _possible(search: Search) -> tuple[Search, tuple[str, ...]]:
    """Without the values of the second axis that cannot be combined with the rest, and why.

    Raises InvalidParameter or Unavailable where nothing is left.
    """
    if search.second is None:
        _admit(search.settings.values())
        return search, ()
    kept: list[Value] = []
    reasons: dict[str, InvalidParameter | Unavailable] = {}
    for value in search.second.values:
        alone = replace(search, second=Axis(search.varied[1], (value,)))
        try:
            _admit(alone.settings.values())
        except (InvalidParameter, Unavailable) as reason:
            reasons[str(reason)] = reason
        else:
            kept.append(value)
    if not kept:
        raise next(iter(reasons.values()))
    return replace(search, second=Axis(search.second.name, tuple(kept))), tuple(reasons)


def _admit(specs: Iterable[RunSpec]) -> None:
    for spec in specs:
        admit(spec)
