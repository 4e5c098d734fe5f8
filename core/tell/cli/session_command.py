"""Sessions: which one a user means, and `show`, `export`, `report`, `salvage` and `import`."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.judge import study_of
from core.language import NotTrusted, SessionError, UsageError, one_line, show_seconds, tr
from core.measure import sessions_folder, without_bare_files
from core.run import Session, newest_first
from core.tell.cli.flags import PLACE, STANDARD_OUTPUT, Place, given, options, whole
from core.tell.cli.terminal import agrees, print_data, print_written, say, say_on_stderr
from core.tell.cli.terminal_results import (
    print_account,
    print_diagnosis,
    print_imported,
    print_results,
    print_study,
    print_table,
    show_headline,
)
from core.tell.exchange import format_for, format_named, write_whole
from core.tell.tables.result_tables import tabulate_nodes
from core.vocabulary import Prices, Result, subjects_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.run import Run, WouldRun
    from core.tell.exchange import Format
    from core.vocabulary import Value

SESSION = "SESSION is a path, or last, last~1, … for the newest in your sessions folder."
"""What every command says about what names a session."""

_SUFFIX = ".sluice"
_DIGITS = 9
"""Of a number behind `last~`: more are none, and Python reads no number as long as a book."""


def read_session(path: Path) -> Session:
    """A session to read; says on stderr if a newer Sluice has written it.  Raises SessionError."""
    session = Session.read(path)
    try:
        if remark := session.newer:
            say_on_stderr(f"look out: {remark}")
    except SessionError:
        session.close()
        raise
    return session


def find_session(name: str) -> Path:
    """The session file that a user named; raises SessionError if there is none.

    `last`, `last~1`, … go by age in the sessions folder; `./last` is a file of that name.  If no
    file here has the name, it can be in the sessions folder, with or without its ending.
    """
    if not name:
        raise SessionError("no session is named", "name a file, or last")
    place, _, back = name.partition("~")
    if place == "last" and (not back or back.isdecimal()) and len(back) <= _DIGITS:
        return _by_age(name, int(back or 0))
    here = Path(name)
    own = [sessions_folder() / end for end in (name, name + _SUFFIX)] if here.name == name else []
    for path in (here, *own):
        if path.is_file():
            return path
    if here.is_dir():
        raise SessionError(f"{one_line(name)} is a folder", f"name a {_SUFFIX} file in it")
    raise SessionError(f"there is no session {one_line(name)}", "name a file, or last")


def _by_age(name: str, back: int) -> Path:
    files = newest_first(sessions_folder())
    if back < len(files):
        return files[back][0]
    there = {0: "there is none yet", 1: "there is one"}.get(len(files), f"there are {len(files)}")
    where = one_line(str(sessions_folder()))
    raise SessionError(f"no session {name}: {there} in {where}", "name a file")


yes_option = click.option(
    "--yes",
    is_flag=True,
    default=None,
    help="Agree to what a session from elsewhere would run, and to many requests to a server.",
)


def require_agreement(run: WouldRun, *, yes: bool) -> None:
    """Say what would run, and ask; raises NotTrusted where nobody agrees."""
    say_on_stderr("look out: this was not started here by you. It would run:")
    for line in run.lines:
        say_on_stderr(f"  {line}")
    count = tr("1 line above says what", "{count} lines above say what", count=len(run.lines))
    count += ", and not all of it" * run.cut
    if not (yes or agrees(f"Run it? The {count}.")):
        raise NotTrusted(
            "nothing was run: it needs your agreement", "read what it would run, then add --yes"
        )


_RUN = click.option(
    "--run",
    "number",
    type=whole("run", low=1),
    metavar="N",
    help="Only the run of this number.  [default: all]",
)


@click.command(
    "show",
    params=[*options(Prices)],
    help=f"Show what a session holds.\n\n{SESSION}",
    epilog="\b\nExamples:\n  python -m core show last\n  python -m core show last --why\n  python -m core show last --nodes\n  python -m core show night.sluice --run 2 --json",
)
@click.argument("session")
@_RUN
@click.option("--why", is_flag=True, help="Also say what limits each result, with the evidence.")
@click.option("--nodes", is_flag=True, help="Also show what each node of a cluster did.")
@click.option("--json", is_flag=True, help="Print the results as JSON, as export does.")
def show(
    session: str, number: int | None, *, why: bool, nodes: bool, json: bool, **prices: str | None
) -> None:
    own = given(prices, Prices)
    with read_session(find_session(session)) as opened:
        if json:
            _print_export(opened.results(number), format_named("json"))
            return
        runs = [opened.run(number)] if number is not None else opened.runs()
        say(f"{opened.title or opened.path.name}  ({opened.path})")
        for run in runs:
            terms = run.plan.terms | own
            results = opened.results(run.id, **Prices.on_wire(terms))
            _print_run(run, results, terms)
            if nodes:
                _print_nodes(results)
            if why:
                _print_reasons(results)
        for note in opened.notes():
            first, *others = note.text.splitlines() or [""]
            for line in (f"note: {first}", *(f"      {other}" for other in others)):
                say(line)


def _print_run(run: Run, results: Sequence[Result], terms: Mapping[str, Value]) -> None:
    """The sentence first, then the table against the setting that it names."""
    from core.desk import chosen_result
    from core.judge import reproduction_of
    from core.tell.card_text import answer_of, progress_of
    from core.tell.checked import checked_in

    measured = without_bare_files(results)
    study = study_of(run.plan.study, run.environment.usable_cores)
    reproduction = reproduction_of(study, results) if study is not None else None
    progress = progress_of(run, len(measured), run.trials)
    answer = answer_of(results, progress, reproduction)
    say()
    say(_heading(run, measured))
    show_headline(answer.headline, json=False)
    compared = checked_in(results, run.plan.specs).text
    if compared not in answer.headline.detail:
        say(f"  {compared}")
    for subject in subjects_of(result.spec for result in results):
        say(subject)
    for line in _versions(results):
        say(line)
    print_account(results, answer.advice, terms)
    print_results(results, best=chosen_result(measured, answer.advice) if measured[1:] else None)
    if study is not None:
        print_study(study, results, answered=True)


def _versions(results: Sequence[Result]) -> Sequence[str]:
    """What was used besides Sluice, in one line; a line for each where trials used several."""
    versions = {
        ", ".join(f"{name} {version}" for name, version in trial.versions.items())
        for result in results
        for trial in result.trials
        if trial.versions
    }
    return [f"with {line}" for line in sorted(versions)]


def _print_reasons(results: Sequence[Result]) -> None:
    from core.judge import describe_file_systems, describe_measuring, diagnose

    for sentence in (*describe_file_systems(results), *describe_measuring(results)):
        say(sentence)
    for result in results:
        print_diagnosis(diagnose(result, results), whole=True)


def _print_nodes(results: Sequence[Result]) -> None:
    table = tabulate_nodes(results)
    if table.rows:
        print_table(table)
    else:
        say("nothing of this run was measured on a cluster")


def _heading(run: Run, results: Sequence[Result]) -> str:
    begun = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started))
    took = f", {show_seconds(run.seconds)}" if run.seconds is not None else ""
    how = run.how or "unfinished: still running, or killed"
    recorded = sum(len(result.trials) for result in results)
    counting = sum(len(result.finished_trials) for result in results)
    trials = tr("1 trial", "{count:,} trials", count=counting)
    if counting < recorded:
        trials = f"trials that count: {counting:,} of {recorded:,}"
    return f"run {run.id}: {run.plan.title}, {begun}{took}, {trials}, {how}"


@click.command(
    "export",
    help=f"Write a session's results in another format. The file's ending says which.\n\n{SESSION}",
    epilog="""\b
Examples:
  python -m core export last -o results.csv
  python -m core export last --format markdown
  python -m core export last --format json | jq '.results[].spec.parameters'""",
)
@click.argument("session")
@click.option(
    "-o", "--output", type=Place(allow_dash=True), help="File to write; - is stdout.  [default: -]"
)
@click.option(
    "--format",
    "form",
    help="json, csv, markdown, html, parquet, openmetrics, hyperfine, json-schema.",
)
@click.option("--force", is_flag=True, help="Replace the file if it exists.")
@_RUN
def export(
    session: str, output: Path | None, form: str | None, force: bool, number: int | None
) -> None:
    if output == STANDARD_OUTPUT:
        output = None
    if form is not None:
        chosen = format_named(form)
    elif output is not None:
        chosen = format_for(output)
    else:
        raise UsageError(
            "no format is given", "add --format, or -o with an ending that names the format"
        )
    if output is not None and output.is_file() and not force:
        raise _there_already(output)
    with read_session(find_session(session)) as opened:
        results = opened.results(number)
    if output is not None:
        chosen.export(results, output, overwrite=force)
        say_on_stderr(str(output))
    else:
        _print_export(results, chosen)


def _there_already(target: Path) -> UsageError:
    return UsageError(
        f"{target} exists already", "replace it with --force, or choose another with -o"
    )


def _print_export(results: Sequence[Result], form: Format) -> None:
    print_written(lambda stream: form.export(results, stream))


@click.command(
    "import",
    help="Show results from Sluice's JSON export, from hyperfine or from fio.",
    epilog="\b\nExamples:\n  python -m core import results.json\n  python -m core import fio.json",
)
@click.argument("file", type=PLACE)
def import_results(file: Path) -> int:
    """Print what a foreign file holds as a table; exit code 1 where it has no figure."""
    from core.tell.exchange.imported import read

    results = read(file)
    own = [one for one in results if isinstance(one, Result)]
    if own:
        print_results(own)
        return 0
    others = [one for one in results if not isinstance(one, Result)]
    print_imported(others)
    return 0 if any(one.values for one in others) else 1


@click.command(
    "salvage",
    help="Copy what can be read of a damaged session into a new one. The damaged file stays as it is."
    f"\n\n{SESSION}",
    epilog="\b\nExit code 0 if everything was saved, 1 if something is lost, 2 if nothing can be read.\n\n\b\nExamples:\n  python -m core salvage night.sluice\n"
    "  python -m core salvage night.sluice -o saved.sluice",
)
@click.argument("session")
@click.option(
    "-o",
    "--output",
    type=PLACE,
    help="File to write.  [default: the session's name with “ salvaged”, beside it]",
)
def salvage(session: str, output: Path | None) -> int:
    from core.run import salvage as save

    path = find_session(session)
    saved = save(path, output)
    say_on_stderr(saved.sentence)
    say(str(saved.place))
    return 0 if saved.whole else 1


@click.command(
    "report",
    help=f"Write SESSION as one HTML file with its plots, tables and caveats.\n\n{SESSION}",
    epilog="""\b
Examples:
  python -m core report last --open
  python -m core report fasta.sluice -o fasta.html
  python -m core report fasta.sluice --run 2 -o -""",
)
@click.argument("session")
@click.option(
    "-o",
    "--output",
    type=Place(allow_dash=True),
    help="File to write; - is stdout.  [default: the session's name with .html, here]",
)
@_RUN
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
def report(session: str, output: Path | None, number: int | None, force: bool, show: bool) -> None:
    from core.tell.report.page import render_report
    from core.tell.report.report_content import report_of

    path = find_session(session)
    if show and output == STANDARD_OUTPUT:
        raise UsageError("what goes to stdout cannot be opened", "leave out --open or -o -")
    target = output or Path(f"{path.stem}.html")
    if target != STANDARD_OUTPUT and not force and target.is_file():
        raise _there_already(target)  # checked before the work, and again at the end
    with read_session(path) as opened:
        page = render_report(report_of(opened, number)).encode()
    if target == STANDARD_OUTPUT:
        print_data(page)
        return
    write_whole(target, lambda stream: stream.write(page), overwrite=force)
    say_on_stderr(str(target))
    if show:
        click.launch(target.resolve().as_uri())
