"""`run` and `sweep`: from flags to a plan, through the engine, into a session and a table."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import msgspec

from core.catalog import registry
from core.catalog.load import Load
from core.cli.advice_card import (
    show_advice,
    show_diagnosis,
    show_headline,
    why_option,
)
from core.cli.flags import given, options
from core.cli.interrupt import asked_by_signal, follow
from core.errors import UsageError
from core.execution.request import PROGRAM, Request, plan_of
from core.plan.floor import FLOOR_HELP, without_bare_files
from core.plan.limits import Allowance, Effort
from core.plan.repeats import MOST_REPEATS, REPEATS, REPEATS_HELP
from core.plan.schedule import TURNS, Plan, Turns
from core.result.result import Result

if TYPE_CHECKING:
    from core.execution.events import Event
    from core.trial.cancel import Cancel


_EACH = ("threads", "processes")
"""Of these a search may find every number in a range to be the best."""


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What every measuring command can be told beside its parameters."""

    dataset: Path | None
    repeats: int
    order_seed: int
    session: Path | None
    floor: bool
    json: bool
    turns: Turns = TURNS


def common(repeats: int) -> list[click.Parameter]:
    """The options of every measuring command."""
    return [
        click.Option(
            ["--dataset"],
            type=click.Path(path_type=Path),
            help="File or folder to measure on.  [default: a generated sample]",
        ),
        click.Option(
            ["--repeats"],
            type=click.IntRange(1, MOST_REPEATS),
            metavar="N",
            default=repeats,
            show_default=True,
            help=REPEATS_HELP,
        ),
        click.Option(
            ["--order-seed"],
            type=int,
            metavar="N",
            default=1,
            show_default=True,
            help="Seed of the order of the trials.",
        ),
        click.Option(
            ["--session"],
            type=click.Path(path_type=Path),
            help="Session file to write, or to add to.  [default: a new one in your sessions folder]",
        ),
        click.Option(
            ["--floor/--no-floor"],
            default=True,
            help=FLOOR_HELP,
        ),
        click.Option(
            ["--json"], is_flag=True, help="Print every event as a line of JSON instead of a table."
        ),
    ]


def turns_option() -> click.Parameter:
    """Of the commands that measure blocks of settings."""
    return click.Option(
        ["--turns"],
        type=click.Choice(["auto", "off"]),
        default=TURNS,
        show_default=True,
        help="auto = settings of a block take turns of about 0.1 s where they can; off = one whole "
        "trial after the other.",
    )


class MeasuringCommand(click.Command):
    """A command whose help shows the workload's, the load's and the run's options apart."""

    def __init__(self, sections: dict[str, list[click.Parameter]], **settings: Any) -> None:
        super().__init__(
            params=[param for params in sections.values() for param in params], **settings
        )
        self._sections = sections

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One section per kind of option."""
        for title, params in self._sections.items():
            rows = [row for param in params if (row := param.get_help_record(ctx)) is not None]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class WorkloadGroup(click.Group):
    """One subcommand per workload, its flags made from the workload's declaration."""

    def __init__(self, *, sweeping: bool, **settings: Any) -> None:
        super().__init__(**settings)
        self._sweeping = sweeping

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
        """The measuring command of a workload; raises UnknownName, Unavailable."""
        workload = registry.load_workload(name)
        sections: dict[str, list[click.Parameter]] = {
            "Workload": [*options(workload.parameters)],
            "Load": [*options(Load)],
            "Run": [*common(REPEATS), turns_option()],
        }
        sections["Advice"] = [*options(Allowance)] if self._sweeping else [why_option()]
        axes = (
            [click.Argument(["axes"], nargs=-1, required=True, metavar="NAME=VALUES...")]
            if self._sweeping
            else []
        )
        entry = registry.workloads().get(name)
        return MeasuringCommand(
            {"": [*axes], **sections},
            name=name,
            callback=_sweep if self._sweeping else _run,
            help=entry.purpose if entry else name,
            epilog=_sweep_examples(name) if self._sweeping else _run_examples(name),
        )


def _run_examples(name: str) -> str:
    return f"""\b
Examples:
  python -m core run {name}
  python -m core run {name} --dataset DATA --threads 4 --duration 5s --repeats 5
  python -m core run {name} --dataset DATA --page-cache cold --json > events.jsonl"""


def _sweep_examples(name: str) -> str:
    return f"""\b
NAME=VALUES is threads=1,2,4,8 or threads=1..8 (doubling where the parameter is logarithmic).
Examples:
  python -m core sweep {name} threads=1..8 --dataset DATA
  python -m core sweep {name} threads=1,4 page-cache=warm,cold --repeats 5"""


run = WorkloadGroup(
    sweeping=False,
    name="run",
    help="Measure one configuration of a workload.",
    epilog="\b\nExample:\n  python -m core run fasta --dataset genome.fa.bgz --threads 4",
)
sweep = WorkloadGroup(
    sweeping=True,
    name="sweep",
    help="Measure every combination of some parameters, interleaved.",
    epilog="\b\nExample:\n  python -m core sweep fasta threads=1,2,4,8 cache=none,lru-locked",
)


@click.pass_context
def _run(ctx: click.Context, /, **values: Any) -> int:
    from core.analysis.diagnosis import probe
    from core.output.card_text import sum_up

    why = values.pop("why")
    request, wishes = requested(ctx.info_name or "", (), values)
    plan, _ = plan_of(request, dataset_for(request.workload, wishes))
    spec, asked = plan.specs[0], {one.digest for one in plan.specs}
    if why:
        specs = {one.digest: one for one in (*plan.specs, *probe(spec))}
        plan = msgspec.structs.replace(plan, specs=tuple(specs.values()))
    results = execute(plan, wishes)
    own = [result for result in results if result.spec.digest in asked]
    show_headline(sum_up(own, len(own)), json=wishes.json)
    show_diagnosis(results, spec, whole=why, json=wishes.json)
    return exit_code(results, need_all=True)


@click.pass_context
def _sweep(ctx: click.Context, /, axes: tuple[str, ...], **values: Any) -> int:
    request, wishes = requested(ctx.info_name or "", axes, values)
    plan, reasons = plan_of(request, dataset_for(request.workload, wishes))
    for reason in reasons:
        click.echo(f"left out: {reason}", err=True)
    results = execute(plan, wishes)
    show_advice(results, request.terms, json=wishes.json)
    return exit_code(results, need_all=False)


def requested(
    name: str, axes: tuple[str, ...], values: dict[str, Any], *, tune: bool = False
) -> tuple[Request, Wishes]:
    """What the parsed flags of `run`, `sweep` or `tune` ask for; raises UsageError."""
    from core.plan.sweep_axes import axis

    workload = registry.load_workload(name)
    every = _EACH if tune else ()
    parsed = tuple(axis(written, workload, every) for written in axes)
    if len({one.name for one in parsed}) < len(parsed):
        raise UsageError("an axis is given twice", "join its values: threads=1,2,4")
    wishes = wishes_from(values)
    request = Request(
        workload=name,
        tune=tune,
        values=given(values, workload.parameters) | given(values, Load),
        axes=parsed,
        terms=given(values, Effort) | given(values, Allowance),
        dataset=wishes.dataset,
        repeats=wishes.repeats,
        order_seed=wishes.order_seed,
        floor=wishes.floor,
        turns=wishes.turns,
    )
    return request, wishes


def wishes_from(values: dict[str, Any]) -> Wishes:
    """Take the common options out of the parsed ones."""
    return Wishes(
        **{
            name: values.pop(name)
            for name in ("dataset", "repeats", "order_seed", "session", "floor", "json", "turns")
            if name in values
        }
    )


def dataset_for(name: str, wishes: Wishes) -> Any:
    """The dataset the user gave, or a generated sample."""
    from core.catalog.generate import sample_dataset
    from core.catalog.inspection import find_dataset
    from core.cli.preparation_progress import told_on_terminal

    if wishes.dataset is not None:
        return find_dataset(name, wishes.dataset)
    with told_on_terminal(quiet=wishes.json) as tell:
        return sample_dataset(name, tell)


type Engine = Callable[[Plan, Cancel], Iterator[Event]]


@dataclass(frozen=True, kw_only=True)
class Done:
    """What was measured, the session it is kept in, and the signal that ended it early, or 0."""

    results: Sequence[Result]
    session: Path
    interrupted_by: int

    def tell_where(self) -> None:
        """Say on stderr where it is kept."""
        kept = "interrupted; what was measured is kept, " if self.interrupted_by else ""
        click.echo(f"{kept}session: {self.session}", err=True)

    def leave_if_interrupted(self) -> None:
        """Exit as the signal asks for; raises SystemExit."""
        if self.interrupted_by:
            sys.exit(128 + self.interrupted_by)


def execute(plan: Plan, wishes: Wishes, engine: Engine | None = None) -> Sequence[Result]:
    """`measure` a plan; prints the table; exits where it was interrupted."""
    from core.cli.terminal_tables import print_results

    done = measure(plan, wishes, engine)
    if not wishes.json:
        print_results(done.results)
        done.tell_where()
    done.leave_if_interrupted()
    return done.results


def measure(plan: Plan, wishes: Wishes, engine: Engine | None = None) -> Done:
    """Run a plan with a face, into a session; ends early where it is interrupted.

    `engine` is what carries the plan out, by default trial by trial.
    """
    from core.cli.progress_output import face
    from core.execution.engine import run as run_plan
    from core.execution.recording import begin_recording, recorded, session_for

    with closing(session_for(plan, wishes.session)) as session, asked_by_signal() as asked:
        shown = face(json=wishes.json)
        try:
            run_number = begin_recording(plan, session, command_line())
            follow(
                recorded((engine or run_plan)(plan, asked.cancel), session, run_number),
                shown,
                asked,
            )
        finally:
            shown.close()
        return Done(
            results=session.results(run_number), session=session.path, interrupted_by=asked.by
        )


def command_line() -> list[str]:
    """The command that repeats this one."""
    return [*PROGRAM, *sys.argv[1:]]


def exit_code(results: Sequence[Result], *, need_all: bool) -> int:
    """0 when the run has what it was made for: all results valid, or at least one of a sweep."""
    wanted = without_bare_files(results)
    judge = all if need_all else any
    return 0 if wanted and judge(result.valid for result in wanted) else 1
