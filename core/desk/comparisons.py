"""Results against each other: where each setting of a run stands, and how two results compare.

A comparison that leaves something open has a step that measures both in turn; it is planned here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Literal

from msgspec.structs import replace

from core.desk.next_step import Act, NextStep
from core.desk.steps import LONGEST, chosen_result
from core.judge import (
    compare_answers,
    metric_estimate,
    past_of,
    ranking_of,
    text_that_means,
    told_estimate,
    typical,
)
from core.language import Seconds, capitalised, show_at_most, tr, tr_word
from core.measure import seconds_of
from core.run import again, earlier_results
from core.vocabulary import (
    REPEATS_TO_COMPARE,
    THREADS,
    Advice,
    CurvesFigure,
    FigureBar,
    FigureCurve,
    FigurePoint,
    Grade,
    Metric,
    MetricEstimate,
    Plan,
    Result,
    RunSpec,
    Verdict,
    VerdictKind,
    differing,
    distinguishing,
    ending,
    label,
    leading,
    metric_named,
)

type Rank = Literal["best", "same", "behind", "ahead", "unknown", "failed", "alone", "cancelled"]
"""`alone`: the only one with a figure, which is never the best.  `same`: as good, or not measurably
different.  `ahead`: faster than what is used, which costs less."""

type Runs = tuple[Sequence[Result], Sequence[Result]]
"""The results of two runs, the baseline's first."""

_MOST_JUDGED = 60
"""Settings that are held against the best one by one: the fastest; a pair takes milliseconds."""


@dataclass(frozen=True, kw_only=True)
class Standing:
    """One setting: its throughput, and what its pair with the best says."""

    setting: str
    """The digest of its spec."""
    name: str
    place: Rank
    text: str
    """The result in words."""
    estimate: MetricEstimate
    """Of the figure that its users think in."""
    figure: str = ""
    """That figure, for people."""
    verdict: Verdict | None = None
    """On it against the best; None for the best itself, and where there is nothing to compare."""
    told: bool = False
    """Of the best, whether it surely is, and no trial follows."""
    measured: bool = True
    """Whether any of its trials counts: what was cancelled is not drawn."""

    @property
    def against(self) -> str:
        """`0.97× (0.93× to 1.01×)`; empty where there is no ratio."""
        if self.place == "best":
            return tr("best") if self.told else tr("leading")
        return self.verdict.figures if self.verdict is not None else ""

    @property
    def bar(self) -> FigureBar:
        """In colour where nothing is surely better."""
        estimate, failed = self.estimate, self.place == "failed"
        return FigureBar(
            setting=self.setting,
            name=self.name,
            value=estimate.value or 0.0,
            low=estimate.low,
            high=estimate.high,
            trials=estimate.trials,
            text=self.text if failed else self.figure,
            failed=failed,
            rank=0 if self.place in {"best", "same", "ahead"} else None,
        )


def names_of(results: Sequence[Result]) -> tuple[str, ...]:
    """What sets each result apart from the others, such as `threads 4 · cache none`."""
    varying = distinguishing([result.spec for result in results])
    return tuple(label(result.spec, varying) for result in results)


def standings(
    results: Sequence[Result], advice: Advice | None, grade: Grade | None, *, over: bool
) -> tuple[Standing, ...]:
    """The best first, then by throughput; those without one at the end.

    `over`: the run is whole and no trial follows, so that the best can be told to be the one to
    use.
    """
    best = chosen_result(results, advice)
    beside = advice is not None and advice.beside
    metric = leading(results)[0]
    ranked = sorted(
        zip(results, names_of(results), strict=True),
        key=lambda pair: (pair[0] is best, pair[0].valid, typical(pair[0]) or 0.0),
        reverse=True,
    )
    ranking = ranking_of([one for one, _ in ranked if one.valid], parts=True)
    alone = sum(one.valid for one in results) == 1
    ranks = []
    for at, (one, name) in enumerate(ranked):
        verdict, estimate = None, metric_estimate(one, metric.key)
        if one is not best and best is not None and one.valid and at <= _MOST_JUDGED:
            verdict = ranking.pair(best, one)
        place: Rank = "best" if one is best and one.valid else _rank_of(one, verdict)
        if alone and one.valid:
            place = "alone"
        by_ending = alone or not one.valid
        text = ending(one) if by_ending else _text(place, grade, over=over, beside=beside)
        if verdict is not None and verdict.kind in (VerdictKind.SAME, VerdictKind.UNDECIDED):
            text = _alike(verdict)
        ranks.append(
            Standing(
                setting=one.spec.digest, name=name, place=place, text=text, estimate=estimate,
                figure=_figure_of(one, metric),
                verdict=verdict, measured=bool(one.finished_trials),
                told=over and grade is Grade.SURE,
            )
        )  # fmt: skip
    return tuple(ranks)


def _figure_of(result: Result, metric: Metric) -> str:
    estimate = told_estimate(result, metric.key)
    return "" if estimate.value is None else metric.told_text(estimate, result.unit, whole=False)


def _alike(verdict: Verdict) -> str:
    if verdict.kind is VerdictKind.SAME:
        return tr("as good within {near:g} %", near=100 * verdict.margin)
    if verdict.tells:
        return verdict.relation
    best, own = verdict.trials
    if best < MetricEstimate.FEWEST <= own:
        return tr("too few trials of the best")
    return MetricEstimate.missing_text(own)


def _rank_of(result: Result, verdict: Verdict | None) -> Rank:
    if not result.valid:
        return "failed" if result.finished_trials else "cancelled"
    match verdict.kind if verdict is not None else VerdictKind.INVALID:
        case VerdictKind.SLOWER:
            return "behind"
        case VerdictKind.FASTER:
            return "ahead"
        case VerdictKind.INVALID:
            return "unknown"
        case _:
            # Too few trials show nothing, not even that there is no difference.
            alike = verdict is not None and verdict.tells and not verdict.apart
            return "same" if alike else "unknown"


def _text(place: Rank, grade: Grade | None, *, over: bool, beside: bool) -> str:
    match place:
        case "best" if over and grade is Grade.SURE:
            return tr("use this for now") if beside else tr("use this")
        case "best":
            return tr("leading")
        case "behind":
            return tr("slower")
        case "ahead":
            return tr("faster, and costs more")
        case _:
            return ""


_ROWS = ("throughput", "p50", "p99", "peak_rss", "fds", "cpu_each")
"""What two results are compared in, where both have it."""


@dataclass(frozen=True, kw_only=True)
class RatioRow:
    """A metric of both results: the ratio with the interval of its verdict, or both figures."""

    title: str
    verdict: Verdict | None = None
    """None for the head of the rows below it."""
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class Compared:
    """Two results against each other: the verdict, the ratio of each metric, what is next."""

    verdict: Verdict
    rows: tuple[RatioRow, ...] = ()
    steps: tuple[NextStep, ...] = ()
    settings: tuple[str, ...] = ()
    """Of two runs, what sets their settings apart; the candidate's first."""
    curves: CurvesFigure = field(default_factory=CurvesFigure)
    """Throughput of two runs by threads, the candidate's first."""

    @staticmethod
    def of(
        baseline: Result, candidate: Result, names: Sequence[str] = (), runs: Runs = ((), ())
    ) -> Compared:
        """With what the sessions of both tell of the past; `names`: of the runs of both.

        `runs`: the results of these, of which those are compared too that have as many threads.
        """
        rows = tuple(_rows(baseline, candidate))
        verdict = _verdict(baseline, candidate, "throughput")
        steps = next_to_compare(verdict, baseline, candidate)
        curves, settings = CurvesFigure(), tuple[str, ...]()
        if names:
            settings = names_of((candidate, baseline)) if baseline.spec != candidate.spec else ()
            one, two = names
            verdict = replace(verdict, baseline=one, candidate=two)
            sides = _by_threads(runs[0], baseline), _by_threads(runs[1], candidate)
            pairs = {at: (sides[0][at], sides[1][at]) for at in sides[0] if at in sides[1]}
            if len(pairs) > 1:
                curves = CurvesFigure(
                    curves=tuple(
                        _curve(name, side)
                        for name, side in zip((two, one), sides[::-1], strict=True)
                    )
                )
                rows = (*_rows_by_threads(pairs), RatioRow(title=_counted(candidate)), *rows[1:])
        return Compared(verdict=verdict, rows=rows, steps=steps, curves=curves, settings=settings)

    @property
    def sentence(self) -> str:
        return capitalised(self.verdict.claim)

    @property
    def how_sure(self) -> str:
        """What took no turns is likely at most; empty where nothing is told."""
        if self.verdict.kind in {VerdictKind.UNDECIDED, VerdictKind.INVALID}:
            return ""
        return tr("likely, not in turns") if self.verdict.drift is not None else tr("sure")


def _verdict(baseline: Result, candidate: Result, metric: str) -> Verdict:
    (verdict,) = _verdicts([(baseline, candidate)], metric)
    return verdict


def _verdicts(pairs: Sequence[tuple[Result, Result]], metric: str) -> Sequence[Verdict]:
    return compare_answers(pairs, metric=metric, past_of=partial(past_of, earlier_results))


def _by_threads(results: Sequence[Result], like: Result) -> dict[int, Result]:
    """Those with a figure that differ from one in threads alone, in rising order."""

    def rest(result: Result) -> dict[str, object]:
        return {name: value for name, value in result.spec.values.items() if name != THREADS}

    alike = (one for one in results if typical(one, "throughput") and rest(one) == rest(like))
    return dict(sorted((int(one.spec.values[THREADS]), one) for one in alike))


def _curve(name: str, results: Mapping[int, Result]) -> FigureCurve:
    points = (
        FigurePoint(at=at, found=metric_estimate(one, "throughput"), setting=one.spec.digest)
        for at, one in results.items()
    )
    return FigureCurve(name=name, points=tuple(points))


def _counted(result: Result) -> str:
    count = int(result.spec.values[THREADS])
    return tr("With 1 thread", "With {count} threads", count=count)


def _rows_by_threads(pairs: Mapping[int, tuple[Result, Result]]) -> Iterator[RatioRow]:
    yield RatioRow(title=tr_word("Throughput"))
    for at, verdict in zip(pairs, _verdicts([*pairs.values()], "throughput"), strict=True):
        title = tr("1 thread", "{count} threads", count=at)
        yield RatioRow(title=title, verdict=verdict, text=verdict.figures)


def _rows(baseline: Result, candidate: Result) -> Iterator[RatioRow]:
    sides = (baseline, candidate)
    for metric in map(metric_named, _ROWS):
        figures = [typical(side, metric.key) for side in sides]
        verdict = _verdict(baseline, candidate, metric.key) if all(figures) else None
        if verdict is not None and verdict.ratio is not None:
            one, two = (
                metric.text(figure or 0.0, side.unit)
                for figure, side in zip(figures, sides, strict=True)
            )
            if metric.summed != "mean":  # counts and shares have no interval
                verdict = replace(verdict, low=None, high=None)
            first = metric.key == _ROWS[0]
            text = verdict.figures if first else f"{one} → {two}"
            yield RatioRow(title=tr_word(metric.title), verdict=verdict, text=text)


def next_to_compare(verdict: Verdict, baseline: Result, candidate: Result) -> tuple[NextStep, ...]:
    """What would tell more than this verdict on two results; nothing where it is told.

    Two trials of the same setting, such as those of two versions of a library, cannot take turns.
    """
    settled = verdict.kind is not VerdictKind.UNDECIDED and verdict.drift is None
    if settled or verdict.kind is VerdictKind.INVALID or baseline.spec == candidate.spec:
        return ()
    step = NextStep(
        act=Act.AGAIN,
        text=tr(
            "Measure both in turn (at most {time})",
            time=show_at_most(_longest(baseline, candidate)),
        ),
        why=tr(
            "What is measured in turn has no drift of the machine between its sides. "
            "It ends as soon as the verdict is told."
        ),
        brief=tr("Measure in turns"),
        name="in turn",
    )
    return (step,)


def plan_to_compare(baseline: Result, candidate: Result) -> Plan:
    """The plan of that step; raises what `core.run.measure_again.again` raises."""
    return again([(baseline, candidate)], budget=_longest(baseline, candidate))


def _longest(baseline: Result, candidate: Result) -> Seconds:
    return min(REPEATS_TO_COMPARE * seconds_of([baseline.spec, candidate.spec]), LONGEST)


def comparing_arguments(plan: Plan, session: Path, run: int) -> list[str]:
    """The arguments of the command line that measures the pair of a plan again, from its run."""
    specs = {spec.digest: spec for spec in plan.specs}
    ((one, two),) = plan.pairs
    names = differing(plan.specs)
    sides = [_chosen(specs[side], names, run) for side in (one, two)]
    return [
        "compare",
        f"{session}#{sides[0]}",
        f"#{sides[1]}",
        "--again",
        "--budget",
        f"{plan.budget:g}",
    ]


def _chosen(spec: RunSpec, names: Sequence[str], run: int) -> str:
    values = {"workload": spec.workload, **spec.values}
    conditions = [f"{name}={text_that_means(values[name])}" for name in names if name in values]
    return ",".join((f"run={run}", *conditions))
