"""`salvage`: what can still be read of a damaged session, as a new one."""

from __future__ import annotations

from pathlib import Path

import click

from core.cli.flags import PLACE
from core.cli.session_lookup import find_session
from core.cli.terminal import say, say_on_stderr


@click.command(
    "salvage",
    help="Copy what can be read of a damaged session into a new one. The damaged file stays as it is.\n\nSESSION is a file, a name in your sessions folder, or `last`.",
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
    """Write the new session, and tell where it is and how much it holds."""
    from core.session.salvage import salvage as save

    path = find_session(session)
    saved = save(path, output)
    say_on_stderr(saved.sentence)
    say(str(saved.place))
    return 0 if saved.whole else 1
