"""Command lines, read by the real command line."""

from __future__ import annotations

import shlex

import click

from core.cli.measure_command import measure
from core.cli.measuring_command import MeasuringCommand
from core.cli.run_command import run, sweep
from core.cli.study_command import study
from core.cli.tune_command import tune
from core.execution.request import Request, way_to_measure
from core.host.program import PROGRAM, program_here


def parsed(line: str) -> Request:
    """What the real command line takes a line for."""
    words = shlex.split(line)
    ours, shown = list(PROGRAM), list(program_here())
    program = ours if words[: len(ours)] == ours else shown
    assert words[: len(program)] == program
    command, name, *rest = words[len(program) :]
    groups = {"measure": measure, "run": run, "sweep": sweep, "tune": tune, "study": study}
    group: click.Group = groups[command]
    found = group.get_command(click.Context(group), name)
    assert isinstance(found, MeasuringCommand)
    read = found.read(found.make_context(name, rest).params)
    return way_to_measure(read) if group is measure else read
