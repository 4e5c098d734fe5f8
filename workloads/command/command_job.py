"""Runs of a program, each of which is verified as soon as it has ended, with the clock stopped."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path
from typing import override

from core import (
    Command,
    Commands,
    Context,
    Fault,
    InvalidParameter,
    Job,
    OfPrograms,
    Ran,
    SluiceError,
    Step,
    Weight,
    dataset_kind,
    file_state,
    one_line,
    tr,
)
from workloads.command.command_parameters import CommandParameters, CommandTemplates
from workloads.command.content_comparer import ContentComparer
from workloads.command.differences import RunOutput
from workloads.command.each_file import EachFile
from workloads.command.placeholders import filled
from workloads.command.program_run import (
    ProgramRun,
    RunFolders,
    require_success,
    sha256_of_all,
    text_of_run,
)
from workloads.command.reference import Reference
from workloads.command.run_sums import RunSums
from workloads.command.template import Template

_RUNS = 1000
"""Numbers of runs before they start over, and runs that are still known, as a day can have
millions."""
_OUT_ALONE = re.compile(r"(?<!\S)\{out\}(?!\S)")
_CANNOT_BE_STARTED = (errno.ENOENT, errno.EACCES, errno.ENOEXEC, errno.ENOTDIR, errno.E2BIG)
"""What is wrong with a command itself, also at its next run."""
_BETWEEN_WORDS = 1.0
"""CPU seconds of a program after which it is said that it moves."""


class CommandJob(Job[int, Sequence[str]]):
    """One item is one run, by its number; its result says what the program did."""

    items: Sequence[int] = range(_RUNS)
    checking = "at once"
    held = 1  # of more, all folders would be on the disk at once
    tallies: tuple[str, ...] = (OfPrograms.WRITTEN, OfPrograms.CPU)

    def __init__(
        self,
        context: Context[CommandParameters],
        templates: CommandTemplates,
        commands: Commands,
        folders: RunFolders,
        read: tuple[EachFile, int],
    ) -> None:
        """`folders`: where those of runs are made.

        `read`: the files of which each run takes one, and the bytes that every run reads.
        """
        parameters = context.parameters
        self._context, self._templates, self._commands = context, templates, commands
        self._own, self._temporary = folders.outputs, folders.temporary
        self._folder = folders.outputs.path
        each, self._size = read
        self._each, self._is_each = each.files, each.is_dataset
        if "out" not in templates.run.names:  # what it writes elsewhere is not known
            self.tallies = (OfPrograms.CPU,)
        if self._each:
            self.items = range(len(self._each) * max(_RUNS // len(self._each), 1))
        # Each run reads all of the dataset; the first ones begin at once.
        load = context.load
        at_once = 1 if "threads" in templates.run.names else load.threads
        self.one_pass = len(self._each) or at_once * load.processes * load.nodes
        self._numbers = count()
        self._program_runs: dict[int, ProgramRun] = {}
        self._comparer = ContentComparer(
            self._start, commands.environment, self._folder, parameters.normalise.strip()
        )
        own = (f"{name}={value}" for name, value in sorted(templates.own.items()))
        meaning = (parameters.run, parameters.normalise, parameters.same, *own)
        self._references = [
            Reference(
                context.cache,
                context.run_id,
                (*meaning, *map(str, self._each[at : at + 1])),
                partial(self._output, at),
                self._comparer,
            )
            for at in range(max(len(self._each), 1))
        ]
        """One for each file; of all runs where all have the same input."""
        self.notes = (each.note,) if each.note else ()
        self._sums = RunSums()
        self._state = ""
        """Of the data's files, when they were last seen to hold what they should."""
        self._environment = commands.environment
        self._has_remains = False
        """Whether something could not be removed, and a note tells so."""
        self.start = 0.0
        """Seconds that a program takes which does nothing."""
        # Programs do the work, also where each worker runs one: its own thread only waits.
        self.client_threads = context.load.threads
        if "threads" in templates.run.names:
            self.workers = 1

    def refer(self) -> None:
        """Make what all outputs are held against, with this job's threads, if nobody has yet.

        How long a run takes is known then, or from the first run where nothing is compared.  Of
        several files that is done with the first; of each other, its first run is the reference.
        """
        first = self._references[0]
        if self._context.parameters.same != "none":
            first.make(self._context.load.threads)
            if self._each[1:]:
                self.notes = (*self.notes, _of_files())
        if (reference := first.known) is not None:
            self.notes = (*reference.notes, *self.notes)
            self.rehearsed = reference.seconds

    @contextmanager
    @override
    def worker(self, index: int) -> Iterator[tuple[Step, ...]]:
        def prepare(item: int) -> ProgramRun:
            going = self._begin(item, index)
            with self._removed_if_failed(going):
                self._prepare(going)
            return going

        def run(going: ProgramRun) -> Sequence[str]:
            with self._removed_if_failed(going):
                return going.end(self._run(going))

        yield (Step("prepare", prepare, apart=True), Step("run", run))

    @contextmanager
    def _output(self, file: int, threads: int, again: int) -> Iterator[RunOutput]:
        """What a run puts out that is not measured; its files are removed behind it."""
        item = file + again * max(len(self._each), 1)
        watch = self._reported(self._why_made(again=bool(again)))
        going = self._begin(item, 0, threads)
        command = replace(self._command(self._templates.run, going), stdout=going.stdout)
        with self._removed_if_failed(going):
            self._prepare(going)
            ran = self._start(self._limited(command), watch)
            self._require(self._templates.run, ran)
            yield replace(self._compared(going), seconds=ran.seconds)
            self._run_other("conclude", going)
        self._program_runs.pop(going.number, None)
        self._remove(going)

    def try_once(self) -> str:
        """One run as a person reads it, however it ends; its files are removed behind it."""
        going = self._begin(0, 0)
        going.stdout = going.folder.with_suffix(".stdout")
        command = replace(self._command(self._templates.run, going), stdout=going.stdout)
        watch = self._reported(tr("running {program}", program=self._templates.run.program))
        with self._removed_if_failed(going):
            self._prepare(going)
            ran = self._start(self._limited(command), watch)
            text = text_of_run(command, ran, going, is_pipe=self._templates.run.is_pipe)
            self._run_other("conclude", going)
        self._remove(going)
        return text

    def _reported(self, doing: str) -> Callable[[float], None]:
        """What says that a run moves, as it takes CPU time."""
        reported = 0.0
        self._context.report(doing)

        def watch(cpu: float) -> None:
            nonlocal reported
            if cpu - reported > _BETWEEN_WORDS:
                reported = cpu
                self._context.report(doing)

        return watch

    def _why_made(self, *, again: bool) -> str:
        program, data = self._templates.run.program, self._context.dataset.path.name
        if again:
            return tr(
                "running {program} on {data} once more, to see whether its output stays the same",
                program=program,
                data=data,
            )
        return tr(
            "running {program} on {data} for what outputs are compared with",
            program=program,
            data=data,
        )

    def _compared(self, going: ProgramRun) -> RunOutput:
        """What of a run has to be the same."""
        same = self._context.parameters.same
        return RunOutput(
            going.folder if same != "stdout" else None, going.stdout if same != "files" else None
        )

    def _begin(self, item: int, worker: int, threads: int = 0) -> ProgramRun:
        number = next(self._numbers)
        folder, temporary = self._folder / str(number), self._temporary.path / str(number)
        folder.mkdir()
        temporary.mkdir()
        common = {
            "threads": str(threads or self._context.load.threads),
            "dataset": str(self._file(item) if self._is_each else self._context.dataset.path),
            **({"each": str(self._file(item))} if self._each else {}),
            "out": str(folder),
            "n": str(item),
            "seed": str(self._context.load.seed),
        }
        own = {name: filled(value, common) for name, value in self._templates.own.items()}
        values = {**own, **common}
        going = self._program_runs[number] = ProgramRun(number, worker, folder, values, temporary)
        if self._reads_stdout:
            going.stdout = folder.with_suffix(".stdout")
        if self._each:
            going.size = self._file(item).stat().st_size
        past = self._program_runs.get(number - _RUNS)
        if past is not None and past.judged is not None:
            del self._program_runs[past.number]
        return going

    def _file(self, item: int) -> Path:
        return self._each[item % len(self._each)]

    def _run(self, going: ProgramRun) -> Ran:
        command = self._limited(self._command(self._templates.run, going))
        command = replace(command, stdout=going.stdout)
        tally, counted = self._context.tally(going.worker), 0.0

        def watch(cpu: float) -> None:
            nonlocal counted
            # What nobody has waited for is seen while it lives, and not in the sum at the end.
            tally.add(OfPrograms.CPU, max(cpu - counted, 0.0))
            counted = max(cpu, counted)

        ran = self._start(command, watch)
        watch(ran.cpu)
        to_stdout = going.stdout.stat().st_size if going.stdout else ran.output
        self._sums.add(ran, going.worker, to_stdout)
        self._require(self._templates.run, ran)
        if self._context.parameters.same == "none":
            self._references[0].note_pace(ran.seconds)
        return ran

    def _command(self, template: Template, going: ProgramRun) -> Command:
        return Command(
            arguments=template.arguments(going.values),
            environment={
                **self._environment,
                "TMPDIR": str(going.temporary),
                **template.variables(going.values),
            },
            folders=(going.folder, going.temporary),
        )

    def _limited(self, command: Command) -> Command:
        parameters = self._context.parameters
        return replace(command, timeout=parameters.timeout, stall=parameters.idle)

    def _start(self, command: Command, watch: Callable[[float], None] = lambda cpu: None) -> Ran:
        try:
            return self._commands.run(command, watch)
        except OSError as error:
            cause = tr(
                "{program} cannot be started: {why}",
                program=command.arguments[0],
                why=error.strerror or error,
            )
            if error.errno in _CANNOT_BE_STARTED:
                raise InvalidParameter("run", cause) from error
            raise SluiceError(cause) from error

    def _require(self, template: Template, ran: Ran, before: str = "") -> None:
        require_success(before + template.program, ran, is_pipe=template.is_pipe)

    def _run_other(self, name: str, going: ProgramRun) -> None:
        """Run the command of that name, if there is one; raises SluiceError where it fails."""
        if (template := self._templates.others.get(name)) is not None:
            ran = self._start(self._command(template, going))
            self._require(template, ran, f"{name}: ")

    def _prepare(self, going: ProgramRun) -> None:
        """What comes before a run; raises SluiceError where it fails, or has not put data back."""
        if "prepare" not in self._templates.others:
            return
        self._run_other("prepare", going)
        dataset = self._context.dataset
        kind = dataset_kind(dataset.kind)
        state = file_state(*kind.listed(dataset.path).names)
        if state != self._state:
            if kind.open(dataset.path).fingerprint != dataset.fingerprint:
                raise SluiceError(
                    tr("{path} has changed since the run began", path=dataset.path),
                    tr("have --prepare put it back, or give each run a copy in {out}", out="{out}"),
                )
            self._state = state

    @contextmanager
    def _removed_if_failed(self, going: ProgramRun) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._program_runs.pop(going.number, None)
            with suppress(SluiceError):  # the first failure is told
                self._run_other("conclude", going)
            self._remove(going)
            raise

    def _remove(self, going: ProgramRun) -> None:
        """Remove its folder; a note tells of the first that could not be."""
        if (remains := going.remove()) and not self._has_remains:
            self.notes, self._has_remains = (*self.notes, *remains), True

    @property
    def _reads_stdout(self) -> bool:
        parameters = self._context.parameters
        expected = bool(parameters.expect) and "out" not in self._templates.run.names
        return expected or parameters.same in {"stdout", "all"}

    @override
    def weigh(self, results: Sequence[Sequence[str]]) -> Weight:
        """Runs, and the bytes of the dataset that each has gone through; else those written."""
        moved = 0
        for result in results:
            going = self._program_runs[_number(result)]
            moved += self._size or going.size or going.written
            if OfPrograms.WRITTEN in self.tallies:
                self._context.tally(going.worker).add(OfPrograms.WRITTEN, going.written)
        return Weight(len(results), moved)

    @override
    def faults(self, item: int, result: Sequence[str]) -> Iterable[Fault]:
        """What is wrong with what a run put out; its folder is removed then."""
        going = self._program_runs.get(_number(result))
        if going is None or tuple(result) != going.rows:
            return (Fault(tr("this is not what the program did")),)
        if going.judged is None:
            _ = going.written  # while it is there
            try:
                going.judged = tuple(self._judge(going))
            finally:
                self._remove(going)
        return going.judged

    def _judge(self, going: ProgramRun) -> Iterator[Fault]:
        try:
            yield from self._compare(going)
        except SluiceError as error:
            yield Fault(str(error))
        except OSError as error:
            yield Fault(
                tr("{path} cannot be read: {why}", path=error.filename, why=error.strerror or error)
            )
        for name, wrong_data in (("check", True), ("conclude", False)):
            try:
                self._run_other(name, going)
            except SluiceError as error:
                yield Fault(str(error), wrong_data=wrong_data)

    def _compare(self, going: ProgramRun) -> Iterator[Fault]:
        parameters = self._context.parameters
        if parameters.expect:
            output = RunOutput(None, going.stdout)
            if "out" in self._templates.run.names:
                output = RunOutput(going.folder)
            digest = sha256_of_all(output.files, self._comparer.of_bytes)
            if digest != parameters.expect:
                yield Fault(tr("the output is {found}, not as expected", found=digest))
        if parameters.same == "none":
            return
        output = self._compared(going)
        item, threads = int(going.values["n"]), self._context.load.threads
        reference = self._references[item % len(self._references)]
        digest = self._comparer.digest(output)
        reference.adopt(digest, threads)
        if fault := reference.complaint(digest, threads, output):
            yield fault

    @override
    def remedy(self, error: Exception) -> str:
        """Most programs want the name of a file behind such as `-o`, and some crash on a folder."""
        if not _OUT_ALONE.search(self._context.parameters.run):
            return ""
        words = {"out": "{out}", "example": "{out}/result"}
        return tr("{out} is a folder: write {example} where a file is meant", **words)

    @override
    def describe(self, item: int) -> str:
        number = item + 1
        if self._each:
            return tr("{file} in run {number}", file=one_line(self._file(item).name), number=number)
        return tr("run {number}", number=number)

    @override
    def rewind(self) -> None:
        """The warm-up has no part in the peaks."""
        self._sums = RunSums()

    @override
    def counters(self) -> Mapping[str, float]:
        """What runs took, and what starting a program takes."""
        return {**self._sums.counters(), "empty program seconds": self.start}

    @override
    def close(self) -> None:
        with suppress(SluiceError):  # it is removed with the folder
            for reference in self._references:
                reference.close()
        self._commands.close()
        self._own.close()
        self._temporary.remove()


def _of_files() -> str:
    return tr("The output of each file is compared with that of its first run.")


def _number(result: Sequence[str]) -> int:
    """The number of the run that a result is of; -1 for what is none."""
    name, _, number = (result[0] if result else "").partition(" ")
    return int(number) if name == "run" and number.isdigit() else -1
