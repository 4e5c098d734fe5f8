"""Trials as one neutral table: a row for each, in the order in which they were run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

from core.language.translation import marked
from core.language.units import (
    show_byte_rate,
    show_count,
    show_rate,
    show_seconds,
    show_share,
    show_size,
)
from core.plan.spec import differing
from core.result.ending import ending_in
from core.result.result import METRICS, Result, Trial
from core.tables.results_table import count_cell, parameter_cell, parameter_columns
from core.tables.table import NOTHING, Cell, Column, Table

type Look = Callable[[Result, Trial], Cell]


def trials_in_order(results: Sequence[Result]) -> tuple[tuple[Result, Trial], ...]:
    """Every trial of these results with its result, in the order of the run."""
    pairs = [(result, trial) for result in results for trial in result.trials]
    return tuple(sorted(pairs, key=lambda pair: pair[1].index))


def tabulate_trials(results: Sequence[Result]) -> Table:
    """One row for each trial, in the order of `trials_in_order`.

    First come the parameters in which the results differ, then the number of the trial and of its
    repetition, its ending, and its figures.
    """
    names = differing([result.spec for result in results])
    repeats: Counter[str] = Counter()
    rows = []
    for result, trial in trials_in_order(results):
        repeats[result.spec.digest] += 1
        cells = [parameter_cell(result.spec, name) for name in names]
        cells += [count_cell(trial.index + 1), count_cell(repeats[result.spec.digest])]
        rows.append((*cells, *(look(result, trial) for _, look in _COLUMNS)))
    columns = (
        *parameter_columns(names),
        Column(key="trial", title="Trial"),
        Column(key="repeat", title="Repeat"),
        *(column for column, _ in _COLUMNS),
    )
    return Table(columns=columns, rows=tuple(rows))


def _started(_: Result, trial: Trial) -> Cell:
    return Cell(trial.started, datetime.fromtimestamp(trial.started).strftime("%H:%M:%S"))


def _ending(result: Result, trial: Trial) -> Cell:
    text = ending_in(result, trial)
    return Cell(text, text)


def _rate(_: Result, trial: Trial) -> Cell:
    rate = trial.throughput
    return Cell(None, NOTHING) if rate is None else Cell(rate, show_rate(rate, trial.unit))


def _others(_: Result, trial: Trial) -> Cell:
    """The share of the machine's cores that other processes used."""
    share = trial.noise.others_share if trial.noise else None
    return Cell(None, NOTHING) if share is None else Cell(share, show_share(share))


def _metric(name: str, show: Callable[[float], str]) -> Look:
    def look(_: Result, trial: Trial) -> Cell:
        value = METRICS[name](trial)
        return Cell(None, NOTHING) if value is None else Cell(value, show(value))

    return look


def _whole(count: float) -> str:
    return show_count(round(count))


_COLUMNS: tuple[tuple[Column, Look], ...] = (
    (Column(key="started", title="Started"), _started),
    (Column(key="ending", title="Outcome", align="left"), _ending),
    (Column(key="throughput", title="Throughput"), _rate),
    (Column(key="byte_rate", title="Bytes"), _metric("byte_rate", show_byte_rate)),
    (Column(key="p50", title="p50", unit="seconds"), _metric("p50", show_seconds)),
    (Column(key="p99", title="p99", unit="seconds"), _metric("p99", show_seconds)),
    (Column(key="p999", title="p99.9", unit="seconds"), _metric("p999", show_seconds)),
    (Column(key="errors", title="Errors"), lambda _, trial: count_cell(trial.errors)),
    (Column(key="wrong", title="Wrong"), lambda _, trial: count_cell(trial.wrong)),
    (Column(key="fds", title="Open files"), _metric("fds", _whole)),
    (Column(key="dataset_fds", title="Of dataset"), _metric("dataset_fds", _whole)),
    (Column(key="peak_rss", title="Peak memory", unit="bytes"), _metric("peak_rss", show_size)),
    (Column(key="anonymous", title="Own memory", unit="bytes"), _metric("anonymous", show_size)),
    (Column(key="file_backed", title="Mapped", unit="bytes"), _metric("file_backed", show_size)),
    (Column(key="cpu", title="CPU", unit="seconds"), _metric("cpu", show_seconds)),
    (
        Column(key="cores_used", title="Cores busy"),
        _metric("cores_used", lambda cores: marked(f"{cores:.2f}")),
    ),
    (Column(key="start_up", title="Start-up", unit="seconds"), _metric("start_up", show_seconds)),
    (Column(key="elapsed", title="Took", unit="seconds"), _metric("elapsed", show_seconds)),
    (Column(key="others", title="Others", unit="share"), _others),
    (Column(key="operations", title="Operations"), lambda _, trial: count_cell(trial.operations)),
    (Column(key="harness", title="Harness", unit="share"), _metric("harness", show_share)),
)
