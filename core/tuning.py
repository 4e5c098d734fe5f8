"""`tune`: the adaptive search of `core.search`, driven by the real engine.

A search is one run of one session.  Its plan holds every setting that may be measured, because a
run's specs are recorded before its trials, and is marked adaptive, because which of them are
measured, and how often, is decided while it goes on.  A round of the search is a block.

    for event in tune(search, environment, cancel):
        …                   the events of any run, and Explained before each round
                            Advised before RunEnded: the answer, also of a search that was stopped
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from core.advice import THREADS, Advice
from core.advising import Basis, Line, advice_on, lines
from core.cancel import Cancel
from core.diagnosis import diagnose_all
from core.engine import RunTrial, carry_out, new_run_id
from core.environment import Environment
from core.errors import UsageError
from core.events import Advised, Diagnosed, Event, Explained, RunEnded, RunPlanned, TrialEnded
from core.naming import named
from core.outcome import Cancelled
from core.parameters import Value
from core.plan import Axis, Plan, RunSpec, Slot
from core.result import Result, Trial, collect
from core.scaling import Evidence
from core.search import SPENT, Ask, Configuration, Sample, SearchAxis, Terms, Tuner, Tuning
from core.search.line import ladder
from core.summary import ending_of
from core.trial import run_trial as run_real_trial
from core.voice import say

SWEEP_REPEATS = 5
"""Repeats of the full sweep that a search is held against: fewer cannot settle a comparison."""
_BESIDE_REPEATS = 2


@dataclass(frozen=True, kw_only=True)
class Search:
    """What to search: a base, the numbers of threads, and the values of one more parameter.

    `beside`: specs to be measured with the chosen setting, to explain it, by that one's digest.
    Raises UsageError where threads are no whole numbers from 1 up.
    """

    title: str
    base: RunSpec
    parameters: type[Any]
    threads: Axis
    second: Axis | None = None
    terms: Terms = field(default_factory=Terms)
    asked: Mapping[str, Value] = field(default_factory=dict)
    """The terms as they were given, for the session."""
    beside: Mapping[str, Sequence[RunSpec]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.threads.name != THREADS or not all(
            isinstance(value, int) and value > 0 for value in self.threads.values
        ):
            raise UsageError("a search needs numbers of threads", "write threads=1..16")

    @cached_property
    def ordered(self) -> bool:
        """Whether the second axis counts something, so that less of it is preferred."""
        return self.second is not None and all(
            isinstance(value, int) and not isinstance(value, bool) for value in self.second.values
        )

    @cached_property
    def axes(self) -> tuple[SearchAxis, SearchAxis | None]:
        """The axes as the search knows them; values without an order go by their places."""
        counts = tuple(int(value) for value in self.threads.values)
        threads = SearchAxis(name=THREADS, values=counts)
        if self.second is None:
            return threads, None
        values = self.second.values if self.ordered else range(len(self.second.values))
        numbers = tuple(sorted(int(value) for value in values))
        return threads, SearchAxis(name=self.second.name, values=numbers, ordered=self.ordered)

    @cached_property
    def settings(self) -> dict[Configuration, RunSpec]:
        """The spec of everything that may be measured."""
        threads, second = self.axes
        places = [None] if second is None else list(second.values)
        return {
            Configuration(threads=int(count), second=place): self.base.varied(
                self.parameters, {THREADS: count, **self._second_value(place)}
            )
            for place in places
            for count in threads.values
        }

    def _second_value(self, place: object) -> dict[str, Value]:
        if self.second is None or not isinstance(place, int):
            return {}
        return {self.second.name: place if self.ordered else self.second.values[place]}

    @property
    def varied(self) -> tuple[str, ...]:
        """Names of the parameters that are searched."""
        return (THREADS, self.second.name) if self.second else (THREADS,)

    @property
    def plan(self) -> Plan:
        """What may be measured."""
        beside = (spec for specs in self.beside.values() for spec in specs)
        specs = {spec.digest: spec for spec in (*self.settings.values(), *beside)}
        return Plan(
            title=self.title,
            specs=tuple(specs.values()),
            seed=self.terms.seed,
            adaptive=True,
            terms=dict(self.asked),
        )

    @property
    def whole(self) -> int:
        """Trials of the full sweep."""
        return SWEEP_REPEATS * len(self.settings)

    @property
    def guess(self) -> int:
        """Trials that a search takes as a rule: the ladder, most of it twice, and a confirmation."""
        rungs = len(ladder([int(value) for value in self.threads.values]))
        more = 3 * len(self.second.values) if self.second else 0
        return min(2 * rungs + 8 + more, self.terms.budget)


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
        self._tuner = Tuner(*search.axes, terms=search.terms)
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
        settings = [self._search.settings[one] for one in asked.configurations]
        yield self._explained(asked.reason, len(settings))
        by_digest = dict(zip((one.digest for one in settings), asked.configurations, strict=True))
        for event in self._measure(settings):
            yield event
            if isinstance(event, TrialEnded) and not isinstance(event.trial.outcome, Cancelled):
                self._tuner.tell(by_digest[event.trial.spec_digest], sample_of(event.trial))

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
            reason = say("What limits the chosen setting shows beside it.")
            yield self._explained(reason, _BESIDE_REPEATS * len(specs), last=True)
            for _ in range(_BESIDE_REPEATS):
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
        specs = tuple(self._search.settings.values())
        found = lines(self._results(specs), self._search.varied)
        place = _place(found, tuning, self._search)
        reasons = list(tuning.threads.reasons if self._trials else (say("nothing was measured."),))
        second = tuning.second
        if second is not None and second.evidence is Evidence.CANNOT_TELL:
            reasons.insert(
                0,
                say(
                    "the values of {parameter} cannot be told apart yet.",
                    parameter=named(self._search.varied[1]),
                ),
            )
        if stopped:
            reasons.insert(
                0, say("{count} trials were measured before the end.", count=tuning.trials)
            )
        if SPENT in tuning.reasons:
            reasons.append(say("the budget of trials is spent."))
        return advice_on(
            found,
            place,
            tuning.threads,
            Basis(
                confident=tuning.evidence is Evidence.CONFIDENT and not stopped,
                reasons=tuple(reasons),
                limits=self._search.terms.limits,
                trials=tuning.trials,
                whole=self._search.whole,
                stopped=stopped,
            ),
        )

    def _results(self, specs: Sequence[RunSpec]) -> tuple[Result, ...]:
        return collect(specs, self._trials, self._environment, {})


def _place(found: Sequence[Line], tuning: Tuning, search: Search) -> int:
    """Which line the answer lies on."""
    if tuning.configuration is None or search.second is None:
        return 0
    wanted = search.settings[tuning.configuration].values[search.second.name]
    return next(at for at, line in enumerate(found) if line.values[search.second.name] == wanted)


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
