"""How results were measured, on what file system and in turns or not, in sentences."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal

from core.language import capitalised, show_seconds, show_share, tr
from core.measure import effects
from core.vocabulary import (
    CARRY_OVER,
    STEAL,
    TAKEN,
    THROTTLED,
    Cancelled,
    CarryOver,
    Result,
    Trial,
    is_disturbed,
    time_in_turns,
)

_WORTH_MENTIONING = 0.01
"""From this share of a trial on, stolen time is mentioned."""

type Fate = Literal["replaced", "kept", "disturbed", "calm"]
"""Of a trial: disturbed and replaced by its repeat, disturbed and kept in spite of it, disturbed
and not measured again, not disturbed."""


def describe_file_systems(results: Sequence[Result]) -> tuple[str, ...]:
    """What the file systems of the data mean for the figures, one sentence each."""
    systems = (result.file_system for result in results)
    texts = chain.from_iterable(effects(system) for system in systems if system is not None)
    return tuple(f"{capitalised(text)}." for text in dict.fromkeys(texts))


def describe_measuring(results: Sequence[Result]) -> tuple[str, ...]:
    """One sentence each; empty where nothing was measured."""
    trials = [trial for result in results for trial in result.finished_trials]
    in_turns = [trial for trial in trials if trial.turns]
    return (
        *_turns(in_turns, trials),
        *_in_one_piece(trials, len(results)),
        *_shortened(results, trials),
        *_measured_again(results),
        *_disturbed(results),
        *_stolen(trials),
        *on_nodes(trials),
        *_carry_over([one for trial in in_turns if (one := trial.carry_over)], trials),
    )


def _turns(in_turns: Sequence[Trial], trials: Sequence[Trial]) -> Iterator[str]:
    lengths = [statistics.median(one.active for one in trial.turns) / 1e9 for trial in in_turns]
    if not lengths:
        return
    low, high = show_seconds(min(lengths)), show_seconds(max(lengths))
    length = low if low == high else tr("{low} to {high}", low=low, high=high)
    which = (
        tr("all trials") if len(lengths) == len(trials) else _share_of(len(lengths), len(trials))
    )
    yield tr(
        "Measured in turns of {told}: {which}. A disturbance of the machine hit all settings of a "
        "block alike.",
        told=length,
        which=which,
    )


def _share_of(count: int, of: int) -> str:
    return (
        tr("1 of {of} trials", "{count} of {of} trials", count=count, of=of)
        if of > 1
        else tr("1 trial")
    )


def _in_one_piece(trials: Sequence[Trial], settings: int) -> Iterator[str]:
    whole = [trial for trial in trials if not trial.slices]
    for reason, count in Counter(trial.apart for trial in whole if trial.apart).items():
        yield tr(
            "Measured in one piece, because {reason}: {which}.",
            reason=reason,
            which=_share_of(count, len(trials)),
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
            "Cut off, and counted with what was measured: {which}; the shortest had {shortest}.",
            which=_share_of(len(cut), len(trials)),
            shortest=min(cut)[1],
        )


def _measured_again(results: Sequence[Result]) -> Iterator[str]:
    cut = sum(trial.shortened for result in results for trial in result.replaced_trials)
    if cut:
        yield tr(
            "1 shortened trial was measured again when the run was resumed, and counts no more.",
            "{count} shortened trials were measured again when the run was resumed, and count no "
            "more.",
            count=cut,
        )


def _disturbed(results: Sequence[Result]) -> Iterator[str]:
    fates = Counter(fate for result in results for fate in _fates(result))
    of = sum(fates.values())
    sentences: dict[Fate, str] = {
        "replaced": tr(
            "Disturbed and measured again: {which}; the calmer repeat counts.",
            which=_share_of(fates["replaced"], of),
        ),
        "kept": tr(
            "Disturbed and measured again: {which}; the repeat was no calmer and does not count.",
            which=_share_of(fates["kept"], of),
        ),
        "disturbed": tr(
            "Disturbed, and counted: {which}.", which=_share_of(fates["disturbed"], of)
        ),
    }
    happened = [text for fate, text in sentences.items() if fates[fate]]
    yield from happened
    if happened:
        yield tr(
            "Disturbed: other programs took over {taken} of the core time that a trial wanted, or "
            "the hypervisor over {stolen}, or a quota over {throttled}.",
            taken=show_share(TAKEN),
            stolen=show_share(STEAL),
            throttled=show_share(THROTTLED),
        )


def _stolen(trials: Sequence[Trial]) -> Iterator[str]:
    shares = [trial.stolen for trial in trials if trial.valid]
    if shares and max(shares) >= _WORTH_MENTIONING:
        yield tr(
            "The hypervisor took {low} to {high} of the time of trials from this machine; all rates "
            "are per second on the wall, as other programs report them.",
            low=show_share(min(shares)),
            high=show_share(max(shares)),
        )


def _fates(result: Result) -> Iterator[Fate]:
    """What became of the first attempt at each slot that was not cancelled."""
    slots: dict[int, list[Trial]] = {}
    for trial in result.trials:
        if not isinstance(trial.outcome, Cancelled):
            slots.setdefault(trial.index, []).append(trial)
    for first, *again in slots.values():
        if any(one.block != first.block and one.valid for one in again) and first.valid:
            yield "kept" if result.counts(first) else "replaced"
        else:
            yield "disturbed" if is_disturbed(first, result.environment) else "calm"


def _carry_over(carry_overs: Sequence[CarryOver], trials: Sequence[Trial]) -> Iterator[str]:
    effects = [one.effect for one in carry_overs if one.proven]
    if effects:
        yield tr(
            "The start of turns, as with cold caches, changed the throughput by up to {most} in "
            "{which}; the aim is at most {allowed}.",
            most=show_share(max(map(abs, effects))),
            which=_share_of(len(effects), len(trials)),
            allowed=show_share(CARRY_OVER),
        )


def on_nodes(trials: Sequence[Trial]) -> Iterator[str]:
    """One sentence each; none where nothing was measured on a cluster."""
    far = [trial for trial in trials if trial.nodes]
    if not far:
        return
    yield from _together(far)
    yield from _slowest(far)
    if any(len(_machines(trial)) < len(trial.nodes) for trial in far):
        yield tr("Several nodes were on one machine, whose cores they shared.")
    types = sorted({node.network for trial in far for node in trial.nodes if node.network})
    if types:
        yield tr(
            "Nodes read from a file system of the network ({types}), which may keep what another "
            "node has read.",
            types=", ".join(types),
        )


def _together(far: Sequence[Trial]) -> Iterator[str]:
    uncertainty = max(node.uncertainty for trial in far for node in trial.nodes)
    yield tr(
        "Measured on nodes: up to {nodes}, machines: {machines}. They started within {skew} of each "
        "other, on clocks known to ± {uncertainty}.",
        nodes=max(len(trial.nodes) for trial in far),
        machines=len(set().union(*map(_machines, far))),
        skew=show_seconds(max(map(start_skew, far))),
        uncertainty=show_seconds(uncertainty),
    )


def _slowest(far: Sequence[Trial]) -> Iterator[str]:
    """Only of trials that have a throughput: a lost node did nothing for another reason."""
    lags = [lag for trial in far if trial.valid and (lag := _lag(trial)) is not None]
    if lags:
        share, host = max(lags)
        yield tr(
            "The slowest node did up to {share} less than the fastest ({host}).",
            share=show_share(share),
            host=host,
        )


def _lag(trial: Trial) -> tuple[float, str] | None:
    if len(trial.nodes) < 2:
        return None
    slowest = min(trial.nodes, key=lambda node: node.operations)
    most = max(node.operations for node in trial.nodes)
    return (1 - slowest.operations / most, slowest.host) if most else None


def start_skew(trial: Trial) -> float:
    """Seconds between the starts of its first and its last node."""
    late = [node.late for node in trial.nodes if node.late is not None]
    return max(late) - min(late) if late else 0.0


def _machines(trial: Trial) -> frozenset[str]:
    return frozenset(node.machine for node in trial.nodes)
