"""Command lines, read by the real command line."""

from __future__ import annotations

import shlex

import click

from core.cli.run_command import requested, run, sweep
from core.cli.study_command import requested_study, study
from core.cli.tune_command import requested_search, tune
from core.execution.request import Request


def parsed(line: str) -> Request:
    """What the real command line takes a line for."""
    python, dash_m, core, command, name, *rest = shlex.split(line)
    assert (python, dash_m, core) == ("python", "-m", "core")
    group: click.Group = {"run": run, "sweep": sweep, "tune": tune, "study": study}[command]
    found = group.get_command(click.Context(group), name)
    assert found is not None
    values = dict(found.make_context(name, rest).params)
    if command == "study":
        return requested_study(name, values)[0]
    if command == "tune":
        return requested_search(name, values.pop("axes", ()), values)[0]
    return requested(name, values.pop("axes", ()), values)[0]
