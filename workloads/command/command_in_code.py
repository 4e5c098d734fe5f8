"""A command as a person runs it: real names for placeholders, as many at once as measured."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping

from core import Dataset, Load
from workloads.command.command_parameters import (
    CommandParameters,
    CommandTemplates,
    commands_of,
)
from workloads.command.each_file import EachFile
from workloads.command.placeholders import filled
from workloads.command.workflow_code import FOLDER, Grant, Inputs, found_files, workflow_code


def command_in_code(
    parameters: CommandParameters, load: Load, dataset: Dataset
) -> Mapping[str, str]:
    """What does what was measured: a line of a shell, and what managers of workflows take.

    Raises InvalidParameter.
    """
    commands = commands_of(parameters)
    names = commands.run.names
    # With patterns each run has the next file of a folder as its dataset.
    by_file = "each" in names or bool(
        parameters.reads and "dataset" in names and dataset.path.is_dir()
    )
    at_once = load.processes * (1 if "threads" in names else load.threads)
    counter = ("each" if "each" in names else "dataset") if by_file else "n"
    of_managers: Iterator[tuple[str, str]] = iter(())
    if dataset.path.is_dir() if by_file else at_once == 1:
        variables = frozenset({"threads", counter if by_file else "dataset", "out"})
        granted = _line(parameters, commands, load, dataset, variables=variables)
        grant = Grant(load.workers // at_once, -(-load.memory_limit // at_once))
        inputs = Inputs(dataset.location)
        if by_file:
            count = len(EachFile.of(parameters, dataset).files)
            inputs = Inputs(str(dataset.path), counter, parameters.reads, count, at_once)
        of_managers = workflow_code(granted, commands.run, grant, inputs)
    if not by_file and at_once == 1:
        return {"Shell": _line(parameters, commands, load, dataset), **dict(of_managers)}
    line = _line(parameters, commands, load, dataset, counter, frozenset({counter, "out"}))
    items = _each(dataset, parameters.reads) if by_file else f"seq 0 {at_once - 1} | xargs"
    shell = commands.run.program if parameters.shell else "sh"
    script = shlex.quote(f"{counter}=$1; {line}")
    return {"Shell": f"{items} -n 1 -P {at_once} {shell} -c {script} sh", **dict(of_managers)}


def _line(  # noqa: PLR0913 -- what a setting consists of
    parameters: CommandParameters,
    commands: CommandTemplates,
    load: Load,
    dataset: Dataset,
    counter: str = "",
    variables: frozenset[str] = frozenset(),
) -> str:
    """A run as a line; `counter`: what a shell counts runs by; `variables`: what it has set."""
    # Where the person is, unless the parameters name a folder.
    folder = f"{parameters.folder.rstrip('/')}/{FOLDER}" if parameters.folder else FOLDER
    common = {
        "threads": str(load.threads),
        "dataset": dataset.location,
        "out": folder,
        "n": "0",
        "seed": str(load.seed),
    }
    values = {name: filled(value, common) for name, value in commands.own.items()} | common
    every = [*filter(None, (commands.others.get("prepare"), commands.run))]
    lines = [one.line(values, variables) for one in every]
    if any("out" in one.names for one in every):
        lines = [*_made(folder, counter, given="out" in variables), *lines]
    return " && ".join(lines)


def _made(folder: str, counter: str, *, given: bool) -> Iterator[str]:
    """Each run has a folder of its own, as it had while measured; `given`: by a variable."""
    if counter:
        own = "$n" if counter == "n" else f'$(basename "${counter}")'
        yield f'out={shlex.quote(folder)}/"{own}"'
    yield f"mkdir -p {'"$out"' if given else shlex.quote(folder)}"


def _each(dataset: Dataset, patterns: str) -> str:
    """The files of a folder that patterns match, or those that a list names, whose paths begin
    where the list is.
    """
    place = dataset.path
    if place.is_dir():
        return f"{found_files(str(place), patterns)} | xargs -0"
    folder = "".join(f"\\{one}" if one in "\\&|" else one for one in f"{place.parent}/")
    script = shlex.quote(f"/^$/d; s|^[^/]|{folder}&|")
    return f"sed {script} {shlex.quote(str(place))} | tr '\\n' '\\0' | xargs -0"
