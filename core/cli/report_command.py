"""`report`: a session as one HTML file."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.flags import STANDARD_OUTPUT, Place, there_already, whole
from core.cli.terminal import print_data, say_on_stderr
from core.errors import UsageError

_EXAMPLES = """\b
Examples:
  python -m core report last --open
  python -m core report fasta.sluice -o fasta.html
  python -m core report fasta.sluice --run 2 -o -"""


@click.command(
    "report",
    help="Write SESSION as one HTML file with its plots, tables and caveats.\n\n"
    "SESSION is a file, a name in your sessions folder, or `last`.",
    epilog=_EXAMPLES,
)
@click.argument("session")
@click.option(
    "-o",
    "--output",
    type=Place(allow_dash=True),
    help="File to write; - is stdout.  [default: the session's name with .html, here]",
)
@click.option("--run", type=whole("run", low=1), metavar="N", help="Only this run.  [default: all]")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@click.option("--open", "show", is_flag=True, help="Show it in the browser.")
def report(session: str, output: Path | None, run: int | None, force: bool, show: bool) -> None:
    """Write the report and tell where it is."""
    from core.cli.session_lookup import find_session, read_session
    from core.output.report import render_report
    from core.output.report.chapters import report_of

    path = find_session(session)
    if show and output == STANDARD_OUTPUT:
        raise UsageError("what goes to stdout cannot be opened", "leave out --open or -o -")
    target = output or Path(f"{path.stem}.html")
    if target != STANDARD_OUTPUT and not force and target.is_file():
        raise there_already(target)  # checked before the work, and again at the end
    with read_session(path) as opened:
        page = render_report(report_of(opened, run)).encode()
    if target == STANDARD_OUTPUT:
        print_data(page)
        return
    _write(page, target, overwrite=force)
    say_on_stderr(str(target))
    if show:
        click.launch(target.resolve().as_uri())


def _write(page: bytes, target: Path, *, overwrite: bool) -> None:
    from core.host.folders import unwritten
    from core.host.shared_files import put_in_place

    try:
        with put_in_place(target, overwrite=overwrite) as new:
            new.write_bytes(page)
    except FileExistsError as error:
        raise there_already(target) from error
    except FileNotFoundError as error:
        raise UsageError(f"the folder of {target} does not exist", "create it first") from error
    except OSError as error:
        raise unwritten(target, error) from error
