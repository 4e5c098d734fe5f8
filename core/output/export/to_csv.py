"""One row for each trial, as CSV.

Spreadsheets run cells that begin like a formula.  Such text gets an apostrophe in front, so that
they show it as text; numbers are written as numbers.
https://owasp.org/www-community/attacks/CSV_Injection
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, BinaryIO

from core.language.translation import one_line
from core.output.export.trial_rows import columns_of

if TYPE_CHECKING:
    from core.catalog.parameters import Value
    from core.result.result import Result
    from core.tables.table import Table

_FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20|%")  # with the wide forms that some locales take


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write a line of names and one for each trial."""
    columns = columns_of(results)
    text = io.StringIO(newline="")
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(_cell(column.name) for column in columns)
    for result in results:
        for trial in result.trials:
            rows.writerow(_cell(column.look(result, trial)) for column in columns)
    stream.write(text.getvalue().encode())


def table_text(table: Table) -> str:
    """A line of the columns' keys and one for each row of values."""
    keys = [column.key for column in table.columns]
    return csv_text(keys, ([cell.value for cell in row] for row in table.rows))


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
