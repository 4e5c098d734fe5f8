"""How a trial ended.  Endings are values; a trial keeps what was measured before its end.

An operation that fails or returns wrong data does not end a trial: it is counted, and a trial
with such a count can be `Completed` but never has a throughput.
"""

from __future__ import annotations

import signal
from typing import assert_never

import msgspec

from core.errors import SluiceError, names_below
from core.language.sanitise import Finite, Name, Natural, Whole
from core.language.translation import tr, tr_word


class Completed(msgspec.Struct, frozen=True, tag="completed"):
    """Every step was done."""


class Failed(msgspec.Struct, frozen=True, kw_only=True, tag="failed"):
    """The workload's code raised outside an operation."""

    stage: Name
    error: Name
    message: str
    trace: str = ""
    item: str = ""
    """What it prepared, if that is not in the message."""


class Crashed(msgspec.Struct, frozen=True, kw_only=True, tag="crashed"):
    """A child process died: from a signal, or it exited with a code before its end."""

    stage: Name
    signal: Name = ""
    exit_code: Whole | None = None
    last_words: str = ""
    item: str = ""
    """What it worked on, if known: the operations of its workers, or the file it prepared."""


class TimedOut(msgspec.Struct, frozen=True, kw_only=True, tag="timed-out"):
    """The trial took longer than its deadline, or nothing moved for `limit` seconds."""

    stage: Name
    limit: Finite
    stalled: bool
    item: str = ""
    """What it worked on when it stalled, as in a crash."""


class Cancelled(msgspec.Struct, frozen=True, kw_only=True, tag="cancelled"):
    """The user ended it."""

    stage: Name


class Complaint(msgspec.Struct, frozen=True, kw_only=True):
    """One kind of operation error or wrong data, its count, and its first case."""

    wrong_data: bool
    text: str
    count: Natural
    first_item: str


type Outcome = Completed | Failed | Crashed | TimedOut | Cancelled


def describe(outcome: Outcome) -> str:
    """One line for tables: `crashed while measuring: SIGSEGV`."""
    match outcome:
        case Completed():
            return tr("completed")
        case Failed(stage=stage, error=error, message=message):
            # Sluice's own errors are sentences for the user; the others' names say what they are.
            named = error not in names_below(SluiceError)
            why = ": ".join(filter(None, (error if named or not message else "", message)))
            return tr("failed while {stage}: {why}", stage=tr_word(stage), why=why)
        case Crashed(stage=stage, signal=name, exit_code=code):
            why = name or tr("left with exit code {code}", code=code)
            return tr("crashed while {stage}: {why}", stage=tr_word(stage), why=why)
        case TimedOut(stage=stage, limit=limit, stalled=stalled):
            doing = tr_word(stage)
            if stalled:
                return tr(
                    "nothing moved within {limit:g} s while {stage}", limit=limit, stage=doing
                )
            return tr("not done within {limit:g} s while {stage}", limit=limit, stage=doing)
        case Cancelled(stage=stage):
            return tr("cancelled while {stage}", stage=tr_word(stage))
        case _:
            assert_never(outcome)


def item_of(outcome: Outcome) -> str:
    """What the children worked on when they failed, died or stalled; empty if unknown."""
    match outcome:
        case Failed(item=item) | Crashed(item=item) | TimedOut(item=item):
            return item
    return ""


def describe_all(outcome: Outcome) -> str:
    """Like `describe`, with what the children worked on: `…: SIGSEGV, at reads.blow5, read 7`."""
    told, item = describe(outcome), item_of(outcome)
    return tr("{what}, at {item}", what=told, item=item) if item else told


def crash_from(returncode: int, stage: str, last_words: str, item: str) -> Crashed:
    """The crash behind a `subprocess` return code (negative = signal)."""
    if returncode >= 0:
        return Crashed(stage=stage, exit_code=returncode, last_words=last_words, item=item)
    try:
        name = signal.Signals(-returncode).name
    except ValueError:  # a real-time signal has no name
        name = f"signal {-returncode}"
    return Crashed(stage=stage, signal=name, last_words=last_words, item=item)


def has_throughput(
    outcome: Outcome, operations: int, errors: int, wrong: int, *, shortened: bool = False
) -> bool:
    """Whether a trial completed and did something, and nothing in it failed or was wrong.

    However fast a reader is, its figure means nothing if it returns wrong data.  `shortened`: it
    was cut off, but after enough to count.
    """
    done = shortened or isinstance(outcome, Completed)
    return done and operations > 0 and not (errors or wrong)
