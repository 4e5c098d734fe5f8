"""The shape of the JSON export, which is also what is imported again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import msgspec

from core.host.program import sluice_version
from core.result.ending import ending
from core.result.metrics import METRICS, counters_of
from core.result.result import Result

DOCUMENT_VERSION = 3
"""Versions 1 and 2 were written by checkouts before the first release."""


class ExportedResult(Result, frozen=True, kw_only=True):
    """A result with figures that other programs would have to compute; ignored by the import."""

    ending: str
    metrics: dict[str, tuple[float | None, ...]]
    """One value for each trial; no throughput where a trial is not valid."""


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """Results of Sluice, as complete as in a session."""

    format: Literal["sluice-results"] = "sluice-results"
    version: int = DOCUMENT_VERSION
    sluice: str
    results: tuple[ExportedResult, ...]


def document(results: Sequence[Result]) -> Document:
    """The document of these results."""
    return Document(sluice=sluice_version(), results=tuple(map(_exported, results)))


def _exported(result: Result) -> ExportedResult:
    return ExportedResult(
        spec=result.spec,
        environment=result.environment,
        file_system=result.file_system,
        trials=result.trials,
        ending=ending(result),
        metrics={
            metric.key: tuple(metric.of(trial) for trial in result.trials)
            for metric in (*counters_of([result]), *METRICS.values())
        },
    )


def plain(result: ExportedResult) -> Result:
    """The result within an exported one."""
    return Result(
        spec=result.spec,
        environment=result.environment,
        file_system=result.file_system,
        trials=result.trials,
    )
