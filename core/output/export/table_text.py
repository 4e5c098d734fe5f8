"""One neutral table as text for a clipboard, as it is shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from core.language.sanitise import safe
from core.output.export import to_csv, to_markdown
from core.plan.spec import secrets_of
from core.tables.results_table import caption

if TYPE_CHECKING:
    from core.result.result import Result
    from core.tables.table import Table


def table_text(
    table: Table, form: Literal["markdown", "csv"], results: Sequence[Result] = ()
) -> str:
    """The table in Markdown with the caption of its results above it, or in CSV.

    CSV has the columns' keys and plain values, in seconds, bytes and operations per second.
    Secrets that the results refer to do not appear.
    """
    shown = safe(table, secrets_of(result.spec for result in results))
    return (
        to_markdown.table_text(shown, caption(results))
        if form == "markdown"
        else to_csv.table_text(shown)
    )
