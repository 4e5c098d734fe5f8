"""The adaptive search of `core.run.search`, driven by the real engine.

A search is one run of one session.  Its plan holds every setting that may be measured, because a
run's specs are recorded before its trials, and is marked adaptive, because which of them are
measured, and how often, is decided while it goes on.  A round of the search is a block, whose
settings take turns.

    for event in run_search(search, environment, cancel):
        …                   the events of any run, and Explained before each round
                            Advised before RunEnded: the answer, also of a search that was stopped
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.judge import (
    Searched,
    advise,
    costs_of,
    diagnose_all,
    first_few,
    stood_still,
    unfit,
)
from core.language import show_seconds, tr
from core.measure import Cancel, fork_servers, seconds_of
from core.measure import run_trial as run_real_trial
from core.run.blocks import RunBlock, RunTrial, TimeLimit, new_run_id
from core.run.jobs_search import JobsSearcher
from core.run.round_robin import block_runner
from core.run.run_time import RunTime
from core.run.sample_layout import Ask, Sample, SearchAnswer
from core.run.search_plan import Search
from core.vocabulary import (
    REPEATS,
    Advice,
    Advised,
    Cancelled,
    Diagnosed,
    Environment,
    Event,
    Explained,
    Result,
    RunEnded,
    RunPlanned,
    RunSpec,
    Slot,
    Trial,
    TrialEnded,
    collect,
    ending_of,
    fewest_threads,
    label,
    share_refused,
    work_of,
)


def run_search(
    search: Search,
    environment: Environment,
    cancel: Cancel,
    *,
    run_trial: RunTrial = run_real_trial,
    run_block: RunBlock | None = None,
) -> Iterator[Event]:
    """Search for the best setting; the last events are the advice and the run's end.

    The settings of a round take turns, unless the search forbids it; `run_block` carries them out.
    Once `cancel` is requested the search ends with the best answer so far, labelled as such.
    """
    run_block = run_block or block_runner(search.turns, search.terms.seed, run_trial)
    yield from _RunningSearch(search, environment, cancel, run_block).events()


_AGAIN = 1.25
"""The number of trials is guessed again once there are this many times as many."""


class _RunningSearch:
    """One search while it runs."""

    def __init__(
        self, search: Search, environment: Environment, cancel: Cancel, run_block: RunBlock
    ) -> None:
        self._search = search
        self._environment = environment
        self._cancel = cancel
        self._run_block = run_block
        self._searcher = search.searcher()
        self._unfit: dict[tuple[int, int], str] = {}
        """Programs at once and threads of each that do not fit the memory, and why."""
        self._run_id = new_run_id()
        self._fewest = fewest_threads(search.specs)
        self._trials: list[Trial] = []
        self._block = 0
        self._time = TimeLimit(search.budget, cancel)
        self._run_time = RunTime()
        self._guess, self._guessed_at = search.guess, 0

    def events(self) -> Iterator[Event]:
        with (
            self._time,
            fork_servers(self._run_id, self._search.terms.seed, self._search.plan.specs),
        ):
            for event in self._all_events():
                self._run_time.take(event)
                yield event

    def _all_events(self) -> Iterator[Event]:
        search = self._search
        guess = search.guess * self._trial_seconds
        yield RunPlanned(
            plan=search.plan,
            trials=search.guess,
            seconds=min(guess, search.budget) if search.budget else guess,
        )
        while not self._ended and isinstance(ask := self._searcher.ask(), Ask):
            if (fitting := self._fitting(ask)) is None:
                break
            yield from self._round(fitting)
        last = self._searcher.ask()
        answer = last if isinstance(last, SearchAnswer) else self._searcher.answer()
        seconds = self._trial_seconds
        unfinished = (
            ""
            if isinstance(last, SearchAnswer) or self._cancel.requested
            else self._unfinished(last)
        )
        yield from self._beside(answer)
        advice = self._advice(
            answer, seconds, stopped=not isinstance(last, SearchAnswer), unfinished=unfinished
        )
        yield Advised(advice=advice)
        if diagnosis := diagnose_all(self._results(self._search.plan.specs), advice.spec):
            yield Diagnosed(diagnosis=diagnosis)
        done = len(self._trials)
        yield RunEnded(trials=done, of=done, cancelled=self._cancel.requested)

    @property
    def _ended(self) -> bool:
        return self._cancel.requested or self._time.over

    def _fitting(self, ask: Ask) -> Ask | None:
        """The part of a round that fits into the time left: all of it, or None.

        The very first round is cut to fit, but not below two settings, or there would be no answer.
        """
        room = self._time.fitting(self._trial_seconds)
        if room is None:
            return ask
        explaining = self._search.explaining
        reserve = explaining if 2 * explaining < room else 0
        settings = (room - reserve) // self._search.each
        if settings >= len(ask.configurations):
            return ask
        if self._trials:
            return None
        return replace(ask, configurations=ask.configurations[: max(settings, 2)])

    def _unfinished(self, next_one: Ask) -> str:
        """The settings and the round that there was no time for."""
        search = self._search
        measured = {
            trial.spec_digest for trial in self._trials if not isinstance(trial.outcome, Cancelled)
        }
        untried = [one for one in search.settings.values() if one.digest not in measured]
        names = first_few([label(spec, search.varied) for spec in untried])
        return tr(
            "The time of {time} is over. {untried}Next would have come: {reason}",
            time=show_seconds(search.budget),
            untried=f"{tr('Never measured: {settings}.', settings=names)} " if untried else "",
            reason=next_one.reason,
        )

    def _round(self, ask: Ask) -> Iterator[Event]:
        pairs = [
            (one, spec)
            for one in ask.configurations
            for spec in self._search.specs_of_settings[one]
        ]
        first = len(self._trials)
        yield self._explained(self._warning + ask.reason, len(pairs))
        for event in self._measure([spec for _, spec in pairs]):
            yield event
            if isinstance(event, TrialEnded) and not isinstance(event.trial.outcome, Cancelled):
                setting, _ = pairs[event.trial.index - first]
                self._searcher.add(setting, sample_of(event.trial), event.trial.block)
        yield from self._leave_out()

    def _leave_out(self) -> Iterator[Event]:
        """Leave out what does not fit the memory, once it is known what a run takes."""
        if not isinstance(self._searcher, JobsSearcher):
            return
        specs = self._search.specs
        cells = {(spec.load.processes, spec.load.threads) for spec in specs}
        reasons = unfit(specs, self._results(specs))
        now = {cell: why for cell, why in reasons.items() if cell in cells}
        if new := [cell for cell in now if cell not in self._unfit]:
            self._unfit |= now
            self._searcher.leave_out(new)
            text = tr(
                "Left out, too much memory: {why}.",
                why=first_few([*dict.fromkeys(now[one] for one in new)]),
            )
            yield self._explained(text, 0)

    @property
    def _warning(self) -> str:
        """Before the first trial, a warning that a sweep may be cheaper."""
        search = self._search
        if self._trials or search.terms.most_trials <= search.whole:
            return ""
        if len(search.settings) == 1:
            most = search.terms.most_trials
            text = tr(
                "There is only one setting, which is measured once.",
                "There is only one setting, which is measured {count} times at most.",
                count=most,
            )
            return f"{text} "
        text = tr(
            "Measuring all {settings} settings takes {whole} trials; the search ends when it is sure,"
            " after {most} trials at the latest.",
            settings=len(search.settings),
            whole=search.whole,
            most=search.terms.most_trials,
        )
        return f"{text} "

    def _measure(self, specs: Sequence[RunSpec]) -> Iterator[Event]:
        """Run one trial of each spec, as the next block."""
        first = len(self._trials)
        slots = tuple(
            Slot(first + at, self._block, spec, self._fewest.get(work_of(spec), 0))
            for at, spec in enumerate(specs)
        )
        self._block += 1
        of = max(self._guess, first + len(slots))
        for event in self._run_block(slots, self._run_id, self._time.cancel, of):
            if isinstance(event, TrialEnded):
                self._trials.append(event.trial)
            yield event

    def _beside(self, answer: SearchAnswer) -> Iterator[Event]:
        """Measure the specs that explain the chosen setting, in blocks of their own."""
        if answer.configuration is None or self._ended:
            return
        chosen = self._search.settings[answer.configuration]
        specs = self._search.beside.get(chosen.digest, ())
        room = self._time.fitting(self._trial_seconds)
        if specs and (room is None or room >= REPEATS * len(specs)):
            reason = tr("What limits the chosen setting shows beside it.")
            yield self._explained(reason, REPEATS * len(specs), last=True)
            for _ in range(REPEATS):
                yield from self._measure(specs)

    def _explained(self, text: str, coming: int, *, last: bool = False) -> Explained:
        done = len(self._trials)
        planned = done + coming
        expected = planned if last else self._expected(planned)
        return Explained(
            text=text,
            trials=done,
            expected=expected,
            seconds=(expected - done) * self._trial_seconds,
        )

    def _expected(self, planned: int) -> int:
        """How many trials there will be, `planned` at least; simulated once the noise is known."""
        done, explaining = len(self._trials), self._search.explaining
        if done >= _AGAIN * self._guessed_at:  # it takes a tenth of a second
            self._guessed_at = done
            coming = self._searcher.to_come()
            self._guess = done + coming + explaining if coming else self._guess
        return max(planned + explaining, self._guess)

    @property
    def _trial_seconds(self) -> float:
        """Seconds that a trial takes: as measured so far, or else as expected of the specs."""
        if self._trials:
            return self._run_time.each
        return seconds_of(self._search.specs, self._search.turns) / len(self._search.specs)

    def _advice(
        self, answer: SearchAnswer, trial_seconds: float, *, stopped: bool, unfinished: str
    ) -> Advice:
        """The advice by the rule for sweeps, on all trials."""
        search = self._search
        advice = advise(
            self._results(search.specs),
            search.terms.limits,
            search.terms.near,
            Searched(
                varied=search.varied,
                settings=len(search.settings),
                trials=answer.trials,
                whole=search.whole,
                trial_seconds=trial_seconds,
                fixed_threads=len({one.threads for one in search.settings}) == 1,
                stopped=stopped,
                spent=answer.spent,
                unfinished=unfinished,
            ),
            choices=len(search.specs),
        )
        assert advice is not None  # a search always varies threads
        return advice

    def _results(self, specs: Sequence[RunSpec]) -> tuple[Result, ...]:
        return collect(specs, self._trials, self._environment, {})


def sample_of(trial: Trial) -> Sample:
    """One trial as the search takes it."""
    if trial.throughput is None:
        return Sample(failed=True, reason=ending_of([trial]))
    if trial.throughput <= 0.0:
        return Sample(failed=True, reason=stood_still())
    return Sample(
        throughput=trial.throughput,
        costs=costs_of(trial),
        latencies=trial.latencies,
        refused=share_refused([trial]),
    )
