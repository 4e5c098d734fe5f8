"""Native code of readers: harnesses that are compiled when first needed, and malloc's settings."""

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
    candidates = filter(None, (os.environ.get(variable, ""), *names))
    return next(filter(None, map(shutil.which, candidates)), None)


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
            why = done.complaints[-500:]
            raise SluiceError(f"the harness of {name} could not be compiled: {why}")

    return written_once(place, compile_to)


_TRIM_THRESHOLD, _TOP_PAD, _MMAP_THRESHOLD = -1, -2, -3  # of mallopt, from malloc.h
REGION = 64 * 1024 * 1024
"""Of the arenas that malloc has for threads other than the first."""
LARGEST = REGION // 2
"""Most that malloc takes from its arenas, whatever it is told."""


def keep_freed_memory(mapped_from: int, *, regions: bool = False) -> None:
    """Have malloc keep what results have freed, and use it again (glibc only).

    Memory of that many bytes is mapped, and unmapped when it is freed.  With `regions` those stay
    of which nothing is in use any more.
    """
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "mallopt"):
        return
    libc.mallopt(_TRIM_THRESHOLD, 2**31 - 1)
    libc.mallopt(_MMAP_THRESHOLD, mapped_from)
    if regions:
        libc.mallopt(_TOP_PAD, REGION)  # a region is given back where more than this is left
