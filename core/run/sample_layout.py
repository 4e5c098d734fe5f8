"""The samples, questions and answers of a search, as values.

Samples are compared without the effects of their blocks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import fmean

from core.judge import (
    NO_LIMITS,
    BestSettings,
    Candidate,
    Limits,
    Noise,
    Point,
    TwoWayLayout,
    best_settings,
    two_way_layout,
    worst_costs,
)
from core.vocabulary import NEAR, Latencies

type AxisValue = int | str


@dataclass(frozen=True, kw_only=True)
class SearchAxis:
    """Allowed values; `ordered`: rising numbers, the smaller of which wins among equals.

    Values that are not ordered are all tried; among equals the first-named is preferred.
    """

    name: str
    values: tuple[AxisValue, ...]
    ordered: bool = True


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A number of threads, and the value of a second axis if there is one."""

    threads: int
    second: AxisValue | None = None


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One trial: its throughput in any one unit and its timing, or why it failed.

    `costs`: the figures that limits apply to, by the keys of metrics.  `refused`: share of the
    requests that a server refused.
    """

    throughput: float = 0.0
    costs: Mapping[str, float] = field(default_factory=dict)
    latencies: Latencies | None = None
    refused: float = 0.0
    failed: bool = False
    reason: str = ""


@dataclass(frozen=True, kw_only=True)
class Ask:
    """Configurations to measure once each, as one block, and why in one sentence.

    The order counts only if they cannot take turns.
    """

    configurations: tuple[Configuration, ...]
    reason: str


@dataclass(frozen=True, kw_only=True)
class SearchAnswer:
    """The end of a search: the configuration to use; None if none was usable.

    `spent`: the search would need more trials than it may take.
    """

    configuration: Configuration | None
    confident: bool
    trials: int
    spent: bool = False


@dataclass(frozen=True, kw_only=True)
class SearchTerms:
    """Limits, how near the best is near enough, most trials, and the seed of the order."""

    limits: Limits = NO_LIMITS
    near: float = NEAR
    most_trials: int = 200
    seed: int = 0


type SamplesOfAll = Mapping[Configuration, Sequence[tuple[int, Sample]]]
"""The block and the figures of each trial, by configuration."""


class SampleLayout:
    """The joint evidence of all samples so far.

    The throughputs of its points lack the effects of the blocks: for comparing, not for showing.
    """

    def __init__(self, samples: SamplesOfAll, limits: Limits) -> None:
        self._samples = samples
        self._limits = limits
        self._rows = {
            configuration: row
            for row, configuration in enumerate(
                one for one, figures in samples.items() if not any(s.failed for _, s in figures)
            )
        }

    @property
    def looks(self) -> int:
        """How many blocks there are, after each of which the search looks."""
        return len({block for samples in self._samples.values() for block, _ in samples})

    @cached_property
    def usable(self) -> tuple[Configuration, ...]:
        """Configurations that did not fail and break no limit."""
        return tuple(
            one for one in self._rows if not self._limits.broken_by(self.point(one, one.threads))
        )

    def anchor(self, near: float) -> Configuration | None:
        """The configuration that connects the next block with the others; None if none is usable.

        Of the configurations within `near` of the best it has the most trials.  The best itself was
        often measured last, and luckily; blocks that each hang on the block before would add up
        their errors.
        """
        levels = {one: self._levels[self._rows[one]] for one in self.usable}
        floor = max(levels.values(), default=0.0) + math.log1p(-near)
        close = [one for one, level in levels.items() if level >= floor]
        return max(close, key=lambda one: (len(self._samples[one]), levels[one]), default=None)

    def points(self, places: Mapping[int, Configuration]) -> tuple[Point, ...]:
        """The points of the measured configurations, by their places."""
        return tuple(
            self.point(one, position) for position, one in places.items() if one in self._samples
        )

    def point(self, configuration: Configuration, position: int) -> Point:
        """The measurements of one configuration."""
        samples = [sample for _, sample in self._samples[configuration]]
        failures = [sample for sample in samples if sample.failed]
        effects = self._layout.blocks if self._layout else {}
        return Point(
            threads=position,
            throughputs=tuple(
                sample.throughput * math.exp(-effects.get(block, 0.0))
                for block, sample in self._samples[configuration]
                if not sample.failed
            ),
            costs=_worst(samples),
            refused=fmean(sample.refused for sample in samples),
            failed=bool(failures),
            reason=failures[0].reason if failures else "",
        )

    def noise(self, places: Mapping[int, Configuration]) -> Noise:
        """The noise of all samples, and how far it blurs the ratios of these configurations."""
        layout = self._layout
        if layout is None:
            return Noise(deviation=0.0, freedom=0)
        rows = {at: self._rows[one] for at, one in places.items() if one in self._rows}
        return Noise(
            deviation=layout.deviation,
            freedom=layout.freedom,
            between={
                (at, other): (
                    layout.error(rows[at], rows[other]),
                    layout.freedom_of(rows[at], rows[other]),
                )
                for at in rows
                for other in rows
                if at != other
            },
        )

    @property
    def deviation(self) -> float:
        """Standard deviation of the logarithm of a trial's throughput; 0 while unknown."""
        layout = self._layout
        return layout.deviation if layout is not None and layout.freedom else 0.0

    def like(self, configuration: Configuration) -> tuple[Configuration, float]:
        """The nearest measured configuration, and the logarithm of its throughput."""

        def far(one: Configuration) -> tuple[bool, float]:
            apart = abs(math.log(one.threads / configuration.threads))
            return one.second != configuration.second, apart

        nearest = min(self._rows, key=far)
        return nearest, self._levels[self._rows[nearest]]

    def judge(self, configurations: Sequence[Configuration], near: float) -> BestSettings | None:
        """The best of these usable configurations, by the rule of every sweep; None if none are."""
        if not configurations:
            return None
        return best_settings([self.candidate(one) for one in configurations], near)

    def candidate(self, configuration: Configuration) -> Candidate:
        """A usable configuration as the rule of a sweep takes it."""
        samples = self._samples[configuration]
        costs = _worst([sample for _, sample in samples])
        return Candidate(
            logs=[(block, math.log(sample.throughput)) for block, sample in samples],
            threads=configuration.threads,
            memory=costs.get("peak_rss"),
            files=costs.get("fds"),
        )

    @cached_property
    def _layout(self) -> TwoWayLayout | None:
        if not self._rows:
            return None
        return two_way_layout([self.candidate(one).logs for one in self._rows])

    @property
    def _levels(self) -> Sequence[float]:
        layout = self._layout
        return [] if layout is None else layout.levels.tolist()


def _worst(samples: Sequence[Sample]) -> Mapping[str, float]:
    return worst_costs(
        [one.costs for one in samples], [one.latencies for one in samples if not one.failed]
    )
