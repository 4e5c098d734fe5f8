"""`measure`: what varies is measured against each other, in the way that suits it."""

from __future__ import annotations

import click

from core.analysis.limit_check import Allowance
from core.cli.advice_card import why_option
from core.cli.flags import options
from core.cli.measuring_command import (
    Manner,
    Output,
    WorkloadGroup,
    run_options,
    strict_option,
)
from core.cli.run_command import measure_combinations, measure_one
from core.cli.terminal import say_on_stderr
from core.cli.tune_command import measure_search
from core.execution.request import MOST_COMBINATIONS, Request, way_in_words, way_to_measure
from core.plan.limits import Effort

_ABOUT = f"""What is given several values is varied. One value of each measures that setting; up to {MOST_COMBINATIONS}
combinations are all measured, fewer where the budget is short; of more, the best number of threads
is searched, with at most one more parameter. The first line says which it is."""


def _measure(request: Request, output: Output) -> int:
    chosen = way_to_measure(request, everything=output.everything)
    if not output.json:
        say_on_stderr(way_in_words(chosen))
    if chosen.tune:
        return measure_search(chosen, output)
    return (measure_combinations if chosen.axes else measure_one)(chosen, output)


measure = WorkloadGroup(
    Manner(
        measure=_measure,
        axes=lambda: [click.Argument(["axes"], nargs=-1, metavar="[NAME=VALUES]...")],
        options=lambda: {
            "Run": [*run_options(), _all_option(), strict_option()],
            "Advice": [*options(Allowance), *options(Effort), why_option()],
        },
        examples="""NAME=VALUES is threads=1,2,4,8 or threads=1..8 (doubling where the parameter is logarithmic).
Examples:
  python -m core measure {name} --dataset DATA
  python -m core measure {name} threads=1..16 --dataset DATA --budget 60s""",
        about=_ABOUT,
    ),
    name="measure",
    help="Measure what varies against each other: one setting, all combinations, or a search.",
    epilog="\b\nExample:\n  python -m core measure fasta threads=1..16 cache=none,lru-locked --budget 60s",
)


def _all_option() -> click.Parameter:
    return click.Option(
        ["--all", "everything"],
        is_flag=True,
        help="Measure all combinations, however many, and search nothing.",
    )
