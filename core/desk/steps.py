"""Finds what to do next after a run: a few steps, the most useful first.

Most steps are requests: what is to be measured instead, or beside.  The window starts them, and
does not know why they are offered.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from core.desk.next_step import Act, NextStep
from core.judge import (
    Reproduction,
    diagnose_all,
    disturbances,
    metric_estimate,
    part_of_work,
    probe,
    shared_reader,
    taken_from,
)
from core.language import show_about, tr
from core.measure import (
    fitting,
    is_bare,
    seconds_of,
    seconds_of_plan,
    usable_cores,
    without_bare_files,
)
from core.run import Request, Run, request_of, request_of_setting
from core.vocabulary import (
    NEAR,
    REPEATS,
    THREADS,
    Advice,
    Axis,
    Cause,
    Diagnosis,
    Plan,
    Result,
    RunSpec,
    Value,
    named,
    show_value,
)

LONGEST = 600.0
"""Seconds: nobody waits longer for a button.  Who wants to, sets the budget in the form."""
_SHORTEST = 10.0
_SURPLUS = 1.25
"""Of the time that should do: noise is an estimate, and a guess that is cut short told nothing."""
_PROCESSES, _BATCH = "processes", "batch_size"


class Next(msgspec.Struct, frozen=True, kw_only=True):
    """What can be done after a run."""

    steps: tuple[NextStep, ...] = ()


def chosen_result(results: Sequence[Result], advice: Advice | None) -> Result | None:
    """The advised result, or the leading one; None where no result is valid."""
    valid = [result for result in results if result.valid]
    spec = advice.spec if advice is not None else None
    advised = [result for result in valid if spec and result.spec.digest == spec.digest]
    if len(valid) < 2 or advised:
        return next(iter((*advised, *valid)), None)
    from core.judge import ranking_of

    return ranking_of(valid).leader


def next_steps(
    run: Run,
    results: Sequence[Result],
    advice: Advice | None,
    reproduction: Reproduction | None = None,
    *,
    earlier: int = 0,
) -> Next:
    """The steps after a run with these results; `earlier`: how many runs its session had before."""
    measured = without_bare_files(results)
    if not any(result.trials for result in measured):
        return Next()
    request = request_of(run.plan)
    if not any(result.finished_trials for result in measured):  # nothing to explain or to compare
        return Next(steps=(*_again(request, results), _report()))
    best = chosen_result(measured, advice)
    diagnosis = None if reproduction else diagnose_all(results, best.spec if best else None)
    steps = (
        *fewer_files(request, [result.spec for result in measured]),
        *_more_to_do(request, advice),
        *_repeated(request, measured),
        *_locked(request, measured),
        *_when_quiet(request, measured, advice),
        *_until_sure(run, request, results, advice, reproduction),
        *_processes(request, measured, diagnosis),
        *_settings(run.plan, measured, best, advice),
        *_compare(earlier),
        *_explain(request, measured, diagnosis),
        *_again(request, results),
        _report(),
    )
    return Next(steps=steps)


def wait_step(request: Request | None = None) -> NextStep:
    """Measure as soon as other programs leave the cores alone; `request`: what, if not the form."""
    return NextStep(
        act=Act.WAIT,
        text=tr("Measure when quiet"),
        why=tr(
            "Measures by itself as soon as other programs take next to nothing of the cores. How "
            "long it waits at most is in the preferences."
        ),
        brief=tr("Wait until quiet"),
        request=request,
        name="wait",
    )


def _when_quiet(
    asked: Request, measured: Sequence[Result], advice: Advice | None
) -> Iterator[NextStep]:
    """Where others took cores, so that the answer is for now."""
    beside = advice is not None and advice.beside
    if (beside or taken_from(measured)) and not asked.cluster:
        yield wait_step(asked)


def _more_to_do(asked: Request, advice: Advice | None) -> Iterator[NextStep]:
    """Where some workers had nothing to do."""
    if advice is None or advice.idle is None:
        return
    yield NextStep(
        act=Act.DATA,
        text=tr("Choose more data…"),
        why=advice.idle.full_text,
        name="more data",
    )
    if advice.spec is not None and _BATCH in advice.spec.values:
        yield NextStep(
            act=Act.MEASURE,
            text=tr("Measure with batches of 1"),
            why=tr("Then each worker has something to do, as far as there is data for it."),
            request=msgspec.structs.replace(asked, values={**asked.values, _BATCH: 1}),
            brief=tr("Batches of 1"),
            name="small batches",
        )


def _repeated(asked: Request, measured: Sequence[Result]) -> Iterator[NextStep]:
    """Where each was measured once: how much trials differ is to be known first."""
    if asked.search or asked.study or not _once(measured):
        return
    seconds = REPEATS * seconds_of([result.spec for result in measured], asked.turns)
    yield NextStep(
        act=Act.MEASURE,
        text=tr("Repeat it {count} times (about {time})", count=REPEATS, time=show_about(seconds)),
        why=tr("What was measured once says nothing about how much trials differ."),
        request=msgspec.structs.replace(asked, repeats=REPEATS, budget=0.0),
        brief=tr("Make it surer"),
        name="repeat",
    )


def _once(measured: Sequence[Result]) -> bool:
    valid = [result for result in measured if result.valid]
    return bool(valid) and all(len(result.finished_trials) == 1 for result in valid)


def _until_sure(
    run: Run,
    asked: Request,
    results: Sequence[Result],
    advice: Advice | None,
    reproduction: Reproduction | None,
) -> Iterator[NextStep]:
    """Where more trials would tell what these leave open."""
    request, seconds = _surer(run, asked, results, advice, reproduction)
    if request is None or (_once(without_bare_files(results)) and not asked.study):
        return
    sure = seconds <= LONGEST
    if sure:
        text = tr("Measure until sure (about {time})", time=show_about(seconds))
        why = tr("It ends as soon as the answer is clear.")
    else:
        text = tr("Measure longer ({time})", time=show_about(LONGEST))
        why = tr("To be sure would take about {time}.", time=show_about(seconds))
    brief = tr("Make it surer")
    yield NextStep(
        act=Act.MEASURE, text=text, why=why, brief=brief, request=request, name="until sure"
    )


def _surer(
    run: Run,
    asked: Request,
    results: Sequence[Result],
    advice: Advice | None,
    reproduction: Reproduction | None,
) -> tuple[Request | None, float]:
    """The request that would tell, and how long it should take; None where nothing is open."""
    if reproduction is not None:
        if not any(one.judgement.value == "cannot tell" for one in reproduction.judged):
            return None, 0.0
        return _within(asked, 2 * (run.seconds or seconds_of_plan(run.plan)))
    measured = without_bare_files(results)
    if advice is not None:
        if advice.confident or not advice.possible:
            return None, 0.0
        trials = max(advice.enough, REPEATS)
        if asked.search:
            more = {**asked.terms, "most_trials": min(trials * advice.possible, 10_000)}
            seconds = trials * advice.possible * _each(asked, measured)
            return msgspec.structs.replace(asked, terms=more), seconds
        return _within(asked, trials * advice.possible * _each(asked, measured))
    return _of_one(asked, measured)


def _of_one(asked: Request, measured: Sequence[Result]) -> tuple[Request | None, float]:
    """For settings without advice: as often as the widest interval needs to be within `NEAR`."""
    valid = [result for result in measured if result.valid]
    counts = [_trials_for(result) for result in valid]
    if not valid or max(counts) <= max(len(result.finished_trials) for result in valid):
        return None, 0.0
    specs = [result.spec for result in valid]
    return _within(asked, max(counts) * seconds_of(specs, asked.turns))


def _trials_for(result: Result) -> int:
    """How many trials bring its interval within `NEAR` either way, if the noise stays the same."""
    estimate, done = metric_estimate(result), len(result.finished_trials)
    if estimate.low is None or estimate.high is None or estimate.low <= 0.0:
        return max(REPEATS, done + 1)
    wide = math.log(estimate.high / estimate.low) / 2 / math.log1p(NEAR)
    return done if wide <= 1.0 else math.ceil(done * min(wide, 30.0) ** 2)


def _within(asked: Request, seconds: float) -> tuple[Request, float]:
    """The same request with so much time for what is open, as far as anybody waits."""
    expected = max(_SURPLUS * seconds, _SHORTEST)
    budget = float(min(math.ceil(expected), LONGEST))
    return msgspec.structs.replace(asked, budget=budget), expected


def _each(asked: Request, measured: Sequence[Result]) -> float:
    """Seconds that a trial takes, on average."""
    return seconds_of([result.spec for result in measured], asked.turns) / len(measured)


def _processes(
    asked: Request, measured: Sequence[Result], diagnosis: Diagnosis | None
) -> Iterator[NextStep]:
    """Where threads wait for a lock that processes do not share."""
    if diagnosis is None or diagnosis.cause not in (Cause.GIL, Cause.LOCK) or asked.study:
        return
    specs = [result.spec for result in measured]
    if any(spec.load.processes > 1 for spec in specs):
        return
    most = max(*(spec.load.threads for spec in specs), int(usable_cores()), 2)
    counts = tuple(2**power for power in range(int(math.log2(most)) + 1))
    axes = tuple(axis for axis in asked.axes if axis.name not in (THREADS, _PROCESSES))
    request = msgspec.structs.replace(
        asked,
        search=False,
        values={**asked.values, THREADS: 1},
        axes=(Axis(_PROCESSES, counts), *axes),
        terms={},
    )
    yield NextStep(
        act=Act.MEASURE,
        text=tr("Try processes instead of threads"),
        why=diagnosis.sentence,
        request=request,
        brief=tr("Try processes"),
        name="processes",
    )


def _locked(asked: Request, measured: Sequence[Result]) -> Iterator[NextStep]:
    """Where data is wrong, and threads share a reader without a lock: the same with one."""
    shared_readers = [
        one for result in measured if (one := shared_reader(result, measured)) and one.name
    ]
    if asked.study or not shared_readers or any(one.right for one in shared_readers):
        return
    shared = shared_readers[0]
    request = msgspec.structs.replace(
        asked,
        values={**asked.values, shared.name: shared.locked},
        axes=tuple(axis for axis in asked.axes if axis.name != shared.name),
    )
    yield NextStep(
        act=Act.MEASURE,
        text=tr("Measure it with a lock"),
        why=shared.text,
        request=request,
        brief=tr("Measure with a lock"),
        name="lock",
    )


def _settings(
    plan: Plan, measured: Sequence[Result], best: Result | None, advice: Advice | None
) -> Iterator[NextStep]:
    """Where there was a choice: the chosen setting by itself."""
    if best is None or len(measured) < 2 or (advice and advice.lines):
        return
    if part_of_work(best):  # it explains others, and is no answer
        return
    if plan.study:  # its cells are there to be compared, and the fastest answers no question
        return
    yield NextStep(
        act=Act.FILL,
        text=tr("Use these settings"),
        why=tr("Fills the best setting into the form, as a run of its own."),
        request=request_of_setting(plan, best.spec),
        brief=tr("Use these"),
        name="use",
    )


def _explain(
    asked: Request, measured: Sequence[Result], diagnosis: Diagnosis | None
) -> Iterator[NextStep]:
    if diagnosis is None:
        return
    yield NextStep(
        act=Act.EXPLAIN,
        text=tr("Show why"),
        why=tr("What limits the throughput, and the evidence."),
        name="why",
    )
    if diagnosis.cause is Cause.UNKNOWN and (probes := _unseen(asked, measured)):
        specs = [*(one.spec for one in measured), *probes]
        seconds = asked.repeats * seconds_of(specs, asked.turns)
        yield NextStep(
            act=Act.MEASURE,
            text=tr("Measure why (about {time})", time=show_about(seconds)),
            why=tr("Measures one thread, and processes instead of threads, beside it."),
            request=msgspec.structs.replace(asked, why=True),
            brief=tr("Measure why"),
            name="measure why",
        )


def _unseen(asked: Request, measured: Sequence[Result]) -> tuple[RunSpec, ...]:
    """What would show the limits of a single run and was not measured."""
    if asked.axes or asked.search or asked.study or len(measured) != 1 or is_bare(measured[0]):
        return ()
    digests = {result.spec.digest for result in measured}
    return tuple(one for one in probe(measured[0].spec) if one.digest not in digests)


def _compare(earlier: int) -> Iterator[NextStep]:
    if earlier:
        yield NextStep(
            act=Act.COMPARE,
            text=tr("Compare with the last run"),
            why=tr("Whether this run's answer is faster than that of the run before it."),
            brief=tr("Compare"),
            name="compare",
        )


def _again(asked: Request, results: Sequence[Result]) -> Iterator[NextStep]:
    why = tr("Measures the same once more, as a new run of this session.")
    yield NextStep(
        act=Act.MEASURE,
        text=tr("Run again"),
        why=" ".join((*disturbances(results), why)),
        request=asked,
        name="again",
    )


def _report() -> NextStep:
    return NextStep(
        act=Act.REPORT,
        text=tr("Open the report"),
        why=tr("The whole session as a page: plots, tables, caveats."),
        brief=tr("Report"),
        name="report",
    )


def fewer_files(asked: Request, specs: Sequence[RunSpec]) -> Iterator[NextStep]:
    """One step where a spec needs too many, and a lower value of one parameter helps.

    A study says itself what it measures, so there is none for it.
    """
    changes: dict[str, Value] = {}
    for spec in specs:
        for name, value in fitting(spec).items():
            changes[name] = min(changes.get(name, value), value)
    if not changes or asked.study:
        return
    ((name, value),) = list(changes.items())[:1]
    axes = tuple(_capped(axis, changes) for axis in asked.axes)
    request = msgspec.structs.replace(asked, values={**asked.values, **changes}, axes=axes)
    yield NextStep(
        act=Act.MEASURE,
        text=tr("Lower {parameter} to {value}", parameter=named(name), value=show_value(value)),
        why=tr("Then no process needs more files open than it may have."),
        request=request,
        brief=tr("Open fewer files"),
        name="fewer files",
    )


def _capped(axis: Axis, most: Mapping[str, Value]) -> Axis:
    if axis.name not in most:
        return axis
    limit = most[axis.name]
    values = dict.fromkeys(min(value, limit) for value in axis.values)
    return Axis(axis.name, tuple(values))
