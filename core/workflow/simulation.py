"""How long a recorded run takes on so many cores: list scheduling of its steps.

Each step starts as soon as those it waits for have ended and cores are free, in the order in which
the steps began when they were recorded; smaller ones pass a step that does not fit yet.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from itertools import count

import msgspec

from core.workflow.groups import seconds_of_step
from core.workflow.recorded import Recorded

_HALVINGS = 40


class Job(msgspec.Struct, frozen=True):
    """A step as the simulation knows it."""

    threads: int
    seconds: float


def makespan(recorded: Recorded, jobs: Sequence[Job], cores: int, delay: float = 0.0) -> float:
    """Seconds from the start to the end; `delay`: what the manager takes before each step."""
    steps = recorded.steps
    waiting = [len(set(step.after)) for step in steps]
    followers: list[list[int]] = [[] for _ in steps]
    for place, step in enumerate(steps):
        for earlier in set(step.after):
            followers[earlier].append(place)
    order = {place: at for at, place in enumerate(_by_start(recorded))}
    ready = sorted((place for place, left in enumerate(waiting) if not left), key=order.__getitem__)
    running: list[tuple[float, int, int]] = []
    free, now, ties = cores, 0.0, count()
    while ready or running:
        for place in tuple(ready):
            threads = min(jobs[place].threads, cores)
            if threads <= free:
                ready.remove(place)
                free -= threads
                heapq.heappush(running, (now + delay + jobs[place].seconds, next(ties), place))
        now, _, place = heapq.heappop(running)
        free += min(jobs[place].threads, cores)
        for follower in followers[place]:
            waiting[follower] -= 1
            if not waiting[follower]:
                ready.append(follower)
        ready.sort(key=order.__getitem__)
    return now


def _by_start(recorded: Recorded) -> list[int]:
    steps = recorded.steps
    return sorted(range(len(steps)), key=lambda place: (steps[place].started, place))


def jobs_of(recorded: Recorded) -> list[Job]:
    """As they were recorded."""
    return [Job(step.threads, seconds_of_step(step)) for step in recorded.steps]


def recorded_makespan(recorded: Recorded) -> float:
    begun = [step.started for step in recorded.steps if step.ended > step.started]
    return max((step.ended for step in recorded.steps), default=0.0) - min(begun) if begun else 0.0


def delay_of(recorded: Recorded) -> tuple[float, float]:
    """What the manager takes before each step, and how far the simulation is then off (ratio − 1).

    It makes the recorded run take as long as it did; a run that was faster than the simulation
    without a delay leaves a difference.
    """
    took, jobs = recorded_makespan(recorded), jobs_of(recorded)
    if not took:
        return 0.0, 0.0
    low, high = 0.0, took
    if makespan(recorded, jobs, recorded.cores) < took:
        for _ in range(_HALVINGS):
            delay = (low + high) / 2
            if makespan(recorded, jobs, recorded.cores, delay) < took:
                low = delay
            else:
                high = delay
    return low, makespan(recorded, jobs, recorded.cores, low) / took - 1.0
