"""`compare --again` measures both sides in turn, in one new session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli.consent import require_agreement, yes_option
from core.cli.flags import PLACE, Declared
from core.cli.measuring_flags import Output
from core.cli.terminal_run import Done, measure
from core.errors import UsageError
from core.execution.admission import CLUSTER, CLUSTER_FLAG, CLUSTER_HELP, cluster_of
from core.plan.limits import EFFORT, FEWEST_TO_STOP, REPEATS_TO_COMPARE
from core.plan.schedule import TURNS, WAYS

if TYPE_CHECKING:
    from core.analysis.pairs import Match
    from core.plan.schedule import Turns


def again_options[C: Callable[..., object]](command: C) -> C:
    """Add the options for measuring again to a command."""
    for option in (
        click.option(
            "--session",
            type=PLACE,
            help="Session file that --again writes or adds to.  "
            "[default: a new one in your sessions folder]",
        ),
        click.option(
            "--repeats",
            type=click.IntRange(1, EFFORT.repeats.high),
            metavar="N",
            help=f"Trials of each with --again.  [default: {REPEATS_TO_COMPARE}; with --budget at least "
            f"{FEWEST_TO_STOP}]",
        ),
        click.option(
            "--turns",
            type=click.Choice(WAYS),
            help="How --again measures. auto: both sides take turns of about 0.1 s where they can. off: "
            f"one whole trial runs after the other.  [default: {TURNS}]",
        ),
        click.option(
            EFFORT.budget.flag,
            type=Declared(EFFORT.budget),
            metavar="TIME",
            help="Time limit of --again. It measures until the verdicts are clear. 0 = no more than its repeats.  [default: 0]",
        ),
        click.option(
            CLUSTER_FLAG,
            metavar="ADDRESS",
            help=f"With --again: {CLUSTER_HELP}  [env var: {CLUSTER}]",
        ),
        click.option(
            "--again",
            is_flag=True,
            help="Measure both sides again, in turn and in one session, and compare these.",
        ),
        yes_option,
    ):
        command = option(command)
    return command


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """The options of --again as given; None = left out."""

    repeats: int | None = None
    session: Path | None = None
    turns: Turns | None = None
    budget: float | None = None
    cluster: str | None = None
    yes: bool | None = None

    def refuse(self) -> None:
        """Raise UsageError if one of them is given, because --again is not."""
        for field in fields(self):
            if getattr(self, field.name) is not None:
                name = f"--{field.name}"
                raise UsageError(f"{name} belongs to --again", f"add --again, or leave {name} out")


def measure_again(
    found: Match, wishes: Wishes, sessions: Sequence[Path], *, json: bool
) -> tuple[Match, Done]:
    """Measure the sides of these pairs in turn; returns the pairs with both sides measured.

    Asks about sides that are from elsewhere; `sessions`: those that they are in.  Raises UsageError
    and DatasetError, like `core.execution.measure_again.again`.
    """
    from core.analysis.pairs import Match
    from core.execution.measure_again import again, pairs_in
    from core.execution.task import task_of_plan
    from core.execution.would_run import WouldRun

    specs = [side.spec for pair in found.pairs for side in pair]
    if not WouldRun.is_trusted(specs, sessions):
        require_agreement(WouldRun.of(specs), yes=bool(wishes.yes))
    plan = again(
        found.pairs, wishes.repeats, turns=wishes.turns or TURNS, budget=wishes.budget or 0.0
    )
    cluster = cluster_of(()) if wishes.cluster is None else wishes.cluster
    done = measure(task_of_plan(plan, cluster=cluster), Output(session=wishes.session, json=json))
    return Match(pairs=pairs_in(plan, done.results)), done
