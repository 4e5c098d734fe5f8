"""Writes the manual pages from what the commands say with --help."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from inspect import cleandoc

import click
from contents import PROJECT

from core.cli import root

PROGRAM = "sluice"
_FROM_SOURCE = "python -m core"
_ENDINGS = {
    "0": "success",
    "1": "a failed run",
    "2": "a usage error",
    "130": "an interrupt",
}


def commands_page(epoch: int) -> str:
    """sluice(1): every command with its options and examples."""
    about = cleandoc(root.help or "")
    purpose = PROJECT["description"].rstrip(".")
    lines = [
        _head(PROGRAM, epoch),
        ".SH NAME",
        rf"{PROGRAM} \- {escaped(purpose[:1].lower() + purpose[1:])}",
        ".SH SYNOPSIS",
        rf".B {PROGRAM}",
        r"[\fIOPTION\fR ...] \fICOMMAND\fR [\fIARGUMENT\fR ...]",
        ".SH DESCRIPTION",
        escaped(about),
        ".SH OPTIONS",
        *_options(root, click.Context(root, info_name=PROGRAM)),
        ".SH COMMANDS",
        *_commands(root, click.Context(root, info_name=PROGRAM)),
        ".SH EXIT STATUS",
        *(line for code, text in _ENDINGS.items() for line in (".TP", rf"\fB{code}\fR", text)),
        ".SH SEE ALSO",
        rf".BR {PROGRAM}\-app (1)",
    ]
    return "\n".join(lines) + "\n"


def window_page(epoch: int) -> str:
    """sluice-app(1)."""
    from app.__main__ import USAGE

    name = f"{PROGRAM}-app"
    usage, _, about = USAGE.partition("\n")
    lines = [
        _head(name, epoch),
        ".SH NAME",
        rf"{escaped(name)} \- the window of sluice",
        ".SH SYNOPSIS",
        rf".B {escaped(name)}",
        escaped(usage.removeprefix(f"Usage: {name} ")),
        ".SH DESCRIPTION",
        escaped(about.strip()),
        ".SH SEE ALSO",
        rf".BR {PROGRAM} (1)",
    ]
    return "\n".join(lines) + "\n"


def _head(name: str, epoch: int) -> str:
    day = datetime.fromtimestamp(epoch, UTC).date()
    return f'.TH {name.upper()} 1 "{day}" "Sluice {PROJECT["version"]}" "User Commands"'


def _commands(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        inner = click.Context(command, info_name=name, parent=context)
        usage = " ".join(command.collect_usage_pieces(inner))
        yield f".SS {escaped(inner.command_path)} {escaped(usage)}"
        yield escaped(cleandoc(command.help or ""))
        if isinstance(command, click.Group):
            yield from _names(command, inner)
        else:
            yield from _options(command, inner)
        yield from _examples(command.epilog or "")
        if type(command) is click.Group:  # others have a command for each workload or kind
            yield from _commands(command, inner)


def _names(group: click.Group, context: click.Context) -> Iterator[str]:
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None
        yield from (".TP", rf"\fB{escaped(name)}\fR", escaped(command.get_short_help_str(200)))


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    for parameter in command.get_params(context):
        if record := parameter.get_help_record(context):
            flags, text = record
            yield from (".TP", rf"\fB{escaped(flags)}\fR", escaped(text))


def _examples(epilog: str) -> Iterator[str]:
    text = epilog.replace("\b\n", "").replace(_FROM_SOURCE, PROGRAM).strip()
    if text:
        yield from (".PP", ".nf", escaped(text), ".fi")


def escaped(text: str) -> str:
    """Text as troff takes it: nothing in it is a command."""
    text = re.sub(r"[ \t]*\x08\n?", "", text).replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text.strip("\n"), flags=re.MULTILINE)
