"""What one setting did inside, as values to draw: where its time went, and with what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from core.analysis.estimation import MetricEstimate
from core.analysis.figures import BarsFigure, CurvesFigure, FigureBar, FigureCurve, FigurePoint
from core.language.translation import tr, tr_word
from core.language.units import show, show_rate, show_seconds, show_share, show_size
from core.result.histogram import Percentile
from core.result.latency_map import LatencyFigure
from core.result.outcome import ending_in
from core.result.result import Result, Trial, phase_shares

_MOST_WORKERS = 16
_MOST_TRIALS = 24


@dataclass(frozen=True, kw_only=True)
class Inside:
    """One setting."""

    sections: tuple[BarsFigure, ...] = ()
    percentiles: CurvesFigure
    """Of its latencies, beside those of the best setting."""
    latencies: LatencyFigure | None = None
    """Over the time of its last trials; None where there are too few to see any change."""

    @staticmethod
    def of(result: Result, best: Result, names: Mapping[str, str]) -> Inside:
        """Where its time went, how long operations took, workers, memory, files, trials."""
        trials = result.finished_trials or result.trials
        sections = (
            _section(tr("Time in"), _phases(trials)),
            _section(tr("Workers of the last trial"), _workers(trials[-1:])),
            _section(tr("Memory and files"), _resources(trials)),
            _section(tr("Trials"), _trials(result)),
        )
        return Inside(
            sections=tuple(section for section in sections if section.bars),
            percentiles=percentiles_figure([result, best][: 1 if result is best else 2], names),
            latencies=LatencyFigure.of(trials[-_MOST_TRIALS:]),
        )


def _section(title: str, bars: Iterable[FigureBar]) -> BarsFigure:
    return BarsFigure(title=title, bars=tuple(bars), whole=1.0)


def _bar(name: str, share: float, text: str) -> FigureBar:
    return FigureBar(name=name, value=share, text=text)


def _phases(trials: Sequence[Trial]) -> Iterable[FigureBar]:
    for name, (share, spent) in phase_shares(trials).items():
        yield _bar(tr_word(name), share, f"{show_share(share)} · {show_seconds(spent)}")


def _workers(trials: Sequence[Trial]) -> Iterable[FigureBar]:
    for trial in trials:
        most = max((one.operations for one in trial.workers), default=0)
        for place, one in enumerate(trial.workers[:_MOST_WORKERS]):
            seconds = max(one.ended - one.started, 1) / 1e9
            busy = one.cpu / 1e9 / seconds
            text = tr("{rate}, {share} of a core", rate=show_rate(one.operations / seconds),
                      share=show_share(min(busy, 1.0)))  # fmt: skip
            yield _bar(f"#{place + 1}", one.operations / most if most else 0.0, text)
        if len(trial.workers) > _MOST_WORKERS:
            yield _bar(tr("{count} more", count=len(trial.workers) - _MOST_WORKERS), 0.0, "")


def _resources(trials: Sequence[Trial]) -> Iterable[FigureBar]:
    def most(figure: str) -> int:
        return max((getattr(trial, figure) or 0 for trial in trials), default=0)

    whole = most("peak_rss")
    for name, figure in (("peak", "peak_rss"), ("own", "most_anonymous"),
                         ("mapped", "most_file_backed")):  # fmt: skip
        if value := most(figure):
            yield _bar(tr_word(name), value / whole if whole else 0.0, show_size(value))
    files = most("most_fds")
    for name, figure in (("open files", "most_fds"), ("dataset files", "most_dataset_fds")):
        if value := most(figure):
            yield _bar(tr_word(name), value / files if files else 0.0, show(value, "count"))


def _trials(result: Result) -> Iterable[FigureBar]:
    shown = result.trials[-_MOST_TRIALS:]
    best = max((trial.throughput or 0.0 for trial in shown), default=0.0)
    for trial in shown:
        rate = trial.throughput
        name = tr("trial {number}", number=trial.index + 1)
        if rate is None:
            yield FigureBar(name=name, text=ending_in(result, trial), failed=True)
        else:
            yield _bar(name, rate / best if best else 0.0, show_rate(rate, trial.unit))


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
