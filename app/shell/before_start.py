"""Before Start: looks at the form and the machine, and the row that shows what they found."""

from __future__ import annotations

import math
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, QSettings, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

import core
from app.style.labels import ClippedLabel, as_tip, keep_room, restyle
from app.style.layouts import spaced
from app.work.question import Question
from core import expanded

if TYPE_CHECKING:
    from app.shell.window_parts import WindowParts
    from core import Dataset, MachineState, NextStep, Preflight, Request

_LINES = 4
"""Of the strip: a reason with its remedy."""
_STILL = 250
"""Milliseconds without a change: a slider that moves asks once, when it stands."""
_AGAIN = 5000
"""Milliseconds between looks at what may pass by itself."""
_LIGHT = 3000
"""Milliseconds between looks at the machine; each takes some 20 ms of a core."""


class _Subject(NamedTuple):
    """What is looked at before Start."""

    request: Request
    dataset: Dataset | None
    place: Path | None


class PreflightStrip(QWidget):
    """Always as high, so that nothing below it moves; what is cut is in the tooltip."""

    step_chosen = Signal(object)
    """The NextStep whose button was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self._step: NextStep | None = None
        self._text = ClippedLabel("small", _LINES)
        self._text.setAccessibleName(self.tr("Before Start"))
        self._button = QPushButton()
        self._button.setObjectName("preflight step")
        self._button.clicked.connect(lambda: self.step_chosen.emit(self._step))
        keep_room(self._button)
        row = spaced(QHBoxLayout(self), 8)
        row.addWidget(self._text, 1)
        row.addWidget(self._button)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.say("")

    def say(self, *parts: str, look: Preflight | None = None, step: NextStep | None = None) -> None:
        """Show sentences with a step, or with the result of a look."""
        remarks: list[str] = []
        if look is not None:
            step = look.step
            first = [one.text for one in look.remarks if one.step is step is not None]
            remarks = [*first, *(remark.text for remark in look.remarks)]
        sentences = list(dict.fromkeys(filter(None, [*remarks[:1], *parts, *remarks])))
        self._text.setText(" · ".join(sentences))
        self._text.setToolTip(as_tip("\n".join(sentences)))
        self._step = step
        self._button.setVisible(step is not None)
        if step is not None:
            self._button.setMinimumWidth(self._width_of(step))
            self._button.setText(step.text.replace("&", "&&"))
            self._button.setToolTip(as_tip(step.why))
            self._button.setAccessibleDescription(step.why)

    def _width_of(self, step: NextStep) -> int:
        """Of its button; the same for a wait and its end, so that nothing moves under the hand."""
        from core import Act

        widths = [0]
        for each in core.MachineState.waits() if step.act is Act.WAIT else ():
            self._button.setText(each.text)
            widths.append(self._button.sizeHint().width())
        return max(widths)

    def text(self) -> str:
        return self._text.text()

    def offered(self) -> NextStep | None:
        return self._step


LONGEST_WAIT = "longest wait"
"""The key of the seconds after which a wait for a quiet machine ends; none = it does not."""


def longest_wait(settings: QSettings) -> float:
    """Seconds; settings may have been written by other hands."""
    with suppress(ValueError):
        seconds = float(str(settings.value(LONGEST_WAIT, math.inf)))
        return seconds if seconds > 0 else math.inf
    return math.inf


class BeforeStart(QObject):
    """Fills the strip: why Start is disabled, or what the next run takes.

    On request it waits until other programs leave the cores alone.
    """

    answered = Signal(object)
    """A look at the form as it is now has ended (Preflight)."""
    machine_seen = Signal(object)
    """What the machine does (MachineState)."""
    quiet = Signal()
    """The wait is over: other programs leave the cores alone."""
    waits = Signal(str, float)
    """What is said while it waits, in three lines, and how much of the quiet time has passed; empty
    where it does not wait."""
    _seen = Signal(object)
    """Of the machine (MachineState), on the thread that waits."""

    def __init__(self, parts: WindowParts, settings: QSettings) -> None:
        super().__init__(parts)
        self._settings = settings
        self._setup, self._measuring = parts.setup, parts.measuring
        self._strip, self._start = parts.preflight_strip, parts.start_button
        self._line = parts.line
        self._problem = ""
        self._look: Preflight | None = None
        """The last look at the form as it is now."""
        self._state: MachineState | None = None
        """What all that is said of the machine comes from; None before the first look."""
        self._ready = self._stale = False
        self._subject: _Subject | None = None
        self._looking, self._machine, self._waiting = (Question(parts.pool, self) for _ in range(3))
        # Start says what is wrong, and a fault is reported: nothing waits for a refusal.
        self._looking.answered.connect(self._take_look)
        self._machine.answered.connect(self._take_machine)
        self._seen.connect(self._take_machine)
        self._waiting.progressed.connect(self._say_waiting)
        self._waiting.answered.connect(self.say)
        self._waiting.answered.connect(self.quiet)
        self._still = QTimer(self, singleShot=True)
        self._still.timeout.connect(self._look_at_form)
        self._next = QTimer(self, singleShot=True, interval=_LIGHT)
        self._next.timeout.connect(self._look_at_machine)
        self._measuring.began.connect(self._waiting.drop)

    def begin(self) -> None:
        """Look from now on, at the machine always; before, the window has more urgent things."""
        self._ready = True
        self.look_again()
        self._look_at_machine()

    def close_down(self) -> None:
        """Look no more, because the window closes."""
        self._ready = False
        for timer in (self._still, self._next):
            timer.stop()

    def look_again(self, after: int = _STILL) -> None:
        """Look at the form in so many milliseconds, because something may have changed."""
        if self._ready:
            self._still.start(after)

    def _look_at_form(self) -> None:
        """Look once at a time; a form that changes meanwhile is looked at after it."""
        if self._looking.asking:
            self.look_again()
        elif (subject := self._subject_now()) is not None:
            self._subject = subject
            # `core.Preflight` brings what judges settings; the pool's thread imports it.
            self._looking.ask(lambda _: core.Preflight.of(*subject))

    def _take_look(self, look: Preflight) -> None:
        if self._subject != self._subject_now():
            self.look_again()
            return
        self._take(look)
        if look.passes:
            self.look_again(_AGAIN)

    @property
    def waiting(self) -> bool:
        """Whether it waits until other programs leave the cores alone."""
        return self._waiting.asking

    def wait(self) -> None:
        """Wait until other programs leave the cores alone (`quiet`), or wait no more."""
        if self.waiting:
            self._waiting.drop()
            self.say()
        else:
            longest = longest_wait(self._settings)
            self._waiting.ask(
                lambda report: core.MachineState.until_quiet(report, longest, self._seen.emit)
            )
            self._say_waiting("")
        self._name_start()

    def _name_start(self) -> None:
        """Where other programs use the cores, the button says that it measures nevertheless."""
        again = self._measuring.now is not None
        title = self.tr("Measure again") if again else self.tr("Measure")
        busy = self._state is not None and self._state.light == "busy"
        if self.waiting or (busy and not self._problem):
            title = self.tr("Measure anyway")
        self._start.setText(f"{'↻' if again else '▶'} {title}")
        self._start.setAccessibleName(title)
        restyle(self._start, "part", "again" if again or self.waiting else "start")

    def _say_waiting(self, text: str, done: int = 0, whole: int = 1) -> None:
        self._strip.say(self.tr("Waiting until quiet."), step=core.MachineState.waits()[1])
        self.waits.emit(text or "\n", done / whole)

    def _look_at_machine(self) -> None:
        if self.waiting:  # which looks itself
            self._next.start()
        elif self._ready:
            # The pool's thread is to import its module.
            self._machine.ask(lambda report: core.MachineState.now(report))  # noqa: PLW0108

    def _take_machine(self, state: MachineState) -> None:
        self._state = state
        self.machine_seen.emit(state)
        self._name_start()
        self.say()
        if self._ready and not self._next.isActive():
            self._next.start()

    def follow(self, problem: str) -> None:
        """The form has changed; `problem`: why Start is disabled."""
        self._problem = "" if self._measuring.running else problem
        self._look = None
        if problem:
            self._waiting.drop()  # nothing could begin at its end
        self._name_start()
        self.say()
        self.look_again()

    def say(self) -> None:
        """Bring the strip up to date; a wait says itself what it waits for."""
        if self.waiting:
            return
        self.waits.emit("", 0.0)
        look = None if self._measuring.running else self._look
        text = look.expected if look is not None else ""
        if self._problem:
            text = self.tr("Measure waits: {}").format(self._problem)
        if self._line.stands_open:  # then the verdict says that
            text = ""
        # The nodes of a cluster measure, and not this machine.
        on_nodes = self._subject is not None and self._subject.request.cluster
        if look is not None and self._state is not None and not on_nodes:
            look = look.beside(self._state)
        self._strip.say(text, look=look)

    def _subject_now(self) -> _Subject | None:
        """None while there is nothing to look at."""
        request, picker = self._setup.chosen(), self._setup.dataset
        if self._measuring.running or self._setup.form_problem():
            return None
        if picker.looking or (picker.look is None and not (picker.place() or request.study)):
            return None
        dataset = picker.look.dataset if picker.look is not None else None
        place = expanded(picker.place()) if picker.place() else None
        return _Subject(request, dataset, place)

    def _take(self, look: Preflight) -> None:
        stale, self._stale = self._stale, look.stale
        inspection = self._setup.dataset.look
        if look.stale and not stale and inspection is not None:
            self._setup.dataset.choose(inspection.dataset.path)
        else:
            self._look = look
            self.say()
        self.answered.emit(look)
