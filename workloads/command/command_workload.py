"""The workload: any program of the user's own, one run of which is an operation.

Where the command has `{threads}`, the load's threads are the program's and one run follows the
other; the load's processes are then how many run at once.  Without it, the threads are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from tempfile import gettempdir
from typing import Any, Literal, override

from core import (
    Command,
    Commands,
    Context,
    Dataset,
    InvalidParameter,
    Job,
    Load,
    RunFolder,
    Unavailable,
    UsageError,
    Value,
    Workload,
    dataset_kind,
    expanded,
    reveal,
    tr,
    version_of_program,
)
from workloads.command.command_in_code import command_in_code
from workloads.command.command_job import CommandJob
from workloads.command.command_parameters import (
    CommandParameters,
    commands_of,
    first_program,
    names_of,
    require_program,
    taken_names,
    written_axes,
)
from workloads.command.each_file import EachFile
from workloads.command.program_run import RunFolders
from workloads.command.template import Template

_EMPTY_PROGRAM = ("/bin/sh", "-c", ":")
_TRIES = 3
_THREADS = "{threads}"


class AnyProgram(Workload[CommandParameters]):
    name = "command"
    unit = "run"
    parameters = CommandParameters
    important = ("run", "threads", "same")
    dataset_kinds = ()
    lines = ("run",)
    has_reader = False

    @override
    def admit(self, parameters: CommandParameters, dataset: Dataset) -> None:
        """The commands can be read, every placeholder has a value, the programs are there.

        So are the files that a list names.
        """
        templates = commands_of(parameters)
        require_program(templates.run, own=templates.own)
        for name, template in templates.others.items():
            require_program(template, name, templates.own)
        if dataset.local and (parameters.reads or not dataset.path.is_dir()):
            EachFile.of(parameters, dataset)

    @override
    def unread(self, parameters: CommandParameters) -> str:
        templates = commands_of(parameters)
        every = (templates.run, *templates.others.values())
        if any({"dataset", "each"} & one.names for one in every):
            return ""
        return tr(
            "the command names no {placeholder}, and its stdin is empty: it reads nothing of the "
            "dataset",
            placeholder="{dataset}",
        )

    @override
    def refers(self, parameters: CommandParameters) -> bool:
        """Where outputs have to be the same."""
        return parameters.same != "none"

    @override
    def compared_with(self, parameters: CommandParameters, threads: int) -> str:
        if parameters.expect:
            return ""
        if parameters.same == "none":
            if parameters.check.strip():
                return tr("judged by a command of yours")
            return tr("exit code only, output not compared")
        names = commands_of(parameters).run.names
        if "each" in names:
            return tr("the same output in each run of a file")
        if "threads" not in names:
            return tr("the same output in each run")
        return tr("the same as with 1 thread", "the same as with {count:,} threads", count=threads)

    @override
    def admit_threads(self, parameters: CommandParameters) -> None:
        """Only where the program has a placeholder for them."""
        try:
            template = Template(parameters.run, shell=parameters.shell)
        except InvalidParameter:  # that is said where it is specified
            return
        if "threads" in template.names:
            return
        if similar := get_close_matches("threads", template.own, 1):
            raise InvalidParameter(
                "run",
                tr("it has {name} and no {threads}", name=f"{{{similar[0]}}}", threads=_THREADS),
                tr("write {threads}, if that is meant", threads=_THREADS),
            )
        raise InvalidParameter(
            "threads",
            tr("the command has no {threads}, so it has no number of threads", threads=_THREADS),
            tr(
                "write {threads} where that belongs, or ask how many run at once: processes=1..8",
                threads=_THREADS,
            ),
        )

    @override
    def other_files(self, parameters: CommandParameters, dataset: Dataset) -> Sequence[Path]:
        """Those that a list names."""
        has_list = "each" in commands_of(parameters).run.names and dataset.path.is_file()
        return EachFile.of(parameters, dataset).files if has_list else ()

    @override
    def restores_data(self, parameters: CommandParameters) -> bool:
        """A command before each run can; the job then looks whether it does."""
        return bool(parameters.prepare.strip())

    @property
    @override
    def remedy_for_changes(self) -> str:
        return tr(
            "have each run work on a copy of its own: --prepare {prepare} and {copy} in --run, "
            "or have --prepare put the data back",
            prepare="'cp {dataset} {out}/copy'",
            copy="{out}/copy",
        )

    @override
    def subject(self, parameters: CommandParameters) -> str:
        return parameters.run

    @override
    def in_code(
        self, parameters: CommandParameters, load: Load, dataset: Dataset
    ) -> Mapping[str, str]:
        return command_in_code(parameters, load, dataset)

    @override
    def programs(self, parameters: CommandParameters) -> Mapping[str, str]:
        """The version of what is run; with a shell, of what its line begins with."""
        program = first_program(parameters)
        version = version_of_program(program, parameters.version_by.strip()) if program else ""
        return {Path(program).name: version} if version else {}

    @override
    def at_once(
        self, parameters: CommandParameters, dataset: Dataset
    ) -> Literal["", "files", "runs"]:
        names = names_of(parameters.run, shell=parameters.shell)
        if "threads" not in names:
            return ""
        return "files" if {"dataset", "each"} & names else "runs"

    @override
    def axes(
        self, written: Sequence[str], *, search: bool, values: Mapping[str, Value] | None = None
    ) -> Sequence[str]:
        """Those of own placeholders have their ranges written out, such as `level=1,2,3`.

        `jobs` is how many run at once, unless it is such a placeholder.

        Several of them are one axis of a search: all combinations, as values of `values`.  So are
        those whose sum is given: `a+b=4` is every way to share out four.
        """
        own: dict[str, str] = {}
        others: list[str] = []
        command = values or {}
        own_jobs = "jobs" in names_of(str(command.get("run", "")), shell=bool(command.get("shell")))
        for one in written:
            name, _, listed_values = one.partition("=")
            if name == "threads" and "0" in re.split(r",|\.\.", listed_values):
                raise UsageError(
                    tr("threads=0 is no number of threads"),
                    tr(
                        "where 0 means none or all to the program, use a name of your own: -T{jobs}, and jobs=0,1,2",
                        jobs="{jobs}",
                    ),
                )
            if name == "jobs" and not own_jobs:
                others.append(f"processes={listed_values}")
            elif "+" not in name and (not listed_values or name.replace("-", "_") in taken_names()):
                others.append(one)
            elif not {*name.split("+")}.isdisjoint(
                part for other in own for part in other.split("+")
            ):
                raise UsageError(tr("an axis is given twice"), tr("join its values: threads=1,2,4"))
            else:
                own[name] = listed_values
        return [*others, *written_axes(own, search=search)]

    @override
    def open(self, context: Context[CommandParameters]) -> Job[Any, Any]:
        """Find the program, and make the folder of this process; raises SluiceError."""
        job = self._job(context)
        try:
            job.refer()
        except BaseException:
            job.close()
            raise
        return job

    @override
    def try_once(self, context: Context[CommandParameters]) -> str:
        job = self._job(context)
        try:
            return job.try_once()
        finally:
            job.close()

    def _job(self, context: Context[CommandParameters]) -> CommandJob:
        parameters, dataset = context.parameters, context.dataset
        self.admit(parameters, dataset)
        for reference in parameters.secrets.split():
            reveal(reference)
        templates = commands_of(parameters)
        each = EachFile.of(parameters, dataset)
        read = "dataset" in templates.run.names and not each.is_dataset
        size = sum(dataset_kind(dataset.kind).listed(dataset.path).sizes) if read else 0
        folders = _folders_of(context)
        folder = folders.outputs.path
        try:
            # Its name is in their stamps, by which they are found where all of us are killed.
            commands = Commands(folder.name, folder, folders.temporary.path)
        except OSError as error:
            folders.outputs.remove()
            folders.temporary.remove()
            raise Unavailable(
                tr("/bin/sh cannot be started: {why}", why=error.strerror or error)
            ) from error
        job = CommandJob(context, templates, commands, folders, (each, size))
        empty = Command(arguments=_EMPTY_PROGRAM, environment=commands.environment)
        job.start = min(commands.run(empty).seconds for _ in range(_TRIES))
        return job


def _folders_of(context: Context[CommandParameters]) -> RunFolders:
    """Folders of this process's own, on the disks that the user wants."""
    folder = context.parameters.folder
    try:
        place = expanded(folder).resolve(strict=True) if folder else context.cache
        outputs = RunFolder(place, context.mark)
    except OSError as error:
        raise InvalidParameter(
            "folder",
            tr("{path} cannot be used: {why}", path=folder or context.cache, why=error.strerror),
            tr("name a folder that can be written to"),
        ) from error
    try:
        return RunFolders(outputs, RunFolder(Path(gettempdir()), context.mark))
    except OSError as error:
        outputs.remove()
        raise Unavailable(
            tr("{path} cannot be used: {why}", path=gettempdir(), why=error.strerror),
            tr("set {variable} to a folder that can be written", variable="TMPDIR"),
        ) from error
