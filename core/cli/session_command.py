"""`show`, `export`, `report`, `salvage`, and `import`: what sessions and other results hold."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from core.cli.flags import PLACE, STANDARD_OUTPUT, Place, there_already, whole
from core.cli.session_lookup import SESSION, find_session, read_session
from core.cli.terminal import print_data, print_written, say, say_on_stderr
from core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.output.exchange import Format
    from core.result.result import Result
    from core.session import Note, Run, Session

_RUN = click.option(
    "--run",
    "number",
    type=whole("run", low=1),
    metavar="N",
    help="Only the run of this number.  [default: all]",
)


@click.command(
    "show",
    help=f"Show what a session holds.\n\n{SESSION}",
    epilog="\b\nExamples:\n  python -m core show last\n  python -m core show last --why\n  python -m core show last --nodes\n  python -m core show night.sluice --run 2 --json",
)
@click.argument("session")
@_RUN
@click.option("--why", is_flag=True, help="Also say what limits each result, with the evidence.")
@click.option("--nodes", is_flag=True, help="Also show what each node of a cluster did.")
@click.option("--json", is_flag=True, help="Print the results as JSON, as export does.")
def show(session: str, number: int | None, *, why: bool, nodes: bool, json: bool) -> None:
    """Print every run of a session."""
    from core.cli.terminal_tables import print_results
    from core.plan.spec import subjects_of

    with read_session(find_session(session)) as opened:
        if json:
            from core.output.exchange import format_named

            _print_export(opened.results(number), format_named("json"))
            return
        say(f"{opened.title or opened.path.name}  ({opened.path})")
        for run in [opened.run(number)] if number is not None else opened.runs():
            say()
            say(_heading(run))
            results = opened.results(run.id)
            for subject in subjects_of(result.spec for result in results):
                say(subject)
            for line in _versions(results):
                say(line)
            print_results(results)
            _print_study(opened, run)
            if nodes:
                _print_nodes(results)
            if why:
                _print_reasons(results)
        for note in opened.notes():
            _print_note(note)


def _versions(results: Sequence[Result]) -> Sequence[str]:
    """What was used besides Sluice, in one line; a line for each where trials used several."""
    told = {
        ", ".join(f"{name} {version}" for name, version in trial.versions.items())
        for result in results
        for trial in result.trials
        if trial.versions
    }
    return [f"with {line}" for line in sorted(told)]


def _print_note(note: Note) -> None:
    first, *others = note.text.splitlines() or [""]
    say(f"note: {first}")
    for line in others:
        say(f"      {line}")


def _print_reasons(results: Sequence[Result]) -> None:
    from core.analysis.diagnosis import diagnose
    from core.analysis.how_measured import describe_file_systems, describe_measuring
    from core.cli.advice_card import print_diagnosis

    for told in (*describe_file_systems(results), *describe_measuring(results)):
        say(told)
    for result in results:
        print_diagnosis(diagnose(result, results), whole=True)


def _print_nodes(results: Sequence[Result]) -> None:
    from core.cli.terminal_tables import print_table
    from core.tables.trials_table import tabulate_nodes

    table = tabulate_nodes(results)
    if table.rows:
        print_table(table)
    else:
        say("nothing of this run was measured on a cluster")


def _heading(run: Run) -> str:
    from core.language.translation import tr
    from core.language.units import show_seconds

    begun = time.strftime("%Y-%m-%d %H:%M", time.localtime(run.started))
    took = f", {show_seconds(run.seconds)}" if run.seconds is not None else ""
    how = run.how or "unfinished: still running, or killed"
    trials = tr("1 trial", "{count:,} trials", count=run.trials)
    return f"run {run.id}: {run.plan.title}, {begun}{took}, {trials}, {how}"


def _print_study(opened: Session, run: Run) -> None:
    from core.cli.terminal_tables import print_study
    from core.study.preset import study_of

    if (study := study_of(run)) is not None:
        print_study(study, opened.results(run.id))


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
    "-o",
    "--output",
    type=Place(allow_dash=True),
    help="File to write; - is stdout.  [default: -]",
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
    """Write results to a file or to standard output."""
    from core.output.exchange import format_for, format_named

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
        raise there_already(output)
    with read_session(find_session(session)) as opened:
        results = opened.results(number)
    if output is not None:
        chosen.export(results, output, overwrite=force)
        say_on_stderr(str(output))
    else:
        _print_export(results, chosen)


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
    from core.cli.terminal_tables import print_imported, print_results
    from core.output.exchange.imported import read
    from core.result.result import Result

    found = read(file)
    own = [one for one in found if isinstance(one, Result)]
    if own:
        print_results(own)
        return 0
    others = [one for one in found if not isinstance(one, Result)]
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
    """Write the new session, and say where it is and how much it holds."""
    from core.session.salvage import salvage as save

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
    """Write the report and say where it is."""
    from core.output.exchange import write_whole
    from core.output.report import render_report
    from core.output.report.chapters import report_of

    path = find_session(session)
    if show and output == STANDARD_OUTPUT:
        raise UsageError("what goes to stdout cannot be opened", "leave out --open or -o -")
    target = output or Path(f"{path.stem}.html")
    if target != STANDARD_OUTPUT and not force and target.is_file():
        raise there_already(target)  # checked before the work, and again at the end
    with read_session(path) as opened:
        page = render_report(report_of(opened, number)).encode()
    if target == STANDARD_OUTPUT:
        print_data(page)
        return
    write_whole(target, lambda stream: stream.write(page), overwrite=force)
    say_on_stderr(str(target))
    if show:
        click.launch(target.resolve().as_uri())
