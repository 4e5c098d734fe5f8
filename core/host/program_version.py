"""Which version of a program is here: what it says itself, else the digest of its file.

It is asked once, as long as its file stays the same, in an empty folder, with little time and
nothing to read, since a program may take what it is asked with for something else.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from functools import lru_cache
from pathlib import Path

from core.errors import naming_file
from core.host.processes.followed import run_program
from core.host.processes.supervisor import STDOUT, Program
from core.host.users_environment import users_environment
from core.language.invisible import one_line
from core.language.units import Seconds

_PATIENCE: Seconds = 5.0
_LONGEST = 160
_DIGITS = 12


def version_of_program(program: str, argument: str = "--version") -> str:
    """The first line of what it says to `argument`; `sha256 …` of its file where it says nothing.

    Without an argument it is not asked.  Empty where there is no such program.
    """
    found = shutil.which(program)
    if found is None:
        return ""
    path = Path(found).resolve()
    try:
        state = path.stat()
        told = _told(found, argument, (state.st_mtime_ns, state.st_size, state.st_ino))
        return told or f"sha256 {_digest(path)[:_DIGITS]}"
    except OSError:
        return ""


@lru_cache(maxsize=256)
def _told(program: str, argument: str, state: tuple[int, ...]) -> str:
    """`state`: of the file, so that another one of the same name is asked again."""
    if not argument:
        return ""
    with tempfile.TemporaryDirectory(prefix="sluice-version-") as folder:
        return _first_line(_said([program, argument], folder), Path(program).name)


def _first_line(said: str, name: str) -> str:
    """Without the name of the program, which it mostly begins with, and only if it has a number."""
    lines = [line for line in map(one_line, said.splitlines()) if line.strip()]
    first = lines[0].strip() if lines else ""
    if not any(letter.isdecimal() for letter in first):
        return ""
    return first.removeprefix(f"{name} ")[:_LONGEST]


def _said(command: list[str], folder: str) -> str:
    """What it writes until it ends well; empty where it does not, or not soon."""
    said = run_program(
        Program(
            arguments=command,
            environment={**users_environment(), "LC_ALL": "C.UTF-8"},
            stderr=STDOUT,
            cwd=folder,
        ),
        timeout=_PATIENCE,
    )
    return said.output if said.well else ""


def _digest(path: Path) -> str:
    with naming_file(path), path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
