"""How trials ended, in words: everything that keeps them from having a throughput."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from core.language.translation import tr, tr_word
from core.result.outcome import Cancelled, Completed, Crashed, Failed, TimedOut, describe
from core.result.result import Result, Trial


def ending(result: Result) -> str:
    """How the trials of a result ended, in the words of `ending_of`."""
    return ending_of(result.trials)


def ending_of(trials: Sequence[Trial]) -> str:
    """How trials ended: `completed`, or everything that keeps them from having a throughput.

    `wrong data in 12, 9,000 errors`, `crashed while measuring: SIGSEGV (2 of 5)`.
    """
    if not trials:
        return tr_word("not measured")
    wrong = sum(trial.wrong for trial in trials)
    errors = sum(trial.errors for trial in trials)
    parts = [tr("wrong data in {count:,}", count=wrong)] if wrong else []
    if errors:
        parts.append(tr("1 error") if errors == 1 else tr("{count:,} errors", count=errors))
    told = Counter(
        describe(trial.outcome) for trial in trials if not isinstance(trial.outcome, Completed)
    )
    parts += [_of(text, count, len(trials)) for text, count in told.most_common()]
    idle = sum(map(_idle, trials))
    parts += [_of(tr("nothing was done"), idle, len(trials))] if idle else []
    return ", ".join(parts) or tr_word("completed")


type State = Literal[
    "completed",
    "wrong data",
    "crashed",
    "failed",
    "timed out",
    "errors",
    "nothing done",
    "cancelled",
    "not measured",
]


def state_of(trials: Sequence[Trial]) -> State:
    """The worst that happened in some trials, in at most two words; `ending_of` has the details."""
    if not trials:
        return "not measured"
    kinds = {type(trial.outcome) for trial in trials}
    happened: tuple[tuple[bool, State], ...] = (
        (any(trial.wrong for trial in trials), "wrong data"),
        (Crashed in kinds, "crashed"),
        (Failed in kinds, "failed"),
        (TimedOut in kinds, "timed out"),
        (any(trial.errors for trial in trials), "errors"),
        (kinds == {Cancelled}, "cancelled"),
        (any(_idle(trial) for trial in trials), "nothing done"),
    )
    return next((state for true, state in happened if true), "completed")


def _idle(trial: Trial) -> bool:
    return isinstance(trial.outcome, Completed) and not (
        trial.operations or trial.errors or trial.wrong
    )


def _of(text: str, count: int, all_of_them: int) -> str:
    return (
        text
        if count == all_of_them
        else tr("{text} ({count} of {of})", text=text, count=count, of=all_of_them)
    )
