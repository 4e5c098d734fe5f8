"""`compare`: two sessions, or two parts of one, as a table, a sentence and an exit code."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.language import InvalidParameter, UsageError, parted, unquoted
from core.run import CLUSTER, CLUSTER_FLAG, CLUSTER_HELP, cluster_of
from core.tell.cli.compare_verdicts import SLOWER, UNDECIDED, judge, judge_import, refuse_for_import
from core.tell.cli.flags import PLACE, Declared, settings_of, whole
from core.tell.cli.session_command import (
    SESSION,
    find_session,
    read_session,
    require_agreement,
    yes_option,
)
from core.tell.cli.terminal_run import Done, Output, agree_to_requests, measure
from core.vocabulary import (
    EFFORT,
    FEWEST_TO_STOP,
    REPEATS_TO_COMPARE,
    TURNS,
    WAYS,
    Real,
    comparable,
)

if TYPE_CHECKING:
    from core.judge import Match
    from core.run import Session
    from core.vocabulary import Result

_NAME = r"[\w-]+="

_HELP = f"""Say whether B is faster than A: A is the baseline, B the candidate.

\b
A and B are SESSION, SESSION#NAME=VALUE,… or, for B, #NAME=VALUE,… in A's session. A can also be
what hyperfine wrote with --export-json; the parameters of its scan are then named as here.
{SESSION}
NAME is a parameter such as cache or page-cache, workload, run (a number that
`show` prints, or a program), or cell (a label of a published study's table). Where ,NAME= is
a part of VALUE, put quotes around VALUE.

Results are paired if all their parameters are the same, apart from those named after #. Trials
that ran interleaved are compared block by block. Between two sessions the machine may have
drifted, so the interval is widened by as much as earlier sessions here drifted. --again measures
both sides anew, in turn. With several pairs, Holm's method makes every claim stricter.

\b
Exit code: 0 every pair the same or faster; {SLOWER} some pair slower; {UNDECIDED} none slower, but some
pair undecided or not comparable (other data, wrong data, a crash, another machine, …);
2 nothing to compare."""

_EXAMPLES = """\b
Examples:
  python -m core compare before.sluice after.sluice
  python -m core compare last~1 last --margin 0.1
  python -m core compare last#cache=none '#cache=lru-locked'
  python -m core compare last#cache=lru,threads=1 last#cache=lru,threads=4 --json
  python -m core compare 'last#run=gzip -1 -c {dataset}' '#run=gzip -6 -c {dataset}'
  python -m core compare last~1 last#threads=4 --again --repeats 20
  python -m core compare laptop.sluice server.sluice --allow machine
  python -m core compare hyperfine.json last#level=3"""

_MARGIN = Real(
    name="margin",
    default=0.05,
    low=1e-6,
    high=1,
    help="Differences up to this share count as none: 0.05 is 5 %.",
)


_AGAIN = ("repeats", "session", "turns", "budget", "cluster", "yes")
"""The options that only --again has."""


@dataclass(frozen=True, kw_only=True)
class _Side:
    """What a user wrote for A or B."""

    session: str
    filters: Mapping[str, str]
    run: int | None


@click.command("compare", help=_HELP, epilog=_EXAMPLES)
@click.argument("a")
@click.argument("b")
@click.option(_MARGIN.flag, default=_MARGIN.default, **settings_of(_MARGIN))
@click.option(
    "--metric",
    metavar="METRIC",
    default="throughput",
    show_default=True,
    help=f"What is compared: {', '.join(comparable())}, or a counter of the workload of which more"
    " or less is better.",
)
@click.option(
    "--allow",
    type=click.Choice(["dataset", "machine", "version"]),
    multiple=True,
    help="Compare although this differs.",
)
@click.option(
    "--session",
    type=PLACE,
    help="Session file that --again writes or adds to.  "
    "[default: a new one in your sessions folder]",
)
@click.option(
    "--repeats",
    type=Declared(EFFORT.repeats),
    metavar="N",
    help=f"Trials of each with --again.  [default: {REPEATS_TO_COMPARE}; with --budget at least "
    f"{FEWEST_TO_STOP}]",
)
@click.option(
    "--turns",
    type=click.Choice(WAYS),
    help="How --again measures. auto: both sides take turns of about 0.1 s where they can."
    f" off: one whole trial runs after the other.  [default: {TURNS}]",
)
@click.option(
    EFFORT.budget.flag,
    type=Declared(EFFORT.budget),
    metavar="TIME",
    help="Time limit of --again. It measures until the verdicts are clear. 0 = no more than its repeats.  [default: 0]",
)
@click.option(
    CLUSTER_FLAG, metavar="ADDRESS", help=f"With --again: {CLUSTER_HELP}  [env var: {CLUSTER}]"
)
@click.option(
    "--again",
    is_flag=True,
    help="Measure both sides again, in turn and in one session, and compare these.",
)
@yes_option
@click.option("--json", is_flag=True, help="Print the verdicts as JSON.")
def compare(a: str, b: str, json: bool, again: bool, **given: Any) -> int:
    from core.judge import match

    alien = next((name for name in _AGAIN if given[name] is not None), "")
    if alien and not again:
        raise UsageError(f"--{alien} belongs to --again", f"add --again, or leave --{alien} out")
    first = _side(a)
    second = _side(b, otherwise="" if _is_foreign(first) else first.session)
    if _is_foreign(second):
        raise UsageError(
            f"{second.session} is no session: results of another program can only be A",
            "write it first",
        )
    if _is_foreign(first):
        filters = bool(first.filters or first.run)
        refuse_for_import(again=again, metric=given["metric"], filters=filters)
        return judge_import(Path(first.session), _results(second), given["margin"], json=json)
    chosen = {name for side in (first, second) for name in side.filters}
    pairing = match(_results(first), _results(second), chosen)
    sessions = [find_session(side.session) for side in (first, second)]
    if not again:
        return judge(pairing, sessions, given, json=json)
    pairing, done = _measure_again(pairing, given, sessions, json=json)
    code = judge(pairing, sessions, given, json=json)
    if not json:
        done.say_where()
    done.leave_if_interrupted()
    return code


def _measure_again(
    pairing: Match, wishes: Mapping[str, Any], sessions: Sequence[Path], *, json: bool
) -> tuple[Match, Done]:
    """Measure the sides of these pairs in turn; returns the pairs with both sides measured.

    Asks about sides that are from elsewhere; `sessions`: those that they are in.  Raises UsageError
    and DatasetError, like `core.run.measure_again.again`.
    """
    from core.judge import Match, pairs_in
    from core.run import WouldRun, again, task_of_plan

    specs = [side.spec for pair in pairing.pairs for side in pair]
    if not WouldRun.all_trusted(specs, sessions):
        require_agreement(WouldRun.of(specs), yes=bool(wishes["yes"]))
    turns, budget = wishes["turns"] or TURNS, wishes["budget"] or 0.0
    plan = again(pairing.pairs, wishes["repeats"], turns=turns, budget=budget)
    cluster = cluster_of(()) if wishes["cluster"] is None else wishes["cluster"]
    output = Output(session=wishes["session"], json=json)
    task = task_of_plan(plan, cluster=cluster)
    agree_to_requests(task, yes=bool(wishes["yes"]))
    done = measure(task, output)
    return Match(pairs=pairs_in(plan, done.results)), done


def _is_foreign(side: _Side) -> bool:
    return Path(side.session).suffix == ".json"


def _side(written: str, otherwise: str = "") -> _Side:
    """Read `SESSION#name=value,…`; an existing file with a # in its name is taken whole."""
    session, condition = _parted(written)
    filters: dict[str, str] = {}
    run: int | None = None
    # A comma separates two filters only if a name follows: labels of cells contain commas.
    for one in filter(None, parted(condition, before=_NAME)):
        name, equals, value = one.partition("=")
        if not equals:
            raise UsageError(f"{one!r} chooses nothing", "write name=value behind #")
        if name == "run" and (number := _run_number(value)) is not None:
            run = number
        else:
            filters[name.replace("-", "_")] = unquoted(value)
    if not session and not otherwise:
        raise UsageError(f"{written!r} names no session", "write last#… or a path")
    return _Side(session=session or otherwise, filters=filters, run=run)


def _parted(written: str) -> tuple[str, str]:
    """What names the session, and the filters; a # can be in a value, such as a program's."""
    if os.path.exists(written):  # noqa: PTH110 -- a Path raises where a name is too long
        return written, ""
    if begin := re.search(f"#(?={_NAME})", written):
        return written[: begin.start()], written[begin.end() :]
    session, mark, filters = written.rpartition("#")
    return (session, filters) if mark else (written, "")


def _run_number(written: str) -> int | None:
    """None for what is no number: the program of a run, perhaps."""
    try:
        return int(whole("run", low=1).kind.parse(written))
    except InvalidParameter:
        return None


def _results(side: _Side) -> tuple[Result, ...]:
    from core.judge import choose

    with read_session(find_session(side.session)) as session:
        results = session.results(side.run)
        own = {name for result in results for name in result.spec.values}
        if "run" in side.filters.keys() - own:
            raise UsageError(
                f"{side.filters['run']!r} is not the number of a run", "`show` prints the numbers"
            )
        if "cell" in side.filters.keys() - own:
            return (_cell(session, side.run, side.filters["cell"], side.session),)
    matches = choose(results, side.filters)
    if not matches:
        conditions = ", ".join(f"{name}={value}" for name, value in side.filters.items())
        raise UsageError(
            f"{side.session} has no result{' with ' + conditions if conditions else ''}"
        )
    return matches


def _cell(session: Session, run_number: int | None, label: str, named: str) -> Result:
    from core.judge import study_of

    labels: dict[str, Result] = {}
    for run in session.runs() if run_number is None else (session.run(run_number),):
        if (study := study_of(run.plan.study, run.environment.usable_cores)) is not None:
            labels |= study.results_by_label(session.results(run.id))
    if label not in labels:
        raise UsageError(f"{named} has no cell {label!r}", f"known: {'; '.join(labels) or 'none'}")
    return labels[label]
