"""Is the throughput that a trial reports what the same work reaches without Sluice?

Real trials beside programs that verify nothing: raw reads beside fio where it is installed,
operations of known length beside a plain loop, at 1 thread, as many as cores, and eight times as
many.  They take turns, each going first in every other round, and the ratio of operations per
second is that of neighbours.  `make truth` compares many more of both, and all readers.
"""

from __future__ import annotations

import os
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import psutil

from core.catalog.dataset import Dataset
from core.errors import SluiceError
from core.host.processor import usable_cores
from core.language.reporting import Tell, tell_nobody
from core.language.units import show_rate
from core.plan.schedule import Slot
from core.plan.specify import specify
from core.result.outcome import describe
from core.selfcheck.goals import GoalRow, median_reaches
from core.trial.cancel import Cancel
from core.trial.live_trial import run_trial
from core.trial.trial_events import TrialEnded

WARM_UP = 0.2  # s
CALM = 0.03
"""Share of all cores that other programs may have while a pair is measured."""

type Rate = Callable[[float], float]
"""Operations per second, measured for so many seconds; raises SluiceError where there are none."""


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """A trial of ours and what it is held against."""

    name: str
    ours: Rate
    theirs: Rate
    low: float
    """Least ratio of ours to theirs, at the median of rounds."""
    high: float
    """Largest one: a rate beyond is a wrong figure."""


class OtherLoad:
    """What the cores do besides this program and its children that have ended."""

    def __init__(self, of_servers: Callable[[], float] = lambda: 0.0) -> None:
        """`of_servers`: CPU seconds so far of what works for it, but is no child of it."""
        self._of_servers = of_servers
        self._begun, self._busy = time.monotonic(), self._seconds()

    def _seconds(self) -> float:
        whole, own = psutil.cpu_times(), os.times()
        idle = whole.idle + getattr(whole, "iowait", 0.0)
        # What guests have is part of the users' share.
        guests = getattr(whole, "guest", 0.0) + getattr(whole, "guest_nice", 0.0)
        return float(sum(whole) - guests - idle - sum(own[:4]) - self._of_servers())

    def share(self) -> float:
        """Of all cores, since it was made."""
        able = (time.monotonic() - self._begun) * (os.cpu_count() or 1)
        return max(0.0, (self._seconds() - self._busy) / able)


def thread_counts() -> Sequence[int]:
    """One, as many as cores, and so many that a core has eight."""
    cores = max(1, round(usable_cores()))
    return sorted({1, cores, 8 * cores})


def rate_of_trial(workload: str, dataset: Dataset, values: dict[str, object]) -> Rate:
    """What one real trial reports."""

    def rate(seconds: float) -> float:
        load = {"duration": seconds, "warm_up": WARM_UP, "processes": 1}
        cancel = Cancel()
        try:
            slot = Slot(0, 0, specify(workload, dataset, load | values))
            events = list(run_trial(slot, "selfcheck", cancel))
        finally:
            cancel.close()
        (trial,) = [event.trial for event in events if isinstance(event, TrialEnded)]
        if trial.throughput is None:
            raise SluiceError(f"a trial of {workload}: {describe(trial.outcome)}")
        return trial.throughput

    return rate


def compare(
    comparisons: Sequence[Comparison], rounds: int, seconds: float, tell: Tell = tell_nobody
) -> tuple[GoalRow, ...]:
    """One row for each comparison, over that many rounds (at least 2)."""
    pairs: list[list[tuple[float, float, float]]] = [[] for _ in comparisons]
    total = rounds * len(comparisons)
    for number in range(rounds):
        for place, one in enumerate(comparisons):
            tell("comparing with others", number * len(comparisons) + place, total, "pairs")
            order = (one.ours, one.theirs) if number % 2 else (one.theirs, one.ours)
            elsewhere = OtherLoad()
            rates = {side: side(seconds) for side in order}
            pairs[place].append((rates[one.ours], rates[one.theirs], elsewhere.share()))
    tell("comparing with others", total, total, "pairs")
    return tuple(_judge(one, found) for one, found in zip(comparisons, pairs, strict=True))


def _judge(one: Comparison, pairs: Sequence[tuple[float, float, float]]) -> GoalRow:
    ours, theirs, others = (statistics.median(side) for side in zip(*pairs, strict=True))
    remark = f"{show_rate(ours)} against {show_rate(theirs)}, {len(pairs)} rounds"
    if others > CALM:
        remark += f", other programs had {others:.0%} of the cores: repeat without them"
    ratios = [ours / theirs for ours, theirs, _ in pairs]
    goal = f"{one.name}: {one.low:.2f}–{one.high:.2f}"
    return median_reaches(goal, ratios, one.low, remark, most=one.high)
