"""Which trials are measured again because the machine disturbed them.

Whoever runs a plan asks after its blocks, and may ask again after each block of repeats; what was
measured again once is not named a second time.  The answer depends on the machine's noise alone
(`core.result.attempts`), and never on throughput: the calmer of two attempts counts, and both
are kept (`core.result.attempts`).
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from core.host.environment import Environment
from core.plan.schedule import Plan, Slot, fewest_threads, subject_of
from core.result.attempts import disturbance, is_disturbed
from core.result.outcome import Cancelled
from core.result.result import Trial


def slots_to_repeat(
    plan: Plan, trials: Sequence[Trial], environment: Environment
) -> tuple[Slot, ...]:
    """The slots of disturbed trials, in blocks of their own after all others, in running order.

    `trials`: all of the run so far, repeats and cancelled ones included.  A repeat has the index of
    the slot that it repeats and a new block.  Each block holds a spec once at most, and the first
    block has the most disturbed trial of each spec, so that a caller with little time runs only the
    first blocks.

    A slot is repeated once at most, a spec at most `plan.repeats` times, and only trials that went
    well are: what crashed, failed or was wrong is a result.  Once there are as many repeats as
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
        if digest in specs:
            room = plan.repeats - _repeated(attempts, digest)
            due += [
                Slot(
                    trial.index,
                    first_block + place,
                    specs[digest],
                    fewest[subject_of(specs[digest])],
                )
                for place, trial in enumerate(disturbed[: max(room, 0)])
            ]
    drawn = random.Random(f"{plan.seed} repeats {first_block}")
    drawn.shuffle(due)
    return tuple(sorted(due, key=lambda slot: slot.block))


type _Attempts = Mapping[int, Sequence[Trial]]
"""By the index of their slot, in the order of their blocks, without those that were cancelled."""


def _attempts(trials: Sequence[Trial]) -> _Attempts:
    found: dict[int, list[Trial]] = {}
    for trial in sorted(trials, key=lambda trial: trial.block):
        if not isinstance(trial.outcome, Cancelled):
            found.setdefault(trial.index, []).append(trial)
    return found


def _disturbed(attempts: _Attempts, environment: Environment) -> dict[str, list[Trial]]:
    """The disturbed trials that have no repeat, by their spec, the most disturbed first."""
    found: dict[str, list[tuple[float, Trial]]] = {}
    for first, *again in attempts.values():
        how_much = disturbance(first, environment) or 0.0
        if first.valid and not again and how_much > 1.0:
            found.setdefault(first.spec_digest, []).append((how_much, first))
    return {
        digest: [trial for _, trial in sorted(pairs, key=lambda pair: (-pair[0], pair[1].index))]
        for digest, pairs in found.items()
    }


def _repeated(attempts: _Attempts, digest: str) -> int:
    return sum(len(again) for first, *again in attempts.values() if first.spec_digest == digest)


def _in_vain(attempts: _Attempts, environment: Environment, enough: int) -> bool:
    """Whether there are enough repeats, and most of them were disturbed as well."""
    repeats = [one for _, *again in attempts.values() for one in again]
    disturbed = sum(is_disturbed(one, environment) for one in repeats)
    return len(repeats) >= enough and 2 * disturbed > len(repeats)
