"""The answer for a whole workflow: which numbers of threads, and what the run then takes.

Of the numbers that surely save core-hours those are advised with which the simulated run ends
soonest, or up to 3 % later with fewer core-hours.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from core.workflow.groups import seconds_of_step
from core.workflow.recorded import Recorded
from core.workflow.simulation import Job, delay_of, jobs_of, makespan, recorded_makespan
from core.workflow.step_answer import Option, StepAnswer

LATER = 1.03
"""How much later than at the soonest a run may end, where that saves core-hours."""
_ROUNDS = 5


class WorkflowAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """Before and after, by simulation on `cores` cores."""

    recorded: Recorded
    steps: tuple[StepAnswer, ...]
    """The most core-hours first."""
    cores: int
    before: float
    after: float
    """Seconds from start to end."""
    recorded_seconds: float
    off: float
    """How far the simulation of the recorded run is from the recorded time (ratio − 1)."""
    changed: tuple[str, ...] = ()
    """Files of the workflow that were changed meanwhile."""

    @property
    def core_seconds(self) -> float:
        return sum(one.core_seconds for one in self.steps)

    @property
    def core_seconds_after(self) -> tuple[float, float, float]:
        """The estimate, and all ends of the steps' intervals together: no wider one is possible."""
        each = [one.core_seconds_after for one in self.steps]
        mid, low, high = (sum(column) for column in zip(*each, strict=True))
        return mid, low, high

    @property
    def changes(self) -> tuple[StepAnswer, ...]:
        return tuple(one for one in self.steps if one.changes)


def workflow_answer(
    recorded: Recorded, steps: Sequence[StepAnswer], cores: int, changed: tuple[str, ...] = ()
) -> WorkflowAnswer:
    """Choose for all steps together."""
    delay, off = delay_of(recorded)

    def simulated(chosen: Sequence[Option]) -> float:
        return makespan(recorded, _jobs(recorded, steps, chosen), cores, delay)

    chosen = _chosen(steps, simulated)
    before = makespan(recorded, jobs_of(recorded), cores, delay)
    return WorkflowAnswer(
        recorded=recorded,
        steps=tuple(
            msgspec.structs.replace(step, advised=one)
            for step, one in zip(steps, chosen, strict=True)
        ),
        cores=cores,
        before=before,
        after=simulated(chosen),
        recorded_seconds=recorded_makespan(recorded),
        off=off,
        changed=changed,
    )


def _jobs(recorded: Recorded, steps: Sequence[StepAnswer], chosen: Sequence[Option]) -> list[Job]:
    jobs = jobs_of(recorded)
    for step, one in zip(steps, chosen, strict=True):
        for place in step.group.places if one.threads != one.granted else ():
            job = recorded.steps[place]
            jobs[place] = Job(one.threads, seconds_of_step(job) * one.time)
    return jobs


type Cost = tuple[float, float]


def _chosen(
    steps: Sequence[StepAnswer], simulated: Callable[[Sequence[Option]], float]
) -> list[Option]:
    """Each step's best while the others stay, until none changes: first the end of the run, then
    core-hours that do not delay it.
    """
    chosen = [step.advised for step in steps]

    def core_seconds(options: Sequence[Option]) -> float:
        pairs = zip(steps, options, strict=True)
        return sum(step.core_seconds * one.core_hours for step, one in pairs)

    chosen = _descended(steps, chosen, lambda those: (simulated(those), core_seconds(those)))
    latest = LATER * simulated(chosen)

    def cost(options: Sequence[Option]) -> Cost:
        end = simulated(options)
        return max(end, latest), core_seconds(options)

    return _descended(steps, chosen, cost)


def _descended(
    steps: Sequence[StepAnswer],
    chosen: list[Option],
    cost: Callable[[Sequence[Option]], Cost],
) -> list[Option]:
    for _ in range(_ROUNDS):
        before = list(chosen)
        for at, step in enumerate(steps):
            if len(step.options) > 1:
                each = [[*chosen[:at], one, *chosen[at + 1 :]] for one in step.options]
                chosen = min(each, key=cost)
        if chosen == before:
            break
    return chosen
