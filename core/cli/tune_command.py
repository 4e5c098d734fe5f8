"""`tune`: the best setting, of many in far fewer trials than a sweep of them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from core.catalog import registry
from core.catalog.load import Load
from core.cli.advice_card import print_advice, print_diagnosis, why_option
from core.cli.flags import options
from core.cli.run_command import (
    MeasuringCommand,
    Wishes,
    common,
    dataset_for,
    execute,
    requested,
)
from core.execution.request import Request, search_for_request
from core.plan.limits import Allowance, Effort
from core.plan.repeats import REPEATS
from core.plan.schedule import Plan

if TYPE_CHECKING:
    from core.analysis.advice import Advice
    from core.analysis.diagnosis import Diagnosis
    from core.execution.events import Event
    from core.trial.cancel import Cancel


class TuneGroup(click.Group):
    """One subcommand per workload, its flags made from the workload's declaration."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names of all workloads."""
        return list(registry.workloads())

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The table of workloads, without importing them."""
        with formatter.section("Workloads"):
            formatter.write_dl(
                [(entry.name, entry.purpose) for entry in registry.workloads().values()]
            )

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """The command of a workload; raises UnknownName, Unavailable."""
        workload = registry.load_workload(name)
        run = [option for option in common(1) if option.name not in ("repeats", "order_seed")]
        axes = click.Argument(["axes"], nargs=-1, metavar="[threads=LOW..HIGH] [NAME=VALUES]")
        entry = registry.workloads().get(name)
        return MeasuringCommand(
            {
                "": [axes],
                "Workload": [*options(workload.parameters)],
                "Load": [*options(Load)],
                "Search": [*options(Effort), _seed_option()],
                "Advice": [*options(Allowance), why_option()],
                "Run": run,
            },
            name=name,
            callback=_tune,
            help=f"{entry.purpose if entry else name}\n\n{_ABOUT}",
            epilog=_examples(name),
        )


_ABOUT = """Searches the number of threads (every number of a range may be the answer; by default 1 to
four times the cores) and, if you like, the values of one more parameter. It measures a coarse
ladder, then where something better could hide, then confirms; it stops when more trials would not
change the answer. What it saves grows with the number of settings and shrinks with the noise: the
answer says how many trials a sweep of the same settings takes, and one as precise. A seed is
nothing to choose: every setting is measured with each. Ctrl+C keeps what was measured and gives
the best answer so far."""


def _examples(name: str) -> str:
    return f"""\b
Examples:
  python -m core tune {name} --dataset DATA
  python -m core tune {name} threads=1..32 processes=1,2,4 --dataset DATA
  python -m core tune {name} threads=1..16 --duration 1s --most-memory 2GiB --most-p99 50ms"""


def _seed_option() -> click.Parameter:
    return click.Option(
        ["--search-seed"],
        type=int,
        default=1,
        show_default=True,
        help="Seed of the order of the trials.",
    )


tune = TuneGroup(
    name="tune",
    help="Find the best setting of a workload; where there are many, in far fewer trials than a sweep"
    " of them all takes.",
    epilog="\b\nExample:\n  python -m core tune fasta threads=1..16 cache=none,lru-locked",
)


@click.pass_context
def _tune(ctx: click.Context, /, axes: tuple[str, ...], **values: Any) -> int:
    from core.execution.events import Advised, Diagnosed
    from core.execution.search.tune import tune as search_for
    from core.host.environment import describe_environment

    why = values.pop("why")
    request, wishes = requested_search(ctx.info_name or "", axes, values)
    search, reasons = search_for_request(request, dataset_for(request.workload, wishes), why=why)
    for text in reasons:
        click.echo(f"left out: {text}", err=True)
    advice: list[Advice] = []
    diagnoses: list[Diagnosis] = []

    def engine(plan: Plan, cancel: Cancel) -> Iterator[Event]:
        for event in search_for(search, describe_environment(), cancel):
            if isinstance(event, Advised):
                advice.append(event.advice)
            elif isinstance(event, Diagnosed):
                diagnoses.append(event.diagnosis)
            yield event

    try:
        execute(search.plan, wishes, engine)
    finally:  # execute leaves by sys.exit when it was interrupted
        if advice and not wishes.json:
            print_advice(advice[0])
            for found in diagnoses:
                print_diagnosis(found, whole=why)
    return 0 if advice and advice[0].values else 1


def requested_search(
    name: str, axes: tuple[str, ...], values: dict[str, Any]
) -> tuple[Request, Wishes]:
    """What the parsed flags of `tune` ask for; raises UsageError."""
    seed = values.pop("search_seed")
    return requested(name, axes, values | {"repeats": REPEATS, "order_seed": seed}, tune=True)
