"""The tables of a report, as texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial

from core.judge import Board, Judged, Judgement
from core.language import NOTHING, capitalised, show_count, show_seconds, show_size
from core.tell.card_values import level_text
from core.tell.report.small_plots import OverTime, over_time
from core.tell.tables.result_tables import figure_cell, phases_cell, summarise, tabulate_nodes
from core.tell.tables.table import Align
from core.vocabulary import (
    NOT_MEASURED,
    PERCENTILES,
    Advice,
    CurvesFigure,
    Metric,
    MetricEstimate,
    Result,
    columns_for,
    describe,
    ending_in,
    item_of,
    setting_of,
)

MOST_TRIALS = 1_000
_ROWS_OVER_TIME = 20


@dataclass(frozen=True, kw_only=True)
class Grid:
    """A table; `moods` says for each row whether it is bad, good, open or neither (empty)."""

    caption: str
    titles: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    """Columns aligned to the right, as numbers are."""
    moods: tuple[str, ...] = ()

    def align(self, column: int) -> Align:
        return "right" if column in self.right else "left"

    def mood(self, row: int) -> str:
        return self.moods[row] if self.moods else ""


def _grid(
    caption: str, titles: Sequence[str], rows: Iterable[Sequence[str]], *, texts: int = 1
) -> Grid:
    """A table with texts in its first columns, and numbers in all others."""
    right = frozenset(range(texts, len(titles)))
    return Grid(caption=caption, titles=tuple(titles), rows=tuple(map(tuple, rows)), right=right)


def results_grid(results: Sequence[Result], measured: Sequence[Result]) -> Grid:
    """The summary; `results` include the raw reads that are the reference of the shown ones."""
    table = summarise(results).with_units_above()
    # Errors and wrong data stand in the ending too, the other two in tables of their own.
    dropped = {"errors", "wrong", "harness", "phases"} | (
        {"ending"} if all(r.valid for r in measured) else set()
    )
    places = [place for place, column in enumerate(table.columns) if column.key not in dropped]
    columns = [table.columns[place] for place in places]
    fine = " All trials completed, without errors or wrong data." if "ending" in dropped else ""
    return Grid(
        caption="The typical figure of the trials, of throughput with its interval "
        f"{level_text()}.{fine}",
        titles=tuple(column.title for column in columns),
        rows=tuple(tuple(row[place].text for place in places) for row in table.rows),
        right=frozenset(place for place, column in enumerate(columns) if column.align == "right"),
        moods=tuple("" if result.valid else "bad" for result in measured),
    )


def phases_grid(results: Sequence[Result], names: Mapping[str, str]) -> Grid | None:
    """The steps in which workers spent their time; None where operations have only one."""
    cells = list(map(phases_cell, results))
    if all(cell.value is None for cell in cells):
        return None
    rows = [
        (names[result.spec.digest], cell.text) for result, cell in zip(results, cells, strict=True)
    ]
    return _grid("Where operations spend their time.", ("Result", "Steps"), rows, texts=2)


def rate_unit(results: Sequence[Result]) -> str:
    """What throughput counts: `sequences/s`."""
    units = {result.unit for result in results if result.finished_trials}
    return f"{units.pop()}s/s" if len(units) == 1 else "operations/s"


def figures_grid(
    names: Sequence[str],
    results: Sequence[Result],
    points: Sequence[MetricEstimate],
    metric: Metric,
) -> Grid:
    """The figures behind the plot of throughput, or of time per run."""
    rows = [
        (
            name,
            show_count(len(result.finished_trials)),
            *(_shown(v, partial(metric.text, of=result.unit)) for v in (p.value, p.low, p.high)),
        )
        for name, result, p in zip(names, results, points, strict=True)
    ]
    caption = (
        f"Typical {metric.name}, the geometric mean of the trials, and its 95 % interval, as drawn."
    )
    return _grid(caption, ("Result", "Trials", "Typical", "From", "To"), rows)


@dataclass(frozen=True, kw_only=True)
class CellFigure:
    """A figure of a study's cell, here and as published; None where there is none."""

    name: str
    here: MetricEstimate | None
    published: float | None


def cells_grid(caption: str, cells: Sequence[CellFigure], show: Callable[[float], str]) -> Grid:
    """The figures behind a plot of a study's cells."""
    rows = []
    for one in cells:
        here = one.here or NOT_MEASURED
        figures = (here.value, here.low, here.high, one.published)
        rows.append((one.name, *(_shown(value, show) for value in figures)))
    return _grid(caption, ("Cell", "Here", "From", "To", "Published"), rows)


def price_grid(advice: Advice) -> Grid | None:
    """What each step up in threads brings and costs; None where there is none."""
    if not advice.steps:
        return None
    rows = [
        (
            f"{step.start} to {step.end}",
            step.throughput_text,
            _change(step.memory, show_size),
            _change(step.open_files, show_count),
            _change(step.p99, show_seconds),
        )
        for step in advice.steps
    ]
    others = {name: value for name, value in advice.values.items() if name != "threads"}
    on = f" with {setting_of(others)}" if others else ""
    caption = f"What more threads{on} bring and cost. Shape of the curve: {advice.shape}."
    return _grid(caption, ("Threads", "Throughput", "Peak memory", "Open files", "p99"), rows)


def _change(value: float | None, show: Callable[[float], str]) -> str:
    return NOTHING if value is None else f"{'+' if value >= 0 else ''}{show(value)}"


def latency_grid(figure: CurvesFigure) -> Grid:
    """Percentiles of every result that has any; a dash for those that its trials do not support."""
    rows = []
    for curve in figure.curves:
        points = map(curve.at, PERCENTILES)
        texts = (_shown(one.found.value if one else None, show_seconds) for one in points)
        rows.append((curve.name, *texts))
    return _grid(
        "Latency of one operation, all valid trials together, as far as they tell it: at "
        "least ten of the operations that were timed on their own are longer.",
        ("Result", *(f"p{percent:g}" for percent in PERCENTILES)),
        rows,
    )


def over_time_grid(series: OverTime) -> Grid:
    """What the small plots show, in at most twenty rows."""
    few = over_time(series.trial, _ROWS_OVER_TIME)
    columns = [
        [drawn.plot.text(at, value) for value in values]
        for drawn in few.plots
        for at, values in zip(drawn.columns, drawn.values.T, strict=True)
    ]
    titles = [
        f"{drawn.plot.called}, {name}" if len(drawn.names) > 1 else drawn.plot.called
        for drawn in few.plots
        for name in drawn.names
    ]
    rows = zip(map(show_seconds, few.at), *columns, strict=True)
    caption = "Mean rates, and the most of all others, up to each time."
    return _grid(caption, ("Time", *titles), rows, texts=0)


def trials_grid(results: Sequence[Result], names: Mapping[str, str]) -> Grid:
    """Every trial in the order of the run, up to a limit for the page."""
    pairs = sorted(
        ((trial, result) for result in results for trial in result.trials),
        key=lambda pair: (pair[0].started, pair[0].index),
    )
    listed = pairs[:MOST_TRIALS]
    metrics = columns_for("report", results)
    titles = ("#", "Result", "Block", "Started, UTC", *(one.title for one in metrics), "Ending")
    rows = [
        (
            str(trial.index + 1),
            names[result.spec.digest],
            str(trial.block + 1),
            moment(trial.started, "%H:%M:%S"),
            *(figure_cell(metric, metric.of(trial)).text for metric in metrics),
            ending_in(result, trial),
        )
        for trial, result in listed
    ]
    return Grid(
        caption=f"Trials in the order they were run.{_left_out(pairs)}",
        titles=titles,
        rows=tuple(rows),
        right=frozenset({0, *range(2, len(titles) - 1)}),
        moods=tuple("" if trial.valid else "bad" for trial, _ in listed),
    )


def nodes_grid(results: Sequence[Result]) -> Grid | None:
    """What each node did, in the order of the run, up to a limit; None without a cluster."""
    table = tabulate_nodes(results)
    if not table.rows:
        return None
    listed = table.rows[:MOST_TRIALS]
    return Grid(
        caption=f"Nodes of the cluster, by trial.{_left_out(table.rows)}",
        titles=tuple(column.title for column in table.columns),
        rows=tuple(tuple(cell.text for cell in row) for row in listed),
        right=frozenset(n for n, column in enumerate(table.columns) if column.align == "right"),
    )


def _left_out(rows: Sequence[object]) -> str:
    unlisted = len(rows) - MOST_TRIALS
    return (
        f" The other {unlisted:,} are left out here; an export has them all."
        if unlisted > 0
        else ""
    )


def _shown(value: float | None, show: Callable[[float], str]) -> str:
    return NOTHING if value is None else show(value)


def moment(seconds: float, form: str = "%Y-%m-%d %H:%M UTC") -> str:
    """A time since 1970 as text; empty for a time outside the calendar."""
    try:
        return datetime.fromtimestamp(seconds, UTC).strftime(form)
    except (OverflowError, OSError, ValueError):
        return NOTHING


def board_grid(board: Board, caption: str, results: Sequence[Result | None]) -> Grid:
    return Grid(
        caption=caption,
        titles=tuple(title if title == "p99" else capitalised(title) for title in board.titles),
        rows=tuple((*row[:3], re.sub(r" [^ ]+/s$", "", row[3]), *row[4:]) for row in board.rows),
        right=frozenset(range(1, len(board.titles) - 1)),
        moods=tuple("" if result is None or result.valid else "bad" for result in results),
    )


_MOODS = {
    Judgement.REPRODUCED: "good",
    Judgement.NOT_REPRODUCED: "bad",
    Judgement.CANNOT_TELL: "open",
}


def claims_grid(judged: Sequence[Judged]) -> Grid:
    return Grid(
        caption="A claim is reproduced when its direction, or the whole interval measured here, is "
        "as claimed. The size compares the ratio here with the published one.",
        titles=("Claim", "Published", "Here", "Judgement", "Size"),
        rows=tuple(
            (
                one.claim.text,
                one.claim.published,
                one.here,
                f"{one.judgement.value}{': ' + one.reason if one.reason else ''}",
                one.size.value if one.size else "",
            )
            for one in judged
        ),
        moods=tuple(_MOODS[one.judgement] for one in judged),
    )


def complaints_grid(results: Sequence[Result], names: Mapping[str, str]) -> Grid | None:
    """Errors of operations, the most frequent first, and where trials broke off; or None."""
    complaints: dict[tuple[str, str, str], tuple[int, str]] = {}
    for result in results:
        for trial in result.trials:
            for one in trial.complaints:
                kind = "wrong data" if one.wrong_data else "error"
                key = (names[result.spec.digest], kind, one.text)
                count, first = complaints.get(key, (0, one.first_item))
                complaints[key] = (count + one.count, first)
            if item := item_of(trial.outcome):
                key = (names[result.spec.digest], "ending", describe(trial.outcome))
                count, first = complaints.get(key, (0, item))
                complaints[key] = (count + 1, first)
    if not complaints:
        return None
    ordered = sorted(complaints.items(), key=lambda pair: -pair[1][0])[:MOST_TRIALS]
    return Grid(
        caption="What operations ran into, the most frequent first, and where trials broke off.",
        titles=("Result", "Kind", "Times", "What was said", "First at"),
        rows=tuple(
            (name, kind, show_count(count), text, first)
            for (name, kind, text), (count, first) in ordered
        ),
        right=frozenset({2}),
    )
