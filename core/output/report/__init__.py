"""The report: one self-contained HTML file that shows and explains a session.

    with Session.read(path) as session:
        page = render_report(report_of(session))

It has no script and loads nothing, and its Content-Security-Policy forbids both.  Its plots use the
page's own colours, so that one file works in light, in dark and on paper.  Text from outside is
made visible and escaped in one place, `core.output.report.page_template`, where it enters the page.

`render_paper` makes the same report for a window that shows, prints and saves it.
"""

from core.output.report.chapters import Card, Chapter, Report, report_of, report_of_results
from core.output.report.html_page import render_report
from core.output.report.paper import Paper, render_paper

__all__ = [
    "Card",
    "Chapter",
    "Paper",
    "Report",
    "render_paper",
    "render_report",
    "report_of",
    "report_of_results",
]
