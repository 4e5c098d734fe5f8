"""What was measured with one number of threads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from core.analysis.estimation import mean_log
from core.result.latencies import Latencies, longest
from core.result.metrics import limited
from core.result.result import Trial


@dataclass(frozen=True, kw_only=True)
class Point:
    """What was measured with this many threads.

    `throughputs`: one per trial, in any one unit. `costs`: of metrics that can have a limit, the
    worst trial's figure, by their keys; without those that are unknown. `refused`: share of the
    requests that the server refused. `failed`: errors, wrong data, a crash or a time out; `reason`
    says which, and the throughputs then count for nothing.
    """

    threads: int
    throughputs: tuple[float, ...]
    costs: Mapping[str, float] = field(default_factory=dict)
    refused: float = 0.0
    failed: bool = False
    reason: str = ""

    @property
    def level(self) -> float:
        """Mean of the natural logs of its throughputs. ValueError: no trials, or one is ≤ 0."""
        if not self.throughputs or min(self.throughputs) <= 0.0:
            raise ValueError(f"{self.threads} threads: throughputs must be given and positive")
        return mean_log(self.throughputs)


def costs_of(trial: Trial) -> dict[str, float]:
    """What a limit is held against, without latencies, which trials may tell only together."""
    figures = {metric.key: metric.of(trial) for metric in limited() if metric.quantile is None}
    return {key: value for key, value in figures.items() if value is not None}


def worst(
    costs: Sequence[Mapping[str, float]], latencies: Sequence[Latencies | None]
) -> dict[str, float]:
    """The worst of several trials in each metric that can have a limit, as far as it is known."""
    found: dict[str, float | None] = {}
    for metric in limited():
        known = [trial[metric.key] for trial in costs if metric.key in trial]
        found[metric.key] = (
            longest(latencies, metric.quantile) if metric.quantile else max(known, default=None)
        )
    return {key: value for key, value in found.items() if value is not None}
