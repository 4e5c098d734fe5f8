"""Why a placeholder cannot stand where it stands, and what to write in its place."""

from __future__ import annotations

from core import tr
from workloads.command.shell_quotes import Where


def refusal(where: Where, name: str) -> tuple[str, str]:
    """The cause and the remedy; `name`: the placeholder as it is written."""
    behind = tr('write f={name} on a line before it, and "$f" in its place', name=name)
    return {
        Where.COMMENT: (
            tr("{name} stands in a comment", name=name),
            tr("take it out, or double its braces"),
        ),
        Where.BACKSLASH: (
            tr("a backslash stands before {name}", name=name),
            tr("take it away: a value needs none"),
        ),
        Where.BACKQUOTES: (
            tr("{name} stands between backquotes", name=name),
            tr("write $(…) in place of them"),
        ),
        Where.SHELL: (
            tr("a second shell would read the value of {name} as a command", name=name),
            tr("hand it over as an argument: {example}", example=f"sh -c 'wc \"$1\"' sh {name}"),
        ),
        Where.EVAL: (
            tr("eval, trap or alias would read the value of {name} as a command", name=name),
            tr("hand it over in a variable: {example}", example=f"f={name}; eval 'wc \"$f\"'"),
        ),
        Where.DOCUMENT: (tr("{name} stands in or behind a here-document", name=name), behind),
        Where.UNCLEAR: (
            tr("{name} stands in or behind what shells read in different ways", name=name),
            behind,
        ),
        Where.UNCLOSED: (
            tr("the quotes do not match"),
            tr("close every quote, and put a backslash before one that is meant as text"),
        ),
    }[where]
