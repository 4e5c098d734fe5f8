"""Joins the form to the look at it before Start, and says what that found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, Signal

from app.work.preflight_check import PreflightCheck
from app.work.question import Question
from core import expanded

if TYPE_CHECKING:
    from app.shell.window_parts import WindowParts
    from app.work.preflight_check import Wanted
    from app.work.shown_run import Measuring
    from core import MachineState, Preflight, Prepared, Tell


class BeforeStart(QObject):
    """Fills the strip: why Start is disabled, what a run leaves out, or what the next one takes."""

    answered = Signal(object)
    """A look at the form as it is now has ended (Preflight)."""
    machine_seen = Signal(object)
    """What the machine does (MachineState)."""
    fitted = Signal(object, str)
    """Dropped data wants another workload: the step that chooses it (NextStep), and why."""

    def __init__(self, pool: QThreadPool, parts: WindowParts, measuring: Measuring) -> None:
        super().__init__(parts)
        self._setup, self._measuring = parts.setup, measuring
        self._strip = parts.before
        self._problem = ""
        self._found: Preflight | None = None
        self._stale = self._dropped = False
        self._check = PreflightCheck(pool, self, self._wanted)
        self._check.answered.connect(self._take)
        self._machine = Question(pool, self)
        self._machine.answered.connect(self.machine_seen)
        self.look_again = self._check.look_again

    def begin(self) -> None:
        """Look from now on, at the machine also before there is a question."""
        self._check.begin()
        self._machine.ask(_machine_now)

    def drop(self) -> None:
        """The window closes: look no more."""
        self._check.drop()
        self._machine.drop()

    def expect_dropped(self) -> None:
        """The dataset comes from outside the form, so it has to find its workload."""
        self._dropped = True

    def follow(self, problem: str) -> None:
        """The form has changed; `problem`: why Start is disabled."""
        self._problem = "" if self._measuring.running else self._short(problem)
        self._found = None
        self.say()
        self.look_again()

    def say(self) -> None:
        """Bring the strip up to date with the run."""
        now = self._measuring.now
        newer = self.tr("Look out: {}").format(now.newer) if now is not None and now.newer else ""
        if self._problem:
            text = self.tr("Start waits: {}").format(self._problem)
        elif self._measuring.running:
            text = (self._remarks(now) if now is not None else "") or self._measuring.said
        else:
            text = ""
        next_one = None if self._measuring.running else self._found
        self._strip.say(" ".join(filter(None, (newer, text))), next_one)

    def _short(self, problem: str) -> str:
        """What the dataset's own row says in full is not said twice."""
        picker = self._setup.dataset
        if problem and problem == picker.problem and picker.place() and not picker.looking:
            return self.tr("the dataset cannot be measured, for the reason beside it")
        return problem

    def _remarks(self, now: Prepared) -> str:
        """What a run leaves out, and what it will lack."""
        parts = (
            (self.tr("Look out: {}"), now.foreseen),
            (self.tr("Left out: {}"), now.left_out),
        )
        return " ".join(text.format(" · ".join(told)) for text, told in parts if told)

    def _wanted(self) -> Wanted | None:
        """What is looked at before Start; None while there is nothing to look at."""
        request, picker = self._setup.chosen(), self._setup.dataset
        if self._measuring.running or self._setup.form_problem():
            return None
        if picker.look is None and (not picker.place() or picker.looking):
            return None
        seen = picker.look.dataset if picker.look is not None else None
        return request, seen, expanded(picker.place())

    def _take(self, found: Preflight) -> None:
        dropped, self._dropped = self._dropped, False
        stale, self._stale = self._stale, found.stale
        step, look = found.step, self._setup.dataset.look
        if found.stale and not stale and look is not None:
            self._setup.dataset.choose(look.dataset.path)
        elif dropped and step is not None and step.name == "workload":
            self.fitted.emit(step, found.remarks[0].text)
        else:
            self._found = found
            self.say()
        if found.machine.light != "unknown":
            self.machine_seen.emit(found.machine)
        self.answered.emit(found)


def _machine_now(tell: Tell) -> MachineState:
    from core import MachineState  # on the pool's thread

    return MachineState.now(tell)
