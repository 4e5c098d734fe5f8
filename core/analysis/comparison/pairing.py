"""Which results of two sides belong together: the same work, asked for in the same way."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

import msgspec

from core.catalog.parameters import Value
from core.errors import UsageError
from core.language.units import parse_seconds, parse_size
from core.plan.floor import without_bare_files
from core.plan.labels import BESIDE_THE_POINT, label
from core.plan.spec import RunSpec, differing
from core.result.result import Result


class Match(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs of (baseline, candidate), and what is left on each side."""

    pairs: tuple[tuple[Result, Result], ...]
    lonely_baselines: tuple[Result, ...] = ()
    lonely_candidates: tuple[Result, ...] = ()


def choose(results: Sequence[Result], wanted: Mapping[str, str]) -> tuple[Result, ...]:
    """The results whose parameters have these values, as a user writes them; raises UsageError.

    The raw reads that a run adds for comparison count only where nothing else was measured, or
    where they are asked for by `workload=raw`.
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
    return name in spec.values and _means(written, spec.values[name])


def _means(written: str, value: Value) -> bool:
    """Whether a user who wrote this meant that value, by the value's own type.

    The declarations are not asked, so that a session can be read where a driver is missing.
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


def _newest(results: Sequence[Result]) -> tuple[Result, ...]:
    """Of several results of one spec, from several runs of a session, the last."""
    return tuple({result.spec.digest: result for result in results}.values())


def match(
    baselines: Sequence[Result], candidates: Sequence[Result], chosen: Collection[str] = ()
) -> Match:
    """Pair what was asked for in the same way; raises UsageError where two could be meant.

    `chosen`: parameters by which the user told the sides apart; they may differ within a pair.
    A single result on either side is the other's counterpart whatever they differ in.  What is
    beside the point counts only where one side has several values of it.
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
    names = differing([one.spec, two.spec]) or ("dataset",)
    return UsageError(
        f"both {label(one.spec, names)} and {label(two.spec, names)} could be meant",
        f"say which, such as #{names[0]}={one.spec.values.get(names[0], '…')}",
    )
