"""How results were measured: in turns or one trial after the other, in sentences."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence

from core.language.translation import tr
from core.language.units import show_seconds, show_share
from core.result.ending import time_in_turns
from core.result.result import Result, Trial
from core.result.slices import CARRY_OVER


def manner(results: Sequence[Result]) -> tuple[str, ...]:
    """One sentence each; empty where nothing was measured."""
    trials = [trial for result in results for trial in result.finished_trials]
    return (
        *_turns(trials),
        *_in_one_piece(trials, len(results)),
        *_shortened(results, trials),
        *_measured_again(results),
        *_carry_over(trials),
    )


def _turns(trials: Sequence[Trial]) -> Iterator[str]:
    lengths = [
        statistics.median(one.active for one in turns) / 1e9
        for trial in trials
        if (turns := trial.turns)
    ]
    if not lengths:
        return
    low, high = show_seconds(min(lengths)), show_seconds(max(lengths))
    told = low if low == high else tr("{low} to {high}", low=low, high=high)
    which = (
        tr("all trials")
        if len(lengths) == len(trials)
        else tr("{count} of {of} trials", count=len(lengths), of=len(trials))
    )
    yield tr(
        "Measured in turns of {told}: {which}. A disturbance of the machine hit all settings of a "
        "block alike.",
        told=told,
        which=which,
    )


def _in_one_piece(trials: Sequence[Trial], settings: int) -> Iterator[str]:
    whole = [trial for trial in trials if not trial.slices]
    for reason, count in Counter(trial.apart for trial in whole if trial.apart).items():
        yield tr(
            "Measured in one piece, because {reason}: {count} of {of} trials.",
            reason=reason,
            count=count,
            of=len(trials),
        )
    if settings > 1 and whole and len(whole) == len(trials):
        yield tr("Measured one trial after the other, and not in turns.")


def _shortened(results: Sequence[Result], trials: Sequence[Trial]) -> Iterator[str]:
    cut = [
        (trial.seconds_in_turns, time_in_turns(result, trial))
        for result in results
        for trial in result.finished_trials
        if trial.shortened
    ]
    if cut:
        yield tr(
            "Shortened: {count} of {of} trials were cut off and count with what they measured; the "
            "shortest had {shortest}.",
            count=len(cut),
            of=len(trials),
            shortest=min(cut)[1],
        )


def _measured_again(results: Sequence[Result]) -> Iterator[str]:
    cut = sum(trial.shortened for result in results for trial in result.replaced_trials)
    if cut:
        yield tr(
            "{count} shortened trials were measured again when the run was resumed, and count no "
            "more.",
            count=cut,
        )


def _carry_over(trials: Sequence[Trial]) -> Iterator[str]:
    effects = [found.effect for trial in trials if (found := trial.carry_over) and found.proven]
    if effects:
        yield tr(
            "Cold caches at the start of turns cost up to {most} of the throughput in {count} of "
            "{of} trials; the aim is at most {allowed}.",
            most=show_share(max(effects)),
            count=len(effects),
            of=len(trials),
            allowed=show_share(CARRY_OVER),
        )
