"""Compiles a harness in C or C++ when it is first needed, and keeps it in the cache folder."""

from __future__ import annotations

import ctypes
import hashlib
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from core import Program, SluiceError, cache_folder, run_program, written_once

_FLAGS = ("-fPIC", "-shared", "-pthread")


def compiler(variable: str, *names: str) -> str | None:
    """The compiler that an environment variable names, else the first of these that is found."""
    wanted = (os.environ.get(variable, ""), *names)
    return next((found for name in wanted if name and (found := shutil.which(name))), None)


def loaded(name: str, flags: Sequence[str], *units: Path) -> ctypes.CDLL | None:
    """A harness in C; None where there is no compiler, or one that cannot compile it."""
    command = compiler("CC", "cc", "gcc", "clang")
    if command is None:
        return None
    try:
        return ctypes.CDLL(str(compiled(name, command, flags, units)))
    except (SluiceError, OSError):
        return None


def compiled(
    name: str, command: str, flags: Sequence[str], units: Sequence[Path], read: Sequence[Path] = ()
) -> Path:
    """A shared library of these units, compiled anew where compiler, flags or sources are others.

    `read` are other files that the units include.  Raises SluiceError where they do not compile.
    """
    flags = (*flags, *_FLAGS)
    key = hashlib.blake2b(" ".join((command, *flags)).encode(), digest_size=16)
    for file in (*units, *read):
        key.update(hashlib.blake2b(file.read_bytes()).digest())
    place = cache_folder() / "native" / f"{name}-{key.hexdigest()}.so"

    def compile_to(unfinished: Path) -> None:
        folders = [f"-I{folder}" for folder in dict.fromkeys(file.parent for file in read)]
        arguments = [command, *flags, *folders, *map(str, units), "-o", str(unfinished)]
        done = run_program(Program(arguments=arguments))
        if not done.well:
            raise SluiceError(
                f"the harness of {name} could not be compiled: {done.complaints[-500:]}"
            )

    return written_once(place, compile_to)
