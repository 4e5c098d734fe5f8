"""`selfcheck`: Sluice measured by its own standards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from core.cli.terminal import print_json

if TYPE_CHECKING:
    from core.selfcheck.goals import CheckReport

EXAMPLES = """\b
Examples:
  python -m core selfcheck
  python -m core selfcheck --json"""


@click.command("selfcheck", epilog=EXAMPLES)
@click.option("--json", is_flag=True, help="Print as JSON.")
def selfcheck(json: bool) -> int:
    """Measure Sluice itself in two minutes; exit code 1 where a goal is missed.

    The measuring loop against a bare one, raw reads against fio, and what sampling costs.
    """
    from core.cli.preparation_progress import told_on_terminal
    from core.selfcheck.speed import check_speed

    with told_on_terminal(quiet=json) as tell:
        report = check_speed(tell)
    return show(report, json=json)


def show(report: CheckReport, *, json: bool) -> int:
    """Print a report; returns the exit code."""
    if json:
        import msgspec

        print_json({**msgspec.to_builtins(report), "passed": report.passed})
    else:
        from core.cli.terminal_tables import print_rows

        rows = [(row.goal, row.measured, "yes" if row.passed else "no") for row in report.rows]
        print_rows(("goal", "measured", "passed"), rows)
    return 0 if report.passed else 1
