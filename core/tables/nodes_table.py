"""The nodes of trials on a cluster as one neutral table: a row for each, by trial."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from core.language.units import show_count, show_seconds, show_share, show_size
from core.plan.spec import differing
from core.result.node_figures import NodeFigures
from core.result.result import Result, Trial
from core.tables.results_table import count_cell, parameter_cell, parameter_columns
from core.tables.table import NOTHING, Cell, Column, Table
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


def _maybe(value: float | None, show: Callable[[float], str]) -> Cell:
    return Cell(None, NOTHING) if value is None else Cell(value, show(value))


def _latency(nanoseconds: int) -> Cell:
    return _maybe(nanoseconds / 1e9 or None, show_seconds)


def _whole(count: float) -> str:
    return show_count(round(count))


_COLUMNS: tuple[tuple[Column, Look], ...] = (
    (Column(key="host", title="Host", align="left"), lambda _, node: _text(node.host)),
    (Column(key="address", title="Address", align="left"), lambda _, node: _text(node.address)),
    (Column(key="ending", title="Outcome", align="left"), lambda _, node: _text(node.ended)),
    (Column(key="operations", title="Operations"), lambda _, node: count_cell(node.operations)),
    (Column(key="share", title="Of all", unit="share"), _share),
    (Column(key="p50", title="p50", unit="seconds"), lambda _, node: _latency(node.p50)),
    (Column(key="p99", title="p99", unit="seconds"), lambda _, node: _latency(node.p99)),
    (
        Column(key="peak_rss", title="Peak memory", unit="bytes"),
        lambda _, node: _maybe(node.peak_rss, show_size),
    ),
    (Column(key="fds", title="Open files"), lambda _, node: _maybe(node.fds, _whole)),
    (
        Column(key="late", title="Started after", unit="seconds"),
        lambda _, node: _maybe(node.late, show_seconds),
    ),
    (
        Column(key="uncertainty", title="Clock ±", unit="seconds"),
        lambda _, node: _maybe(node.uncertainty, show_seconds),
    ),
    (
        Column(key="file_system", title="Shared file system", align="left"),
        lambda _, node: _text(node.network) if node.network else Cell(None, NOTHING),
    ),
)
