"""The command line: one module per group of commands, loaded when used.

`python -m core --help` must not import what only a run needs.  So the table below holds the name,
the place and one line of help of every command.  A test compares it with the commands.
"""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import click

from core.language import SluiceError, UsageError, as_typed_here, command_text
from core.tell.cli.terminal import guarded, say, say_lines, say_on_stderr

INTERRUPTED = 130
_SHOWN = 80
"""Letters of a name that is too long."""

_COMMANDS = {
    "measure": ("measure_command:measure", "Measure one setting, or settings against each other."),
    "study": ("study_command:study", "Repeat a published study and check its claims."),
    "workflow": (
        "workflow_command:workflow",
        "Measure the heavy steps of a recorded run with other numbers of threads.",
    ),
    "studies": ("study_command:studies", "List the published studies."),
    "dataset": ("catalog_command:dataset", "Inspect data, or generate it."),
    "lab": ("lab_command:lab", "Start throw-away servers on this computer."),
    "list": (
        "catalog_command:list_workloads",
        "List workloads, their parameters, and dataset kinds.",
    ),
    "compare": ("compare_command:compare", "Say which of two sessions or settings is faster."),
    "show": ("session_command:show", "Show what a session holds."),
    "export": ("session_command:export", "Write a session as JSON, CSV, Markdown, …"),
    "report": ("session_command:report", "Write a session as one HTML file with plots."),
    "watch": ("unfinished_command:watch", "Follow a run of another process or machine."),
    "resume": ("unfinished_command:resume", "Continue an interrupted run."),
    "salvage": ("session_command:salvage", "Copy what can be read of a damaged session."),
    "import": ("session_command:import_results", "Show results of Sluice, hyperfine or fio."),
    "leftovers": ("doctor_command:leftovers", "List or remove what killed runs left on servers."),
    "doctor": (
        "doctor_command:doctor",
        "Check this machine: what is missing, which limits will hurt.",
    ),
    "selfcheck": ("doctor_command:selfcheck", "Measure Sluice itself."),
}
"""By name: where it is, `FILE:FUNCTION`, and one line of help."""


class ListedGroup(click.Group):
    """A group whose help lists its commands without making or importing them."""

    def __init__(
        self,
        listed: Callable[[], Mapping[str, str]],
        command: Callable[[str], click.Command],
        title: str = "Commands",
        read: Callable[[list[str]], list[str]] = list,
        **settings: Any,
    ) -> None:
        """`listed`: names with a line of help; `command`: makes one, or raises UnknownName.

        `read`: makes words that begin with a command of those that were given.
        """
        super().__init__(**settings)
        self._listed, self._command, self._title = listed, command, title
        self._read = read

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        return super().resolve_command(ctx, self._read(args))

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self._listed())

    def get_command(self, ctx: click.Context, name: str) -> click.Command:
        """Make a command; raises UnknownName."""
        return self._command(name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section(self._title):
            formatter.write_dl(list(self._listed().items()))


def _command(name: str) -> click.Command:
    if name not in _COMMANDS:
        from core.language import UnknownName

        raise UnknownName("command", name, tuple(_COMMANDS))
    import importlib

    module, _, attribute = _COMMANDS[name][0].partition(":")
    command: click.Command = getattr(importlib.import_module(f"core.tell.cli.{module}"), attribute)
    return command


class Help(click.HelpFormatter):
    """Help whose examples can be typed as they stand."""

    def getvalue(self) -> str:
        return as_typed_here(super().getvalue())


# click asks the class of contexts, whichever command they are of.
click.Context.formatter_class = Help


def _say_version(context: click.Context, parameter: click.Parameter, asked: bool) -> None:
    if asked:
        from core.measure import sluice_build

        say(f"sluice {sluice_build()}")
        context.exit()


EXAMPLES = """\b
Examples:
  python -m core study seqrepo-fd-cache
  python -m core measure fasta --dataset genome.fa.bgz --threads 4 --cache per-thread
  python -m core measure fasta threads=1..16 cache=none,lru-locked --dataset snapshot/ --budget 60s
  python -m core compare last#cache=none '#cache=lru-locked'
  python -m core show last
  python -m core report last --open
  python -m core --path . measure mymodule:MyReader --dataset DATA
  python -m core COMMAND --help"""


@click.group(
    cls=ListedGroup,
    listed=lambda: {name: text for name, (_, text) in _COMMANDS.items()},
    command=_command,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=EXAMPLES,
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Show version, commit and platform, and exit.",
)
@click.option(
    "--path",
    "folders",
    multiple=True,
    metavar="FOLDER",
    type=click.Path(exists=True, file_okay=False, resolve_path=True),
    help="Folder with the module of a module:Class workload. Can be given several times.",
)
def root(folders: tuple[str, ...]) -> None:
    """Find out how many threads, which cache, which format and which store serve your data best.

    Sluice measures your own data, in processes of their own, and verifies every operation.
    """
    from core.measure import require_threads

    require_threads()
    # Behind what Sluice needs itself, so that no file there hides a part of it.
    sys.path += [folder for folder in folders if folder not in sys.path]


def main(arguments: list[str] | None = None) -> int:
    """Run one command line; returns the exit code: 2 usage, 1 failed run, 130 interrupted.

    A 0 becomes a 1 where something could not be printed, and 141 where its reader has left.
    """
    with guarded() as judged:
        return judged(_carried_out(arguments))


def _carried_out(arguments: list[str] | None) -> int:
    try:
        code: Any = root.main(arguments, prog_name=command_text(), standalone_mode=False)
        return code if isinstance(code, int) else 0
    except click.exceptions.NoArgsIsHelpError as help_wanted:
        say_lines(help_wanted.format_message())
        return 2
    except click.ClickException as error:
        # One line, as for every other mistake; click's own message would add the usage.
        hint = (
            f" (see {error.ctx.command_path} --help)"
            if isinstance(error, click.UsageError) and error.ctx
            else ""
        )
        return _complain(error.format_message().replace("\n", " ") + hint, 2)
    except (SluiceError, OSError, MemoryError, ImportError) as error:
        failure = _for_users(error)
        return _complain(str(failure), failure.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return _complain("interrupted", INTERRUPTED)


def _for_users(error: SluiceError | OSError | MemoryError | ImportError) -> SluiceError:
    """The error as users see it; one of the machine came where nothing could be done about it."""
    match error:
        case SluiceError():
            return error
        case MemoryError():
            return SluiceError("there is not enough memory", _shortage(error))
        case ImportError():  # also where there is no memory or no descriptor left for a library
            lacking = _shortage(error)
            why = "" if lacking else f": {error}"  # which can be pages of advice
            return SluiceError(f"a part of Sluice cannot be loaded{why}", lacking)
        case FileNotFoundError(filename=None) if not _is_somewhere():
            return UsageError("the current folder no longer exists", "change to one that does")
        case OSError(errno=errno.ENAMETOOLONG, filename=str() as name):
            return UsageError(f"a file cannot have a name as long as {name[:_SHOWN]}…")
        case OSError():
            from core.measure import unusable

            return _of_proc(error) or unusable(error)


def _shortage(error: BaseException) -> str:
    from core.measure import shortage

    return shortage(error)


def _of_proc(error: OSError) -> SluiceError | None:
    """That there is no /proc, where a file of it cannot be read."""
    from core.measure import require_proc

    try:
        if not str(error.filename).startswith("/proc/"):
            return None
        require_proc()
    except SluiceError as lacking:
        return lacking
    return None


def _is_somewhere() -> bool:
    try:
        os.getcwd()  # noqa: PTH109 -- nothing is done with it
    except OSError:
        return False
    return True


def _complain(message: str, code: int) -> int:
    say_on_stderr(f"sluice: {message}")
    return code


__all__ = ["INTERRUPTED", "UsageError", "main", "root"]
