"""What was measured of a step, as numbers of threads to choose from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from core.judge import compare_answers
from core.language import show_share, tr
from core.vocabulary import OfPrograms, Result, Verdict
from core.workflow.groups import Group
from core.workflow.recorded import Step

_SURE = 0.1
"""Half of an interval, relative, up to which a figure counts as sure."""
_OURS = re.compile(r"^.*? ended with -?\d+: |\S*\.tree/")


class Option(msgspec.Struct, frozen=True, kw_only=True):
    """A number of threads: times and core-hours are relative to those with the granted number."""

    threads: int
    time: float = 1.0
    low: float = 1.0
    high: float = 1.0
    """Interval of `time`."""
    peak: float = 0.0
    """Bytes of a run at most; 0 = not known."""
    granted: int = 1

    @property
    def core_hours(self) -> float:
        return self.time * self.threads / self.granted

    @property
    def saves(self) -> bool:
        """Whether it surely takes fewer core-hours."""
        return self.high * self.threads < self.granted

    @property
    def how_sure(self) -> str:
        spread = max(self.high / self.time, self.time / self.low) - 1.0
        if spread <= _SURE:
            return tr("sure")
        return tr("within {share}", share=show_share(spread))


class StepAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A step before and after; `why_not`: why nothing is told of it."""

    group: Group
    options: tuple[Option, ...] = ()
    """Among which was chosen, and the granted number."""
    advised: Option
    why_not: str = ""
    curve: tuple[tuple[int, float], ...] = ()
    """Speed by threads, relative to that with the granted number, of all that were measured."""
    cores_used: float | None = None
    remark: str = ""
    outputs_same: bool = False
    """Whether outputs were compared, and those of the advised number were the same."""

    @property
    def core_seconds(self) -> float:
        return self.group.core_seconds

    @property
    def core_seconds_after(self) -> tuple[float, float, float]:
        """The estimate and its interval."""
        before, one = self.core_seconds, self.advised
        share = one.threads / one.granted
        return before * share * one.time, before * share * one.low, before * share * one.high

    @property
    def changes(self) -> bool:
        return self.advised.threads != self.group.granted

    @property
    def how_sure(self) -> str:
        return self.advised.how_sure if self.changes else ""

    def memory(self) -> int:
        """Bytes to grant: the peak that was measured with a quarter more, in whole 100 MB; 0 = not
        known.  Where another run of the step has a larger input, in proportion more.
        """
        if not (self.changes and self.advised.peak):
            return 0
        sizes = [sum(_size(one, path) for path in one.inputs) for one in self.group.steps]
        typical = sum(_size(self.group.typical, path) for path in self.group.typical.inputs)
        larger = max(max(sizes) / typical, 1.0) if typical else 1.0
        return -int(-self.advised.peak * larger * 1.25 // 10**8) * 10**8


def _size(step: Step, path: Path) -> int:
    place = step.folder / path
    return place.stat().st_size if place.is_file() else 0


def untold(group: Group, why: str) -> StepAnswer:
    """A step that stays as it is."""
    granted = group.granted
    stays = Option(threads=granted, granted=granted)
    return StepAnswer(
        group=group,
        options=(stays,),
        advised=stays,
        why_not=why,
        cores_used=group.cores_used,
    )


def step_answer(group: Group, results: Sequence[Result], *, compared: bool) -> StepAnswer:
    """What results with several numbers of threads say; `compared`: whether outputs were."""
    by_threads = {one.spec.load.threads: one for one in results if one.finished_trials}
    base = by_threads.get(group.granted)
    if base is None:
        return untold(group, tr("not measured yet"))
    if not base.valid:
        return untold(group, _complaint(base))
    others = [one for threads, one in by_threads.items() if threads != group.granted and one.valid]
    verdicts = compare_answers([(base, one) for one in others])
    options = [_option(*pair, group) for pair in zip(others, verdicts, strict=True)]
    told = [one for one in options if one is not None]
    stays = Option(threads=group.granted, granted=group.granted, peak=_peak(base))
    wrong = sorted(n for n, one in by_threads.items() if not one.valid)
    answer = StepAnswer(
        group=group,
        options=(stays, *(one for one in told if one.saves)),
        advised=stays,
        why_not="" if told else tr("too few trials to tell"),
        curve=tuple(_curve(group.granted, others, verdicts)),
        cores_used=group.cores_used or (_cores_used(base) if told else None),
        outputs_same=compared,
    )
    if wrong:
        text = tr(
            "other output or errors with threads={threads}", threads=", ".join(map(str, wrong))
        )
        return msgspec.structs.replace(answer, remark=text)
    return answer


def _complaint(result: Result) -> str:
    """In the step's own words, without what runs it and where."""
    from core.vocabulary import ending

    complaints = (one.text for trial in result.trials for one in trial.complaints)
    return _OURS.sub("", next(complaints, "") or ending(result))


def _option(result: Result, verdict: Verdict, group: Group) -> Option | None:
    if not (verdict.ratio and verdict.low and verdict.high):
        return None
    return Option(
        threads=result.spec.load.threads,
        granted=group.granted,
        time=1.0 / verdict.ratio,
        low=1.0 / verdict.high,
        high=1.0 / verdict.low,
        peak=_peak(result),
    )


def _peak(result: Result) -> float:
    return max(result.values("peak_rss"), default=0.0)


def _cores_used(result: Result) -> float | None:
    used = [
        trial.counters[OfPrograms.CPU] / trial.elapsed
        for trial in result.finished_trials
        if OfPrograms.CPU in trial.counters and trial.elapsed
    ]
    return sum(used) / len(used) if used else None


def _curve(
    granted: int, others: Sequence[Result], verdicts: Sequence[Verdict]
) -> Iterator[tuple[int, float]]:
    points = {granted: 1.0}
    for one, verdict in zip(others, verdicts, strict=True):
        if verdict.ratio:
            points[one.spec.load.threads] = verdict.ratio
    yield from sorted(points.items())
