"""Joins the form to the look at it before Start, and says what that found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from app.work.preflight_check import PreflightCheck
from app.work.question import Question
from core import expanded

if TYPE_CHECKING:
    from app.shell.window_parts import WindowParts
    from app.work.preflight_check import Wanted
    from app.work.shown_run import Measuring
    from core import MachineState, Preflight, Prepared, ReportProgress


_EACH = 5000
"""Milliseconds between looks at the machine while it measures."""


class BeforeStart(QObject):
    """Fills the strip: why Start is disabled, what a run leaves out, or what the next one takes.

    It waits until other programs leave the cores alone, where that is wanted.
    """

    answered = Signal(object)
    """A look at the form as it is now has ended (Preflight)."""
    machine_seen = Signal(object)
    """What the machine does (MachineState)."""
    fitted = Signal(object, str)
    """Dropped data wants another workload: the step that chooses it (NextStep), and why."""
    quiet = Signal()
    """Other programs leave the cores alone, for which it was waited."""

    def __init__(self, pool: QThreadPool, parts: WindowParts, measuring: Measuring) -> None:
        super().__init__(parts)
        self._setup, self._measuring = parts.setup, measuring
        self._strip, self._start = parts.before, parts.start_button
        self._problem = ""
        self._found: Preflight | None = None
        self._light = ""
        self._stale = self._dropped = False
        self._check = PreflightCheck(pool, self, self._wanted)
        self._check.answered.connect(self._take)
        self._machine = Question(pool, self)
        self._machine.answered.connect(self._take_machine)
        self._next = QTimer(self, singleShot=True, interval=_EACH)
        self._next.timeout.connect(self._look_at_machine)
        self._waiting = Question(pool, self)
        self._waiting.told.connect(self._say_waiting)
        self._waiting.answered.connect(self._take_quiet)
        measuring.began.connect(self._take_start)
        self.look_again = self._check.look_again

    def begin(self) -> None:
        """Look from now on, at the machine also before there is a question."""
        self._check.begin()
        self._machine.ask(_machine_now)

    def drop(self) -> None:
        """The window closes: look no more."""
        self._check.drop()
        self._next.stop()
        for question in (self._machine, self._waiting):
            question.drop()

    @property
    def waiting(self) -> bool:
        """Whether it waits until other programs leave the cores alone."""
        return self._waiting.asking

    def wait(self) -> None:
        """Say so once other programs leave the cores alone, or wait no more."""
        if self.waiting:
            self._waiting.drop()
            self.say()
        else:
            self._waiting.ask(_until_quiet)
            self._say_waiting(self.tr("Waiting until quiet."))
        self._name_start()

    def _name_start(self) -> None:
        """Where other programs want the cores, the button says what it does about them."""
        crowded = self.waiting or self._light == "busy"
        told = self.tr("Measure anyway") if crowded else self.tr("Measure")
        self._start.setText(f"▶ {told}")
        self._start.setAccessibleName(told)

    def _say_waiting(self, said: str, *_: int) -> None:
        from core import MachineState

        self._strip.say(said, step=MachineState.waits()[1])

    def _take_quiet(self) -> None:
        self.say()
        self.quiet.emit()

    def _take_start(self) -> None:
        self._waiting.drop()
        self._next.start()

    def _look_at_machine(self) -> None:
        if self._measuring.running:
            self._machine.ask(_machine_now)

    def _take_machine(self, state: MachineState) -> None:
        self._light = state.light
        self.machine_seen.emit(state)
        self._name_start()
        if self._measuring.running:
            self._next.start()

    def expect_dropped(self) -> None:
        """The dataset comes from outside the form, so it has to find its workload."""
        self._dropped = True

    def follow(self, problem: str) -> None:
        """The form has changed; `problem`: why Start is disabled."""
        self._problem = "" if self._measuring.running else self._short(problem)
        self._found = None
        if problem:
            self._waiting.drop()  # nothing could begin at its end
        self._name_start()
        self.say()
        self.look_again()

    def say(self) -> None:
        """Bring the strip up to date with the run; what is waited for is said by the wait."""
        if self.waiting:
            return
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
        self._light = found.machine.light
        if self._light != "unknown":
            self.machine_seen.emit(found.machine)
        self._name_start()
        self.answered.emit(found)


def _machine_now(report: ReportProgress) -> MachineState:
    from core import MachineState  # on the pool's thread

    return MachineState.now(report)


def _until_quiet(report: ReportProgress) -> None:
    from core import MachineState  # on the pool's thread

    MachineState.until_quiet(report)
