"""Looks at what the form asks for, a moment after its last change, on another thread."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QThreadPool, QTimer, Signal

from app.work.question import Question

if TYPE_CHECKING:
    from core import Dataset, Preflight, ReportProgress, Request

_REST = 250
"""Milliseconds without a change: a slider that moves asks once, when it stands."""
_AGAIN = 5000
"""Milliseconds until what may end by itself is looked at again."""

type Wanted = tuple[Request, Dataset | None, Path | None]


class PreflightCheck(QObject):
    """One look at a time; a form that changes meanwhile is looked at after it."""

    answered = Signal(object)
    """A Preflight of what is asked for now."""

    def __init__(
        self, pool: QThreadPool, parent: QObject, wanted: Callable[[], Wanted | None]
    ) -> None:
        """`wanted`: what is asked for now; None where there is nothing to look at."""
        super().__init__(parent)
        self._wanted = wanted
        self._asked: Wanted | None = None
        self._ready = False
        self._question = Question(pool, self)
        self._question.answered.connect(self._take)
        self._question.refused.connect(self._leave)
        self._rest = QTimer(self, singleShot=True)
        self._rest.timeout.connect(self._look)

    def begin(self) -> None:
        """Look from now on; before, the window has more urgent things to load."""
        self._ready = True
        self.look_again()

    def look_again(self) -> None:
        """Something may have changed."""
        self._look_in(_REST)

    def _look_in(self, milliseconds: int) -> None:
        if self._ready:
            self._rest.start(milliseconds)

    def _look(self) -> None:
        if self._question.asking:
            self._look_in(_REST)
        elif (wanted := self._wanted()) is not None:
            self._asked = wanted
            self._question.ask(partial(_looked_at, wanted))

    def _take(self, found: Preflight) -> None:
        if self._asked != self._wanted():
            self.look_again()
            return
        self.answered.emit(found)
        if found.passes:
            self._look_in(_AGAIN)

    def _leave(self, reason: str) -> None:
        """Nothing depends on it: what is wrong is said by Start, and a fault is reported."""

    def drop(self) -> None:
        """The window closes: look no more."""
        self._ready = False
        self._rest.stop()
        self._question.drop()


def _looked_at(wanted: Wanted, report: ReportProgress) -> Preflight:
    from core import Preflight  # brings what judges settings, for which the window does not wait

    return Preflight.of(*wanted, report)
