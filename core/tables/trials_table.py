"""Trials as one neutral table, in the order in which they were run, and the nodes of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import datetime

from core.language.units import NOTHING, show_seconds, show_share
from core.plan.spec import differing
from core.result.metrics import METRICS, columns_for, counters_of
from core.result.outcome import ending_in, state_of
from core.result.result import Result, Trial
from core.result.trial_record import NodeFigures
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


type Look = Callable[[Trial, NodeFigures], Cell]


def tabulate_nodes(results: Sequence[Result]) -> Table:
    """One row for each node of each trial; no rows where nothing was measured on a cluster.

    First come the parameters in which the results differ, then the number of the trial, that of the
    node, and the node's figures.
    """
    names = differing([result.spec for result in results])
    rows = [
        (
            *(parameter_cell(result.spec, name) for name in names),
            count_cell(trial.index + 1),
            count_cell(number),
            *(look(trial, node) for _, look in _COLUMNS),
        )
        for result, trial in trials_in_order(results)
        for number, node in enumerate(trial.nodes, 1)
    ]
    columns = (
        *parameter_columns(names),
        Column(key="trial", title="Trial"),
        Column(key="node", title="Node"),
        *(column for column, _ in _COLUMNS),
    )
    return Table(columns=columns, rows=tuple(rows))


def _text(value: str) -> Cell:
    return Cell(value, value)


def _share(trial: Trial, node: NodeFigures) -> Cell:
    """Of the operations of all nodes."""
    if not trial.operations:
        return Cell(None, NOTHING)
    share = node.operations / trial.operations
    return Cell(share, show_share(share))


def _seconds(value: float | None) -> Cell:
    return Cell(None, NOTHING) if value is None else Cell(value, show_seconds(value))


def _figure(key: str, of: Callable[[NodeFigures], float | None]) -> tuple[Column, Look]:
    """A metric of trials, of one node."""
    metric = METRICS[key]
    return metric_column(metric, "trials"), lambda _, node: figure_cell(metric, of(node))


_COLUMNS: tuple[tuple[Column, Look], ...] = (
    (Column(key="host", title="Host", align="left"), lambda _, node: _text(node.host)),
    (Column(key="address", title="Address", align="left"), lambda _, node: _text(node.address)),
    (Column(key="ending", title="Outcome", align="left"), lambda _, node: _text(node.ended)),
    _figure("operations", lambda node: node.operations),
    (Column(key="share", title="Of all", unit="share"), _share),
    _figure("p50", lambda node: node.p50 / 1e9 or None),
    _figure("p99", lambda node: node.p99 / 1e9 or None),
    _figure("peak_rss", lambda node: node.peak_rss),
    _figure("fds", lambda node: node.fds),
    (
        Column(key="late", title="Started after", unit="seconds"),
        lambda _, node: _seconds(node.late),
    ),
    (
        Column(key="uncertainty", title="Clock ±", unit="seconds"),
        lambda _, node: _seconds(node.uncertainty),
    ),
    (
        Column(key="file_system", title="Shared file system", align="left"),
        lambda _, node: _text(node.network) if node.network else Cell(None, NOTHING),
    ),
)
