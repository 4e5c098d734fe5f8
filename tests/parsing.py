"""Command lines, read by the real command line."""

from __future__ import annotations

import shlex

import click

from core.language import PROGRAM
from core.measure import program_here
from core.run import Request
from core.tell.cli.measure_command import MeasuringCommand, measure
from core.tell.cli.study_command import study


def parsed(line: str) -> Request:
    """What the real command line takes a line for."""
    words = shlex.split(line)
    ours, shown = list(PROGRAM), list(program_here())
    program = ours if words[: len(ours)] == ours else shown
    assert words[: len(program)] == program
    command, name, *rest = words[len(program) :]
    group: click.Group = {"measure": measure, "study": study}[command]
    found = group.get_command(click.Context(group), name)
    assert isinstance(found, MeasuringCommand)
    return found.read(found.make_context(name, rest).params)
