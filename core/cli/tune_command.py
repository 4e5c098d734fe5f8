"""`tune` finds the best setting; if there are many, in far fewer trials than a sweep."""

from __future__ import annotations

import click

from core.analysis.limit_check import Allowance
from core.cli.advice_card import print_advice, print_diagnosis, why_option
from core.cli.flags import options, whole
from core.cli.measuring_command import (
    Manner,
    Output,
    Sections,
    WorkloadGroup,
    budget_option,
    cluster_option,
    dataset_option,
    output_options,
    strict_option,
    turns_option,
)
from core.cli.run_command import carry_out, exit_code
from core.execution.request import Request
from core.plan.limits import EFFORT, Effort

_ABOUT = """Searches the number of threads and, if you like, the values of one more parameter. By default
the number goes from 1 to four times the cores; every number of the range may be the answer.

It measures a few numbers first, then the ones between where a better one may lie, then confirms. It
stops when more trials would not change the answer. Settings take turns of about 0.1 s, so that what
disturbs the machine disturbs all alike; a setting that is surely worse is measured no more.

Of the settings that are as good as the best, it advises the one that takes the least memory, open
files and threads. It says how long a sweep of the same settings would take. Ctrl+C keeps what was
measured and gives the best answer so far. `seed` cannot be searched."""

_EXAMPLES = """Examples:
  python -m core tune {name} --dataset DATA
  python -m core tune {name} threads=1..32 processes=1,2,4 --dataset DATA --budget 2min
  python -m core tune {name} threads=1..16 --duration 1s --most-memory 2GiB --most-p99 50ms"""


def _axes() -> list[click.Parameter]:
    return [click.Argument(["axes"], nargs=-1, metavar="[threads=LOW..HIGH] [NAME=VALUES]")]


def _options() -> Sections:
    return {
        "Search": [budget_option(EFFORT.search_budget.help), *options(Effort), _seed_option()],
        "Advice": [*options(Allowance), why_option()],
        "Run": [
            dataset_option(),
            *output_options(),
            turns_option(),
            cluster_option(),
            strict_option(),
        ],
    }


def _seed_option() -> click.Parameter:
    return click.Option(
        ["--search-seed", "order_seed"],
        type=whole("search_seed"),
        metavar="N",
        default=1,
        show_default=True,
        help="Seed of the order of the trials.",
    )


def measure_search(request: Request, output: Output) -> int:
    """Search and print the advice; returns the exit code."""
    done = carry_out(request, output)
    advice, diagnosis = done.run.advice, done.run.diagnosis
    if advice is not None and not output.json:
        print_advice(advice)
    if diagnosis is not None and not output.json:
        print_diagnosis(diagnosis, whole=request.why)
    done.leave_if_interrupted()
    if advice is None or not advice.values:
        return 1
    return exit_code(done.results, need_all=True) if output.strict else 0


tune = WorkloadGroup(
    Manner(
        measure=measure_search,
        axes=_axes,
        options=_options,
        examples=_EXAMPLES,
        about=_ABOUT,
        tune=True,
    ),
    name="tune",
    help="Search for the best setting of a workload. Of many settings, it measures far fewer than a sweep.",
    epilog="\b\nExample:\n  python -m core tune fasta threads=1..16 cache=none,lru-locked",
)
