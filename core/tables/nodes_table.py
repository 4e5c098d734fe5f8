"""The nodes of trials on a cluster as one neutral table: a row for each, by trial."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.language.units import NOTHING, show_seconds, show_share
from core.plan.spec import differing
from core.result.metrics import METRICS
from core.result.node_figures import NodeFigures
from core.result.result import Result, Trial
from core.tables.results_table import (
    count_cell,
    figure_cell,
    metric_column,
    parameter_cell,
    parameter_columns,
)
from core.tables.table import Cell, Column, Table
from core.tables.trials_table import trials_in_order

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
