"""Caveats: what limits the meaning of the figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from core.analysis.how_measured import describe_measuring
from core.host.environment import ResourceLimits, warnings
from core.language.translation import tr
from core.language.units import show_count, show_share
from core.output.report.chapters import Chapter
from core.plan.floor import without_bare_files
from core.result.outcome import ending
from core.result.result import Result, Trial

_ENOUGH_TRIALS = 3
_NOTEWORTHY = 0.05
_NAMED = 4
_RARELY = 1.5  # operations for each that was timed; from here on that is worth a word

# The limits of the process that measured are in no session.
_UNKNOWN_LIMITS = ResourceLimits()


def caveats(chapter: Chapter, names: Mapping[str, str]) -> tuple[str, ...]:
    """One sentence each: first what does not count, then what is unsure, then what disturbs."""
    results = without_bare_files(chapter.results)

    def those(unwanted: Callable[[Result], bool]) -> str:
        found = [names[result.spec.digest] for result in results if unwanted(result)]
        return _listed(found, len(results))

    return tuple(
        dict.fromkeys(
            (
                *_unfinished(chapter),
                *_invalid(results, names),
                *_repetition(results, those),
                *_page_cache(results, those),
                *describe_measuring(results),
                *_cost(results),
                *_cores(results, those),
                *_machine(results),
                *_notes(results),
            )
        )
    )


def _unfinished(chapter: Chapter) -> Iterator[str]:
    run = chapter.run
    if run is None:
        return
    of = "" if run.plan.budget else f"of {run.plan.least_trials:,} "
    kept = f"{run.trials:,} {of}trials are recorded"
    if run.how is None:
        yield f"The run was not finished, or still goes on: {kept}."
    elif run.how != "completed":
        yield f"The run was {run.how}: {kept}."
    if run.plan.study and chapter.study is None:
        yield f"The study “{run.plan.study}” is not known to this version, so nothing is compared with it."


def _invalid(results: Sequence[Result], names: Mapping[str, str]) -> Iterator[str]:
    found = [result for result in results if not result.valid]
    few = found if len(found) <= _NAMED + 1 else found[:_NAMED]
    for result in few:
        yield f"{names[result.spec.digest]} has no throughput and is left out of comparisons: {ending(result)}."
    if len(found) > len(few):
        yield tr(
            "1 more result has no throughput; the table says how it ended.",
            "{count:,} more results have no throughput; the table says how each ended.",
            count=len(found) - len(few),
        )


def _repetition(
    results: Sequence[Result], those: Callable[[Callable[[Result], bool]], str]
) -> Iterator[str]:
    if once := those(lambda result: result.valid and len(result.finished_trials) == 1):
        yield f"Measured once, so the variation is unknown: {once}."
    if few := those(
        lambda result: result.valid and 1 < len(result.finished_trials) < _ENOUGH_TRIALS
    ):
        yield f"Only two trials, so the interval is wide: {few}."


def _page_cache(
    results: Sequence[Result], those: Callable[[Callable[[Result], bool]], str]
) -> Iterator[str]:
    if warm := those(lambda result: any(trial.proven_cold is False for trial in result.trials)):
        yield f"Not proven cold, parts of the data may have come from the page cache: {warm}."
    shares = [
        proof.before.fraction
        for trial in _trials(results)
        if (proof := trial.page_cache) and proof.wanted == "as-is" and proof.before
    ]
    if shares:
        low, high = show_share(min(shares)), show_share(max(shares))
        told = low if low == high else f"{low} to {high}"
        yield f"The page cache was left as it was: {told} of the data was in it when the clocks started."


def _cost(results: Sequence[Result]) -> Iterator[str]:
    harness = max((trial.harness_share for trial in _trials(results)), default=0.0)
    if harness >= _NOTEWORTHY:
        yield (
            f"Up to {show_share(harness)} of the workers' time is the cost of measuring itself; "
            "the share is larger for faster operations."
        )
    checking = max((trial.checking_share for trial in _trials(results)), default=0.0)
    if checking >= _NOTEWORTHY:
        yield (
            f"Up to {show_share(checking)} of the workers' time went into checking the data between "
            "operations. The throughput leaves it out, but fewer threads then read at once."
        )
    if any(trial.operations and trial.latencies is None for trial in _trials(results)):
        yield ("Operations were timed several at once, so the time of a single one is unknown.")
    every = max(map(_every, _trials(results)), default=1.0)
    if every >= _RARELY:
        yield (
            f"One in up to {show_count(round(every))} operations was timed on its own, drawn at random; "
            "latencies are theirs."
        )


def _every(trial: Trial) -> float:
    """The number of operations for each that was timed on its own."""
    timed = trial.total(lambda worker: worker.timed)
    return trial.operations / timed if timed else 1.0


def _cores(
    results: Sequence[Result], those: Callable[[Callable[[Result], bool]], str]
) -> Iterator[str]:
    if crowded := those(
        lambda result: (
            result.spec.load.workers > result.spec.load.cores_of(result.environment.usable_cores)
        )
    ):
        yield f"More workers than usable cores: {crowded}."


def _machine(results: Sequence[Result]) -> Iterator[str]:
    for result in results:
        for warning in warnings(_UNKNOWN_LIMITS, result.environment):
            yield warning.text
    if len({result.environment.machine_id for result in results}) > 1:
        yield "The results come from different machines."


def _notes(results: Sequence[Result]) -> Iterator[str]:
    """What trials noted, and how many of them."""
    found: dict[str, int] = {}
    for trial in _trials(results):
        for note in trial.notes:
            found[note] = found.get(note, 0) + 1
    for note, count in found.items():
        yield f"{note} ({count:,} trial{'s' if count > 1 else ''})"


def _trials(results: Sequence[Result]) -> Iterator[Trial]:
    return (trial for result in results for trial in result.trials)


def _listed(names: Sequence[str], all_of_them: int) -> str:
    if not names:
        return ""
    if len(names) == all_of_them > 1:
        return "all results"
    few = names if len(names) <= _NAMED + 1 else names[:_NAMED]
    more = f" and {len(names) - len(few):,} more" if len(names) > len(few) else ""
    return "; ".join(few) + more
