"""The report: one HTML file that shows and explains a session, and needs nothing beside it.

    with Session.read(path) as session:
        page = render_report(report_of(session))

It holds no script, loads nothing, and a browser that heeds its Content-Security-Policy would
not let it.  Its plots are drawn with the page's own colours, so that one file is right in
light, in dark and on paper.  Text from outside is spelled out and escaped where it enters the
page, in one place (`core.output.report.html_page`).
"""

from core.output.report.chapters import Card, Chapter, Report, report_of, report_of_results
from core.output.report.html_page import render_report

__all__ = ["Card", "Chapter", "Report", "render_report", "report_of", "report_of_results"]
