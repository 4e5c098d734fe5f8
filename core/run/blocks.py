"""Runs the trials of a block one after the other, and ends them at a time limit."""

from __future__ import annotations

import math
import os
import select
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import Self

import msgspec

from core.language import Seconds
from core.measure import Cancel
from core.vocabulary import Event, Slot, TrialEnded, TrialStarted

type RunTrial = Callable[[Slot, str, Cancel], Iterator[Event]]


type RunBlock = Callable[[Sequence[Slot], str, Cancel, int], Iterator[Event]]


def in_one_piece(  # noqa: PLR0913 -- a block, and why
    run_trial: RunTrial,
    slots: Sequence[Slot],
    run_id: str,
    cancel: Cancel,
    of: int,
    reason: str = "",
) -> Iterator[Event]:
    """One trial after the other, until `cancel` is requested.

    `reason`: why the trials take no turns although they could; each trial records it.
    """
    for slot in slots:
        if cancel.requested:
            return
        yield TrialStarted(index=slot.index, block=slot.block, of=of, spec=slot.spec)
        for event in run_trial(slot, run_id, cancel):
            if reason and isinstance(event, TrialEnded):
                yield TrialEnded(trial=msgspec.structs.replace(event.trial, apart=reason))
            else:
                yield event


def new_run_id() -> str:
    """A mark for everything that the trials of one run leave outside this machine."""
    return f"sluice-{uuid.uuid4().hex[:12]}"


class TimeLimit:
    """Counts time from its creation, and requests the end of trials once a budget is spent.

    A context manager: its thread ends with the context.
    """

    def __init__(self, budget: Seconds, by_user: Cancel) -> None:
        """`budget`: 0 = no limit, infinite = until `cancel` is requested.

        `by_user`: the user's request to end.
        """
        self._budget = budget
        self._by_user = by_user
        self._begun = time.monotonic()
        self._thread: Thread | None = None
        self.cancel = Cancel() if budget else by_user
        """For the trials: requested by the user, or once the time is over."""

    @property
    def over(self) -> bool:
        return bool(self._budget) and self.elapsed >= self._budget

    @property
    def elapsed(self) -> Seconds:
        return time.monotonic() - self._begun

    def fitting(self, each: Seconds) -> int | None:
        """How many trials of that length still fit; None = any number."""
        if not self._budget:
            return None
        return max(0, int((self._budget - self.elapsed) / max(each, 1e-6)))

    def __enter__(self) -> Self:
        if self._budget:
            self._read, self._write = os.pipe()
            self._thread = Thread(target=self._wait, name="time limit", daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is not None:
            os.close(self._write)
            self._thread.join()
            os.close(self._read)
            self.cancel.close()

    def _wait(self) -> None:
        """Wait until the user asks to end, the time is over, or the context has ended."""
        seconds_left = None if math.isinf(self._budget) else max(0.0, self._budget - self.elapsed)
        ready, _, _ = select.select([self._by_user.fileno(), self._read], [], [], seconds_left)
        if self._read not in ready:
            self.cancel.request()
