"""Questions to the engine, asked on another thread, and how long their answers still take."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from functools import partial
from typing import Any

from PySide6.QtCore import QCoreApplication, QElapsedTimer, QObject, QThreadPool, Signal
from shiboken6 import isValid

from core import ReportProgress, SluiceError, one_line, show_left, tr, tr_word

_LONGEST_FAULT = 200


class Question(QObject):
    """Asks one question after another; only the answer to the last one is heard.

    Lives on the window's thread; the pool's thread only runs the question and emits.
    """

    answered = Signal(object)
    refused = Signal(str)
    told = Signal(str, int, int)
    """What is being done, how much of it is done, and out of how much (0 = unknown)."""

    _came = Signal(int, object)
    _broke = Signal(int, str)
    _said = Signal(int, str, object, object)

    def __init__(self, pool: QThreadPool, parent: QObject) -> None:
        super().__init__(parent)
        self._pool = pool
        self._last = 0
        self.asking = False
        self._came.connect(self._answer)
        self._broke.connect(self._refuse)
        self._said.connect(self._report)

    def ask(self, question: Callable[[ReportProgress], Any]) -> None:
        """Ask a question; from now on, the answers to earlier ones are dropped."""
        self._last += 1
        self.asking = True
        number = self._last

        def report(doing: str, done: int = 0, total: int = 0, unit: str = "") -> None:
            if number != self._last:
                raise _NoLongerWanted("no longer wanted")
            if not self._pass_on("_said", number, tr_word(doing), done, total):
                raise _NoLongerWanted("no longer wanted")

        def run() -> None:
            try:
                answer = question(report)
            except SluiceError as error:
                self._pass_on("_broke", number, str(error))
            except BaseException as error:
                self._pass_on("_broke", number, fault(error))
                raise
            else:
                self._pass_on("_came", number, answer)

        self._pool.start(partial(copy_context().run, run))  # its texts are in our language

    def _pass_on(self, signal: str, *told: object) -> bool:
        """Emit one of the signals, on the pool's thread; False once the window is gone."""
        try:
            getattr(self, signal).emit(*told)
        except RuntimeError:
            if isValid(self):
                raise
            return False
        return True

    def drop(self) -> None:
        """Stop waiting for the answer; work that tells its progress ends when it does so."""
        self._last += 1
        self.asking = False

    def _answer(self, number: int, answer: object) -> None:
        if number == self._last:
            self.asking = False
            self.answered.emit(answer)

    def _refuse(self, number: int, reason: str) -> None:
        if number == self._last:
            self.asking = False
            self.refused.emit(reason)

    def _report(self, number: int, doing: str, done: int, total: int) -> None:
        if number == self._last:
            # Signals carry 32 bits, so progress is given in thousandths.
            share = (int(1000 * done / total), 1000) if total else (0, 0)
            self.told.emit(doing, *share)


def fault(error: BaseException) -> str:
    """What is said of an error that is nobody's but Sluice's; it is reported in full besides."""
    told = one_line(f"{type(error).__name__}: {error}")[:_LONGEST_FAULT]
    return tr("this is a fault of Sluice: {error}", error=told)


class _NoLongerWanted(SluiceError):
    """Ends work that nobody waits for."""


_PACE_AFTER = 2.0  # s until the pace so far says how long the rest takes


class Pace:
    """Makes a sentence of what is told of some work."""

    def __init__(self) -> None:
        self._doing = ""
        self._since = QElapsedTimer()

    def begin(self) -> None:
        """Forget what was told of earlier work."""
        self._doing = ""

    def said(self, doing: str, done: int, total: int) -> str:
        """What is being done, and the time left where the pace tells it."""
        if doing != self._doing:
            self._doing = doing
            self._since.start()
        told = f"{doing[:1].upper()}{doing[1:]}…"
        if (left := time_left(self._since.elapsed() / 1000, done, total)) is None:
            return told
        sentence = QCoreApplication.translate("Pace", "{doing} {left} left")
        return sentence.format(doing=told, left=show_left(left))


def time_left(gone: float, done: int, total: int) -> float | None:
    """Seconds for the rest at the pace so far; None if the pace says little."""
    if gone < _PACE_AFTER or not 0 < done < total:
        return None
    return gone * (total - done) / done
