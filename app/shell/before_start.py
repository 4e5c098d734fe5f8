"""What is known before Start: looks at the form and the machine, and the row that tells of them."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from app.style.labels import ClippedLabel, as_tip
from app.work.question import Question
from core import expanded

if TYPE_CHECKING:
    from app.shell.window_parts import WindowParts
    from core import Dataset, MachineState, NextStep, Preflight, Prepared, ReportProgress, Request

_REST = 250
"""Milliseconds without a change: a slider that moves asks once, when it stands."""
_AGAIN = 5000
"""Milliseconds until what may end by itself is looked at again, and between looks at the machine
while it measures."""

type Wanted = tuple[Request, Dataset | None, Path | None]


class PreflightStrip(QWidget):
    """Always as high, so that nothing below it moves; what is cut is in the tooltip."""

    step_chosen = Signal(object)
    """The NextStep whose button was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self._step: NextStep | None = None
        self._said = ClippedLabel("small", 2, fixed=True)
        self._said.setAccessibleName(self.tr("Before Start"))
        # What it says must not make the form wider.
        self._said.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._button = QPushButton()
        self._button.setObjectName("preflight step")
        self._button.clicked.connect(self._choose)
        kept = self._button.sizePolicy()
        kept.setRetainSizeWhenHidden(True)
        self._button.setSizePolicy(kept)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self._said, 1)
        row.addWidget(self._button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.say("")

    def say(self, text: str, found: Preflight | None = None, step: NextStep | None = None) -> None:
        """Show a sentence with a step, or with what a look has found besides."""
        parts = [text]
        if found is not None:
            first = [one for one in found.remarks if one.step is found.step is not None]
            parts += [one.text for one in first]
            parts += [found.expected, *(remark.text for remark in found.remarks)]
        told = list(dict.fromkeys(filter(None, parts)))
        self._said.setText(" · ".join(told))
        self._said.setToolTip(as_tip("\n".join(told)))
        self._offer(found.step if found is not None else step)

    def _offer(self, step: NextStep | None) -> None:
        self._step = step
        self._button.setVisible(step is not None)
        if step is not None:
            self._button.setMinimumWidth(self._width_of(step))
            self._button.setText(step.text.replace("&", "&&"))
            self._button.setToolTip(as_tip(step.why))
            self._button.setAccessibleDescription(step.why)

    def _width_of(self, step: NextStep) -> int:
        """Of its button; the same for a wait and its end, so that nothing moves under the hand."""
        from core import Act, MachineState

        widths = [0]
        for each in MachineState.waits() if step.act is Act.WAIT else ():
            self._button.setText(each.text)
            widths.append(self._button.sizeHint().width())
        return max(widths)

    def _choose(self) -> None:
        if self._step is not None:
            self.step_chosen.emit(self._step)

    def text(self) -> str:
        return self._said.text()

    def offered(self) -> NextStep | None:
        return self._step


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

    def __init__(self, parts: WindowParts) -> None:
        super().__init__(parts)
        self._setup, self._measuring = parts.setup, parts.measuring
        self._strip, self._start = parts.before, parts.start_button
        self._problem = ""
        self._found: Preflight | None = None
        self._light = ""
        self._ready = self._stale = self._dropped = False
        self._asked: Wanted | None = None
        self._looking, self._machine, self._waiting = (Question(parts.pool, self) for _ in range(3))
        # What is wrong is said by Start, and a fault is reported: nothing waits for a refusal.
        self._looking.answered.connect(self._take_look)
        self._machine.answered.connect(self._take_machine)
        self._waiting.progressed.connect(self._say_waiting)
        self._waiting.answered.connect(self._take_quiet)
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._look)
        self._next = QTimer(self, singleShot=True, interval=_AGAIN)
        self._next.timeout.connect(self._look_at_machine)
        self._measuring.began.connect(self._take_start)
        self._measuring.happened.connect(lambda events: self.say() if events else None)

    def begin(self) -> None:
        """Look from now on: before, the window has more urgent things to load.

        At the machine also where there is no question yet.
        """
        self._ready = True
        self.look_again()
        self._machine.ask(_machine_now)

    def drop(self) -> None:
        """The window closes: look no more."""
        self._ready = False
        for timer in (self._rest, self._next):
            timer.stop()

    def look_again(self, after: int = _REST) -> None:
        """Look at the form in so many milliseconds, because something may have changed."""
        if self._ready:
            self._rest.start(after)

    def _look(self) -> None:
        """One look at a time; a form that changes meanwhile is looked at after it."""
        if self._looking.asking:
            self.look_again()
        elif (wanted := self._wanted()) is not None:
            self._asked = wanted
            self._looking.ask(partial(_looked_at, wanted))

    def _take_look(self, found: Preflight) -> None:
        if self._asked != self._wanted():
            self.look_again()
            return
        self._take(found)
        if found.passes:
            self.look_again(_AGAIN)

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


def _looked_at(wanted: Wanted, report: ReportProgress) -> Preflight:
    from core import Preflight  # brings what judges settings, for which the window does not wait

    return Preflight.of(*wanted, report)


def _machine_now(report: ReportProgress) -> MachineState:
    from core import MachineState  # on the pool's thread

    return MachineState.now(report)


def _until_quiet(report: ReportProgress) -> None:
    from core import MachineState  # on the pool's thread

    MachineState.until_quiet(report)
