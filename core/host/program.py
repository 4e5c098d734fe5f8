"""How the command line is called here, as users type it, and where its modules are."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

FROM_SOURCE = ("python", "-m", "core")

PROGRAM = ("sluice",) if getattr(sys, "frozen", False) else FROM_SOURCE
"""The packaged program is its own interpreter, so there is no `python` to type."""

_COMMAND = "sluice"


def program_here() -> tuple[str, ...]:
    """What starts the command line of this very Sluice in any shell and from any folder.

    That is the packaged program; or the command where set-up has put it beside Python, or else
    Python itself, which must be told where the packages are if it would not find them elsewhere.
    """
    frozen = bool(getattr(sys, "frozen", False))
    command = Path(sys.executable) if frozen else Path(sys.executable).with_name(_COMMAND)
    if os.access(command, os.X_OK):
        from shutil import which  # which brings archives along

        found = which(_COMMAND)
        return (_COMMAND if found and Path(found).samefile(command) else str(command),)
    # Every child of a trial comes by this module, and would wait 20 ms for the import.
    from importlib.metadata import PackageNotFoundError, distribution

    python = (sys.executable, "-m", "core")
    root = Path(__file__).resolve().parents[2]
    with suppress(PackageNotFoundError):
        if Path(str(distribution(_COMMAND).locate_file("core"))).resolve() == root / "core":
            return python
    return ("env", f"PYTHONPATH={root}", *python)


def command_text(*arguments: str) -> str:
    """A command to be shown, such as `python -m core lab start s3`."""
    return " ".join((*PROGRAM, *arguments))


def as_typed_here(text: str) -> str:
    """The examples in a text, with the program as it is called here."""
    return text.replace(" ".join(FROM_SOURCE), command_text())


def import_path() -> str:
    """Where this process finds modules; an empty entry means the current folder.

    What is not there is left out, such as the marks of editable installations, which Python adds
    by itself: each entry makes a search in vain longer, of which httpx makes some ninety for each
    file that the client of Synapse sends.
    """
    found = (path or str(Path.cwd()) for path in sys.path)
    return os.pathsep.join(path for path in found if Path(path).exists())
