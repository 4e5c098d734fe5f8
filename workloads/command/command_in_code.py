"""A command as a person runs it: real names for placeholders, as many at once as measured."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from core import Dataset, Load
from workloads.command.command_parameters import CommandParameters, commands_of
from workloads.command.placeholders import filled

_FOLDER = "out"
"""Where the person is, unless the parameters name a folder."""
_EACH_FOLDER = '$(basename "$each")'


def command_in_code(parameters: CommandParameters, load: Load, dataset: Dataset) -> str:
    """The line of a shell that does what was measured; raises InvalidParameter."""
    templates = commands_of(parameters)
    names = templates.run.names
    at_once = load.processes * (1 if "threads" in names else load.threads)
    counter = "each" if "each" in names else "n" if at_once > 1 else ""
    variables = frozenset({counter, "out"} if counter else ())
    folder = f"{parameters.folder.rstrip('/')}/{_FOLDER}" if parameters.folder else _FOLDER
    common = {
        "threads": str(load.threads),
        "dataset": dataset.location,
        "out": folder,
        "n": "0",
        "seed": str(load.seed),
    }
    values = {name: filled(value, common) for name, value in templates.own.items()} | common
    commands = [*filter(None, (templates.others.get("prepare"), templates.run))]
    lines = [one.line(values, variables) for one in commands]
    if any("out" in one.names for one in commands):
        lines = [*_made(folder, counter), *lines]
    line = " && ".join(lines)
    if not counter:
        return line
    items = _each(dataset) if counter == "each" else f"seq 0 {at_once - 1} | xargs"
    shell = templates.run.program if parameters.shell else "sh"
    script = shlex.quote(f"{counter}=$1; {line}")
    return f"{items} -n 1 -P {at_once} {shell} -c {script} sh"


def _made(folder: str, counter: str) -> Iterator[str]:
    """Each run has a folder of its own, as it had while measured."""
    if counter:
        own = _EACH_FOLDER if counter == "each" else "$n"
        yield f'out={shlex.quote(folder)}/"{own}"'
    yield f"mkdir -p {'"$out"' if counter else shlex.quote(folder)}"


def _each(dataset: Dataset) -> str:
    """The files of a folder, or those that a list names, whose paths begin where the list is."""
    place = dataset.path
    if place.is_dir():
        return f"find {shlex.quote(str(place))} -type f -print0 | sort -z | xargs -0"
    folder = "".join(f"\\{one}" if one in "\\&|" else one for one in f"{place.parent}/")
    script = shlex.quote(f"/^$/d; s|^[^/]|{folder}&|")
    return f"sed {script} {shlex.quote(str(place))} | tr '\\n' '\\0' | xargs -0"
