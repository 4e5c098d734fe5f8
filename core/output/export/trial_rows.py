"""Trials as rows of typed columns, for the formats that are tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from core.catalog.declarations import declared
from core.catalog.load import Load
from core.catalog.parameters import Value
from core.result.attempts import is_disturbed
from core.result.ending import ending_in
from core.result.metric import Metric
from core.result.metrics import counters_of, metrics_in
from core.result.outcome import Cancelled
from core.result.result import Result, Trial

type Kind = type[int] | type[float] | type[str] | type[bool]
type Look = Callable[[Result, Trial], Value | None]


@dataclass(frozen=True)
class TrialColumn:
    """One column: its name with its unit, the type of its values, and where they come from."""

    name: str
    kind: Kind
    look: Look


def columns_of(results: Sequence[Result]) -> tuple[TrialColumn, ...]:
    """Always the same columns in the same order, then the workloads' parameters and counters."""
    ours = (*_FIXED, *map(_of_metric, metrics_in("exports")), *_LOAD)
    return (
        *ours,
        *_parameters(results, {column.name for column in ours}),
        *map(_of_metric, counters_of(results)),
    )


def _of_result(name: str, kind: Kind, look: Callable[[Result], Value | None]) -> TrialColumn:
    return TrialColumn(name, kind, lambda result, _: look(result))


def _of_trial(name: str, kind: Kind, look: Callable[[Trial], Value | None]) -> TrialColumn:
    return TrialColumn(name, kind, lambda _, trial: look(trial))


def _of_metric(metric: Metric) -> TrialColumn:
    return _of_trial(metric.column, int if metric.whole else float, metric.of)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


_FIXED = (
    _of_result("workload", str, lambda result: result.spec.workload),
    _of_result("workload_version", int, lambda result: result.spec.version),
    _of_result("dataset_kind", str, lambda result: result.spec.dataset.kind),
    _of_result("dataset", str, lambda result: result.spec.dataset.location),
    _of_result("fingerprint", str, lambda result: result.spec.dataset.fingerprint),
    _of_result("machine", str, lambda result: result.environment.machine_id),
    _of_result("spec", str, lambda result: result.spec.digest),
    _of_trial("trial", int, lambda trial: trial.index),
    _of_trial("block", int, lambda trial: trial.block),
    _of_trial("started", str, lambda trial: _moment(trial.started)),
    _of_trial("outcome", str, lambda trial: trial.outcome.__struct_config__.tag),
    TrialColumn("ending", str, ending_in),
    _of_trial("valid", bool, lambda trial: trial.valid),
    _of_trial("cancelled", bool, lambda trial: isinstance(trial.outcome, Cancelled)),
    _of_trial("shortened", bool, lambda trial: trial.shortened),
    TrialColumn("disturbed", bool, lambda result, trial: is_disturbed(trial, result.environment)),
    TrialColumn("counts", bool, lambda result, trial: result.counts(trial)),
    _of_trial("unit", str, lambda trial: trial.unit),
    _of_trial("proven_cold", bool, lambda trial: trial.proven_cold),
)


def _of_load(name: str, kind: Kind) -> TrialColumn:
    return _of_result(name, kind, lambda result: result.spec.values[name])


_LOAD = tuple(_of_load(kind.name, type(kind.default)) for kind in declared(Load))


def _parameters(results: Sequence[Result], taken: Collection[str]) -> list[TrialColumn]:
    names = dict.fromkeys(name for result in results for name in result.spec.parameters)
    return [
        _parameter(name, f"parameter.{name}" if name in taken else name, results) for name in names
    ]


def _parameter(name: str, title: str, results: Sequence[Result]) -> TrialColumn:
    """A column of the narrowest type that holds what the workloads mean by that name."""
    kinds = {
        type(result.spec.parameters[name]) for result in results if name in result.spec.parameters
    }
    if len(kinds) == 1:
        return _of_result(title, kinds.pop(), lambda result: result.spec.parameters.get(name))
    convert = float if kinds == {int, float} else str

    def look(result: Result) -> Value | None:
        value = result.spec.parameters.get(name)
        return None if value is None else convert(value)

    return _of_result(title, convert, look)
