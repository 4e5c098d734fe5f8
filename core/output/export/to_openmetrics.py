"""The estimates of each result as gauges, in the text format of OpenMetrics 1.0; faults are sums.

`result` numbers the results, because one spec can be measured twice; `sluice_result_info` has all
its parameters and its ending.
https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import BinaryIO

from core.analysis.estimation import typical
from core.catalog.parameters import Value
from core.language.invisible import one_line
from core.plan.spec import differing
from core.result.ending import ending
from core.result.result import METRICS, Result


@dataclass(frozen=True)
class _Family:
    """Samples of one name: where their values come from, and their additional labels."""

    name: str
    help: str
    metrics: Mapping[str, Mapping[str, str]]
    unit: str = ""


_FAMILIES = (
    _Family("sluice_operations_per_second", "Operations per second.", {"throughput": {}}),
    _Family("sluice_bytes_per_second", "Bytes per second.", {"byte_rate": {}}),
    _Family(
        "sluice_latency_seconds",
        "Time within which that share of the operations ended.",
        {"p50": {"quantile": "0.5"}, "p99": {"quantile": "0.99"}, "p999": {"quantile": "0.999"}},
        "seconds",
    ),
    _Family("sluice_peak_rss_bytes", "Most memory resident.", {"peak_rss": {}}, "bytes"),
    _Family(
        "sluice_open_files",
        "Most files seen open.",
        {"fds": {"files": "all"}, "dataset_fds": {"files": "dataset"}},
    ),
    _Family("sluice_cpu_seconds", "CPU time of the workers.", {"cpu": {}}, "seconds"),
    _Family("sluice_failed_operations", "Operations that failed.", {"errors": {}}),
    _Family("sluice_wrong_operations", "Operations with wrong data.", {"wrong": {}}),
)

_COUNTS = ("errors", "wrong")


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write all families, and the mark of the end."""
    stream.write("".join(f"{line}\n" for line in _lines(results)).encode())


def _lines(results: Sequence[Result]) -> Iterator[str]:
    yield "# TYPE sluice_result info"
    yield "# HELP sluice_result What was measured and how it ended."
    for number, result in enumerate(results):
        labels = _identity(number, result) | _parameters(result.spec.values)
        yield _sample("sluice_result_info", labels | {"ending": ending(result)}, 1)
    names = differing([result.spec for result in results])
    for family in _FAMILIES:
        yield f"# TYPE {family.name} gauge"
        if family.unit:
            yield f"# UNIT {family.name} {family.unit}"
        yield f"# HELP {family.name} {family.help}"
        for number, result in enumerate(results):
            varied = {name: value for name, value in result.spec.values.items() if name in names}
            labels = _identity(number, result) | _parameters(varied)
            for metric, more in family.metrics.items():
                value = _value(result, metric)
                if value is not None:
                    yield _sample(family.name, {**labels, **more}, value)
    yield "# TYPE sluice_trials gauge"
    yield "# HELP sluice_trials Trials, by whether they have a throughput."
    for number, result in enumerate(results):
        valid = sum(trial.valid for trial in result.trials)
        labels = _identity(number, result)
        yield _sample("sluice_trials", labels | {"valid": "true"}, valid)
        yield _sample("sluice_trials", labels | {"valid": "false"}, len(result.trials) - valid)
    yield "# EOF"


def _value(result: Result, metric: str) -> float | None:
    if metric in _COUNTS:  # in the median, one wrong trial of three would count as none
        return float(sum(METRICS[metric](trial) or 0 for trial in result.trials))
    return typical(result, metric)


def _identity(number: int, result: Result) -> dict[str, str]:
    return {
        "result": str(number),
        "spec": result.spec.digest,
        "workload": result.spec.workload,
        "dataset": result.spec.dataset.location,
    }


def _parameters(values: Mapping[str, Value]) -> dict[str, str]:
    """Labels `parameter_…`; two names that look alike as labels get a number."""
    labels: dict[str, str] = {}
    for name, value in values.items():
        label = "parameter_" + re.sub(r"[^a-zA-Z0-9_]", "_", name)
        while label in labels:
            label += "_2"
        labels[label] = str(value).lower() if isinstance(value, bool) else str(value)
    return labels


def _sample(name: str, labels: Mapping[str, str], value: float) -> str:
    told = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"{name}{{{told}}} {value!r}"


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')
