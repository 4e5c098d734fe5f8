"""What a search measures, asks for and answers, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from core.analysis.limit_check import NO_LIMITS, Limits
from core.plan.limits import NEAR
from core.result.histogram import Latencies

type Value = int | str


@dataclass(frozen=True, kw_only=True)
class SearchAxis:
    """Allowed values; `ordered`: numbers in rising order, of which smaller is better where equal.

    Values that are not ordered are all tried; among equals the first-named is preferred.
    """

    name: str
    values: tuple[Value, ...]
    ordered: bool = True


@dataclass(frozen=True, kw_only=True)
class Configuration:
    """A number of threads and, where there is a second axis, its value."""

    threads: int
    second: Value | None = None


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One trial: throughput in any one unit, what was timed; or why it failed.

    `costs`: what a limit is held against, by the keys of metrics.  `refused`: share of the requests
    that a server refused.
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

    The order counts only where they cannot take turns.
    """

    configurations: tuple[Configuration, ...]
    reason: str


@dataclass(frozen=True, kw_only=True)
class Tuning:
    """The end of a search: the configuration to use, None where none was usable.

    `spent`: more trials were wanted than it may take.
    """

    configuration: Configuration | None
    confident: bool
    trials: int
    spent: bool = False


@dataclass(frozen=True, kw_only=True)
class Terms:
    """What the search keeps to.

    Limits, how near the best is near enough, most trials, seed of the order.
    """

    limits: Limits = NO_LIMITS
    near: float = NEAR
    most_trials: int = 200
    seed: int = 0
