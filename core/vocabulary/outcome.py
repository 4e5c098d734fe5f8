"""How a trial ended, as a value and in words.  A trial keeps its figures from before its end.

An operation that fails or returns wrong data does not end a trial: it is counted, and a trial
with such a count can be `Completed` but never has a throughput.
"""

from __future__ import annotations

import re
import signal
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, assert_never

import msgspec

from core.language import (
    Finite,
    InvalidParameter,
    Name,
    Natural,
    SluiceError,
    Whole,
    marked,
    names_below,
    tr,
    tr_word,
)

if TYPE_CHECKING:
    from core.vocabulary.result import Result
    from core.vocabulary.trial import Trial


class Completed(msgspec.Struct, frozen=True, tag="completed"):
    """Every step was done."""


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """The workload's code raised outside an operation."""

    stage: Name
    error: Name
    message: str
    trace: str = ""
    item: str = ""
    """The file or item in preparation, if that is not in the message."""


class Crashed(msgspec.Struct, frozen=True, kw_only=True, tag="crashed"):
    """A child process died: from a signal, or it exited with a code before its end."""

    stage: Name
    signal: Name = ""
    exit_code: Whole | None = None
    last_words: str = ""
    item: str = ""
    """The operations of its workers, or the file that it prepared; empty if unknown."""
    out_of_memory: bool = False
    """Whether the kernel killed it for want of memory."""


class TimedOut(msgspec.Struct, frozen=True, kw_only=True, tag="timed-out"):
    """The trial took longer than its deadline, or nothing moved for `limit` seconds."""

    stage: Name
    limit: Finite
    stalled: bool
    item: str = ""
    """As in a crash: the operations or the file at which it stalled."""


class Cancelled(msgspec.Struct, frozen=True, kw_only=True, tag="cancelled"):
    """The user ended it."""

    stage: Name


class Complaint(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of operation error or wrong data, its count, and its first case."""

    wrong_data: bool
    text: str
    count: Natural
    first_item: str

    @property
    def cause(self) -> str:
        """The beginning of the text without the remedy that stands in brackets at its end."""
        return _cut(self._parts[0], _LONGEST)

    @property
    def remedy(self) -> str:
        """What helps; empty if nobody knows."""
        return self._parts[1]

    @property
    def brief(self) -> str:
        """As much of the text as a table shows; its remedy is never cut."""
        if len(self.text) <= _LONGEST or not self.remedy:
            return _cut(self.text, _LONGEST)
        cause, remedy = self._parts
        return f"{_cut(cause, max(_LONGEST - len(remedy), _LEAST))} ({remedy})"

    @property
    def _parts(self) -> tuple[str, str]:
        cause, bracket, remedy = self.text.rpartition(" (")
        whole = bracket and self.text.endswith(")")
        return (cause, remedy[:-1]) if whole else (self.text, "")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def is_refusal(outcome: Outcome) -> bool:
    """Whether a user's input cannot be measured, such as a list that names missing files."""
    return isinstance(outcome, Failed) and outcome.error == InvalidParameter.__name__


type Outcome = Completed | Failed | Crashed | TimedOut | Cancelled


def describe(outcome: Outcome) -> str:
    """One line for tables: `crashed while measuring: SIGSEGV`."""
    match outcome:
        case Completed():
            return tr("completed")
        case Failed(stage=stage, error=error, message=message):
            # Sluice's own errors are sentences for the user; other errors need their names.
            named = error not in names_below(SluiceError)
            why = ": ".join(filter(None, (error if named or not message else "", message)))
            return tr("failed while {stage}: {why}", stage=tr_word(stage), why=why)
        case Crashed():
            return _crash(outcome)
        case TimedOut():
            return _time_out(outcome)
        case Cancelled(stage="waiting"):  # by whoever stopped, or since the time was up
            return tr("not measured any more")
        case Cancelled(stage=stage):
            return tr("cancelled while {stage}", stage=tr_word(stage))
        case _:
            assert_never(outcome)


def _crash(outcome: Crashed) -> str:
    stage = tr_word(outcome.stage)
    if outcome.out_of_memory:
        return tr(
            "killed by the kernel while {stage}: the machine or its control group ran out of memory",
            stage=stage,
        )
    why = outcome.signal or tr("left with exit code {code}", code=outcome.exit_code)
    return tr("crashed while {stage}: {why}", stage=stage, why=why)


def _time_out(outcome: TimedOut) -> str:
    stage, limit = tr_word(outcome.stage), outcome.limit
    if outcome.stalled:
        return tr("nothing moved within {limit:g} s while {stage}", limit=limit, stage=stage)
    if outcome.item:
        return tr(
            "{stage} took longer than --deadline {limit:g} s: {item} (give it longer)",
            limit=limit,
            stage=stage,
            item=outcome.item,
        )
    return tr("not done within {limit:g} s while {stage}", limit=limit, stage=stage)


def item_of(outcome: Outcome) -> str:
    """The item at which the children failed, died or stalled; empty if unknown."""
    match outcome:
        case Failed(item=item) | Crashed(item=item) | TimedOut(item=item):
            return item
    return ""


def describe_all(outcome: Outcome) -> str:
    """Like `describe`, with the item of the children: `…: SIGSEGV, at reads.blow5, read 7`."""
    text, item = describe(outcome), item_of(outcome)
    if isinstance(outcome, TimedOut) and not outcome.stalled:  # the item is in the text
        return text
    return tr("{what}, at {item}", what=text, item=item) if item else text


def crash_from(
    returncode: int, stage: str, last_words: str, item: str, *, kills: int = 0
) -> Crashed:
    """The crash behind a `subprocess` return code (negative = signal).

    `kills`: how many processes the kernel has killed for want of memory meanwhile.
    """
    if returncode >= 0:
        return Crashed(stage=stage, exit_code=returncode, last_words=last_words, item=item)
    try:
        name = signal.Signals(-returncode).name
    except ValueError:  # a real-time signal has no name
        name = f"signal {-returncode}"
    return Crashed(
        stage=stage,
        signal=name,
        last_words=last_words,
        item=item,
        out_of_memory=kills > 0 and returncode == -signal.SIGKILL,
    )


def has_throughput(
    outcome: Outcome, operations: int, errors: int, wrong: int, *, shortened: bool = False
) -> bool:
    """Whether a trial completed and did something, and nothing in it failed or was wrong.

    However fast a reader is, its figure means nothing if it returns wrong data.  `shortened`: it
    was cut off, but after enough to count.
    """
    done = shortened or isinstance(outcome, Completed)
    return done and operations > 0 and not (errors or wrong)


_LONGEST = 160
_LEAST = 60
"""Characters of a cause that are shown, however long its remedy is."""
"""Letters of a reason; the complaints hold all of it."""


def ending(result: Result, *, reasons: bool = True) -> str:
    """How the trials of a result ended, in the words of `ending_of`."""
    again = set(map(id, result.replaced_trials))
    counting = [trial for trial in result.trials if id(trial) not in again]
    return ending_of(counting, reasons=reasons)


def ending_in(result: Result, trial: Trial) -> str:
    """How one trial of a result ended, in the words of `ending_of`.

    A trial that counts although it was cut off has its time: `shortened: 0.8 of 1.5 s`.
    """
    time = time_in_turns(result, trial) if trial.shortened else ""
    text = ending_of([trial], tr("shortened: {time}", time=time) if time else "")
    if not any(trial is one for one in result.replaced_trials):
        return text
    if not trial.shortened:
        text = tr("{ending}, disturbed", ending=text)
    in_its_place = [one for one in result.finished_trials if one.index == trial.index]
    if any(one.started >= trial.started for one in in_its_place):
        return tr("{ending}, measured again", ending=text)
    return tr("{ending}, does not count", ending=text)


def time_in_turns(result: Result, trial: Trial) -> str:
    """How long a trial that was cut off was measured: `0.8 of 1.5 s`."""
    done, whole = trial.seconds_in_turns, result.spec.load.duration
    if not whole:
        return f"{marked(format(done, '.1f'))} s"
    return tr("{done:.1f} of {whole:g} s", done=done, whole=whole)


def ending_of(trials: Sequence[Trial], shortened: str = "", *, reasons: bool = True) -> str:
    """How trials ended: `completed`, or everything that keeps them from having a throughput, or
    from being believed.

    `wrong data in 12, 9,000 failed: sort ended with 2: …`, `crashed while measuring: SIGSEGV (2 of
    5)`; of several reasons the most frequent.  Trials that count although they were cut off are
    included; `shortened` is the text for them.  `reasons`: of errors and wrong data.
    """
    if not trials:
        return tr_word("not measured")
    wrong = sum(trial.wrong for trial in trials)
    errors = sum(trial.errors for trial in trials)
    parts: list[str] = []
    if wrong:
        text = tr("wrong data in {count:,}", count=wrong)
        parts.append(_with_reason(text, trials, wrong_data=True) if reasons else text)
    if errors:
        text = tr("1 failed", "{count:,} failed", count=errors)
        parts.append(_with_reason(text, trials, wrong_data=False) if reasons else text)
    endings = Counter(
        (shortened or tr_word("shortened")) if trial.shortened else describe(trial.outcome)
        for trial in trials
        if not isinstance(trial.outcome, Completed)
    )
    parts += [_of(text, count, len(trials)) for text, count in endings.most_common()]
    idle = sum(map(_idle, trials))
    parts += [_of(tr("nothing was done"), idle, len(trials))] if idle else []
    doubtful = sum(bool(trial.doubt) for trial in trials)
    parts += [_of(tr("figures doubtful"), doubtful, len(trials))] if doubtful else []
    return ", ".join(parts) or tr_word("completed")


def _with_reason(text: str, trials: Sequence[Trial], *, wrong_data: bool) -> str:
    complaint = main_complaint(trials, wrong_data=wrong_data)
    return f"{text}: {complaint.brief}" if complaint else text


def main_complaint(trials: Sequence[Trial], *, wrong_data: bool) -> Complaint | None:
    """The most frequent one, as its first trial has it."""
    reasons, first = Counter[str](), dict[str, Complaint]()
    for trial in trials:
        for complaint in trial.complaints:
            if complaint.wrong_data is wrong_data:
                reasons[complaint.text] += complaint.count
                first.setdefault(complaint.text, complaint)
    return next((first[reason] for reason, _ in reasons.most_common(1)), None)


type State = Literal[
    "completed",
    "wrong data",
    "crashed",
    "failed",
    "timed out",
    "errors",
    "nothing done",
    "shortened",
    "cancelled",
    "not measured",
]


def state_of(trials: Sequence[Trial]) -> State:
    """The worst that happened in some trials, in at most two words; `ending_of` has the details."""
    if not trials:
        return "not measured"
    kinds = {type(trial.outcome) for trial in trials}
    counting = [trial for trial in trials if not isinstance(trial.outcome, Cancelled)]
    shortened = any(trial.shortened for trial in trials)
    happened: tuple[tuple[bool, State], ...] = (
        (any(trial.wrong for trial in trials), "wrong data"),
        (Crashed in kinds, "crashed"),
        (Failed in kinds, "failed"),
        (TimedOut in kinds, "timed out"),
        (any(trial.errors for trial in trials), "errors"),
        (shortened and not counting, "shortened"),
        (kinds == {Cancelled}, "cancelled"),
        (any(_idle(trial) for trial in trials), "nothing done"),
    )
    return next((state for true, state in happened if true), "completed")


def _idle(trial: Trial) -> bool:
    return isinstance(trial.outcome, Completed) and not (
        trial.operations or trial.errors or trial.wrong
    )


def _of(text: str, count: int, all_of_them: int) -> str:
    if count == all_of_them:
        return text
    return tr("{text} ({count} of {of})", text=text, count=count, of=all_of_them)


_REFUSED = re.compile(r"503|429|^refusals$|slow ?down|throttl|backpressure|rejected", re.IGNORECASE)


def counts_refusals(name: str) -> bool:
    """Whether a workload's counter of that name counts requests that a server refused."""
    return _REFUSED.search(name) is not None


def share_refused(trials: Sequence[Trial]) -> float:
    """The share of requests that were refused, 0 to 1; 0 where the workload counts none.

    Each operation is taken for one accepted request.
    """
    refused = sum(
        count for trial in trials for name, count in trial.counters.items() if counts_refusals(name)
    )
    done = sum(trial.operations for trial in trials)
    return refused / (done + refused) if refused > 0 else 0.0
