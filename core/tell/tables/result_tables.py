"""Results, their trials and their nodes as neutral tables: the same for every face."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime

from core.judge import FloorOf, FloorShare, floor_shares, ratio, told_estimate, typical
from core.language import (
    NOTHING,
    show_count,
    show_ratio,
    show_seconds,
    show_share,
    show_size,
    tr,
)
from core.measure import floor_of, without_bare_files
from core.tell.tables.table import Cell, Column, Table
from core.vocabulary import (
    METRICS,
    Face,
    Metric,
    NodeFigures,
    Result,
    RunSpec,
    Trial,
    Value,
    columns_for,
    counters_of,
    differing,
    ending,
    ending_in,
    leading,
    metric_named,
    phase_shares,
    show_setting,
    state_of,
    trials_in_order,
)


def summarise(
    results: Sequence[Result],
    floor_of: FloorOf = floor_of,
    *,
    reasons: bool = True,
    best: Result | None = None,
) -> Table:
    """One row for each result: what differs, how fast, at what price, how it ended.

    `throughput` has its interval from three trials on, and `ratio` is to `best`, or the first
    row; both come from `core.judge.estimation`.  A result that is not valid has neither, and its
    ending says why.  `floor` is the share of the raw workload's speed on the same dataset with the
    same load; the raw workload has no row beside other workloads.  `reasons`: of errors and wrong
    data.
    """
    return _tabulated([results], floor_of, reasons=reasons, best=best)


def summarise_runs(runs: Mapping[str, Sequence[Result]]) -> Table:
    """The results of several runs as `summarise` shows them, each row with its run's name first.

    A ratio is to the first row of the same run.  Datasets and machines have columns where there are
    several.
    """
    table = _tabulated(list(runs.values()), floor_of)
    named = [(name, one) for name in runs for one in without_bare_files(runs[name])]
    about = {
        column: fact
        for column, fact in _FACTS.items()
        if len({fact(result) for _, result in named}) > 1
    }
    rows = [
        (_text(name), *(_text(fact(result)) for fact in about.values()), *row)
        for (name, result), row in zip(named, table.rows, strict=True)
    ]
    return Table(columns=(_RUN, *about, *table.columns), rows=tuple(rows))


_RUN = Column(key="run", title="Run", align="left", parameter=True)
_FACTS: Mapping[Column, Callable[[Result], str]] = {
    Column(key="dataset", title="Dataset", align="left", parameter=True): lambda result: (
        result.spec.dataset.location
    ),
    Column(key="machine", title="Machine", align="left", parameter=True): lambda result: (
        result.environment.machine_text
    ),
}


def _tabulated(
    runs: Sequence[Sequence[Result]],
    floor_of: FloorOf,
    *,
    reasons: bool = True,
    best: Result | None = None,
) -> Table:
    """One row for each result of each run, with the same columns for all."""
    every = [result for measured in map(without_bare_files, runs) for result in measured]
    names = differing([result.spec for result in every]) or ("threads",)
    counters = counters_of(every)
    metrics = columns_for("results", every)
    rates = [metric for metric in metrics if metric.of_valid]
    others = (*counters, *(metric for metric in metrics if not metric.of_valid))
    columns = [
        *_parameter_columns(names),
        Column(key="trials", title="Trials", spare=6),
        *(_metric_column(rate, "results") for rate in rates),
        Column(key="ratio", title="Against the best" if best else "Ratio", unit="ratio"),
        Column(key="floor", title="Of raw", unit="share", spare=7),
        Column(key="phases", title="Time in", align="left", spare=5),
        *(_metric_column(metric, "results") for metric in others),
        Column(key="ending", title="Ending", align="left"),
    ]
    rows = []
    for results in runs:
        measured, shares = without_bare_files(results), floor_shares(results, floor_of)
        against = _compared_with(measured, best)
        for result in measured:
            count = _count(len(result.finished_trials))
            cells = [*(_parameter_cell(result.spec, name) for name in names), count]
            cells += (_rate_cell(result, rate) for rate in rates)
            cells.append(_shown(ratio(against[id(result)], result), show_ratio))
            cells.append(Cell(*shares.get(id(result), FloorShare())))
            cells.append(phases_cell(result))
            cells += (figure_cell(each, typical(result, each.key)) for each in others)
            text = ending(result, reasons=reasons)
            cells.append(Cell(text, text, state_of(result.trials)))
            rows.append(tuple(cells))
    optional = {"byte_rate", "floor", "phases", "requests_each", "amplification"}
    optional |= {"money_per_terabyte"}
    optional |= {one.key for one in counters}
    return _without_empty(tuple(columns), tuple(rows), optional)


def by_link(results: Sequence[Result]) -> Sequence[Sequence[Result]]:
    """The results by the link that their own parameters put before the server.

    Only what goes through the same one is compared.
    """
    links: dict[tuple[Value, ...], list[Result]] = {}
    for one in results:
        links.setdefault(one.spec.link, []).append(one)
    return list(links.values())


def _compared_with(measured: Sequence[Result], best: Result | None) -> Mapping[int, Result]:
    """By the id of each result, what it is compared with: the best of its link, or the first."""
    against: dict[int, Result] = {}
    for alike in by_link(measured):
        first = alike[0] if best is None else _best_of(alike, best)
        against |= dict.fromkeys(map(id, alike), first)
    return against


def _best_of(alike: Sequence[Result], best: Result) -> Result:
    """The best itself where it is among them."""
    valid = [one for one in alike if one.valid]
    if not valid or any(one is best for one in alike):
        return best
    from core.judge import ranking_of  # which few tables need

    return ranking_of(valid).leader


def caption(results: Sequence[Result]) -> str:
    """What all rows share: workload, dataset, machine; empty where nothing is shared."""
    facts: tuple[Callable[[Result], str], ...] = (
        lambda result: result.spec.workload,
        lambda result: result.spec.dataset.location,
        lambda result: result.environment.cpu_model,
        lambda result: result.environment.cores_text,
        lambda result: f"{show_size(result.environment.memory_bytes)} memory",
        lambda result: result.file_system.type if result.file_system else "",
    )
    shared = [texts for fact in facts if len(texts := {fact(result) for result in results}) == 1]
    return " · ".join(text for (text,) in shared if text)


def _parameter_columns(names: Sequence[str]) -> list[Column]:
    """A column for each of these parameters."""
    return [
        Column(key=name, title=name.replace("_", " ").capitalize(), align="left", parameter=True)
        for name in names
    ]


def _parameter_cell(spec: RunSpec, name: str) -> Cell:
    """A spec's value of a parameter; a dash where it has no such parameter."""
    value = spec.workload if name == "workload" else spec.values.get(name)
    return Cell(None, NOTHING) if value is None else Cell(value, show_setting(name, value))


def _metric_column(metric: Metric, face: Face) -> Column:
    return Column(
        key=metric.key,
        title=metric.title,
        unit=metric.unit,
        folded=face in metric.folded,
        spare=metric.spare,
    )


def figure_cell(metric: Metric, value: float | None, of: str = "") -> Cell:
    """A figure of that metric; a dash where there is none.  `of`: what an operation handles."""
    return Cell(None, NOTHING) if value is None else Cell(value, metric.text(value, of))


def _count(count: int) -> Cell:
    return Cell(count, show_count(count))


def _shown(value: float | None, show: Callable[[float], str]) -> Cell:
    return Cell(None, NOTHING) if value is None else Cell(value, show(value))


def _rate_cell(result: Result, rate: Metric) -> Cell:
    """With its interval where it tells how fast operations are; no bytes are no figure."""
    if rate.has_scale:
        return metric_cell(result, rate.key)
    return figure_cell(rate, typical(result, rate.key) or None)


def first_cell(result: Result) -> Cell:
    """The figure that its users think in, with its interval; a dash unless it is valid."""
    return metric_cell(result, leading([result])[0].key)


def metric_cell(result: Result, metric: str) -> Cell:
    """A figure with its interval as it is told; a dash where the result has none."""
    estimate, of_metric = (
        told_estimate(result, metric),
        metric_named(metric, result.spec.workload),
    )
    if estimate.value is None:
        return Cell(None, NOTHING)
    if of_metric.has_scale:
        return Cell(estimate.value, of_metric.told_text(estimate, result.unit))
    if estimate.low is None or estimate.high is None:
        return Cell(estimate.value, of_metric.text(estimate.value))
    value, low, high = map(of_metric.text, (estimate.value, estimate.low, estimate.high))
    return Cell(estimate.value, tr("{value} ({low} to {high})", value=value, low=low, high=high))


def has_too_few_trials(result: Result) -> bool:
    """Whether a valid result has no interval that is told."""
    return result.valid and told_estimate(result, leading([result])[0].key).low is None


def phases_cell(result: Result) -> Cell:
    """The share of each step of an operation: `look-up 12 % · fetch 88 %`."""
    shares = phase_shares(result.finished_trials).items()
    if not shares:
        return Cell(None, NOTHING)
    return _text(" · ".join(f"{name} {show_share(share)}" for name, (share, _) in shares))


def _without_empty(
    columns: tuple[Column, ...], rows: tuple[tuple[Cell, ...], ...], optional: set[str]
) -> Table:
    """The table without those optional columns that hold nothing."""
    places = [
        place
        for place, column in enumerate(columns)
        if column.key not in optional or any(row[place].text != NOTHING for row in rows)
    ]
    return Table(
        columns=tuple(columns[place] for place in places),
        rows=tuple(tuple(row[place] for place in places) for row in rows),
    )


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
        cells = [_parameter_cell(result.spec, name) for name in names]
        cells += [_count(trial.index + 1), _count(repeats[result.spec.digest])]
        started = datetime.fromtimestamp(trial.started).strftime("%H:%M:%S")
        text = ending_in(result, trial)
        cells += [Cell(trial.started, started), Cell(text, text, state_of([trial]))]
        cells += (figure_cell(metric, metric.of(trial), trial.unit) for metric in metrics)
        rows.append(tuple(cells))
    columns = (
        *_parameter_columns(names),
        Column(key="trial", title="Trial"),
        Column(key="repeat", title="Repeat"),
        Column(key="started", title="Started", folded=True),
        Column(key="ending", title="Outcome", align="left"),
        *(_metric_column(metric, "trials") for metric in metrics),
    )
    return Table(columns=columns, rows=tuple(rows))


type Look = Callable[[Trial, NodeFigures], Cell]


def tabulate_nodes(results: Sequence[Result]) -> Table:
    """One row for each node of each trial; no rows where nothing was measured on a cluster.

    First come the parameters in which the results differ, then the number of the trial, that of the
    node, and the node's figures.
    """
    names = differing([result.spec for result in results])
    rows = [
        (
            *(_parameter_cell(result.spec, name) for name in names),
            _count(trial.index + 1),
            _count(number),
            *(look(trial, node) for _, look in _COLUMNS),
        )
        for result, trial in trials_in_order(results)
        for number, node in enumerate(trial.nodes, 1)
    ]
    columns = (
        *_parameter_columns(names),
        Column(key="trial", title="Trial"),
        Column(key="node", title="Node"),
        *(column for column, _ in _COLUMNS),
    )
    return Table(columns=columns, rows=tuple(rows))


def _text(text: str) -> Cell:
    return Cell(text, text)


def _share(trial: Trial, node: NodeFigures) -> Cell:
    """Of the operations of all nodes."""
    share = node.operations / trial.operations if trial.operations else None
    return _shown(share, show_share)


def _figure(key: str, of: Callable[[NodeFigures], float | None]) -> tuple[Column, Look]:
    """A metric of trials, of one node."""
    metric = METRICS[key]
    return _metric_column(metric, "trials"), lambda _, node: figure_cell(metric, of(node))


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
        lambda _, node: _shown(node.late, show_seconds),
    ),
    (
        Column(key="uncertainty", title="Clock ±", unit="seconds"),
        lambda _, node: _shown(node.uncertainty, show_seconds),
    ),
    (
        Column(key="file_system", title="Shared file system", align="left"),
        lambda _, node: _text(node.network) if node.network else Cell(None, NOTHING),
    ),
)
