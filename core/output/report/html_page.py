"""The report as a page for browsers: one file with everything in it."""

from __future__ import annotations

from collections.abc import Sequence

from core.output.report.chapters import Report
from core.output.report.page_template import filled
from core.output.report.sections import Section, sections_of


def render_report(report: Report, sections: Sequence[Section] | None = None) -> str:
    """The page as HTML; the same for the same report.

    `sections`: those of the report, where they are known already.
    """
    return filled("report.html", report, sections_of(report) if sections is None else sections)
