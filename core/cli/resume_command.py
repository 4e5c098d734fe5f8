"""`resume`: what Ctrl+C, a reboot or a closed window interrupted goes on from where it stopped."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING

import click

from core.cli.flags import whole
from core.cli.measuring_flags import WAIT, WAIT_SETTINGS
from core.cli.session_lookup import SESSION, find_session, require_agreement, yes_option
from core.cli.terminal import agrees, say_on_stderr
from core.errors import NotTrusted, SessionError, UsageError
from core.host.other_programs import WatchOthers
from core.language.units import Seconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.result.result import Result
    from core.session import Run, Session


@click.command(
    "resume",
    help=f"Continue an interrupted run. What it measured is kept.\n\n{SESSION}"
    " A run that began elsewhere is shown in full first. It starts only if you agree.",
    epilog="\b\nExit codes are those of the command that began it. 2 if nobody agrees to what would run.\n\n"
    "\b\nExamples:\n  python -m core resume last\n  python -m core resume night.sluice --run 2\n"
    "  python -m core --path . resume last\n  python -m core resume last --wait-quiet 5min\n  python -m core resume from-a-friend.sluice --yes",
)
@click.argument("session")
@click.option(
    "--run",
    "number",
    type=whole("run", low=1),
    metavar="N",
    help="The run of this number.  [default: the last]",
)
@yes_option
@click.option("--json", is_flag=True, help="Print every event as a line of JSON.")
@click.option(WAIT.flag, **WAIT_SETTINGS)
def resume(
    session: str, number: int | None, *, yes: bool | None, json: bool, wait_quiet: Seconds
) -> int:
    """Measure what is left, and print the results of the whole run."""
    from core.cli.terminal_run import exit_code, heed_others, measure_into
    from core.cli.terminal_tables import print_results
    from core.execution.admission import cluster_of
    from core.execution.measure_again import rest_of_run
    from core.session import Session

    with closing(Session.open(find_session(session))) as opened:
        run = _chosen(opened, number)
        _agree(opened, run, yes=bool(yes))
        watched = WatchOthers()
        rest = rest_of_run(opened, run.id)
        if not cluster_of(run.command):
            heed_others(watched, wait_quiet)
        done = measure_into(opened, rest.task, lambda: run.id, json=json)
    if not json:
        print_results(done.results)
        done.say_where()
    done.leave_if_interrupted()
    if not json:
        _show_answer(run, done.results)
    return exit_code(done.results, need_all=len(run.plan.specs) == 1)


def _chosen(session: Session, number: int | None) -> Run:
    """The run that is to go on; raises UsageError for one that cannot."""
    runs = session.runs()
    if not runs:
        raise SessionError(f"{session.path.name} holds no run yet")
    run = runs[-1] if number is None else session.run(number)
    if run.plan.adaptive:
        raise UsageError(
            f"run {run.id} is a search and cannot be resumed: each step depends on all before it",
            "start it again, into the same session with --session",
        )
    if not session.remaining(run.id):
        raise UsageError(f"run {run.id} has nothing left to measure", "`show` prints its results")
    return run


def _agree(session: Session, run: Run, *, yes: bool) -> None:
    """Ask about a run from elsewhere, and say how the data has changed.

    The data is looked at after the question: it may be huge, or on a server that is gone.  Raises
    NotTrusted, DatasetError.
    """
    from core.execution.measure_again import data_changes, run_again
    from core.session.plan_trust import is_trusted, trust

    trusted = is_trusted(run)
    if not trusted:
        require_agreement(run_again(run, session.path), yes=yes)
    changes = data_changes(run.plan.specs)
    for change in changes:
        say_on_stderr(f"look out: {change}")
    if changes and not (trusted or yes or agrees("Run it anyway?")):
        raise NotTrusted("nothing was run: the data has changed", "restore the data, or add --yes")
    if not trusted:
        trust(run)


def _show_answer(run: Run, results: Sequence[Result]) -> None:
    from core.cli.advice_card import show_advice
    from core.cli.terminal_tables import print_study
    from core.study.preset import study_of

    if (study := study_of(run)) is not None:
        print_study(study, results)
    else:
        show_advice(results, run.plan.terms, json=False)
