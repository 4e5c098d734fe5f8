"""Which version of a program is here: what it says itself, else the digest of its file.

It is asked once, as long as its file stays the same, in an empty folder, with little time and
nothing to read, since a program may take what it is asked with for something else.
"""

from __future__ import annotations

import hashlib
import os
import select
import shutil
import signal
import subprocess
import tempfile
import uuid
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import monotonic

from core.host.commands.process_tree import STAMP, carries, kill
from core.host.naming_file import naming_file
from core.host.users_environment import users_environment
from core.language.invisible import one_line
from core.language.units import Seconds

_PATIENCE: Seconds = 5.0
_MOST_BYTES = 1 << 16
_LONGEST = 160
_DIGITS = 12
_ROUNDS = 2
"""One that is found may just have started another."""


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
    """What it writes until it ends well; empty where it does not, or not soon.

    Whatever it has started is ended too: a program may take no notice of what it is asked with.
    """
    stamp = f"version-{os.getpid()}-{uuid.uuid4().hex}"
    try:
        return _said_with(command, folder, {**_environment(), STAMP: stamp})
    finally:
        for _ in range(_ROUNDS):
            for pid in [pid for pid in _processes() if carries(pid, f"{STAMP}={stamp}")]:
                kill(pid)


def _processes() -> list[int]:
    """All there are, where /proc tells."""
    with suppress(OSError):
        return [int(one.name) for one in Path("/proc").iterdir() if one.name.isdecimal()]
    return []


def _said_with(command: list[str], folder: str, environment: Mapping[str, str]) -> str:
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        env=environment,
        cwd=folder,
        start_new_session=True,
        bufsize=0,
    ) as asked:
        assert asked.stdout is not None
        try:
            said = _read(asked.stdout.fileno())
            if said is None or asked.wait(_PATIENCE) != 0:
                return ""
            return said.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            return ""
        finally:
            with suppress(ProcessLookupError):
                os.killpg(asked.pid, signal.SIGKILL)


def _environment() -> Mapping[str, str]:
    return {**users_environment(), "LC_ALL": "C.UTF-8"}


def _read(pipe: int) -> bytes | None:
    """All of it; None where it is too much, or takes too long."""
    until, found = monotonic() + _PATIENCE, b""
    while len(found) < _MOST_BYTES:
        ready, _, _ = select.select([pipe], [], [], max(0.0, until - monotonic()))
        if not ready:
            return None
        block = os.read(pipe, _MOST_BYTES)
        if not block:
            return found
        found += block
    return None


def _digest(path: Path) -> str:
    with naming_file(path), path.open("rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
