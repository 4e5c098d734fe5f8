"""The report, for results alone: without the session's title, notes and commands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

from core.output.report import render_report, report_of_results
from core.result.result import Result


def write(results: Sequence[Result], stream: BinaryIO) -> None:
    """Write one page with everything on it."""
    stream.write(render_report(report_of_results(results)).encode())
