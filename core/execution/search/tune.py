"""`tune`: the adaptive search of `core.execution.search`, driven by the real engine.

A search is one run of one session.  Its plan holds every setting that may be measured, because a
run's specs are recorded before its trials, and is marked adaptive, because which of them are
measured, and how often, is decided while it goes on.  A round of the search is a block.

    for event in tune(search, environment, cancel):
        …                   the events of any run, and Explained before each round
                            Advised before RunEnded: the answer, also of a search that was stopped
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from core.analysis.advice import Advice
from core.analysis.advisor import Basis, ThreadCurve, advice_on, thread_curves
from core.analysis.diagnosis import diagnose_all
from core.analysis.scaling import Evidence, Limits, Point
from core.execution.engine import RunTrial, carry_out, new_run_id
from core.execution.events import Advised, Diagnosed, Event, Explained, RunEnded, RunPlanned
from core.execution.search import SPENT, Ask, Sample, Tuner, Tuning
from core.execution.search_plan import Search
from core.host.environment import Environment
from core.language.translation import tr
from core.plan.labels import named
from core.plan.repeats import REPEATS
from core.plan.schedule import Slot
from core.plan.spec import RunSpec
from core.result.ending import ending_of
from core.result.outcome import Cancelled
from core.result.result import Result, Trial, collect
from core.trial.cancel import Cancel
from core.trial.parent import run_trial as run_real_trial
from core.trial.trial_events import TrialEnded


def tune(
    search: Search,
    environment: Environment,
    cancel: Cancel,
    *,
    run_trial: RunTrial = run_real_trial,
) -> Iterator[Event]:
    """Search for the best setting; the last events are the advice and the run's end.

    Once `cancel` is requested the search ends with the best answer so far, labelled as such.
    """
    yield from _Tune(search, environment, cancel, run_trial).events()


class _Tune:
    """One search while it runs."""

    def __init__(
        self, search: Search, environment: Environment, cancel: Cancel, run_trial: RunTrial
    ) -> None:
        self._search = search
        self._environment = environment
        self._cancel = cancel
        self._run_trial = run_trial
        self._tuner = Tuner(*search.axes, terms=search.terms, each=search.each)
        self._run_id = new_run_id()
        self._trials: list[Trial] = []
        self._block = 0
        self._begun = time.monotonic()

    def events(self) -> Iterator[Event]:
        plan, guess = self._search.plan, self._search.guess
        yield RunPlanned(plan=plan, trials=guess, seconds=guess * self._trial_seconds)
        while not self._cancel.requested and isinstance(asked := self._tuner.ask(), Ask):
            yield from self._round(asked)
        last = self._tuner.ask()
        stopped = not isinstance(last, Tuning)
        tuning = last if isinstance(last, Tuning) else self._tuner.answer()
        yield from self._beside(tuning)
        advice = self._advice(tuning, stopped=stopped)
        yield Advised(advice=advice)
        if found := diagnose_all(self._results(self._search.plan.specs), advice.spec):
            yield Diagnosed(diagnosis=found)
        done = len(self._trials)
        yield RunEnded(trials=done, of=done, cancelled=self._cancel.requested)

    def _round(self, asked: Ask) -> Iterator[Event]:
        pairs = [
            (one, spec)
            for one in asked.configurations
            for spec in self._search.specs_of_settings[one]
        ]
        first = len(self._trials)
        yield self._explained(self._warning + asked.reason, len(pairs))
        for event in self._measure([spec for _, spec in pairs]):
            yield event
            if isinstance(event, TrialEnded) and not isinstance(event.trial.outcome, Cancelled):
                setting, _ = pairs[event.trial.index - first]
                self._tuner.tell(setting, sample_of(event.trial))

    @property
    def _warning(self) -> str:
        """Before the first trial: that a sweep may be cheaper."""
        search = self._search
        if self._trials or search.terms.most_trials <= search.whole:
            return ""
        text = tr(
            "A sweep of the same {settings} settings takes {whole} trials; the search ends when it"
            " is sure, after {most} trials at the latest.",
            settings=len(search.settings),
            whole=search.whole,
            most=search.terms.most_trials,
        )
        return f"{text} "

    def _measure(self, specs: Sequence[RunSpec]) -> Iterator[Event]:
        """One trial of each of these, as the next block."""
        first = len(self._trials)
        slots = [Slot(first + at, self._block, spec) for at, spec in enumerate(specs)]
        self._block += 1
        of = max(self._search.guess, first + len(slots))
        for event in carry_out(slots, self._run_id, self._cancel, of=of, run_trial=self._run_trial):
            if isinstance(event, TrialEnded):
                self._trials.append(event.trial)
            yield event

    def _beside(self, tuning: Tuning) -> Iterator[Event]:
        """What explains the chosen setting is measured in blocks of its own."""
        if tuning.configuration is None or self._cancel.requested:
            return
        chosen = self._search.settings[tuning.configuration]
        specs = self._search.beside.get(chosen.digest, ())
        if specs:
            reason = tr("What limits the chosen setting shows beside it.")
            yield self._explained(reason, REPEATS * len(specs), last=True)
            for _ in range(REPEATS):
                yield from self._measure(specs)

    def _explained(self, text: str, coming: int, *, last: bool = False) -> Explained:
        done = len(self._trials)
        known = done + coming
        expected = known if last else max(self._search.guess, known)
        return Explained(
            text=text,
            trials=done,
            expected=expected,
            seconds=(expected - done) * self._trial_seconds,
        )

    @property
    def _trial_seconds(self) -> float:
        """How long a trial takes: as seen so far, or as its spec says."""
        if self._trials:
            return (time.monotonic() - self._begun) / len(self._trials)
        load = self._search.base.load
        return max(load.duration, 1.0) + load.warm_up + 1.0

    def _advice(self, tuning: Tuning, *, stopped: bool) -> Advice:
        found = thread_curves(self._results(self._search.specs), self._search.varied)
        place = _place(found, tuning, self._search)
        settings, limits = len(self._search.settings), self._search.terms.limits
        repeats = _repeats_as_precise(found, place, tuning.threads.threads, limits)
        reasons = list(tuning.threads.reasons if self._trials else (tr("nothing was measured."),))
        second = tuning.second
        if second is not None and second.evidence is Evidence.CANNOT_TELL:
            reasons.insert(
                0,
                tr(
                    "no value of {parameter} is clearly better yet.",
                    parameter=named(self._search.varied[1]),
                ),
            )
        if stopped:
            reasons.insert(
                0, tr("{count} trials were measured before the end.", count=tuning.trials)
            )
        if SPENT in tuning.reasons:
            reasons.append(tr("all trials allowed are spent."))
        return advice_on(
            found,
            place,
            tuning.threads,
            Basis(
                confident=tuning.evidence is Evidence.CONFIDENT and not stopped,
                reasons=tuple(reasons),
                limits=limits,
                trials=tuning.trials,
                whole=self._search.whole,
                as_precise=settings * repeats if repeats else self._search.whole,
                settings=settings,
                stopped=stopped,
            ),
        )

    def _results(self, specs: Sequence[RunSpec]) -> tuple[Result, ...]:
        return collect(specs, self._trials, self._environment, {})


def _place(found: Sequence[ThreadCurve], tuning: Tuning, search: Search) -> int:
    """Which line the answer lies on."""
    if tuning.configuration is None or search.second is None or search.pooled:
        return 0
    wanted = search.settings[tuning.configuration].values[search.second.name]
    return next(at for at, line in enumerate(found) if line.values[search.second.name] == wanted)


def _repeats_as_precise(
    found: Sequence[ThreadCurve], place: int, threads: int | None, limits: Limits
) -> int | None:
    """How often a sweep has to measure every setting to tell the two that decided, the chosen and
    the fastest other, apart as precisely as the search did; None where nothing was chosen.

    The harmonic mean of their trials, because variances of means add up; rounded down, so that
    the search is never flattered.
    """
    chosen: Point | None = None
    others: list[Point] = []
    for at, line in enumerate(found):
        for point in line.points:
            if (at, point.threads) == (place, threads):
                chosen = point
            elif not limits.broken_by(point):
                others.append(point)
    if chosen is None:
        return None
    ours = len(chosen.throughputs)
    rival = max(others, key=lambda point: point.level, default=None)
    theirs = len(rival.throughputs) if rival else ours
    return 2 * ours * theirs // (ours + theirs)


def sample_of(trial: Trial) -> Sample:
    """What one trial says to the search."""
    if trial.throughput is None:
        return Sample(failed=True, reason=ending_of([trial]))
    return Sample(
        throughput=trial.throughput,
        peak_memory=trial.peak_rss,
        open_files=trial.most_fds,
        latencies=trial.latencies,
    )
