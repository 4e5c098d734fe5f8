"""What sessions answer to "is B faster than A": now, on the quiet machine, and by CPU time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from core.judge.comparison import compare_all
from core.judge.estimation import measured_apart
from core.judge.trust import taken_from
from core.language import show_share, tr
from core.vocabulary import CoreUse, Result, Verdict, VerdictKind, metric_named


def compare_answers(pairs: Sequence[tuple[Result, Result]], **terms: Any) -> tuple[Verdict, ...]:
    """As `compare_all`, of what sessions answer: each verdict says whether it holds for now only.

    A side that was measured beside other programs, and one that was not, are answers of different
    kinds: INVALID, unless they took turns.  Memory, files, CPU time and what is counted are the
    same beside others; of latencies nobody knows what they are without them.
    """
    verdicts = list(compare_all(pairs, **terms))
    metric = metric_named(terms.get("metric", "throughput"))
    if not (metric.of_valid or metric.quantile):
        return tuple(verdicts)
    computed: dict[int, tuple[Result, Result]] = {}
    for at, pair in enumerate(pairs):
        if not taken_from(pair):
            continue
        why = _other_kinds(*pair)
        bare = msgspec.structs.replace(verdicts[at], beside=True)
        verdicts[at] = _refused(bare, why) if why else bare
        if metric.of_valid and verdicts[at].kind is not VerdictKind.INVALID:
            verdict_alone = _alone(*pair)
            if len(verdict_alone) == 2:
                computed[at] = verdict_alone[0], verdict_alone[1]
    quiet = compare_all(list(computed.values()), **terms)
    for at, verdict in zip(computed, quiet, strict=True):
        verdicts[at] = msgspec.structs.replace(verdicts[at], quiet=verdict.kind)
    return tuple(_with_witness(verdicts, pairs, terms) if metric.of_valid else verdicts)


_WORKING = 0.5
"""Cores that a side keeps busy or waits for, from which on other waiting is not what it does."""


def _works(side: Result) -> bool:
    uses = [CoreUse.of(trial) for trial in side.finished_trials]
    return all(use is not None and use.running + use.queued >= _WORKING for use in uses)


def _with_witness(
    verdicts: Sequence[Verdict], pairs: Sequence[tuple[Result, Result]], terms: Mapping[str, Any]
) -> Iterator[Verdict]:
    """What the clock leaves open between equal loads, with what CPU time says of it.

    CPU time hardly wavers with what others do: of a true 1.05, measured for a minute on a busy
    machine, its standard error was 0.014, and that of the clock 0.036.
    """
    left_open = {
        at: pair
        for at, pair in enumerate(pairs)
        if verdicts[at].kind is VerdictKind.UNDECIDED
        and pair[0].spec.load.workers == pair[1].spec.load.workers
        and all(_works(side) for side in pair)
    }
    by_cpu = compare_all(list(left_open.values()), **{**terms, "metric": "cpu_each"})
    figures = {at: one.figures for at, one in zip(left_open, by_cpu, strict=True) if one.differs}
    for at, verdict in enumerate(verdicts):
        text = tr(
            "by CPU time {figures} for each operation; by the clock it cannot be told",
            figures=figures.get(at, ""),
        )
        reasons = (text, *verdict.reasons) if at in figures else verdict.reasons
        yield msgspec.structs.replace(verdict, reasons=reasons)


def _alone(a: Result, b: Result) -> Sequence[Result]:
    """What can be told of both on the quiet machine; rounds of theirs belong together in turns."""
    from core.judge.alone import alone  # which no comparison of quiet runs needs

    if measured_apart(a.finished_trials, b.finished_trials):
        return (*alone([a]).results, *alone([b]).results)
    return alone([a, b]).results


def _refused(verdict: Verdict, why: str) -> Verdict:
    kind = VerdictKind.INVALID
    return msgspec.structs.replace(
        verdict, kind=kind, ratio=None, low=None, high=None, reasons=(why, *verdict.reasons)
    )


def _other_kinds(a: Result, b: Result) -> str:
    """Why they are answers of different kinds; empty where they are not."""
    shares = taken_from([a]), taken_from([b])
    if all(shares) or not measured_apart(a.finished_trials, b.finished_trials):
        return ""
    return tr(
        "{side} was measured beside other programs, which took {share} of its time, and the other "
        "side on a quiet machine: measure both in turn (`compare --again`)",
        side=tr("the baseline") if shares[0] else tr("the candidate"),
        share=show_share(max(shares)),
    )
