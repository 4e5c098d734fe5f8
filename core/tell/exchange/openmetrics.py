"""The estimates of each result as gauges, in the text format of OpenMetrics 1.0; faults are sums.

`result` numbers the results, because one spec can be measured twice; `sluice_result_info` has all
its parameters and its ending.
https://github.com/prometheus/OpenMetrics/blob/main/specification/OpenMetrics.md
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO

from core.judge import typical
from core.language import one_line
from core.vocabulary import Metric, Result, Value, counters_of, differing, ending, metrics_in


def write_openmetrics(results: Sequence[Result], stream: BinaryIO) -> None:
    stream.write("".join(f"{line}\n" for line in _lines(results)).encode())


def _lines(results: Sequence[Result]) -> Iterator[str]:
    yield "# TYPE sluice_result info"
    yield "# HELP sluice_result What was measured and how it ended."
    for number, result in enumerate(results):
        labels = _identity(number, result) | _parameters(result.spec.values)
        yield _sample("sluice_result_info", labels | {"ending": ending(result)}, 1)
    names = differing([result.spec for result in results])
    families: dict[str, list[Metric]] = {}
    for metric in (*metrics_in("exports"), *counters_of(results)):
        families.setdefault(f"sluice_{metric.family or metric.column}", []).append(metric)
    for family, metrics in families.items():
        yield from _family(family, metrics, results, names)
    yield "# TYPE sluice_trials gauge"
    yield "# HELP sluice_trials Trials, by whether they have a throughput."
    for number, result in enumerate(results):
        valid = sum(trial.valid for trial in result.trials)
        labels = _identity(number, result)
        yield _sample("sluice_trials", labels | {"valid": "true"}, valid)
        yield _sample("sluice_trials", labels | {"valid": "false"}, len(result.trials) - valid)
    yield "# EOF"


def _family(
    name: str, metrics: Sequence[Metric], results: Sequence[Result], varied: Sequence[str]
) -> Iterator[str]:
    """Samples of one name; labels tell the metrics apart, and settings by what varies."""
    yield f"# TYPE {name} gauge"
    if (unit := metrics[0].unit) in ("seconds", "bytes") and name.endswith(f"_{unit}"):
        yield f"# UNIT {name} {unit}"
    yield f"# HELP {name} {metrics[0].help}"
    for number, result in enumerate(results):
        values = {key: value for key, value in result.spec.values.items() if key in varied}
        labels = _identity(number, result) | _parameters(values)
        for metric in metrics:
            if (value := typical(result, metric.key)) is not None:
                yield _sample(name, {**labels, **metric.labels}, float(value))


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
    pairs = ",".join(f'{label}="{_escaped(text)}"' for label, text in labels.items())
    return f"{name}{{{pairs}}} {value!r}"


def _escaped(text: str) -> str:
    return one_line(text).replace("\\", "\\\\").replace('"', '\\"')
