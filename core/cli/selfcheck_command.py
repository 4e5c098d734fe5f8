"""`selfcheck`: Sluice measured by its own standards."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from core.cli.flags import whole
from core.cli.terminal import print_json, say
from core.errors import UsageError

if TYPE_CHECKING:
    from core.catalog.dataset import Tell
    from core.selfcheck.goals import CheckReport

EXAMPLES = """\b
Examples:
  python -m core selfcheck
  python -m core selfcheck truth
  python -m core selfcheck statistics --count 200
  python -m core selfcheck tune --json"""

_MEASURED = ("speed", "truth")
_COUNTS = {"statistics": 1000, "tune": 2000}


@click.command("selfcheck", epilog=EXAMPLES)
@click.argument("what", type=click.Choice([*_MEASURED, *_COUNTS]), default="speed")
@click.option(
    "--count",
    type=click.IntRange(1, 1_000_000),
    help="Simulations of each kind.  [default: 1000 for statistics, 2000 for tune]",
)
@click.option("--seed", type=whole("seed", low=0), metavar="N", help="Seed of the simulations.")
@click.option("--json", is_flag=True, help="Print as JSON.")
def selfcheck(what: str, count: int | None, seed: int | None, json: bool) -> int:
    """Measure Sluice itself; exit code 1 where a goal is missed.

    speed (the default, 3 minutes): the measuring loop against a bare one, all of truth, and what
    sampling costs.  truth (1 to 2 minutes): the throughput of trials against what fio, where it
    is installed, and a plain loop reach, on one thread, on all cores and on eight times as many.
    statistics (10 minutes): error rates of the verdicts on simulated trials.  tune (5 minutes):
    whether the search finds the best of simulated curves, on a machine that drifts.
    """
    from core.cli.preparation_progress import told_on_terminal

    if what in _MEASURED and not (count is None and seed is None):
        raise UsageError("a measurement is not simulated", "leave out --count and --seed")
    with told_on_terminal(quiet=json) as tell:
        report = _report(what, count, seed, tell)
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


def _report(what: str, count: int | None, seed: int | None, tell: Tell) -> CheckReport:
    if what == "speed":
        from core.selfcheck.speed import check_speed

        return check_speed(tell)
    if what == "truth":
        from core.selfcheck.speed import check_truth

        return check_truth(tell)
    wanted = {"count": count or _COUNTS[what]} | ({} if seed is None else {"seed": seed})
    if what == "statistics":
        from core.selfcheck.simulated_trials import check_statistics

        return check_statistics(**wanted, tell=tell)
    from core.selfcheck.simulated_curves import check_tune

    return check_tune(**wanted, tell=tell)
