"""Which results of two sides belong together: the same work under the same load."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from core.catalog.parameters import Value
from core.errors import UsageError
from core.language.units import listed, parse_seconds, parse_size
from core.plan.floor import without_bare_files
from core.plan.spec import BESIDE_THE_POINT, RunSpec, differing, label
from core.result.result import Result


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of (baseline, candidate), and what is left on each side."""

    pairs: tuple[tuple[Result, Result], ...]
    lonely_baselines: tuple[Result, ...] = ()
    lonely_candidates: tuple[Result, ...] = ()


def choose(results: Sequence[Result], wanted: Mapping[str, str]) -> tuple[Result, ...]:
    """The results whose parameters have these values, as a user writes them; raises UsageError.

    The raw reads that a run adds for comparison count only where nothing else was measured, or
    where the user asks for `workload=raw`.
    """
    known = {"workload", *(name for result in results for name in result.spec.values)}
    for name in wanted:
        if name not in known:
            raise UsageError(
                f"no result has a parameter {name!r}", f"known: {', '.join(sorted(known))}"
            )
    found = [
        result
        for result in results
        if all(_has(result.spec, name, value) for name, value in wanted.items())
    ]
    if "workload" in wanted:
        return _newest(found)
    return _newest(without_bare_files(found))


def _has(spec: RunSpec, name: str, written: str) -> bool:
    if name == "workload":
        return spec.workload == written
    return name in spec.values and means_value(written, spec.values[name])


def means_value(written: str, value: Value) -> bool:
    """Whether the written text means that value, by the value's own type.

    The declarations are not used, so that a session can be read where a driver is missing.
    """
    try:
        match value:
            case bool():
                return written.lower() in (
                    ("yes", "true", "on") if value else ("no", "false", "off")
                )
            case int():
                return parse_size(written.replace(",", "")) == value
            case float():
                return parse_seconds(written) == value
            case str():
                return written == value
    except ValueError:
        return False


def text_that_means(value: Value) -> str:
    """A text behind `#NAME=` that chooses that value, and no other."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return listed(str(value))


def _newest(results: Sequence[Result]) -> tuple[Result, ...]:
    """The last result of each spec, where several runs of a session measured it."""
    return tuple({result.spec.digest: result for result in results}.values())


def match(
    baselines: Sequence[Result], candidates: Sequence[Result], chosen: Collection[str] = ()
) -> Match:
    """Pair results with equal parameters and load; raises UsageError where two could be meant.

    `chosen`: parameters that define the sides; they may differ within a pair.  Two single results
    are always a pair.  Parameters in `BESIDE_THE_POINT` count only where a side has several values.
    """
    if len(baselines) == len(candidates) == 1:
        return Match(pairs=((baselines[0], candidates[0]),))
    sides = ([result.spec for result in side] for side in (baselines, candidates))
    varied = {name for specs in sides for name in differing(specs)}
    left_out = {*chosen, *(BESIDE_THE_POINT - varied)}
    ours, theirs = _by_work(baselines, left_out), _by_work(candidates, left_out)
    pairs = tuple((result, theirs[work]) for work, result in ours.items() if work in theirs)
    return Match(
        pairs=pairs,
        lonely_baselines=tuple(one for work, one in ours.items() if work not in theirs),
        lonely_candidates=tuple(one for work, one in theirs.items() if work not in ours),
    )


def _by_work(
    results: Sequence[Result], left_out: Collection[str]
) -> dict[tuple[tuple[str, Value], ...], Result]:
    found: dict[tuple[tuple[str, Value], ...], Result] = {}
    for result in results:
        told = {"workload": result.spec.workload, **result.spec.values}
        work = tuple((name, value) for name, value in told.items() if name not in left_out)
        if work in found:
            raise _ambiguous(found[work], result)
        found[work] = result
    return found


def _ambiguous(one: Result, two: Result) -> UsageError:
    if not (names := differing([one.spec, two.spec])):
        return UsageError(
            "the same was measured on two datasets, and both could be meant",
            "say in which run, such as #run=1; `show` prints the numbers",
        )
    value = {"workload": one.spec.workload, **one.spec.values}.get(names[0], "")
    return UsageError(
        f"both {label(one.spec, names)} and {label(two.spec, names)} could be meant",
        f"say which, such as #{names[0]}={text_that_means(value)}",
    )
