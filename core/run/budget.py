"""Chooses which trials of a plan are worth their time: with a budget, or until it is sure.

Every spec is measured `repeats` times, or once if it goes on until it is sure.  After that each
block holds only the specs about which a question is open: a claim that cannot be judged yet, a
setting that may still be better than the one to use by more than is left on the table.  If the
machine disturbed a trial of a spec, its next trial repeats that one, and the calmer of the two
counts.  A block that does not fit into the time keeps as many questions as fit, each with all its
specs.  The run ends when no question is open, or none fits any more.  A study is measured claim by
claim (`core.run.claim_order`).

Judging after every block makes it likelier that chance passes for an answer.  So a claim, or a
difference between two settings, is closed only by stricter evidence than its judgement needs
(`STRICTER` in `core.judge.study.judge_claims`, `STOP_BELOW`); the levels for the best of several
settings are strict enough for repeated looks.  `make validate` simulates the error rates.
"""

from __future__ import annotations

import math
import random
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache
from itertools import chain, pairwise

from msgspec import structs

from core.judge import open_pairs, open_questions, pairs_in
from core.language import Seconds, show_left, tr
from core.measure import describe_environment, seconds_of, without_bare_files
from core.run.claim_order import ClaimOrder, claims_of
from core.run.run_time import ENOUGH_TO_COMPARE, GRACE, RunTime
from core.vocabulary import (
    ENOUGH,
    Cancelled,
    Environment,
    Event,
    Explained,
    Plan,
    RoundBegun,
    RunPlanned,
    Slot,
    Trial,
    TrialEnded,
    collect,
    disturbance,
    fewest_threads,
    is_disturbed,
    work_of,
)

_AMPLE = 3
"""If fewer whole blocks than this fit into the time left, open questions come first once every spec
was measured twice.  `make validate` gives the same error rates either way."""

_PAUSE: Seconds = 60.0
"""If nothing was measured for longer, the run had been interrupted."""
_LEAST: Seconds = 1e-9
"""Of a budget: 0 would be none."""
_WARNING_SHARE = 0.25
"""Share of a budget after which a guess at the end is worth a warning, if it exceeds it as much."""

type StillOpen = Callable[[Sequence[Trial]], Collection[Set[str]]]
"""Maps all trials so far to the open questions, each as the digests of its specs."""
type Clock = Callable[[], float]


def too_little_time(budget: Seconds, takes: Seconds) -> str:
    """A warning that a budget is too short for a trial of each setting."""
    return tr(
        "a trial of each setting takes about {time}, and the time limit is {budget}: not all of"
        " them may be measured",
        time=show_left(takes),
        budget=show_left(budget),
    )


class Budget:
    """Knows how much time is left, and what to spend it on."""

    def __init__(
        self,
        plan: Plan,
        still_open: StillOpen | None,
        measured: Sequence[Trial] = (),
        clock: Clock = time.monotonic,
    ) -> None:
        self._machine = describe_environment()
        self.plan = self._plan = plan = with_time_left(plan, measured)
        """With the time that a run which goes on has left."""
        self._time = RunTime(clock=clock)
        self._time.take(RunPlanned(plan=plan, trials=plan.least_trials, seconds=0.0))
        self._still_open = still_open
        self._claims = claims_of(plan, self._machine)
        self._trials = [trial for trial in measured if not isinstance(trial.outcome, Cancelled)]
        self._ended = self._rounds = 0
        self._limit = plan.budget or math.inf
        self.short = not self._claims and seconds_of(plan.specs, plan.turns) > self._limit
        """Whether the budget is known to be too short for a trial of each setting.  Then settings
        are measured one after the other while there is time, rather than all of them in part."""
        self._warned = self.short or self._claims is not None
        self.decided: frozenset[str] = frozenset()
        """Digests of the specs that need no more trials."""

    def take(self, event: Event) -> None:
        self._time.take(event)
        if isinstance(event, RoundBegun):
            self._rounds = event.number
        elif isinstance(event, TrialEnded):
            self._ended += 1
            if not isinstance(event.trial.outcome, Cancelled):
                self._trials.append(event.trial)

    @property
    def over(self) -> bool:
        """Whether running trials are to be ended because no time is left.

        Not before two settings have ended, or have had enough turns: a late answer is worth more
        than none.
        """
        if self._time.elapsed <= (1 + GRACE) * self._limit:
            return False
        enough = len(self._measured) >= min(ENOUGH_TO_COMPARE, len(self._plan.specs))
        return enough or self._rounds >= ENOUGH

    @property
    def warning(self) -> Explained | None:
        """A warning, given once, when the budget proves too short for a trial of each setting."""
        budget, elapsed = self._limit, self._time.elapsed
        all_once = len(self._measured) >= len(self._plan.specs)
        if self._warned or elapsed < _WARNING_SHARE * budget or all_once:
            return None
        whole = elapsed + self._time.left_of_block
        if whole <= (1 + _WARNING_SHARE) * budget:
            return None
        self._warned = True
        return Explained(
            text=too_little_time(budget, whole),
            trials=self._ended,
            expected=self._plan.least_trials,
            seconds=self._time.left,
        )

    @property
    def _measured(self) -> Set[str]:
        return {trial.spec_digest for trial in self._trials}

    def next(self, block: Sequence[Slot]) -> tuple[Slot, ...] | None:
        """The slots of a block that are worth their time; None if no slot of any block is."""
        if self._claims is not None:
            return self._of_claims(self._claims, block)
        counts = Counter(trial.spec_digest for trial in self._trials)
        specs = {spec.digest for spec in self._plan.specs}
        few = {digest for digest in specs if counts[digest] < self._plan.first_look}
        questions = cache(self._questions)  # asked only where the answer counts, and once
        undecided = few or specs.intersection(chain(*questions()))
        short = not self._fits([*few] * _AMPLE)
        if few and short and min(counts[one] for one in specs) > 1:
            # Time is short, and open questions deserve it more than repeats of every spec.
            undecided = specs.intersection(chain(*questions()))
        self.decided = frozenset(specs - undecided)
        slots = [slot for slot in block if slot.spec.digest in undecided]
        if not self._fits([slot.spec.digest for slot in slots]):
            slots = self._slots_that_fit(slots, questions())
        if not slots:
            return None
        return tuple(self._repeating_disturbed(slots, self._plan))

    def _of_claims(self, claims: ClaimOrder, block: Sequence[Slot]) -> tuple[Slot, ...] | None:
        time_left = self._plan.budget - self._time.elapsed
        choice = claims.next(self._trials, self._time.of, time_left)
        if not choice.block and not self._ended:  # the first block always runs
            choice = claims.next(self._trials, self._time.of, math.inf)
        self.decided = choice.decided
        if not choice.block:
            return None
        slots = [slot for slot in block if slot.spec.digest in choice.block]
        if len(slots) < len(choice.block):  # a resumed run has measured others of this block
            return ()
        plan = structs.replace(self._plan, specs=tuple(slot.spec for slot in slots))
        return tuple(self._repeating_disturbed(slots, plan))

    def _slots_that_fit(self, slots: Sequence[Slot], questions: Collection[Set[str]]) -> list[Slot]:
        """The slots of as many questions as there is time for, each question with all its specs."""
        there, chosen = {slot.spec.digest for slot in slots}, set[str]()
        for specs in questions:
            more = chosen | (specs & there)
            if self._fits(more):
                chosen = more
        return [slot for slot in slots if slot.spec.digest in chosen]

    def _repeating_disturbed(self, slots: Sequence[Slot], plan: Plan) -> Iterator[Slot]:
        """The same settings; a setting with a disturbed trial repeats that trial, once every spec
        of the plan has its repeats.
        """
        disturbed: dict[str, Slot] = {}
        specs = {spec.digest for spec in plan.specs}
        trials = [trial for trial in self._trials if trial.spec_digest in specs]
        counts = Counter(trial.spec_digest for trial in trials)
        enough = min(counts[one] for one in specs) >= plan.first_look
        for slot in slots_to_repeat(plan, trials, self._machine) if enough else ():
            disturbed.setdefault(slot.spec.digest, slot)
        for slot in slots:
            first = disturbed.get(slot.spec.digest, slot)
            yield structs.replace(slot, index=first.index)

    def _questions(self) -> Collection[Set[str]]:
        return self._still_open(tuple(self._trials)) if self._still_open else ()

    def _fits(self, digests: Iterable[str]) -> bool:
        """Whether a trial of each of these still ends in time; the first block always runs."""
        if not self._ended:
            return True
        specs = {spec.digest: spec for spec in self._plan.specs}
        longest = self._limit * (1 + 1e-9)
        return self._time.elapsed + self._time.of(specs[one] for one in digests) <= longest


def with_time_left(plan: Plan, measured: Sequence[Trial]) -> Plan:
    """A plan that has these trials, with the budget that they left."""
    if not plan.budget:
        return plan
    return structs.replace(plan, budget=max(plan.budget - time_used(measured), _LEAST))


def time_used(trials: Sequence[Trial]) -> Seconds:
    """The time that trials took, with what lay between them; longer pauses are left out."""
    trials = sorted(trials, key=lambda trial: trial.started)
    own = [one.start_up + (one.elapsed or 0.0) + one.verification for one in trials]
    gaps = [later.started - one.started for one, later in pairwise(trials)]
    between = (gap if gap < took + _PAUSE else took for gap, took in zip(gaps, own, strict=False))
    return sum(between) + sum(own[-1:])


def slots_to_repeat(
    plan: Plan, trials: Sequence[Trial], environment: Environment
) -> tuple[Slot, ...]:
    """The slots of disturbed trials, in blocks of their own after all others, in running order.

    `trials`: all of the run so far, repeats and cancelled ones included.  A repeat has the index of
    the slot that it repeats and a new block.  Each block holds a spec once at most, and the first
    block has the most disturbed trial of each spec, so that a caller with little time runs only the
    first blocks.

    A slot is repeated once at most, a spec at most `plan.repeats` times, and only after trials that
    went well: a crash, a failure or a wrong answer is a result.  Once there are as many repeats as
    specs in the plan, and most of them were disturbed as well, nothing more is repeated: the
    machine is busy all the time.
    """
    if plan.adaptive:
        return ()
    attempts = _attempts(trials)
    if _in_vain(attempts, environment, len(plan.specs)):
        return ()
    specs = {spec.digest: spec for spec in plan.specs}
    fewest = fewest_threads(plan.specs)
    due: list[Slot] = []
    last = max((trial.block for trial in trials), default=0)
    first_block = max(plan.repeats, last + 1)
    for digest, disturbed in _disturbed(attempts, environment).items():
        if (spec := specs.get(digest)) is None:
            continue
        of_spec = [again for first, *again in attempts.values() if first.spec_digest == digest]
        room = max(plan.repeats - sum(map(len, of_spec)), 0)
        due += [
            Slot(trial.index, first_block + index, spec, fewest[work_of(spec)])
            for index, trial in enumerate(disturbed[:room])
        ]
    drawn = random.Random(f"{plan.seed} repeats {first_block}")
    drawn.shuffle(due)
    return tuple(sorted(due, key=lambda slot: slot.block))


type _Attempts = Mapping[int, Sequence[Trial]]
"""Trials by the index of their slot, in the order of their blocks, without cancelled ones."""


def _attempts(trials: Sequence[Trial]) -> _Attempts:
    attempts: dict[int, list[Trial]] = {}
    for trial in sorted(trials, key=lambda trial: trial.block):
        if not isinstance(trial.outcome, Cancelled):
            attempts.setdefault(trial.index, []).append(trial)
    return attempts


def _disturbed(attempts: _Attempts, environment: Environment) -> dict[str, list[Trial]]:
    """The disturbed trials that have no repeat, by their spec, the most disturbed first."""
    disturbed: dict[str, list[tuple[float, Trial]]] = {}
    for first, *again in attempts.values():
        how_much = disturbance(first, environment) or 0.0
        if first.valid and not again and how_much > 1.0:
            disturbed.setdefault(first.spec_digest, []).append((how_much, first))
    return {
        digest: [trial for _, trial in sorted(pairs, key=lambda pair: (-pair[0], pair[1].index))]
        for digest, pairs in disturbed.items()
    }


def _in_vain(attempts: _Attempts, environment: Environment, enough: int) -> bool:
    """Whether there are enough repeats, and most of them were disturbed as well."""
    repeats = [one for _, *again in attempts.values() for one in again]
    disturbed = sum(is_disturbed(one, environment) for one in repeats)
    return len(repeats) >= enough and 2 * disturbed > len(repeats)


def questions_of(plan: Plan, beside: Collection[str] = ()) -> StillOpen:
    """The questions that trials of a plan leave open; specs with digests in `beside` only explain.

    Pairs of `compare --again` ask for their verdicts; for all else see `core.judge.questions`.  The
    claims of a study are not asked about here, but in `core.run.claim_order`.
    """
    environment = describe_environment()

    def still_open(trials: Sequence[Trial]) -> Collection[Set[str]]:
        results = collect(plan.specs, trials, environment, {})
        if plan.pairs:
            return open_pairs(pairs_in(plan, results))
        candidates = [one for one in without_bare_files(results) if one.spec.digest not in beside]
        return open_questions(candidates, plan.terms)

    return still_open
