"""`compare --again` measures both sides in turn, in one new session."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli.measuring_command import Output
from core.cli.run_command import Done, measure
from core.errors import UsageError
from core.plan.repeats import MOST_REPEATS
from core.plan.schedule import TURNS_AGAIN, WAYS

if TYPE_CHECKING:
    from core.analysis.comparison import Match
    from core.plan.schedule import Turns

TRIALS_OF_EACH = 10
"""Trials of each side: twice the minimum for a verdict."""


def again_options[C: Callable[..., object]](command: C) -> C:
    """Add the options for measuring again to a command."""
    for option in (
        click.option(
            "--session",
            type=click.Path(path_type=Path),
            help="Session file that --again writes, or adds to.  "
            "[default: a new one in your sessions folder]",
        ),
        click.option(
            "--repeats",
            type=click.IntRange(1, MOST_REPEATS),
            metavar="N",
            help=f"Trials of each with --again.  [default: {TRIALS_OF_EACH}]",
        ),
        click.option(
            "--turns",
            type=click.Choice(WAYS),
            help="How --again measures: auto = both sides take turns of about 0.1 s where they can; "
            f"off = one whole trial after the other.  [default: {TURNS_AGAIN}]",
        ),
        click.option(
            "--again",
            is_flag=True,
            help="Measure both sides anew and in turn, in one new session, and compare that.",
        ),
    ):
        command = option(command)
    return command


def measure_again(
    found: Match,
    repeats: int | None,
    session: Path | None,
    turns: Turns | None,
    *,
    json: bool,
) -> tuple[Match, Done]:
    """Measure the sides of these pairs in turn; returns the pairs with both sides measured.

    Raises UsageError and DatasetError, like `core.execution.measure_again.again`.
    """
    from core.analysis.comparison import Match
    from core.execution.measure_again import again
    from core.execution.request import task_of_plan

    wanted = again(found.pairs, repeats or TRIALS_OF_EACH, turns or TURNS_AGAIN)
    done = measure(task_of_plan(wanted.plan), Output(session=session, json=json))
    return Match(pairs=wanted.pairs_in(done.results)), done


def refuse_without(repeats: int | None, session: Path | None, turns: Turns | None) -> None:
    """Raise UsageError if an option of --again is given without it."""
    for name, value in (("--repeats", repeats), ("--session", session), ("--turns", turns)):
        if value is not None:
            raise UsageError(f"{name} belongs to --again", f"add --again, or leave {name} out")
