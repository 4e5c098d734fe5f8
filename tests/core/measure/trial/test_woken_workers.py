"""A worker that is looked at while it is woken for its turn."""

from __future__ import annotations

from time import perf_counter_ns
from typing import Any, override

import pytest

from core.measure import Count, SharedCounters
from core.measure.trial.counters import SLOT
from core.measure.trial.turn_gate import TurnGate, TurnTaker, WakeFor

pytestmark = pytest.mark.quick


class Watched(list[int]):
    """Words of a slot that keep how they are after each change."""

    def __init__(self) -> None:
        super().__init__([0] * SLOT)
        self.seen: list[list[int]] = []

    @override
    def __setitem__(self, word: Any, value: Any) -> None:
        super().__setitem__(word, value)
        self.seen.append(list(self))

    def cast(self, _form: str) -> Watched:
        """The same words, as they are here."""
        return self


def test_that_a_worker_that_is_looked_at_while_it_is_woken_has_not_ended_before_its_start() -> None:
    """It may be killed there, and the last look is what its trial keeps."""
    words: Any = Watched()
    words[Count.STARTED] = perf_counter_ns() - 10**11
    gate = TurnGate(1)
    gate.wait = lambda: WakeFor.TURN  # type: ignore[method-assign]
    taker = TurnTaker(gate, words, SharedCounters.unshared(1).words, alone=True)
    assert taker.wait(words[Count.STARTED] + 10**9, lambda: None)
    now = perf_counter_ns()
    assert all(seen[Count.STARTED] <= (seen[Count.ENDED] or now) for seen in words.seen)
    assert words[Count.ENDED] == 0
