"""Results: the trials of a spec.  Values that can be derived are not stored."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any

import msgspec

from core.vocabulary.attempts import counted, replaced
from core.vocabulary.histogram import Latencies
from core.vocabulary.machine import Environment, FileSystem
from core.vocabulary.metrics import metric_named
from core.vocabulary.spec import RunSpec
from core.vocabulary.trial import Trial


class Result(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """All trials of one spec in one environment."""

    spec: RunSpec
    environment: Environment
    file_system: FileSystem | None
    trials: tuple[Trial, ...]
    error: float = 0.0
    """Standard error of the log of its rates beyond what trials show, where they were computed from
    others (`core.judge.alone`); 0 = they were measured."""

    @property
    def unit(self) -> str:
        """What one operation handles, in the singular; `operation` before there is a trial."""
        return next(
            (trial.unit for trial in self.trials if trial.operations or trial.errors), "operation"
        )

    @property
    def links(self) -> tuple[str, ...]:
        """How its servers were reached, in some words; empty where it used none of a lab."""
        return tuple(dict.fromkeys(trial.link for trial in self.trials if trial.link))

    @cached_property
    def valid(self) -> bool:
        """Whether there are trials and each has a throughput."""
        return bool(self.finished_trials) and all(trial.valid for trial in self.finished_trials)

    @cached_property
    def finished_trials(self) -> tuple[Trial, ...]:
        """The trials that count: those not cancelled, and the shortened ones.

        Of several attempts at one slot, because the first was cancelled or disturbed, one counts:
        `core.vocabulary.attempts` says which.
        """
        return counted(self.trials, self.environment)

    def counts(self, trial: Trial) -> bool:
        """Whether one of these trials is among those that count."""
        return id(trial) in self._counting

    @cached_property
    def _counting(self) -> frozenset[int]:
        return frozenset(map(id, self.finished_trials))

    @cached_property
    def replaced_trials(self) -> tuple[Trial, ...]:
        """The trials that could count, but were measured again."""
        return replaced(self.trials, self.environment)

    @cached_property
    def latencies(self) -> Latencies | None:
        """The latencies of all measured trials, summed once; None if one of them has none."""
        parts = [trial.latencies for trial in self.finished_trials if trial.operations]
        latencies = [one for one in parts if one is not None]
        return Latencies.together(latencies) if latencies and len(latencies) == len(parts) else None

    def once[T](self, figure: Callable[[Result], T]) -> T:
        """A figure of the result, computed once, since its trials do not change."""
        if figure not in self._figures:
            self._figures[figure] = figure(self)
        value: T = self._figures[figure]
        return value

    @cached_property
    def _figures(self) -> dict[Callable[[Result], Any] | str, Any]:
        """Figures by function, and values by metric."""
        return {}

    def values(self, metric: str) -> list[float]:
        """A metric of every measured trial that has it, in the order they ran."""
        if metric not in self._figures:
            look = metric_named(metric, self.spec.workload).of
            self._figures[metric] = [
                float(value) for trial in self.finished_trials if (value := look(trial)) is not None
            ]
        return list(self._figures[metric])


def collect(
    specs: Sequence[RunSpec],
    trials: Sequence[Trial],
    environment: Environment,
    places: Mapping[str, FileSystem],
) -> tuple[Result, ...]:
    """Results from loose trials, in the order of the specs; specs without a trial are left out."""
    by_spec: dict[str, list[Trial]] = {}
    for trial in sorted(trials, key=lambda trial: (trial.block, trial.index)):
        by_spec.setdefault(trial.spec_digest, []).append(trial)
    return tuple(
        Result(
            spec=spec,
            environment=environment,
            file_system=places.get(spec.dataset.location),
            trials=tuple(by_spec[spec.digest]),
        )
        for spec in specs
        if spec.digest in by_spec
    )


def trials_in_order(results: Sequence[Result]) -> tuple[tuple[Result, Trial], ...]:
    """Every trial of these results with its result, in the order of the run."""
    pairs = [(result, trial) for result in results for trial in result.trials]
    return tuple(sorted(pairs, key=lambda pair: pair[1].index))
