"""Measurements by other programs as the baseline of results here: which belong together, how fast.

hyperfine measures one command after the other, and Sluice trials of many runs; either way a value
is runs per second, and a pair is judged as any other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from core.analysis.comparison import Asked, Found, Verdict, VerdictKind, judge_family, means_value
from core.analysis.comparison.obstacles import told_drift
from core.analysis.estimation import typical
from core.analysis.statistics import MARGIN, contrast, drift_to_allow
from core.analysis.trust import doubt_about_machine
from core.errors import UsageError
from core.language.translation import tr
from core.output.import_.imported import Imported
from core.plan.labels import label
from core.plan.spec import differing
from core.plan.subjects import subject_of
from core.result.ending import ending
from core.result.result import Result, unit_of

type Pair = tuple[Imported, Result]


def pair_up(imported: Sequence[Imported], results: Sequence[Result]) -> tuple[Pair, ...]:
    """Each measurement with the result of the same values; raises UsageError where that is unclear.

    The values are those of the parameters in which either side's entries differ.  A measurement
    without a result of its values has no pair.
    """
    names = _names(imported, results)
    pairs = []
    for one in imported:
        fits = [result for result in results if _fits(one, result, names)]
        if len(fits) > 1:
            raise _ambiguous(one, fits)
        pairs += [(one, result) for result in fits]
    return tuple(pairs)


def compare_imported(pairs: Sequence[Pair], margin: float = MARGIN) -> tuple[Verdict, ...]:
    """Judge results against measurements by another program, a family together."""
    names = differing([result.spec for _, result in pairs])
    return judge_family([_asked(one, result, names, margin) for one, result in pairs])


def _names(imported: Sequence[Imported], results: Sequence[Result]) -> tuple[str, ...]:
    """Parameters that tell entries apart; raises UsageError for one that no result has."""
    told = dict.fromkeys(name for one in imported for name in one.parameters)
    here = differing([result.spec for result in results])
    varying = [
        name
        for name in told
        if name in here or len({one.parameters.get(name) for one in imported}) > 1
    ]
    known = {name for result in results for name in result.spec.values}
    for name in varying:
        if name not in known:
            raise UsageError(
                tr(
                    "{source} varies {name}, which is no parameter here",
                    source=imported[0].source,
                    name=name,
                ),
                tr(
                    "name it as the placeholder here; known: {names}",
                    names=", ".join(sorted(known)),
                ),
            )
    return tuple(varying)


def _fits(one: Imported, result: Result, names: Sequence[str]) -> bool:
    values: Mapping[str, object] = result.spec.values
    return all(
        name not in one.parameters or means_value(one.parameters[name], result.spec.values[name])
        for name in names
        if name in values
    )


def _ambiguous(one: Imported, fits: Sequence[Result]) -> UsageError:
    names = differing([result.spec for result in fits]) or ("run",)
    return UsageError(
        tr("{count} results here could be meant by {name}", count=len(fits), name=one.label),
        tr(
            "say which, such as #{name}={value}",
            name=names[0],
            value=fits[0].spec.values.get(names[0], "…"),
        ),
    )


def _asked(one: Imported, result: Result, names: Sequence[str], margin: float) -> Asked:
    why = tuple(_obstacles(one, result))
    bare = Verdict(
        kind=VerdictKind.INVALID,
        metric="throughput",
        margin=margin,
        baseline=tr("{name} ({source})", name=one.label, source=one.source),
        candidate=label(result.spec, names) if names else subject_of(result.spec) or "B",
        trials=(len(one.values), len(result.finished_trials)),
        reasons=why,
    )
    if why:
        return Asked(bare, None)
    theirs = dict(enumerate(map(math.log, one.values)))
    ours = dict(enumerate(map(math.log, result.values("throughput"))))
    seen = math.exp(_mean(ours) - _mean(theirs))
    doubt = partial(doubt_about_machine, (result,))
    if min(len(ours), len(theirs)) < 2:
        return Asked(bare, Found(seen), doubt=doubt)
    drift = drift_to_allow((), list(theirs.values()), list(ours.values()))
    estimate = contrast(theirs, ours, drift)
    found = Found(ratio=seen, margin=margin, estimate=estimate, drift=drift)
    remark = tr("the machine and the data of {source} are not known", source=one.source)
    return Asked(bare, found, lambda: (remark, told_drift(drift)), doubt)


def _mean(logs: Mapping[int, float]) -> float:
    return math.fsum(logs.values()) / len(logs)


def _obstacles(one: Imported, result: Result) -> Iterator[str]:
    if not one.values:
        yield tr("the baseline has no values: {why}", why=one.ending)
    if not result.valid:
        yield tr("the candidate has no throughput: {why}", why=ending(result))
    elif not typical(result):
        yield tr("the candidate has a trial whose {metric} is 0", metric="throughput")
    if (unit := unit_of(result)) != one.unit:
        yield tr("the baseline counts {one}s, the candidate {two}s", one=one.unit, two=unit)
    elif result.spec.load.processes > 1:
        yield tr("the candidate ran several at once, the baseline one after the other")
