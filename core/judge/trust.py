"""How far results can be trusted: what speaks against them, and what to do about it.

Some of it shows in the figures of trials, some only from moment to moment within them.  The card of
the window, the command line, the report and the headline of a study all use this judgement.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from statistics import mean, median

from core.judge.estimation import metric_estimate, told_estimate, typical
from core.judge.work_done import climbing, doubts_about_work, idle_workers
from core.judge.workload_facts import shared_reader
from core.language import (
    SessionError,
    show_byte_rate,
    show_count,
    show_rate,
    show_seconds,
    show_share,
    show_size,
    tr,
    tr_word,
)
from core.measure import describe_environment, describe_limits, is_bare, without_bare_files
from core.vocabulary import (
    Anomalies,
    Change,
    CoreUse,
    Doubt,
    Growth,
    MetricEstimate,
    Result,
    Stall,
    distinguishing,
    is_disturbed,
    label,
    leading,
    registry,
    taken_from_trial,
)

_FEW_OPERATIONS = 100
"""Operations of a trial below which longer trials help more than additional ones."""
_NAMED = 3
BESIDE = 0.1
"""Share of the time on its cores above which others spoil what is said of a setting."""
LITTLE = 0.02
"""Below it a trial stands as it was measured."""
_HARDLY = 0.1
"""Share of the machine's cores that other programs may use on a quiet machine."""
_LARGER, _MORE = 1.5, 1.1
"""Another setting has larger operations, or moves more, from these factors of bytes on."""


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
        *unsettling(results),
        *_of_programs(results),
        *_of_proxies(results),
        *(_machine(results) if machine else ()),
        *_repetition(results if subject is None else subject, names),
    )


def _of_programs(results: Sequence[Result]) -> Iterator[Doubt]:
    if any(registry.runs_programs(one.spec.workload) for one in results):
        from core.judge.core_account import doubts_about_cores

        yield from doubts_about_cores(results)


_BUSY_PROXY = 0.7
"""Share of the time in which a proxy computed, from where on it may be what limits."""


def _of_proxies(results: Sequence[Result]) -> Iterator[Doubt]:
    """Where the proxy that makes a server far away has more to do than it can."""
    for one in results:
        shares = [
            trial.counters["proxy seconds"] / trial.elapsed
            for trial in one.finished_trials
            if "proxy seconds" in trial.counters and trial.elapsed
        ]
        if shares and median(shares) > _BUSY_PROXY:
            text = tr(
                "The proxy that makes the server far away was busy for {share} of the time with "
                "{setting}, so it may be what limits.",
                share=show_share(median(shares)),
                setting=label(one.spec, names_among(results)),
            )
            remedy = tr("Its figures tell the least that the client reaches at this distance.")
            yield Doubt(text=text, remedy=remedy)
            return


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
    with_errors = [result for result in results if any(trial.wrong for trial in result.trials)]
    shared = (shared_reader(one, results) for one in with_errors)
    causes = (one.text for one in shared if one is not None)
    if with_errors:
        yield Doubt(
            text=_about(
                tr("Wrong data: {count}.", count=wrong_in(with_errors)), with_errors, names
            ),
            remedy=" ".join(
                (
                    tr("Do not use what returns wrong data; the table says which."),
                    *tuple(dict.fromkeys(causes))[:_NAMED],
                )
            ),
            grave=True,
        )


def unsettling(results: Sequence[Result]) -> tuple[Doubt, ...]:
    """Doubts about what was done; where one of them unsettles, no answer is sure."""
    return (
        *_suspected(results, _names(results)),
        *idle_workers(results),
        *doubts_about_work(results),
    )


def _suspected(results: Sequence[Result], names: Mapping[str, str]) -> Iterator[Doubt]:
    """Figures beyond a limit of the machine, hardly possible; they are kept all the same."""
    doubted = [
        (one, trial.doubt) for one in results for trial in one.finished_trials if trial.doubt
    ]
    if doubted:
        which = list({one.spec.digest: one for one, _ in doubted}.values())
        yield Doubt(
            text=_about(doubted[0][1], which, names),
            remedy=tr(
                "Where the cause is not yours to mend, hold the figure against another program's, "
                "and report it with this session: it may be a fault of Sluice."
            ),
            unsettles=True,
        )


def _machine(results: Sequence[Result]) -> Iterator[Doubt]:
    if sentences := disturbances(results):
        yield Doubt(text=" ".join(sentences), remedy=when_quiet())


def when_quiet() -> str:
    """What to do about other programs."""
    return tr("Wait until the machine is quiet, then measure again.")


def doubt_about_trials(results: Sequence[Result]) -> str:
    """What speaks against figures of the trials, and what to do, in sentences.

    Empty where no figure is suspected, on a quiet machine.
    """
    doubts = (*unsettling(results), *_machine(results))
    return " ".join(doubt.full_text for doubt in doubts)


def disturbances(results: Sequence[Result]) -> tuple[str, ...]:
    """What other programs did before and during the trials; empty where the machine was quiet."""
    return (*_busy_before(results), *_crowded(results))


def _busy_before(results: Sequence[Result]) -> Iterator[str]:
    """From the load of the machine when a run began.

    The load remembers a minute, also Sluice's own last run: it counts unless the trials then saw
    hardly any other program, or lost next to nothing to them, as what only sleeps.
    """
    worst = max(
        (result.environment for result in results), key=lambda one: one.overload, default=None
    )
    if (
        worst is not None
        and worst.overload > 1.0
        and not (_hardly_others(results) or lost_little(results))
    ):
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


def lost_little(results: Sequence[Result]) -> bool:
    """Whether each trial's account of its threads says that others took next to nothing."""
    trials = [(trial, one.environment) for one in results for trial in one.finished_trials]
    return bool(trials) and all(
        CoreUse.of(trial) is not None and (taken_from_trial(trial, machine) or 0.0) <= LITTLE
        for trial, machine in trials
    )


def taken_from(results: Sequence[Result], *, on_average: bool = False) -> float:
    """The largest share that other programs took from trials of one setting; 0 if a little.

    It is the median over its trials, since repeats are there to outvote a disturbed one;
    `on_average`: the mean, where they did not, and nothing is sure: then less counts, too.
    """
    look, little = (_taken_on_average, LITTLE) if on_average else (_typically_taken, BESIDE)
    most = max((one.once(look) for one in results), default=0.0)
    return most if most > little else 0.0


def _typically_taken(result: Result) -> float:
    return median(_taken_shares(result))


def _taken_on_average(result: Result) -> float:
    return mean(_taken_shares(result))


def _taken_shares(result: Result) -> Sequence[float]:
    shares = [taken_from_trial(trial, result.environment) for trial in result.finished_trials]
    return [share for share in shares if share is not None] or [0.0]


def _crowded(results: Sequence[Result]) -> Iterator[str]:
    """From how long the trials' own threads waited for a core."""
    if most := taken_from(results):
        yield tr(
            "Other programs took {share} of the time on cores that trials could use, so this holds "
            "beside them.",
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
    reach = {
        "low": first.text(min(figures), result.unit),
        "high": first.text(max(figures), result.unit),
    }
    if told_estimate(result, first.key).low is None:
        few = MetricEstimate.missing_text(len(figures))
        text = tr("{few}; the trials reached {low} to {high}.", few=few, **reach)
    else:
        text = tr(
            "The interval spans more than its value; the trials reached {low} to {high}.", **reach
        )
    text = _about(text, [result], names)
    if not _short(result):
        return Doubt.of_too_few_trials(text)
    return Doubt(text=text, remedy=tr("Make the trials longer, so that each has more operations."))


def _short(result: Result) -> bool:
    return median(trial.operations for trial in result.finished_trials) < _FEW_OPERATIONS


def spans_more_than_its_value(result: Result) -> bool:
    """Whether the interval of a valid result with two or more trials is wider than its throughput.

    The interval is the 95 % one of the typical throughput, or the range that is shown as ±.
    """
    estimate = metric_estimate(result)
    if estimate.low is None or estimate.high is None:  # a trial moved nothing
        return True
    return max(estimate.high, *estimate.trials) - min(estimate.low, *estimate.trials) > median(
        estimate.trials
    )


def _about(sentence: str, which: Sequence[Result], names: Mapping[str, str]) -> str:
    """The sentence, with the names of its results where there are several."""
    called = [names[result.spec.digest] for result in which]
    return f"{first_few(called)}: {sentence}" if any(called) else sentence


def _names(results: Sequence[Result]) -> dict[str, str]:
    """A name for each result by its spec's digest; empty where it needs none."""
    varied = names_among(results)
    bare = any(not is_bare(result) for result in results) and "workload" not in varied
    names_by_digest = {}
    for result in results:
        of_bare = [result.spec.workload] if bare and is_bare(result) else []
        parts = [*of_bare, *([label(result.spec, varied)] if varied else [])]
        names_by_digest[result.spec.digest] = " · ".join(parts)
    return names_by_digest


def first_few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    listed = "; ".join(names[:_NAMED])
    more = len(names) - _NAMED
    return tr("{names} and {count} more", names=listed, count=more) if more > 0 else listed


def doubts_within(result: Result) -> tuple[Doubt, ...]:
    """What the moments of its trials show: a stall, growth without an end, two levels.

    Growth counts where most trials have it; of stalls and changes the worst is reported.
    """
    trials = result.finished_trials or result.trials
    anomalies = []
    for trial in trials:
        with suppress(SessionError):  # whoever opens the trial sees the error
            anomalies.append((trial.anomalies, is_disturbed(trial, result.environment)))
    stalls = [one.stall for one, _ in anomalies if one.stall]
    changes = [one.change for one, disturbed in anomalies if one.change and not disturbed]
    parts: list[Doubt] = []
    if stalls:
        parts.append(_stalled(max(stalls, key=lambda stall: stall.seconds)))
    if files := _usual(anomalies, lambda one: one.files):
        parts.append(_files_grow(files, open_files_allowed(result)))
    if memory := _usual(anomalies, lambda one: one.memory):
        parts.append(_memory_grows(memory, result.environment.memory_bytes))
    if changes:
        most = max(
            changes, key=lambda one: abs(one.after - one.before) / max(one.before, one.after)
        )
        parts.append(_changed(most, result))
    return (*parts, *climbing(result))


def open_files_allowed(result: Result) -> int | None:
    """How many files its processes may open together; None where no limit is known.

    It is known of what was measured on this machine.
    """
    limit = describe_limits().open_files_soft
    here = describe_environment().machine_id == result.environment.machine_id
    return limit * result.spec.load.processes if limit is not None and here else None


def _usual(
    trials: Sequence[tuple[Anomalies, bool]], of: Callable[[Anomalies], Growth | None]
) -> Growth | None:
    """The middle one by its slope, if more than half have one."""
    growths = sorted(
        (growth for one, _ in trials if (growth := of(one))), key=lambda growth: growth.per_second
    )
    return growths[len(growths) // 2] if 2 * len(growths) > len(trials) else None


def _stalled(stall: Stall) -> Doubt:
    seconds = {"gap": stall.seconds, "at": stall.at, "p99": stall.p99}
    times = {name: show_seconds(value) for name, value in seconds.items()}
    text = (
        tr(
            "No operation ended for {gap} at {at}; whoever asks at a steady rate sees a p99 of at "
            "least {p99}.",
            **times,
        )
        if stall.p99 > 0
        else tr("No operation ended for {gap} at {at}.", **times)
    )
    remedy = tr("Find out what everything waited for then, and measure again.")
    return Doubt(text=text, remedy=remedy)


def _files_grow(growth: Growth, limit: int | None) -> Doubt:
    rate = show_count(round(growth.per_second, 1 if growth.per_second < 10 else 0))
    if limit is None:
        text = tr("Open files grow by {count} a second.", count=rate)
    else:
        text = tr(
            "Open files grow by {count} a second; the limit of {limit} is reached in {time}.",
            count=rate,
            limit=show_count(limit),
            time=_until(growth, limit),
        )
    return Doubt(text=text, remedy=tr("Close files that are no longer needed."))


def _memory_grows(growth: Growth, limit: int) -> Doubt:
    text = tr(
        "Memory grows by {size} a second; the machine's {limit} are reached in {time}.",
        size=show_size(growth.per_second),
        limit=show_size(limit),
        time=_until(growth, limit),
    )
    return Doubt(text=text, remedy=tr("Measure for longer: does it stop? If not, it is a leak."))


def _until(growth: Growth, limit: int) -> str:
    """Since the clock started."""
    return show_seconds(max(0.0, (limit - growth.start) / growth.per_second))


def _changed(change: Change, result: Result) -> Doubt:
    """In the figure in which the workload's users think."""
    first = leading([result])[0]
    before, after = (
        show_seconds(1 / rate) if first.unit == "seconds" else show_rate(rate, result.unit)
        for rate in (change.before, change.after)
    )
    fields = {
        "figure": tr_word(first.title),
        "before": before,
        "after": after,
        "at": show_seconds(change.at),
    }
    text = (
        tr("{figure} changed from {before} to {after} at {at}.", **fields)
        if change.once
        else tr(
            "{figure} has two levels, {before} and {after}; it changed first at {at}.", **fields
        )
    )
    remedy = tr("Measure again, for longer: the figure is a mean of two.")
    return Doubt(text=text, remedy=remedy)
