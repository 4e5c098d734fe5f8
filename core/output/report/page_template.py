"""The templates of a report, and what every text passes on its way into one.

Text from outside becomes part of a page only here: it is made visible, cut to a length and
escaped.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from markupsafe import Markup

from core.host.folders import resources_folder
from core.host.program import sluice_version
from core.language.translation import one_line
from core.output.report.chapters import Report
from core.output.report.report_tables import moment
from core.output.report.sections import Section, paragraphs
from core.output.report.svg import LINES, PATHS

if TYPE_CHECKING:
    import jinja2

_LONGEST = 1_000


def filled(name: str, report: Report, sections: Sequence[Section], **more: object) -> str:
    """A template of `resources/report` with a report in it; the same for the same report."""
    return (
        _templates()
        .get_template(name)
        .render(
            report=report,
            created=moment(report.created) if report.created is not None else "",
            notes=paragraphs(report.notes),
            sections=sections,
            version=sluice_version(),
            marks=PATHS,
            lines=LINES,
            **more,
        )
    )


@cache
def _templates() -> jinja2.Environment:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(resources_folder() / "report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["whole"] = lambda text: Markup("{}").format(one_line(text))
    return environment


def _shown(value: Any) -> Any:
    """A text fit for the page: visible, on one line, and of limited length."""
    if not isinstance(value, str) or isinstance(value, Markup):
        return value
    text = one_line(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text):,} characters)"
