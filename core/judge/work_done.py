"""Whether settings that are compared did the same work: as much of it, and the same items.

Who is measured for a time and is faster gets further.  Where items cost the same that changes
nothing.  Where they do not, such as files of a list, the faster setting also met others, and the
ratio of the throughputs is not that of the times for the same work.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Hashable, Iterator, Sequence
from itertools import groupby, pairwise
from statistics import median

from core.judge.estimation import typical
from core.language import (
    Seconds,
    SessionError,
    show_count,
    show_ratio,
    show_seconds,
    show_share,
    show_size,
    tr,
    tr_word,
)
from core.measure import without_bare_files
from core.vocabulary import Doubt, OfPrograms, Result, Trial, distinguishing, label

_LOAD = ("threads", "processes", "nodes", "cores", "share")
"""Parameters that decide who does the work, not what is to be done."""
_MORE = 1.1
"""Of bytes, the factor from which on operations are not the same."""
_CHANGED, _CHANGED_ONCE = math.log(1.15), math.log(1.5)
"""Of a throughput, in every trial, or where there is one alone."""
_COMPUTES = 0.8
"""Cores that are busy where the work mostly computes."""
_LESS = 1.2
"""The factor from which on CPU time is less: caches may let several cores do a little more."""
_WRITTEN = (OfPrograms.WRITTEN, OfPrograms.TO_STDOUT)


def doubts_about_work(results: Sequence[Result]) -> Iterator[Doubt]:
    """What speaks against holding these results against each other; none is sure while it does."""
    measured = [one for one in without_bare_files(results) if one.valid]
    if len(measured) > 1:
        # Other items have other sizes.
        others = list(_other_items(measured))
        yield from others or _other_bytes(measured)
        yield from _too_fast(measured, _done_by_all(measured) if others else 0)


def _other_bytes(results: Sequence[Result]) -> Iterator[Doubt]:
    """The first of them that moves or writes other amounts with another number of workers."""
    for base, other in _with_more_workers(results):
        for one, two in zip(_sizes(base), _sizes(other), strict=True):
            if one and two and max(one / two, two / one) > _MORE:
                yield Doubt(
                    text=tr(
                        "Settings did not do the same: an operation of {base} comes to {size}, of "
                        "{other} to {less}.",
                        size=show_size(one),
                        less=show_size(two),
                        **_names(base, other, results),
                    ),
                    remedy=_same_work(),
                    unsettles=True,
                )
                return


_CLIMBS = math.log(1.05)
"""Of throughput, from each quarter of a trial to the next."""
_IN_QUARTER = 400
"""Operations of a quarter of a trial, below which chance makes such steps."""
_BUSY = 5
"""Operations of one worker while another had none, from which on that had no work."""


def climbing(result: Result) -> Iterator[Doubt]:
    """Where every trial gets faster up to its end, as with an empty cache of files each time."""
    climbs = [_climb(trial) for trial in result.finished_trials]
    if climbs and min(climbs) > _CLIMBS:
        yield Doubt(
            text=tr(
                "Throughput still climbs at the end of each trial, by {share} in its last quarter.",
                share=show_share(math.exp(median(climbs)) - 1.0),
            ),
            remedy=tr(
                "Make the trials or their warm-up longer: a cache of files is empty at each start."
            ),
        )


def _climb(trial: Trial) -> float:
    """The least log of the throughput of a quarter over that before, from the third on.

    0 where the second is slower than the first: something stood still in it.
    """
    moments, steps = trial.moments, []
    try:
        ends = [moments[max(len(moments) * part // 4 - 1, 0)].work for part in range(5)]
    except (IndexError, SessionError):  # whoever opens the trial sees the error
        return 0.0
    for (done, seconds), (more, later) in pairwise(ends):
        if more - done < _IN_QUARTER or later <= seconds:
            return 0.0
        steps.append(math.log((more - done) / (later - seconds)))
    first, second, third, fourth = steps
    return min(third - second, fourth - third) if second >= first else 0.0


def idle_workers(results: Sequence[Result]) -> Iterator[Doubt]:
    """Where some workers had no work, as with a batch larger than the data: the most workers."""
    measured = without_bare_files(results)
    for one in sorted(measured, key=lambda each: -each.spec.load.all_workers):
        for trial in one.finished_trials:
            counts = tuple(worker.operations for worker in trial.workers)
            working = sum(count > 0 for count in counts)
            if trial.valid and working < len(counts) and max(counts) >= _BUSY:
                text = tr(
                    "1 of {workers} workers had work.",
                    "{count} of {workers} workers had work.",
                    count=working,
                    workers=len(counts),
                )
                names = distinguishing([each.spec for each in measured])
                yield Doubt(
                    text=f"{label(one.spec, names)}: {text}" if names else text,
                    remedy=tr("Take more data, or smaller batches: so the others tell nothing."),
                    unsettles=True,
                    idle=counts,
                    needs=_needs(one),
                )
                return


def _needs(result: Result) -> str:
    """As many as give each worker some batches, where it is known how large these are."""
    batch = result.spec.values.get("batch_size")
    if not isinstance(batch, int):
        return tr("more data")
    count = show_count(_BUSY * batch * result.spec.load.all_workers)
    return f"{count} {tr_word(f'{result.unit}s')}"


def _sizes(result: Result) -> tuple[float, float]:
    """Bytes that an operation delivers, and those that it writes; 0 where that is not counted."""
    done = sum(trial.operations for trial in result.finished_trials)
    moved = sum(trial.total(lambda worker: worker.bytes) for trial in result.finished_trials)
    written = sum(
        trial.counters.get(name, 0.0) for trial in result.finished_trials for name in _WRITTEN
    )
    return (moved / done, written / done) if done else (0.0, 0.0)


def _too_fast(results: Sequence[Result], first: int) -> Iterator[Doubt]:
    """The first that is faster with more workers than all cores can be, as it computes less.

    `first`: the operations over which their gain counts, where items differ; 0 = all.
    """
    for base, other in _with_more_workers(results):
        gain, cpu = typical(other) or 0.0, typical(base, "cpu_each") or 0.0
        busy, load = cpu * (typical(base) or 0.0), other.spec.load
        cores = load.nodes * load.cores_of(other.environment.usable_cores)
        if busy < _COMPUTES or cpu * gain <= _LESS * cores or not computes_less(base, other):
            continue
        if first and busy * _gain_over(first, base, other) <= _LESS * cores:
            continue
        yield Doubt(
            text=tr(
                "{other} is {ratio} as fast as {base}, which is more than the cores can be, "
                "{cores} of them: an operation takes {less} of CPU and not {cpu}.",
                ratio=show_ratio(gain / (typical(base) or 1.0)),
                cores=f"{cores:g}",
                cpu=show_seconds(cpu),
                less=show_seconds(typical(other, "cpu_each") or 0.0),
                **_names(base, other, results),
            ),
            remedy=_same_work(),
            unsettles=True,
        )
        return


def computes_less(base: Result, other: Result) -> bool:
    """Whether an operation takes less CPU with the other setting, which no core can change."""
    cpu, less = (typical(one, "cpu_each") for one in (base, other))
    return cpu is not None and less is not None and cpu > _LESS * less


def _with_more_workers(results: Sequence[Result]) -> Iterator[tuple[Result, Result]]:
    """Each that differs in nothing but its workers from one with fewer, behind that."""
    fewest: dict[Hashable, Result] = {}
    for other in sorted(results, key=lambda one: one.spec.load.all_workers):
        base = fewest.setdefault(other.spec.all_but(_LOAD), other)
        if base is not other:
            yield base, other


def _other_items(results: Sequence[Result]) -> Iterator[Doubt]:
    """Where what the faster did beyond the slower's last item was done at another pace."""
    timed = [one for one in results if one.spec.load.duration and not one.spec.load.operations]
    for _, group in groupby(sorted(timed, key=_subject), key=_subject):
        together = list(group)
        least = _done_by_all(together)
        for one in together:
            change = _change(one.finished_trials, least) if least else 0.0
            if change:
                yield Doubt(
                    text=tr(
                        "Settings got differently far in their time, and items differ: {setting} "
                        "was {ratio} as fast over all that it did as over the first "
                        "{count}, which all did.",
                        setting=label(one.spec, distinguishing([r.spec for r in results])),
                        ratio=show_ratio(math.exp(change)),
                        count=show_count(least),
                    ),
                    remedy=tr(
                        "Give all the same work: --operations, as many as the data has, or "
                        "--duration 0."
                    ),
                    unsettles=not _same_leader(together, least),
                )
                return


def _done_by_all(results: Sequence[Result]) -> int:
    """Operations of the slowest trial, which all trials have done."""
    return int(min((min(map(_counted, one.finished_trials)) for one in results), default=0.0))


def _same_leader(results: Sequence[Result], first: int) -> bool:
    """Whether what is slower than the fastest in each trial is so over the first operations too.

    Then how much faster it is depends on how much is done, and that it is faster does not.  Of two
    that were given the same time that is always so: who did more had done the same sooner.
    """
    leader, *others = sorted(results, key=lambda one: -(typical(one) or 0.0))
    return all(
        _faster_over(first, leader, one) for one in others if _faster_over(math.inf, leader, one)
    )


def _faster_over(first: float, leader: Result, other: Result) -> bool:
    return min(_rates_over(first, leader)) > max(_rates_over(first, other))


def _gain_over(first: float, base: Result, other: Result) -> float:
    before, after = (median(_rates_over(first, one)) for one in (base, other))
    return after / before if before else math.inf


def _rates_over(first: float, result: Result) -> list[float]:
    """Throughput over so many operations, of each trial."""
    return [_rate_over(first, trial) for trial in result.finished_trials]


def _rate_over(first: float, trial: Trial) -> float:
    """0 where nobody looked at it then."""
    done, seconds, _ = _work_over(first, trial)
    return done / seconds if seconds > 0 else 0.0


def _work_over(first: float, trial: Trial) -> tuple[float, Seconds, int]:
    """Operations, their time, and how many were under way: at the first look at which so many had
    been counted, or else at the last; zeros where nobody looked.
    """
    moments = trial.moments
    try:
        at = bisect_left(moments, first, key=lambda moment: moment.work[0])
        moment = moments[min(at, len(moments) - 1)]
    except (IndexError, SessionError):  # whoever opens the trial sees the error
        return 0.0, 0.0, 0
    return (*moment.work, len(moment.operations))


def _subject(result: Result) -> tuple[str, str, str]:
    return result.spec.workload, result.spec.dataset.location, result.unit


def _counted(trial: Trial) -> float:
    """Operations up to the last look, of which the throughput is computed."""
    return trial.moments[-1].work[0] if trial.moments else 0.0


def _change(trials: Sequence[Trial], first: int) -> float:
    """Log of the throughput over that of the first operations, the least of all trials'.

    0 where it is little, or not to the same side in each.
    """
    least = 0.0
    for trial in trials:
        change = _change_in(trial, first)
        if abs(change) <= _CHANGED or change * least < 0:
            return 0.0  # without a look at the others: to unpack their moments takes long
        least = min(least or change, change, key=abs)
    return least if len(trials) > 1 or abs(least) > _CHANGED_ONCE else 0.0


def _change_in(trial: Trial, first: int) -> float:
    """0 where it may come from the operations that were under way at the first look: with as many
    workers as operations none has ended for the time of one.
    """
    done, seconds, under_way = _work_over(first, trial)
    rate = _rate_over(math.inf, trial)
    if not (rate and done and seconds > 0):
        return 0.0
    least, most = done / seconds, (done + under_way) / seconds
    return math.log(rate / min(max(rate, least), most))


def _names(base: Result, other: Result, results: Sequence[Result]) -> dict[str, str]:
    names = distinguishing([one.spec for one in results])
    return {"base": label(base.spec, names), "other": label(other.spec, names)}


def _same_work() -> str:
    return tr(
        "Perhaps less was done: look at what comes out, and have it compared, as with --same, and "
        "give all the same work, as with --operations."
    )
