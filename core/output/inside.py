"""What one setting did inside, as values to draw: where its time went, and with what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.analysis.latency_figure import LatencyFigure
from core.language.translation import tr, tr_word
from core.language.units import show, show_rate, show_seconds, show_share, show_size
from core.result.histogram import Histogram, bounds
from core.result.outcome import ending_in
from core.result.result import Result, Trial, phase_shares

_STEPS = (1, 2, 5)
_MOST_WORKERS = 16
_MOST_TRIALS = 24


@dataclass(frozen=True)
class InsideBar:
    """One bar: its name, its length from 0 to 1, and its figure."""

    name: str
    share: float
    text: str
    bad: bool = False


@dataclass(frozen=True)
class InsideSection:
    """Some bars under a heading."""

    title: str
    lines: tuple[InsideBar, ...]


@dataclass(frozen=True, kw_only=True)
class Inside:
    """One setting."""

    sections: tuple[InsideSection, ...] = ()
    latencies: LatencyFigure | None = None
    """Over the time of its last trials; None where there are too few to see any change."""

    @staticmethod
    def of(result: Result) -> Inside:
        """Where its time went, how long operations took, workers, memory, files, trials."""
        trials = result.finished_trials or result.trials
        sections = (
            InsideSection(tr("Time in"), tuple(_phases(trials))),
            InsideSection(tr("Latency"), tuple(_latencies(trials))),
            InsideSection(tr("Workers of the last trial"), tuple(_workers(trials[-1:]))),
            InsideSection(tr("Memory and files"), tuple(_resources(trials))),
            InsideSection(tr("Trials"), tuple(_trials(result))),
        )
        known = tuple(section for section in sections if section.lines)
        return Inside(sections=known, latencies=LatencyFigure.of(trials[-_MOST_TRIALS:]))


def _phases(trials: Sequence[Trial]) -> Iterable[InsideBar]:
    for name, (share, spent) in phase_shares(trials).items():
        yield InsideBar(tr_word(name), share, f"{show_share(share)} · {show_seconds(spent)}")


def _histogram(trial: Trial) -> Histogram | None:
    found = trial.latencies
    return found.histogram if found is not None else None


def _edge(nanoseconds: int) -> int:
    """The largest of 1, 2 and 5 times a power of ten that is not above."""
    power = int(10 ** (len(str(max(nanoseconds, 1))) - 1))
    return max(step * power for step in _STEPS if step * power <= max(nanoseconds, 1))


def _counts(histogram: Histogram) -> dict[int, int]:
    """Operations by the step that they lie in."""
    found: dict[int, int] = {}
    for bucket, count in zip(histogram.buckets, histogram.counts, strict=True):
        edge = _edge(bounds(bucket)[0])
        found[edge] = found.get(edge, 0) + count
    return found


def _steps_between(low: int, high: int) -> list[int]:
    edges = [low]
    while edges[-1] < high:
        first = int(str(edges[-1])[0])
        edges.append(edges[-1] * 5 // 2 if first == 2 else edges[-1] * 2)
    return edges


def _latencies(trials: Sequence[Trial]) -> Iterable[InsideBar]:
    sums: dict[int, int] = {}
    for histogram in filter(None, map(_histogram, trials)):
        for edge, count in _counts(histogram).items():
            sums[edge] = sums.get(edge, 0) + count
    if not sums:
        return
    whole, most = sum(sums.values()), max(sums.values())
    for edge in _steps_between(min(sums), max(sums)):
        count = sums.get(edge, 0)
        name = tr("from {time}", time=show_seconds(edge / 1e9))
        yield InsideBar(name, count / most, show_share(count / whole) if count else "")


def _workers(trials: Sequence[Trial]) -> Iterable[InsideBar]:
    for trial in trials:
        most = max((one.operations for one in trial.workers), default=0)
        for place, one in enumerate(trial.workers[:_MOST_WORKERS]):
            seconds = max(one.ended - one.started, 1) / 1e9
            busy = one.cpu / 1e9 / seconds
            text = tr("{rate}, {share} of a core", rate=show_rate(one.operations / seconds),
                      share=show_share(min(busy, 1.0)))  # fmt: skip
            yield InsideBar(f"#{place + 1}", one.operations / most if most else 0.0, text)
        if len(trial.workers) > _MOST_WORKERS:
            yield InsideBar(tr("{count} more", count=len(trial.workers) - _MOST_WORKERS), 0.0, "")


def _resources(trials: Sequence[Trial]) -> Iterable[InsideBar]:
    def most(figure: str) -> int:
        return max((getattr(trial, figure) or 0 for trial in trials), default=0)

    whole = most("peak_rss")
    for name, figure in (("peak", "peak_rss"), ("own", "most_anonymous"),
                         ("mapped", "most_file_backed")):  # fmt: skip
        if value := most(figure):
            yield InsideBar(tr_word(name), value / whole if whole else 0.0, show_size(value))
    files = most("most_fds")
    for name, figure in (("open files", "most_fds"), ("dataset files", "most_dataset_fds")):
        if value := most(figure):
            yield InsideBar(tr_word(name), value / files if files else 0.0, show(value, "count"))


def _trials(result: Result) -> Iterable[InsideBar]:
    shown = result.trials[-_MOST_TRIALS:]
    best = max((trial.throughput or 0.0 for trial in shown), default=0.0)
    for trial in shown:
        rate = trial.throughput
        name = tr("trial {number}", number=trial.index + 1)
        if rate is None:
            yield InsideBar(name, 0.0, ending_in(result, trial), bad=True)
        else:
            yield InsideBar(name, rate / best if best else 0.0, show_rate(rate, trial.unit))
