"""`compare`: two sessions, or two parts of one, as a table, a sentence and an exit code."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from core.catalog.parameters import Real
from core.cli.compare_again import Wishes, again_options, measure_again
from core.cli.flags import Declared, whole
from core.cli.session_lookup import find_session, read_session
from core.cli.terminal import print_json, say, say_on_stderr
from core.errors import InvalidParameter, UsageError
from core.language.units import parted, unquoted
from core.result.metrics import comparable, metric_named

if TYPE_CHECKING:
    from core.analysis.pairs import Match
    from core.analysis.verdict import Verdict
    from core.result.result import Result
    from core.session import Session

SLOWER, UNDECIDED = 3, 4
_NAME = r"[\w-]+="

_HELP = f"""Say whether B is faster than A: A is the baseline, B the candidate.

\b
A and B are SESSION, SESSION#NAME=VALUE,… or, for B, #NAME=VALUE,… in A's session. A can also be
what hyperfine wrote with --export-json; the parameters of its scan are then named as here.
SESSION is a path, or last, last~1, … for the newest in your sessions folder.
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


@dataclass(frozen=True, kw_only=True)
class _Side:
    """What a user wrote for A or B."""

    session: str
    wanted: Mapping[str, str]
    run: int | None


@click.command("compare", help=_HELP, epilog=_EXAMPLES)
@click.argument("a")
@click.argument("b")
@click.option(
    "--margin",
    type=Declared(_MARGIN),
    metavar="X",
    default=_MARGIN.default,
    show_default=True,
    help=_MARGIN.help,
)
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
@again_options
@click.option("--json", is_flag=True, help="Print the verdicts as JSON.")
def compare(a: str, b: str, json: bool, **wishes: Any) -> int:
    """Print the verdicts; the exit code is for pipelines."""
    from core.analysis.pairs import closest, match

    first = _side(a)
    second = _side(b, otherwise="" if _is_foreign(first) else first.session)
    if _is_foreign(second):
        raise UsageError(
            f"{second.session} is no session: results of another program can only be A",
            "write it first",
        )
    if _is_foreign(first):
        return _against_import(first, second, wishes, json=json)
    chosen = {name for side in (first, second) for name in side.wanted}
    found = match(_results(first), _results(second), chosen)
    if not found.pairs:
        names = closest(_results(first), _results(second))
        raise UsageError(
            f"no result of A has the same parameters as one of B: they differ in {', '.join(names)}",
            "name the parameters that differ after #, such as A#cache=none B#cache=lru",
        )
    measuring = Wishes(**{field.name: wishes.pop(field.name) for field in fields(Wishes)})
    if not wishes.pop("again"):
        measuring.refuse()
        return _judge(found, first, second, json=json, **wishes)
    sessions = [find_session(side.session) for side in (first, second)]
    found, done = measure_again(found, measuring, sessions, json=json)
    code = _judge(found, first, second, json=json, **wishes)
    if not json:
        done.tell_where()
    done.leave_if_interrupted()
    return code


def _is_foreign(side: _Side) -> bool:
    return Path(side.session).suffix == ".json"


def _against_import(first: _Side, second: _Side, wishes: dict[str, Any], *, json: bool) -> int:
    """The same where A was measured by another program."""
    from core.cli.compare_imported import against_import, refuse

    measuring = Wishes(**{field.name: wishes.pop(field.name) for field in fields(Wishes)})
    measuring.refuse()
    refuse(wishes, filters=bool(first.wanted or first.run))
    verdicts = against_import(Path(first.session), _results(second), wishes["margin"])
    if json:
        _print_json(verdicts)
    else:
        for verdict in verdicts:
            say(verdict.sentence)
    return exit_code(verdicts)


def _judge(found: Match, first: _Side, second: _Side, *, json: bool, **terms: Any) -> int:
    """Print the verdicts on these pairs; returns the exit code."""
    from core.analysis.comparison import compare_all
    from core.analysis.pairs import Difference
    from core.analysis.session_drift import past_among

    verdicts = compare_all(
        found.pairs,
        margin=terms["margin"],
        metric=terms["metric"],
        allowed=[Difference(one) for one in terms["allow"]],
        past_of=past_among([find_session(side.session) for side in (first, second)]),
    )
    if json:
        _print_json(verdicts)
    else:
        _print_table(found, verdicts, terms["metric"])
    return exit_code(verdicts)


def exit_code(verdicts: Sequence[Verdict]) -> int:
    """0 same or faster, 3 some slower, 4 none slower but some undecided or invalid.

    INVALID shares its code with UNDECIDED: to a pipeline both mean that nothing was shown.
    A 1 would look like a failure of the command itself.
    """
    from core.analysis.verdict import VerdictKind

    kinds = {verdict.kind for verdict in verdicts} or {VerdictKind.UNDECIDED}
    if VerdictKind.SLOWER in kinds:
        return SLOWER
    return UNDECIDED if kinds & {VerdictKind.UNDECIDED, VerdictKind.INVALID} else 0


def _side(written: str, otherwise: str = "") -> _Side:
    """Read `SESSION#name=value,…`; an existing file with a # in its name is taken whole."""
    session, filters = _parted(written)
    wanted: dict[str, str] = {}
    run: int | None = None
    # A comma separates two filters only if a name follows: labels of cells contain commas.
    for one in filter(None, parted(filters, before=_NAME)):
        name, equals, value = one.partition("=")
        if not equals:
            raise UsageError(f"{one!r} chooses nothing", "write name=value behind #")
        if name == "run" and (number := _run_number(value)) is not None:
            run = number
        else:
            wanted[name.replace("-", "_")] = unquoted(value)
    if not session and not otherwise:
        raise UsageError(f"{written!r} names no session", "write last#… or a path")
    return _Side(session=session or otherwise, wanted=wanted, run=run)


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
    from core.analysis.pairs import choose

    with read_session(find_session(side.session)) as session:
        results = session.results(side.run)
        own = {name for result in results for name in result.spec.values}
        if "run" in side.wanted.keys() - own:
            raise UsageError(
                f"{side.wanted['run']!r} is not the number of a run", "`show` prints the numbers"
            )
        if "cell" in side.wanted.keys() - own:
            return (_cell(session, side.run, side.wanted["cell"], side.session),)
    found = choose(results, side.wanted)
    if not found:
        told = ", ".join(f"{name}={value}" for name, value in side.wanted.items())
        raise UsageError(f"{side.session} has no result{' with ' + told if told else ''}")
    return found


def _cell(session: Session, run_number: int | None, label: str, named: str) -> Result:
    from core.study.preset import load_study, study_names

    labels: dict[str, Result] = {}
    for run in session.runs() if run_number is None else (session.run(run_number),):
        if run.plan.study in study_names():
            found = load_study(run.plan.study, run.environment.usable_cores)
            labels |= found.results_by_label(session.results(run.id))
    if label not in labels:
        raise UsageError(f"{named} has no cell {label!r}", f"known: {'; '.join(labels) or 'none'}")
    return labels[label]


def _print_json(verdicts: Sequence[Verdict]) -> None:
    import msgspec

    told = [msgspec.to_builtins(verdict) | {"sentence": verdict.sentence} for verdict in verdicts]
    line = {"type": "compared", "verdicts": told, "exit_code": exit_code(verdicts)}
    print_json(line)


def _print_table(found: Match, verdicts: Sequence[Verdict], metric: str) -> None:
    from core.cli.terminal_tables import print_rows
    from core.language.units import show_ratio
    from core.tables.results_table import metric_cell

    rows = []
    for (a, b), verdict in zip(found.pairs, verdicts, strict=True):
        rows.append(
            (
                verdict.baseline,
                metric_cell(a, metric).text,
                verdict.candidate,
                metric_cell(b, metric).text,
                show_ratio(verdict.ratio) if verdict.ratio is not None else "–",
                _interval(verdict),
                verdict.kind.value,
            )
        )
    title = metric_named(metric).name
    titles = ("baseline", title, "candidate", title, "ratio", "95 % interval", "")
    print_rows(titles, rows, right=(1, 3, 4))
    for line in _conclusion(found, verdicts):
        say(line)
    for name, lonely in (("A", found.lonely_baselines), ("B", found.lonely_candidates)):
        if lonely:
            say_on_stderr(f"{len(lonely)} of {name} have no counterpart and were left out.")


def _conclusion(found: Match, verdicts: Sequence[Verdict]) -> list[str]:
    """One verdict in words; for several the count of each kind, and every reason once."""
    from core.analysis.trust import doubt_about_machine

    if not verdicts:
        return ["Nothing was measured of both sides."]
    if len(verdicts) == 1:
        return [verdicts[0].sentence]
    kinds = Counter(verdict.kind.value for verdict in verdicts)
    reasons = Counter(reason for verdict in verdicts for reason in verdict.reasons)
    doubted = [
        side
        for pair, verdict in zip(found.pairs, verdicts, strict=True)
        if verdict.doubt
        for side in pair
    ]
    return [
        f"{len(verdicts)} pairs: {', '.join(f'{count} {kind}' for kind, count in kinds.items())}.",
        *(f"{count} of them: {reason}." for reason, count in reasons.most_common()),
        *filter(None, [doubt_about_machine(doubted)]),
    ]


def _interval(verdict: Verdict) -> str:
    from core.language.units import show_ratio

    if verdict.low is None or verdict.high is None:
        return "–"
    return f"{show_ratio(verdict.low)} to {show_ratio(verdict.high)}"
