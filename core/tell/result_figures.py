"""Figures of results: throughput by threads or processes, and what one setting did inside.

Also the names of results beside each other, and which of them form a curve.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from core.desk import names_of
from core.judge import (
    NO_LIMITS,
    Limits,
    Ranking,
    Study,
    ThreadCurve,
    diagnose_all,
    metric_estimate,
    thread_curves,
    told_estimate,
)
from core.language import (
    SessionError,
    capitalised,
    show_seconds,
    show_share,
    tr,
    tr_word,
)
from core.measure import without_bare_files
from core.vocabulary import (
    METRICS,
    THREADS,
    Advice,
    BarsFigure,
    Claim,
    CurvesFigure,
    FigureBar,
    FigureCurve,
    FigurePoint,
    Metric,
    MetricEstimate,
    Moment,
    Percentile,
    Price,
    Result,
    RunSpec,
    Trial,
    differing,
    distinguishing,
    ending,
    label,
    leading,
    phase_shares,
    setting_of,
)


def names_by_digest(results: Sequence[Result], cells: Mapping[str, Result]) -> dict[str, str]:
    """The name of every result: that of the study's cell, or what sets it apart from others."""
    measured = without_bare_files(results)
    digests = {result.spec.digest for result in measured}
    raw = [result for result in results if result.spec.digest not in digests]
    names = dict(zip((r.spec.digest for r in measured), names_of(measured), strict=True))
    for result, name in zip(raw, names_of(raw), strict=True):
        workload = result.spec.workload
        names[result.spec.digest] = name if name == workload else f"{workload} · {name}"
    return names | {result.spec.digest: label for label, result in cells.items()}


def curve_axis(results: Sequence[Result]) -> str | None:
    """The parameter along which throughput is a curve; None where none of them varies."""
    varying = differing([result.spec for result in results])
    return next((name for name in ("threads", "processes") if name in varying), None)


def result_curves(results: Sequence[Result], axis: str) -> dict[str, tuple[Result, ...]]:
    """The results along an axis, in its order, by each combination of all else that varies."""
    curves: dict[str, list[Result]] = {}
    names = distinguishing([result.spec for result in results], without=(axis,))
    for result in results:
        name = label(result.spec, names) if names else ""
        curves.setdefault(name, []).append(result)
    return {
        name: tuple(sorted(members, key=lambda result: position(result, axis)))
        for name, members in curves.items()
    }


def position(result: Result, axis: str) -> int:
    return int(result.spec.values[axis])


def throughput_figure(
    results: Sequence[Result],
    advice: Advice | None = None,
    limits: Limits | None = NO_LIMITS,
    study: Study | None = None,
) -> CurvesFigure:
    """One curve for each setting of what varies besides, in the results' order.

    `advice`: what to use, the same in every face; `limits`: what both ends of a step respect, None
    where nobody asks for the price of one; `study`: the study with the published figures.  Laws are
    those of the curves that are drawn.  Empty if neither threads nor processes vary.
    """
    axis = curve_axis(results)
    metric = leading(results)[0] if results else METRICS["throughput"]
    figure = CurvesFigure(unit="rate" if metric.unit == "rate" else "seconds", measured=metric.key)
    lines = thread_curves(results) if axis == THREADS else ()
    if axis is not None and not lines:
        by_name = result_curves(results, axis)
        curves = tuple(
            _plain(one, axis, name if len(by_name) > 1 else "", metric)
            for name, one in by_name.items()
        )
        return replace(figure, axis=axis, curves=curves)
    ranking = Ranking(())
    curves = tuple(
        _curve(
            line,
            _advice_on(line, advice),
            () if limits is None else line.prices(ranking, limits),
            study,
            metric,
        )
        for line in lines
    )
    return replace(figure, curves=curves)


def _plain(results: Sequence[Result], axis: str, name: str, metric: Metric) -> FigureCurve:
    """Without advice."""
    return FigureCurve(
        name=name,
        points=tuple(
            point_at(position(one, axis), one, metric) for one in results if one.finished_trials
        ),
    )


def point_at(place: float, result: Result, metric: Metric) -> FigurePoint:
    """A result at its place on the axis."""
    return FigurePoint(
        at=place,
        found=metric_estimate(result, metric.key),
        told=told_estimate(result, metric.key),
        reason="" if result.valid else ending(result),
        setting=result.spec.digest,
    )


def _curve(
    line: ThreadCurve,
    advice: Advice | None,
    prices: tuple[Price, ...],
    study: Study | None,
    metric: Metric,
) -> FigureCurve:
    spec = next(iter(line.results.values())).spec
    quiet = advice.quiet if advice is not None and advice.beside else Claim()
    there = quiet.told and quiet.setting.items() >= line.values.items()
    return FigureCurve(
        name=setting_of(line.values),
        points=tuple(
            replace(
                point_at(point.threads, line.results[point.threads], metric), reason=point.reason
            )
            for point in line.points
        ),
        recommended=int(advice.values[THREADS]) if advice else None,
        sure=bool(advice and advice.usable),
        prices=() if advice and advice.beside else prices,
        published=published_curve(study, spec) if study else (),
        quiet=tuple(
            (threads, quiet.figures_of[one.spec.digest])
            for threads, one in line.results.items()
            if one.spec.digest in quiet.figures_of
        ),
        quiet_best=int(quiet.setting[THREADS]) if there else None,
    )


def _advice_on(line: ThreadCurve, advice: Advice | None) -> Advice | None:
    """The advice whose setting to use is one of a line's points."""
    every = [one.advice for one in advice.lines] if advice and advice.lines else [advice]
    specs = [result.spec for result in line.results.values()]
    return next((one for one in every if one and one.spec in specs), None)


def published_curve(study: Study, spec: RunSpec) -> tuple[tuple[int, float], ...]:
    """Threads and published operations/s of the cells that differ from a spec in threads alone.

    In rising order; empty where the study publishes no operations/s, or uses another unit than the
    measurement here.
    """
    same_unit = study.published_unit in ("", study.unit)
    if study.metric != "throughput" or not same_unit or spec.workload != study.workload:
        return ()
    varied = {name for cell in study.cells for name in cell.at} - {THREADS}
    figures: dict[int, float] = {}
    for cell in study.cells:
        values = study.base | cell.at
        settings = {name: values[name] for name in varied if name in values}
        if cell.published and settings.items() <= spec.values.items():
            figures[int(values.get(THREADS, 1))] = cell.published * study.scale
    return tuple(sorted(figures.items()))


_MOST_MOMENTS = 400
"""Of a trial's moments, so many are drawn: pixels tell no more apart."""


@dataclass(frozen=True, kw_only=True)
class Inside:
    """One setting."""

    phases: BarsFigure
    """The share of each step of an operation in the time of all workers."""
    percentiles: CurvesFigure
    """Of its latencies, beside those of the best setting."""
    moments: tuple[Moment, ...] = ()
    """Of its last trial."""
    sentence: str = ""
    """What limits its throughput; empty where that is not known."""
    why: str = ""
    """What that means, the evidence, and what to do."""

    @staticmethod
    def of(
        result: Result, best: Result, names: Mapping[str, str], beside: Sequence[Result] = ()
    ) -> Inside:
        """Where its time went, how long operations took, and how its last trial went on.

        `beside`: all that was measured, which tells what limits it; without it nothing does.
        """
        trials = result.finished_trials or result.trials
        sentence, why = _explained(result, beside)
        return Inside(
            phases=BarsFigure(title=tr("Where the time goes"), bars=_phases(trials), whole=1.0),
            percentiles=percentiles_figure([result, best][: 1 if result is best else 2], names),
            moments=_some_moments(trials[-1]) if trials else (),
            sentence=sentence,
            why=why,
        )


def _some_moments(trial: Trial) -> tuple[Moment, ...]:
    with suppress(SessionError):  # whoever sums the trials up reports it
        every = tuple(trial.moments)
        return every[:: -(-len(every) // _MOST_MOMENTS) or 1]
    return ()


def _explained(result: Result, beside: Sequence[Result]) -> tuple[str, str]:
    diagnosis = None
    with suppress(SessionError):  # moments that cannot be read, which only this needs
        diagnosis = diagnose_all(beside, result.spec)
    if diagnosis is None:
        return "", ""
    limit, _, meaning = diagnosis.sentence.removesuffix(".").partition(". ")
    more = filter(None, (meaning, *diagnosis.evidence, diagnosis.advice))
    return limit, " ".join(f"{capitalised(one)}." for one in more)


def _phases(trials: Sequence[Trial]) -> tuple[FigureBar, ...]:
    return tuple(
        FigureBar(
            name=tr_word(name), value=share, text=f"{show_share(share)} · {show_seconds(spent)}"
        )
        for name, (share, spent) in phase_shares(trials).items()
    )


def latencies_of(result: Result) -> tuple[Percentile, ...]:
    """The percentiles that all trials together support; none unless the result is valid."""
    together = result.latencies if result.valid else None
    return together.percentiles() if together else ()


def percentiles_figure(results: Iterable[Result], names: Mapping[str, str]) -> CurvesFigure:
    """Percentiles of one operation's latency, a curve for each result that tells them.

    `names`: those of the results, by the digest of their spec.
    """
    curves = (
        FigureCurve(
            name=names[result.spec.digest],
            points=tuple(
                FigurePoint(at=one.percent, found=MetricEstimate(value=one.value / 1e9))
                for one in latencies_of(result)
            ),
        )
        for result in results
    )
    return CurvesFigure(
        title=tr_word("Latency of one operation"),
        axis=tr_word("percentile"),
        across="percentiles",
        unit="seconds",
        measured="p99",
        logarithmic=True,
        curves=tuple(curve for curve in curves if curve.points),
        apart=0.0,
    )
