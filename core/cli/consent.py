"""Asks before anything runs that a session from elsewhere names; nothing is asked of one's own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from core.cli.terminal import agrees, say_on_stderr
from core.errors import NotTrusted
from core.language.translation import tr

if TYPE_CHECKING:
    from core.execution.would_run import WouldRun

yes_option = click.option(
    "--yes",
    is_flag=True,
    default=None,
    help="Agree to what a session from elsewhere would run.",
)


def require_agreement(found: WouldRun, *, yes: bool) -> None:
    """Say what would run, and ask; raises NotTrusted where nobody agrees."""
    say_on_stderr("look out: this was not started here by you. It would run:")
    for line in found.lines:
        say_on_stderr(f"  {line}")
    told = tr("1 line above says what", "{count} lines above say what", count=len(found.lines))
    count = told + ", and not all of it" * found.cut
    if not (yes or agrees(f"Run it? The {count}.")):
        raise NotTrusted(
            "nothing was run: it needs your agreement", "read what it would run, then add --yes"
        )
