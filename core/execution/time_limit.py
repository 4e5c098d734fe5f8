"""The time of a run: how long its trials take, what still fits, and its end when it is over."""

from __future__ import annotations

import os
import select
import time
from math import isinf
from threading import Thread
from types import TracebackType
from typing import Self

from core.language.units import Seconds
from core.trial.cancel import Cancel


class SearchTime:
    """Counts from when it is made; within a budget, what runs is asked to end once it is spent.

    Used as a context: its thread ends with it.
    """

    def __init__(self, budget: Seconds, asked: Cancel) -> None:
        """`budget`: 0 = any time, infinite = until somebody requests it of `cancel`.

        `asked`: the user's own request to end.
        """
        self._budget = budget
        self._asked = asked
        self._begun = time.monotonic()
        self._thread: Thread | None = None
        self.cancel = Cancel() if budget else asked
        """For the trials: requested by the user, or because the time is over."""

    @property
    def over(self) -> bool:
        """Whether the time is spent."""
        return bool(self._budget) and self.elapsed >= self._budget

    @property
    def elapsed(self) -> Seconds:
        """Since the beginning."""
        return time.monotonic() - self._begun

    def fitting(self, each: Seconds) -> int | None:
        """How many trials of that length still fit; None = any number."""
        if not self._budget:
            return None
        return max(0, int((self._budget - self.elapsed) / max(each, 1e-6)))

    def __enter__(self) -> Self:
        if self._budget:
            self._read, self._write = os.pipe()
            self._thread = Thread(target=self._wait, name="time of the search", daemon=True)
            self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._thread is not None:
            os.close(self._write)
            self._thread.join()
            os.close(self._read)
            self.cancel.close()

    def _wait(self) -> None:
        """Until the user asks, the time is over, or the search has ended."""
        left = None if isinf(self._budget) else max(0.0, self._budget - self.elapsed)
        ready, _, _ = select.select([self._asked.fileno(), self._read], [], [], left)
        if self._read not in ready:
            self.cancel.request()
