"""The workload: any program of the user's own, one run of which is an operation.

Where the command has `{threads}`, the load's threads are the program's and one run follows the
other; the load's processes are then how many run at once.  Without it, the threads are.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, override

from core import (
    Command,
    Commands,
    Context,
    Dataset,
    InvalidParameter,
    Job,
    Load,
    Unavailable,
    UsageError,
    Workload,
    dataset_kind,
    declared,
    reveal,
    tr,
    users_environment,
)
from workloads.command.command_job import CommandJob
from workloads.command.command_parameters import CommandParameters
from workloads.command.commands_of import asked_of, joined_axes, require_program

_EMPTY_PROGRAM = ("/bin/sh", "-c", ":")
_TRIES = 3


class AnyProgram(Workload[CommandParameters]):
    """Runs a program."""

    name = "command"
    unit = "run"
    parameters = CommandParameters
    dataset_kinds = ()

    @override
    def admit(self, parameters: CommandParameters, dataset: Dataset) -> None:
        """The commands can be read, every placeholder has a value, the programs are there."""
        asked = asked_of(parameters)
        require_program(asked.run)
        for name, template in asked.others.items():
            require_program(template, name)

    @override
    def subject(self, parameters: CommandParameters) -> str:
        """The command as it was written."""
        return parameters.run

    @override
    def axes(self, written: Sequence[str]) -> Sequence[str]:
        """Axes of own placeholders, such as `level=1..9`, are values of the axis `values`."""
        known = {kind.name for kind in (*declared(CommandParameters), *declared(Load))}
        own: dict[str, str] = {}
        kept: list[str] = []
        for one in written:
            name, _, values = one.partition("=")
            if not values or name.replace("-", "_") in known or not re.fullmatch(r"\w+", name):
                kept.append(one)
            elif name in own:
                raise UsageError(tr("an axis is given twice"), tr("join its values: threads=1,2,4"))
            else:
                own[name] = values
        return [*kept, f"values={joined_axes(own)}"] if own else kept

    @override
    def open(self, context: Context[CommandParameters]) -> Job[Any, Any]:
        """Find the program, and make the folder of this process; raises SluiceError."""
        parameters, dataset = context.parameters, context.dataset
        self.admit(parameters, dataset)
        for reference in parameters.secrets.split():
            reveal(reference)
        size = sum(file.stat().st_size for file in dataset_kind(dataset.kind).files(dataset.path))
        folder = _folder_of(context)
        try:
            commands = Commands(context.mark, folder)
        except OSError as error:
            folder.rmdir()
            raise Unavailable(
                tr("/bin/sh cannot be started: {why}", why=error.strerror or error)
            ) from error
        job = CommandJob(context, asked_of(parameters), commands, folder, size)
        environment = users_environment()
        job.give_environment(environment)
        empty = Command(arguments=_EMPTY_PROGRAM, environment=environment)
        job.start = min(commands.run(empty).seconds for _ in range(_TRIES))
        return job


def _folder_of(context: Context[CommandParameters]) -> Path:
    """A folder of this process's own, on the disk that the user wants."""
    wanted = context.parameters.folder
    try:
        place = Path(wanted).expanduser().resolve(strict=True) if wanted else context.cache
        return Path(tempfile.mkdtemp(prefix=f"runs-{context.mark}-", dir=place))
    except OSError as error:
        raise InvalidParameter(
            "folder",
            tr("{path} cannot be used: {why}", path=wanted or context.cache, why=error.strerror),
            tr("name a folder that can be written to"),
        ) from error
