"""How far results can be trusted: what speaks against them, and what to do about it.

The window's card, the command line, the report and the headline of a study all use this judgement.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from statistics import median

from core.analysis.estimation import metric_estimate, typical
from core.analysis.verdict import Doubt, Mood
from core.analysis.workload_facts import shared_reader
from core.language.translation import tr
from core.language.units import show_byte_rate, show_count, show_share
from core.plan.floor import RAW, is_bare, without_bare_files
from core.plan.spec import distinguishing, label
from core.result.attempts import TAKEN, typically_taken
from core.result.metrics import leading
from core.result.result import Result

_FEW_OPERATIONS = 100
"""Operations of a trial below which longer trials help more than additional ones."""
_NAMED = 3
_HARDLY = 0.1
"""Share of the machine's cores that other programs may use on a quiet machine."""
_LARGER, _MORE = 1.5, 1.1
"""Another setting has larger operations, or moves more, from these factors of bytes on."""


def mood_of(doubts: Sequence[Doubt], *, settled: bool) -> Mood:
    """Good where it is settled and nothing speaks against it."""
    if any(doubt.grave for doubt in doubts):
        return "bad"
    return "good" if settled and not doubts else "open"


def doubts_about(
    results: Sequence[Result],
    subject: Sequence[Result] | None = None,
    *,
    expected: Collection[str] = (),
    machine: bool = True,
) -> tuple[Doubt, ...]:
    """What speaks against a statement about some results, the gravest first.

    `results`: all that was measured together.  `subject`: the results that the statement is about,
    by default all; they need enough trials and narrow intervals.  `expected`: digests of specs
    that are known to return wrong data.  `machine`: whether to say what other programs did.
    """
    names = _names(results)
    return (
        *_wrong([r for r in results if r.spec.digest not in expected], names),
        *(_machine(results) if machine else ()),
        *_repetition(results if subject is None else subject, names),
    )


def outdone_in_bytes(chosen: Result, results: Sequence[Result]) -> tuple[Doubt, ...]:
    """Where others moved more bytes in larger operations, as with larger blocks."""
    rate, size = typical(chosen, "byte_rate"), _operation_size(chosen)
    if not rate or not size:
        return ()
    larger = [
        (other, one)
        for one in without_bare_files(results)
        if one.unit == chosen.unit and (_operation_size(one) or 0.0) > _LARGER * size
        if (other := typical(one, "byte_rate")) is not None and other > _MORE * rate
    ]
    if not larger:
        return ()
    most, one = max(larger, key=lambda pair: pair[0])
    text = tr(
        "Operations differ in size: {other} moves {more}, this one {rate}.",
        other=label(one.spec, names_among(results)),
        more=show_byte_rate(most),
        rate=show_byte_rate(rate),
    )
    remedy = tr("Choose by bytes per second, or compare settings with operations of one size.")
    return (Doubt(text=text, remedy=remedy),)


def _operation_size(result: Result) -> float | None:
    """Bytes; None where it has no throughput."""
    rate, throughput = typical(result, "byte_rate"), typical(result)
    return None if rate is None or not throughput else rate / throughput


def wrong_in(results: Sequence[Result]) -> str:
    """`3 wrong in 1,200`: how many of all checked operations had wrong data."""
    trials = [trial for result in results for trial in result.trials]
    return tr(
        "{wrong} wrong in {checked}",
        wrong=show_count(sum(trial.wrong for trial in trials)),
        checked=show_count(sum(trial.checked for trial in trials)),
    )


def names_among(results: Sequence[Result]) -> tuple[str, ...]:
    """The parameters in which results differ, apart from the bare files."""
    return distinguishing([result.spec for result in without_bare_files(results)])


def _wrong(results: Sequence[Result], names: Mapping[str, str]) -> Iterator[Doubt]:
    found = [result for result in results if any(trial.wrong for trial in result.trials)]
    if found:
        yield Doubt(
            text=_about(tr("Wrong data: {count}.", count=wrong_in(found)), found, names),
            remedy=" ".join(
                (
                    tr("Do not use what returns wrong data; the table says which."),
                    *_why_wrong(found, results),
                )
            ),
            grave=True,
        )


def _why_wrong(wrong: Sequence[Result], results: Sequence[Result]) -> tuple[str, ...]:
    """The causes that are known, each once, and what to do instead."""
    shared = (shared_reader(one, results) for one in wrong)
    return tuple(dict.fromkeys(one.text for one in shared if one is not None))[:_NAMED]


def _machine(results: Sequence[Result]) -> Iterator[Doubt]:
    if said := disturbances(results):
        remedy = tr("Wait until the machine is quiet, then measure again.")
        yield Doubt(text=" ".join(said), remedy=remedy)


def doubt_about_machine(results: Sequence[Result]) -> str:
    """What other programs did and what to do about it, in sentences; empty on a quiet machine."""
    return " ".join(doubt.full_text for doubt in _machine(results))


def disturbances(results: Sequence[Result]) -> tuple[str, ...]:
    """What other programs did before and during the trials; empty where the machine was quiet."""
    return (*_busy_before(results), *_crowded(results))


def _busy_before(results: Sequence[Result]) -> Iterator[str]:
    """From the load of the machine when a run began.

    The load remembers a minute, also Sluice's own last run: it counts unless the trials then saw
    hardly any other program.
    """
    worst = max(
        (result.environment for result in results), key=lambda one: one.overload, default=None
    )
    if worst is not None and worst.overload > 1.0 and not _hardly_others(results):
        yield tr(
            "The machine was busy before the first trial: load {load:.1f}, cores {cores}.",
            load=worst.overload * worst.logical_cores,
            cores=worst.logical_cores,
        )


def _hardly_others(results: Sequence[Result]) -> bool:
    """Whether it is known that other programs used next to nothing during the trials."""
    noises = [trial.noise for result in results for trial in result.finished_trials]
    shares = [share for noise in noises if noise and (share := noise.others_share) is not None]
    return bool(shares) and max(shares) <= _HARDLY


def taken_from(results: Sequence[Result]) -> float:
    """The largest share that other programs took of the cores that trials wanted; 0 if a little."""
    most = max(map(typically_taken, results), default=0.0)
    return most if most > TAKEN else 0.0


def _crowded(results: Sequence[Result]) -> Iterator[str]:
    """From how long the trials' own threads waited for a core."""
    if most := taken_from(results):
        yield tr(
            "Other programs took {share} of the time on cores that trials wanted.",
            share=show_share(most),
        )


def _repetition(subject: Sequence[Result], names: Mapping[str, str]) -> Iterator[Doubt]:
    """Results without a throughput are left out: their ending already says why."""
    valid = [result for result in subject if result.valid]
    if once := [result for result in valid if len(result.finished_trials) == 1]:
        yield Doubt(
            text=_about(tr("Measured once, so its variation is unknown."), once, names),
            remedy=tr("Repeat it with longer trials, at least three of them.")
            if any(map(_short, once))
            else tr("Repeat it: at least three trials."),
        )
    for result in valid:
        if len(result.finished_trials) > 1 and spans_more_than_its_value(result):
            yield _wide(result, names)


def _wide(result: Result, names: Mapping[str, str]) -> Doubt:
    first = leading([result])[0]
    figures = result.values(first.key)
    text = tr(
        "The interval spans more than its value; the trials reached {low} to {high}.",
        low=first.text(min(figures), result.unit),
        high=first.text(max(figures), result.unit),
    )
    return Doubt(
        text=_about(text, [result], names),
        remedy=tr("Make the trials longer, so that each has more operations.")
        if _short(result)
        else repeat_more(),
    )


def _short(result: Result) -> bool:
    return median(trial.operations for trial in result.finished_trials) < _FEW_OPERATIONS


def repeat_more() -> str:
    """What to do where the trials show too little."""
    return tr("Repeat more, or make the trials longer.")


def spans_more_than_its_value(result: Result) -> bool:
    """Whether the interval of a valid result with two or more trials is wider than its throughput.

    The interval is the 95 % one of the typical throughput, or the range that is shown as ±.
    """
    found = metric_estimate(result)
    if found.low is None or found.high is None:  # a trial moved nothing
        return True
    return max(found.high, *found.trials) - min(found.low, *found.trials) > median(found.trials)


def _about(sentence: str, which: Sequence[Result], names: Mapping[str, str]) -> str:
    """The sentence, with the names of its results where there are several."""
    called = [names[result.spec.digest] for result in which]
    return f"{few(called)}: {sentence}" if any(called) else sentence


def _names(results: Sequence[Result]) -> dict[str, str]:
    """A name for each result by its spec's digest; empty where it needs none."""
    varied = names_among(results)
    bare = any(not is_bare(result) for result in results) and "workload" not in varied
    found = {}
    for result in results:
        of_raw = [RAW] if bare and is_bare(result) else []
        parts = [*of_raw, *([label(result.spec, varied)] if varied else [])]
        found[result.spec.digest] = " · ".join(parts)
    return found


def few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    shown = "; ".join(names[:_NAMED])
    more = len(names) - _NAMED
    return tr("{names} and {count} more", names=shown, count=more) if more > 0 else shown
