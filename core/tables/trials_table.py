"""Trials as one neutral table: a row for each, in the order in which they were run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime

from core.plan.spec import differing
from core.result.ending import ending_in, state_of
from core.result.metrics import columns_for, counters_of
from core.result.result import Result, Trial
from core.tables.results_table import (
    count_cell,
    figure_cell,
    metric_column,
    parameter_cell,
    parameter_columns,
)
from core.tables.table import Cell, Column, Table


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
    metrics = (*columns_for("trials", results), *counters_of(results))
    repeats: Counter[str] = Counter()
    rows = []
    for result, trial in trials_in_order(results):
        repeats[result.spec.digest] += 1
        cells = [parameter_cell(result.spec, name) for name in names]
        cells += [count_cell(trial.index + 1), count_cell(repeats[result.spec.digest])]
        started = datetime.fromtimestamp(trial.started).strftime("%H:%M:%S")
        cells += [Cell(trial.started, started), _ending(result, trial)]
        cells += (figure_cell(metric, metric.of(trial), trial.unit) for metric in metrics)
        rows.append(tuple(cells))
    columns = (
        *parameter_columns(names),
        Column(key="trial", title="Trial"),
        Column(key="repeat", title="Repeat"),
        Column(key="started", title="Started", folded=True),
        Column(key="ending", title="Outcome", align="left"),
        *(metric_column(metric, "trials") for metric in metrics),
    )
    return Table(columns=columns, rows=tuple(rows))


def _ending(result: Result, trial: Trial) -> Cell:
    text = ending_in(result, trial)
    return Cell(text, text, state_of([trial]))
