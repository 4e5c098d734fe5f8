"""One neutral table as text for a clipboard, as it is shown."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from core.language.sanitise import safe
from core.output.export import to_csv, to_markdown
from core.plan.spec import secrets_of

if TYPE_CHECKING:
    from core.plan.spec import RunSpec
    from core.tables.table import Table


def table_text(
    table: Table, form: Literal["markdown", "csv"], specs: Iterable[RunSpec] = (), told: str = ""
) -> str:
    """The table in Markdown with `told` above it, or in CSV.

    CSV has the columns' keys and plain values, in seconds, bytes and operations per second.
    Secrets that the specs refer to do not appear.
    """
    shown = safe(table, secrets_of(specs))
    return to_markdown.table_text(shown, told) if form == "markdown" else to_csv.table_text(shown)
