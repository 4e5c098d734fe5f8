"""Questions to the engine, asked on another thread, and how long their answers still take."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QObject, QThreadPool, Signal
from shiboken6 import isValid

from core import ReportProgress, SluiceError, one_line, show_left, tr, tr_word

_LONGEST_FAULT = 200


class Question(QObject):
    """Asks one question after another; only the answer to the last one is heard.

    It lives on the window's thread; the pool's thread only runs the question and emits.
    """

    answered = Signal(object)
    refused = Signal(str)
    progressed = Signal(str, int, int)
    """What is being done, how much of it is done, and out of how much (0 = unknown)."""

    _passed = Signal(int, object)
    """The number of a question, and a `_Progress`, a `_Refusal` or an `_Answer`."""

    def __init__(self, pool: QThreadPool, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = pool
        self._last = 0
        self.asking = False
        self._passed.connect(self._take)

    def ask(self, question: Callable[[ReportProgress], Any]) -> None:
        """Ask a question; from now on, the answers to earlier ones are dropped."""
        self._last += 1
        self.asking = True
        number = self._last

        def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
            # Signals carry 32 bits, so progress is given in thousandths.
            done, total = (int(1000 * done / total), 1000) if total else (0, 0)
            progress = _Progress(tr_word(doing), done, total)
            if number != self._last or not self._pass_on(number, progress):
                raise _NoLongerWanted("no longer wanted")

        def run() -> None:
            try:
                answer = question(report)
            except SluiceError as error:
                self._pass_on(number, _Refusal(str(error)))
            except BaseException as error:
                self._pass_on(number, _Refusal(fault(error)))
                raise
            else:
                self._pass_on(number, _Answer(answer))

        self._pool.start(partial(copy_context().run, run))  # its texts are in our language

    def _pass_on(self, number: int, message: _Message) -> bool:
        """Send a message to the window's thread; False once the window is gone."""
        try:
            self._passed.emit(number, message)
        except RuntimeError:
            if isValid(self):
                raise
            return False
        return True

    def drop(self) -> None:
        """Stop waiting for the answer; work that reports its progress ends when it does so."""
        self._last += 1
        self.asking = False

    def _take(self, number: int, message: _Message) -> None:
        if number != self._last:
            return
        match message:
            case _Progress():
                self.progressed.emit(*message)
            case _Refusal(reason):
                self.asking = False
                self.refused.emit(reason)
            case _Answer(answer):
                self.asking = False
                self.answered.emit(answer)


class _Progress(NamedTuple):
    doing: str
    done: int
    total: int


class _Refusal(NamedTuple):
    reason: str


class _Answer(NamedTuple):
    answer: Any


type _Message = _Progress | _Refusal | _Answer


def drop_questions(asking: QObject) -> None:
    """Ignore pending answers, because a window or a part of it closes."""
    for question in asking.findChildren(Question):
        question.drop()


def fault(error: BaseException) -> str:
    """One line about an error that is Sluice's own; it is reported in full as well."""
    brief = one_line(f"{type(error).__name__}: {error}")[:_LONGEST_FAULT]
    return tr("this is a fault of Sluice: {error}", error=brief)


class _NoLongerWanted(SluiceError):
    """Ends work that nobody waits for."""


_PACE_AFTER = 2.0  # s until the pace so far says how long the remaining work takes


class Pace:
    """Makes sentences of the progress of some work."""

    def __init__(self) -> None:
        self._doing = ""
        self._since = QElapsedTimer()

    def begin(self) -> None:
        self._doing = ""

    def sentence(self, doing: str, done: int, total: int) -> str:
        """What is being done, and the time left if the pace allows an estimate."""
        if doing != self._doing:
            self._doing = doing
            self._since.start()
        text = f"{doing[:1].upper()}{doing[1:]}…"
        if (seconds := time_left(self._since.elapsed() / 1000, done, total)) is None:
            return text
        sentence = QCoreApplication.translate("Pace", "{doing} {left} left")
        return sentence.format(doing=text, left=show_left(seconds))


def time_left(gone: float, done: int, total: int) -> float | None:
    """Seconds for the remaining work at the pace so far; None if the pace says little."""
    if gone < _PACE_AFTER or not 0 < done < total:
        return None
    return gone * (total - done) / done
