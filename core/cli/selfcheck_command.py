"""`selfcheck`: Sluice measured by its own standards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from core.cli.terminal import print_json, say

if TYPE_CHECKING:
    from core.selfcheck.cost import CheckReport

EXAMPLES = """\b
Examples:
  python -m core selfcheck
  python -m core selfcheck truth --json"""


@click.command("selfcheck", epilog=EXAMPLES)
@click.argument("what", type=click.Choice(["speed", "truth"]), default="speed")
@click.option("--json", is_flag=True, help="Print as JSON.")
def selfcheck(what: str, json: bool) -> int:
    """Measure Sluice itself. Exit code 1 if a goal is missed.

    speed, the default, takes 3 minutes. It measures the cost of the loop and of sampling, and does
    all of truth.  truth takes 1 to 2 minutes. It compares the throughput of trials with a plain
    loop and with fio, where fio is installed: on one thread, all cores and eight times as many.
    """
    from core.cli.terminal import told_on_terminal
    from core.selfcheck.truth import check_speed, check_truth

    with told_on_terminal(quiet=json) as tell:
        report = check_truth(tell) if what == "truth" else check_speed(tell)
    return show(report, json=json)


def show(report: CheckReport, *, json: bool) -> int:
    """Print a report; returns the exit code."""
    if json:
        import msgspec

        told = {"passed": report.passed, "verdict": report.verdict}
        print_json(msgspec.to_builtins(report) | told)
    else:
        from core.cli.terminal_tables import print_rows

        rows = [(row.goal, row.measured, "yes" if row.passed else "no") for row in report.rows]
        print_rows(("goal", "measured", "passed"), rows)
        say(f"{report.title}: {report.verdict}")
    return 0 if report.passed else 1
