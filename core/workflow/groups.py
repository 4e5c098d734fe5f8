"""Runs of the same step as one group, and which groups are worth measuring."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from functools import cached_property

import msgspec

from core.workflow.recorded import Recorded, Step

COVERED = 0.9
"""Share of all core-hours that the heavy steps have together."""


class Group(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All runs of one step."""

    places: tuple[int, ...]
    """Of its runs among the steps of the recorded run."""
    steps: tuple[Step, ...]
    heavy: bool = False

    @property
    def name(self) -> str:
        return self.steps[0].name

    @cached_property
    def granted(self) -> int:
        """The threads that most of its runs had."""
        return statistics.mode(step.threads for step in self.steps)

    @cached_property
    def core_seconds(self) -> float:
        """Cores granted times the time they were held, of all runs."""
        return sum(step.threads * seconds_of_step(step) for step in self.steps)

    @cached_property
    def typical(self) -> Step:
        """The run of median length, if possible of those whose input is there."""
        usual = [step for step in self.steps if step.threads == self.granted]
        there = [step for step in usual if has_inputs(step)] or usual
        return sorted(there, key=seconds_of_step)[(len(there) - 1) // 2]

    @cached_property
    def cores_used(self) -> float | None:
        """CPU time over time, of all runs that the manager has measured; None = of none."""
        known = [step for step in self.steps if step.cpu is not None and seconds_of_step(step)]
        taken = sum(seconds_of_step(step) for step in known)
        return sum(step.cpu or 0.0 for step in known) / taken if taken else None


def has_inputs(step: Step) -> bool:
    return all((step.folder / path).exists() for path in step.inputs)


def seconds_of_step(step: Step) -> float:
    return max(step.ended - step.started, 0.0)


def grouped(recorded: Recorded) -> tuple[Group, ...]:
    """By name, the most core-hours first; the first that have `COVERED` of them are heavy."""
    places: dict[str, list[int]] = {}
    for place, step in enumerate(recorded.steps):
        places.setdefault(step.name, []).append(place)
    groups = [
        Group(places=tuple(those), steps=tuple(recorded.steps[place] for place in those))
        for those in places.values()
    ]
    return tuple(_marked(sorted(groups, key=lambda one: -one.core_seconds)))


def _marked(groups: Sequence[Group]) -> Iterator[Group]:
    enough, covered = COVERED * sum(one.core_seconds for one in groups), 0.0
    for group in groups:
        yield msgspec.structs.replace(group, heavy=covered < enough)
        covered += group.core_seconds
