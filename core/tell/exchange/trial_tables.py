"""Results as tables: CSV and Parquet with a row for each trial, Markdown with one for each result.

Also one neutral table as text for a clipboard, as it is shown.

Spreadsheets run cells that begin like a formula.  In CSV such text gets an apostrophe in front, so
that they show it as text; numbers are written as numbers.
https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import html
import io
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, BinaryIO, Literal

from core.language import one_line, safe, sluice_version
from core.measure import secrets_of
from core.tell.tables.result_tables import caption, summarise
from core.vocabulary import (
    Cancelled,
    Load,
    Metric,
    Result,
    Trial,
    Value,
    counters_of,
    declared,
    ending_in,
    is_disturbed,
    metrics_in,
)

if TYPE_CHECKING:
    from core.tell.tables.table import Table


type Kind = type[int] | type[float] | type[str] | type[bool]
type ValueOf = Callable[[Result, Trial], Value | None]


@dataclass(frozen=True)
class TrialColumn:
    """One column: its name with its unit, the type of its values, and where they come from."""

    name: str
    kind: Kind
    value: ValueOf


def columns_of(results: Sequence[Result]) -> tuple[TrialColumn, ...]:
    """Always the same columns in the same order, then the workloads' parameters and counters."""
    ours = (*_FIXED, *map(_of_metric, metrics_in("exports")), *_LOAD)
    return (
        *ours,
        *_parameters(results, {column.name for column in ours}),
        *map(_of_metric, counters_of(results)),
    )


def _of_result(name: str, kind: Kind, value: Callable[[Result], Value | None]) -> TrialColumn:
    return TrialColumn(name, kind, lambda result, _: value(result))


def _of_trial(name: str, kind: Kind, value: Callable[[Trial], Value | None]) -> TrialColumn:
    return TrialColumn(name, kind, lambda _, trial: value(trial))


def _of_metric(metric: Metric) -> TrialColumn:
    return _of_trial(metric.column, int if metric.whole else float, metric.of)


def _moment(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


_FIXED = (
    _of_result("workload", str, lambda result: result.spec.workload),
    _of_result("workload_version", int, lambda result: result.spec.version),
    _of_result("dataset_kind", str, lambda result: result.spec.dataset.kind),
    _of_result("dataset", str, lambda result: result.spec.dataset.location),
    _of_result("fingerprint", str, lambda result: result.spec.dataset.fingerprint),
    _of_result("machine", str, lambda result: result.environment.machine_id),
    _of_result("spec", str, lambda result: result.spec.digest),
    _of_trial("trial", int, lambda trial: trial.index),
    _of_trial("block", int, lambda trial: trial.block),
    _of_trial("started", str, lambda trial: _moment(trial.started)),
    _of_trial("outcome", str, lambda trial: trial.outcome.__struct_config__.tag),
    TrialColumn("ending", str, ending_in),
    _of_trial("valid", bool, lambda trial: trial.valid),
    _of_trial("cancelled", bool, lambda trial: isinstance(trial.outcome, Cancelled)),
    _of_trial("shortened", bool, lambda trial: trial.shortened),
    TrialColumn("disturbed", bool, lambda result, trial: is_disturbed(trial, result.environment)),
    TrialColumn("counts", bool, lambda result, trial: result.counts(trial)),
    _of_trial("unit", str, lambda trial: trial.unit),
    _of_trial("proven_cold", bool, lambda trial: trial.proven_cold),
)


def _of_load(name: str, kind: Kind) -> TrialColumn:
    return _of_result(name, kind, lambda result: result.spec.values[name])


_LOAD = tuple(_of_load(kind.name, type(kind.default)) for kind in declared(Load))


def _parameters(results: Sequence[Result], column_names: Collection[str]) -> list[TrialColumn]:
    names = dict.fromkeys(name for result in results for name in result.spec.parameters)
    return [
        _parameter(name, f"parameter.{name}" if name in column_names else name, results)
        for name in names
    ]


def _parameter(name: str, title: str, results: Sequence[Result]) -> TrialColumn:
    """A column of the narrowest type that holds what the workloads mean by that name."""
    kinds = {
        type(result.spec.parameters[name]) for result in results if name in result.spec.parameters
    }
    if len(kinds) == 1:
        return _of_result(title, kinds.pop(), lambda result: result.spec.parameters.get(name))
    convert = float if kinds == {int, float} else str

    def converted(result: Result) -> Value | None:
        value = result.spec.parameters.get(name)
        return None if value is None else convert(value)

    return _of_result(title, convert, converted)


_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20|%")  # with the wide forms that some locales take


def write_csv(results: Sequence[Result], stream: BinaryIO) -> None:
    columns = columns_of(results)
    rows = (
        [column.value(result, trial) for column in columns]
        for result in results
        for trial in result.trials
    )
    stream.write(csv_text([column.name for column in columns], rows).encode())


def csv_text(titles: Sequence[str], rows: Iterable[Sequence[Value | None]]) -> str:
    """A line of titles and one for each row; nothing in it runs as a formula."""
    text = io.StringIO(newline="")
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(map(_cell, titles))
    for row in rows:
        lines.writerow(map(_cell, row))
    return text.getvalue()


def _cell(value: Value | None) -> str:
    match value:
        case None:
            return ""
        case bool():
            return "true" if value else "false"
        case str():
            text = one_line(value)
            return f"'{text}" if text.lstrip().startswith(_FORMULA) else text
        case _:
            return repr(value)


def write_parquet(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write the table; a cell without a value is null."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    types = {int: pa.int64(), float: pa.float64(), str: pa.string(), bool: pa.bool_()}
    columns = columns_of(results)
    schema = pa.schema(
        [pa.field(column.name, types[column.kind]) for column in columns],
        metadata={"sluice": sluice_version()},
    )
    trials = [(result, trial) for result in results for trial in result.trials]
    arrays = [
        pa.array([column.value(result, trial) for result, trial in trials], types[column.kind])
        for column in columns
    ]
    pq.write_table(pa.table(arrays, schema=schema), stream)


def write_markdown(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write what the results share as one line, and a table with a row for each."""
    stream.write(_markdown_table(summarise(results), caption(results)).encode())


def _markdown_table(table: Table, heading: str) -> str:
    """A table, below a line of text where there is one."""
    lines = [
        *((_escaped(heading), "") if heading else ()),
        _markdown_line(column.title for column in table.columns),
        "|" + "|".join("---" if c.align == "left" else "--:" for c in table.columns) + "|",
        *(_markdown_line(cell.text for cell in row) for row in table.rows),
    ]
    return "".join(f"{line}\n" for line in lines)


def _markdown_line(texts: Iterable[str]) -> str:
    return "| " + " | ".join(map(_escaped, texts)) + " |"


def _escaped(text: str) -> str:
    """The literal text: no markup, no cell borders, no HTML."""
    marked = re.sub(r"([\\`*_\[\]|~$#!{}])", r"\\\1", one_line(text))
    return html.escape(marked, quote=False)


def table_text(
    table: Table, form: Literal["markdown", "csv"], results: Sequence[Result] = ()
) -> str:
    """The table in Markdown with the caption of its results above it, or in CSV.

    CSV has the columns' keys and plain values, in seconds, bytes and operations per second.
    Secrets that the results refer to do not appear.
    """
    public = safe(table, secrets_of(result.spec for result in results))
    if form == "markdown":
        return _markdown_table(public, caption(results))
    keys = [column.key for column in public.columns]
    return csv_text(keys, ([cell.value for cell in row] for row in public.rows))
